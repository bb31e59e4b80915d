//! The facts of a game. Each says all that it changed, so that folding it decides nothing.

use serde::{Deserialize, Serialize};

use super::card::{DeckCard, GardenCard};
use super::cell::{Cell, CellSet};
use super::deck::Pile;
use super::garden::{Garden, letters};
use super::phase::Ended;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// WNA-3: a layout that walled the Queen in, and was swept up again.
    WalledIn {
        #[serde(with = "letters")]
        garden: Garden,
    },
    /// WNA-2, WNA-4: the garden and the deck, first card on top.
    LaidOut {
        #[serde(with = "letters")]
        garden: Garden,
        deck: Pile,
    },
    /// WNA-9, WNA-10: the cards of one turn, and what can be done with the last of them.
    Turned { cards: Pile, to: Turn },
    /// WNA-12: the revealed card is left in the deck.
    Passed { card: DeckCard },
    /// WNA-13: and those revealed later, too.
    PassedAll { card: DeckCard },
    /// WNA-16, WNA-17: a Soldier against this card. If a Cat saves it, the Cat is gone.
    Attacked {
        at: Cell,
        card: GardenCard,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cat: Option<Cell>,
        #[serde(default, skip_serializing_if = "After::is_nothing")]
        after: After,
    },
    /// WNA-19, WNA-20: a Gardener for this rose. If a Queen's Gardener guards it, that one is gone.
    Painted {
        at: Cell,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gardener: Option<Cell>,
        #[serde(default, skip_serializing_if = "After::is_nothing")]
        after: After,
    },
    /// WNA-22: a Cat against a Cat.
    Vanished {
        at: Cell,
        #[serde(default, skip_serializing_if = "After::is_nothing")]
        after: After,
    },
    /// WNA-23: a Cat for the top card of the discard pile.
    Swapped { card: DeckCard },
    /// WNA-25: Alice picks a red rose.
    Collected {
        at: Cell,
        #[serde(default, skip_serializing_if = "After::is_nothing")]
        after: After,
    },
    /// WNA-26: a Bramble is planted.
    Planted {
        at: Cell,
        #[serde(default, skip_serializing_if = "After::is_nothing")]
        after: After,
    },
    /// WNA-28: a Bramble fills the only gap.
    Filled {
        at: Cell,
        #[serde(default, skip_serializing_if = "After::is_nothing")]
        after: After,
    },
    /// WNA-15: the pile is turned over; the number of the cycle that begins, and whether the last one was idle.
    CameRound { cycle: u16, idle: bool },
    /// WNA-37: stuck, with a shuffle left.
    Stuck,
    /// WNA-35: the new deck, first card on top.
    Shuffled { deck: Pile },
    /// The end, and the score.
    Over { why: Ended, score: u8 },
}

/// What can be done with a card that was turned over.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// The player decides how to play it.
    Play,
    /// It is a Bramble, and there is a gap to plant it in.
    Plant,
    /// It could be played, and is let pass with the rest of the deck.
    Pass,
    /// Nothing.
    Nothing,
}

/// WNA-33: what follows a play by itself.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct After {
    /// WNA-29: isolated Brambles that are gone.
    #[serde(default, skip_serializing_if = "no_cells")]
    pub withered: CellSet,
    /// WNA-31: whether the path has opened or closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathChange>,
    /// WNA-32: how many roses were laid before the Queen.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub laid: u8,
}

impl After {
    pub const NOTHING: After = After { withered: CellSet::EMPTY, path: None, laid: 0 };

    fn is_nothing(&self) -> bool {
        *self == After::NOTHING
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathChange {
    Opened,
    Closed,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

fn no_cells(cells: &CellSet) -> bool {
    cells.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events are stored for ever. What is written here has been released: add to it, and change nothing.
    #[test]
    fn every_kind_of_event_reads_as_it_was_first_written() {
        let garden = "SWGWCWSWBCBCBWGSWGWSGCBSQSBCGSWGWSGWBCBCBCSGBWCWG";
        for body in [
            format!(r#"{{"walled-in":{{"garden":"{garden}"}}}}"#).as_str(),
            &format!(r#"{{"laid-out":{{"garden":"{garden}","deck":"ABSGC"}}}}"#),
            r#"{"turned":{"cards":"ABS","to":"play"}}"#,
            r#"{"turned":{"cards":"AB","to":"plant"}}"#,
            r#"{"turned":{"cards":"G","to":"pass"}}"#,
            r#"{"turned":{"cards":"CCC","to":"nothing"}}"#,
            r#"{"passed":{"card":"soldier"}}"#,
            r#"{"passed-all":{"card":"cat"}}"#,
            r#"{"attacked":{"at":"c3","card":"gardener"}}"#,
            r#"{"attacked":{"at":"c3","card":"soldier","cat":"b3","after":{"withered":["b2","a3"],"path":"opened","laid":2}}}"#,
            r#"{"painted":{"at":"c3"}}"#,
            r#"{"painted":{"at":"c3","gardener":"b3","after":{"withered":["b2"]}}}"#,
            r#"{"vanished":{"at":"c3"}}"#,
            r#"{"vanished":{"at":"c3","after":{"path":"opened"}}}"#,
            r#"{"swapped":{"card":"alice"}}"#,
            r#"{"collected":{"at":"c3"}}"#,
            r#"{"collected":{"at":"c3","after":{"laid":1}}}"#,
            r#"{"planted":{"at":"c3"}}"#,
            r#"{"planted":{"at":"c3","after":{"path":"closed"}}}"#,
            r#"{"filled":{"at":"c3"}}"#,
            r#"{"filled":{"at":"c3","after":{"path":"closed"}}}"#,
            r#"{"came-round":{"cycle":2,"idle":true}}"#,
            r#""stuck""#,
            r#"{"shuffled":{"deck":"CGSBA"}}"#,
            r#"{"over":{"why":"quit","score":7}}"#,
            r#"{"over":{"why":"stuck","score":0}}"#,
            r#"{"over":{"why":"surrounded","score":0}}"#,
            r#"{"over":{"why":"delivered","score":12}}"#,
        ] {
            let event: Event = serde_json::from_str(body).unwrap_or_else(|error| panic!("{body}: {error}"));
            assert_eq!(serde_json::to_string(&event).unwrap(), body);
        }
    }
}
