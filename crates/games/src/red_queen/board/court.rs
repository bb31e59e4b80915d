//! The middle of the table: the Queen, her coterie before her, the pile and the discards at her sides.

use super::super::RedQueen;
use super::super::combat::{Fight, QUEEN_OF_HEARTS, fight};
use super::super::coterie::Slot;
use super::super::moves::Move;
use super::super::view::Shown;
use super::super::words;
use super::choice::Choice;
use crate::playing_cards::{back, name, picture, silent, small};
use wonderpost_rules::{Card, Seat, View, Viewer};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Court {
    pub queen: Seat,
    /// The viewer reigns.
    pub is_mine: bool,
    pub queen_picture: String,
    /// Strikes the Queen.
    pub strike: Option<Control>,
    pub slots: Vec<SlotView>,
    pub pile: usize,
    pub pile_low: bool,
    pub pile_picture: String,
    /// Draws from the pile.
    pub draw: Option<Control>,
    pub discards: usize,
    /// The card on top of the discards.
    pub top: Option<String>,
}

/// A button that says a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    pub say: String,
    pub label: String,
}

/// A slot of the coterie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotView {
    pub slot: Slot,
    pub look: &'static str,
    /// The card as the viewer sees it; none in an empty slot.
    pub picture: Option<String>,
    /// A card known to lie there, shown in a corner of its back.
    pub corner: Option<String>,
    /// Who knows what.
    pub tag: String,
    pub control: Option<Control>,
    /// What would come of an attack with the picked card.
    pub outcome: Option<Outcome>,
    pub changed: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub word: &'static str,
    pub sign: &'static str,
    pub words: &'static str,
}

impl Outcome {
    pub const fn of(fight: Fight) -> Outcome {
        match fight {
            Fight::Win => Outcome { word: "win", sign: "✓", words: "win" },
            Fight::Lose => Outcome { word: "lose", sign: "✗", words: "lose" },
            Fight::Draw => Outcome { word: "draw", sign: "=", words: "draw" },
        }
    }
}

impl Court {
    pub fn new(view: &View<RedQueen>, before: Option<&View<RedQueen>>, choice: &Choice) -> Court {
        let table = &view.table;
        let strike = choice.at_queen().map(|mv| Control {
            say: mv.to_string(),
            label: format!("Strike the Red Queen with the {}", choice.picked().map(name).unwrap_or_default()),
        });
        let draw = choice.draws().then(|| Control {
            say: Move::Draw.to_string(),
            label: format!("Draw a card from the pile of {}", table.pile),
        });
        Court {
            queen: table.queen,
            is_mine: words::viewer(view) == Viewer::Seat(table.queen),
            queen_picture: silent(QUEEN_OF_HEARTS, ""),
            strike,
            slots: Slot::ALL.into_iter().map(|slot| SlotView::new(view, before, choice, slot)).collect(),
            pile: table.pile,
            pile_low: table.pile <= 5,
            pile_picture: back("", None),
            draw,
            discards: table.discard.len(),
            top: table.discard.last().map(|card| picture(*card, "")),
        }
    }
}

/// What a viewer can see of a slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Sight {
    shown: Option<Shown>,
    /// The card, for the Red Queen herself, and for all when the game is over.
    own: Option<Card>,
}

impl Sight {
    fn of(view: &View<RedQueen>, slot: Slot) -> Sight {
        let place = usize::from(slot.number()) - 1;
        let revealed = view.table.revealed.as_ref().map(|revealed| revealed.coterie);
        let own = view.mine.and_then(|mine| mine.coterie).or(revealed);
        Sight { shown: view.table.coterie[place], own: own.and_then(|own| own[place]) }
    }
}

impl SlotView {
    fn new(view: &View<RedQueen>, before: Option<&View<RedQueen>>, choice: &Choice, slot: Slot) -> SlotView {
        let table = &view.table;
        let sight = Sight::of(view, slot);
        let own_words = |known: bool| match (view.over, known) {
            (true, _) => "shown now",
            (false, true) => "seen by all",
            (false, false) => "secret",
        };
        let (look, picture, corner, tag) = match sight {
            Sight { shown: None, .. } => ("empty", None, None, "empty".to_owned()),
            Sight { shown: Some(Shown { up: true, card }), own } => {
                let face = card.or(own).map(|card| picture(card, ""));
                ("up", face, None, "face up".to_owned())
            }
            Sight { shown: Some(Shown { up: false, card: known }), own: Some(card) } => {
                ("own", Some(picture(card, "dim")), None, own_words(known.is_some()).to_owned())
            }
            Sight { shown: Some(Shown { up: false, card: Some(card) }), own: None } => {
                ("known", Some(back("", None)), Some(small(card, "")), format!("seen: {}", card.with_sign()))
            }
            Sight { shown: Some(Shown { up: false, card: None }), own: None } => {
                ("down", Some(back("", Some("face-down card"))), None, "unknown".to_owned())
            }
        };
        let gap = Slot::ALL.into_iter().find(|slot| Sight::of(view, *slot).shown.is_none());
        let control = choice.at(slot, gap).map(|mv| Control { label: label(&mv, slot, sight), say: mv.to_string() });
        let outcome = match (choice.at(slot, gap), sight.shown.and_then(|shown| shown.card)) {
            (Some(Move::Attack { card, .. }), Some(member)) => Some(Outcome::of(fight(card, member))),
            _ => None,
        };
        let same_round = before.filter(|before| before.table.round == table.round);
        let changed = same_round.is_some_and(|before| !view.over && Sight::of(before, slot) != sight);
        SlotView { slot, look, picture, corner, tag, control, outcome, changed }
    }
}

fn label(mv: &Move, slot: Slot, sight: Sight) -> String {
    let there = match sight.shown {
        None => "which is empty".to_owned(),
        Some(shown) => match (shown.card.or(sight.own), shown.up) {
            (Some(card), true) => format!("the {} lying face up", name(card)),
            (Some(card), false) => format!("the {} lying face down", name(card)),
            (None, _) => "a face-down card that nobody has seen".to_owned(),
        },
    };
    match mv {
        Move::Attack { card, .. } => {
            let outcome =
                sight.shown.and_then(|shown| shown.card).map(|member| Outcome::of(fight(*card, member)).words);
            let outcome = outcome.map(|word| format!(": you would {word}")).unwrap_or_default();
            format!("Attack slot {slot}, {there}, with the {}{outcome}", name(*card))
        }
        Move::Place { card } => format!("Place the {} face down in slot {slot}", name(*card)),
        Move::Swap { card, .. } => {
            format!("Lay the {} in slot {slot} and take back {there}", name(*card))
        }
        Move::Draw | Move::Shuffle { .. } | Move::AttackQueen { .. } | Move::End | Move::Discard { .. } => {
            mv.to_string()
        }
    }
}
