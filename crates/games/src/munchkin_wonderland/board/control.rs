//! Controls: buttons that say a move, and links that begin a choice.

use super::super::moves::Move;
use crate::board_action::BoardAction;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    way: BoardAction<Move>,
    pub words: String,
    /// Said to those who do not see what the control belongs to.
    pub more: String,
    /// Something to know before pressing it.
    pub note: String,
    pub look: &'static str,
}

impl Control {
    /// A button that says this move.
    pub fn say(mv: &Move, words: impl Into<String>) -> Control {
        Control {
            way: BoardAction::Submit(mv.clone()),
            words: words.into(),
            more: String::new(),
            note: String::new(),
            look: "",
        }
    }

    /// A link that begins a choice.
    pub fn begin(begun: impl Into<String>, words: impl Into<String>) -> Control {
        Control {
            way: BoardAction::Begin(begun.into()),
            words: words.into(),
            more: String::new(),
            note: String::new(),
            look: "",
        }
    }

    pub fn more(self, more: impl Into<String>) -> Control {
        Control { more: more.into(), ..self }
    }

    pub fn note(self, note: impl Into<String>) -> Control {
        Control { note: note.into(), ..self }
    }

    pub fn look(self, look: &'static str) -> Control {
        Control { look, ..self }
    }

    /// The move that the control says, if it says one.
    pub fn says(&self) -> Option<&Move> {
        self.way.say()
    }

    /// Where the control leads, if it is a link.
    pub fn link(&self) -> Option<String> {
        self.way.link_to("controls")
    }
}

/// A die as it is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Face {
    pub value: u8,
}

impl Face {
    /// The drawing; values beyond six are written on an empty die.
    pub fn symbol(self) -> String {
        if (1..=6).contains(&self.value) { format!("mw-die-{}", self.value) } else { "mw-die-blank".into() }
    }

    pub fn is_written(self) -> bool {
        !(1..=6).contains(&self.value)
    }
}
