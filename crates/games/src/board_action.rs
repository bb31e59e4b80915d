//! What a control of a board does: every game's buttons and links are one of these.

/// A click submits a move, or begins a choice that another page finishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardAction<M> {
    Submit(M),
    /// Begins a choice: a card to be picked, a number, a question to be answered. With nothing begun it leads back.
    Begin(String),
}

impl<M> BoardAction<M> {
    /// The move that the control submits, if it does.
    pub fn say(&self) -> Option<&M> {
        match self {
            BoardAction::Submit(mv) => Some(mv),
            BoardAction::Begin(_) => None,
        }
    }

    /// Where the control leads, if it is a link.
    pub fn link(&self) -> Option<String> {
        self.link_to("board")
    }

    /// The same, with the part of the page to which it leads.
    pub fn link_to(&self, part: &str) -> Option<String> {
        match self {
            BoardAction::Submit(_) => None,
            BoardAction::Begin(begun) if begun.is_empty() => Some(format!("?#{part}")),
            BoardAction::Begin(begun) => Some(format!("?begun={}#{part}", begun.replace(' ', "%20"))),
        }
    }
}
