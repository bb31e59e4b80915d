//! Cards to tick, for players who would rather pay, show or throw others than those listed.

use super::super::cards::Cards;
use super::super::moves::{Move, Transfer};
use super::super::phase::Action;
use super::super::suits::suit_of;
use super::control::Group;
use crate::playing_cards;
use wonderpost_rules::Card;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticks {
    pub cards: Vec<Card>,
    pub buttons: Vec<Button>,
}

/// What is done with the cards that were ticked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The move up to its cards.
    pub say: String,
    pub words: String,
}

impl Ticks {
    /// For the controls that ask for cards; nothing if there is no choice among cards.
    pub fn of(groups: &[Group], hand: Cards) -> Option<Ticks> {
        let mut buttons: Vec<Button> = vec![];
        let mut listed = Cards::EMPTY;
        for group in groups {
            for mv in group.items.iter().chain(&group.more).filter_map(|item| item.way.say()) {
                let Some((say, cards)) = up_to_its_cards(mv) else { continue };
                listed |= cards;
                if buttons.iter().all(|button| button.say != say) {
                    let words = what_for(mv);
                    buttons.push(Button { say, words });
                }
            }
        }
        let suits: Vec<_> = listed.iter().map(suit_of).collect();
        let cards: Vec<Card> = (hand - Cards::JOKERS).iter().filter(|card| suits.contains(&suit_of(*card))).collect();
        (cards.len() > 1 && !buttons.is_empty()).then_some(Ticks { cards, buttons })
    }

    /// Each card with its picture and name.
    pub fn boxes(&self) -> impl Iterator<Item = (Card, String, String)> {
        self.cards.iter().map(|card| (*card, playing_cards::small_silent(*card, ""), playing_cards::name(*card)))
    }
}

/// What is done with the cards, on a button.
fn what_for(mv: &Move) -> String {
    match mv {
        Move::Act(Action::Travel(by, _), _) => match by {
            Transfer::Hike => "Hike".to_owned(),
            Transfer::Horse => "Ride".to_owned(),
            Transfer::Boat => "Sail".to_owned(),
            Transfer::Hole => "Tunnel".to_owned(),
            Transfer::Tavern => "Go by the tavern".to_owned(),
        },
        Move::Act(Action::Claim(house), _) => format!("Win over {}", house.royal().with_sign()),
        Move::Act(Action::Buy(card), _) => format!("Buy {}", card.with_sign()),
        Move::Act(Action::Land, _) => "Land".to_owned(),
        Move::Contest(_) => "Contest".to_owned(),
        Move::Prove(_) => "Prove it".to_owned(),
        Move::Throw(_) => "Throw".to_owned(),
        Move::Attack { target, .. } => format!("Attack {}", target.mark()),
        _ => "Pay".to_owned(),
    }
}

/// A move with any number of cards, without them.
fn up_to_its_cards(mv: &Move) -> Option<(String, Cards)> {
    let cards = match *mv {
        Move::Act(_, Some(cards))
        | Move::Pay(cards)
        | Move::Contest(cards)
        | Move::Prove(cards)
        | Move::Throw(cards)
        | Move::Attack { with: cards, .. } => cards,
        _ => return None,
    };
    let line = mv.to_string();
    let say = line.strip_suffix(&cards.to_string())?;
    Some((say.trim_end().to_owned(), cards))
}
