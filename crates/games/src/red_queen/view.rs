//! What everybody sees of the table, and what a seat alone sees.

use serde::{Deserialize, Serialize};

use super::card_set::CardSet;
use super::combat::Fight;
use super::coterie::Slot;
use super::role::Role;
use super::round::Round;
use super::{Phase, RedQueen};
use wonderpost_rules::{Card, Seat};

/// RQ-28: the table as the view shows it.
#[derive(Clone, Debug, Serialize)]
pub struct PublicView {
    pub target: u16,
    pub rounds: u8,
    pub round: u16,
    pub queen: Seat,
    pub roles: Vec<Role>,
    pub turn: Option<Seat>,
    pub first_turn: bool,
    pub actions: u8,
    pub to_discard: usize,
    pub pile: usize,
    /// Top last.
    pub discard: Vec<Card>,
    pub hands: Vec<usize>,
    /// RQ-31
    pub seen: Vec<CardSet>,
    pub coterie: [Option<Shown>; 3],
    pub last_attack: Option<Attack>,
    pub idle: u16,
    pub reigns: Vec<u16>,
    pub felled: Vec<u16>,
    pub history: Vec<Round>,
    pub revealed: Option<Revealed>,
}

/// A member as everybody sees it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    pub up: bool,
    pub card: Option<Card>,
}

/// The last attack of a round. On the Queen herself the slot is `None`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attack {
    pub seat: Seat,
    pub card: Card,
    pub slot: Option<Slot>,
    pub member: Card,
    pub result: Fight,
}

/// What is turned up when the game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revealed {
    pub hands: Vec<CardSet>,
    pub coterie: [Option<Card>; 3],
}

/// What a seat alone sees.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrivateView {
    pub role: Role,
    pub hand: CardSet,
    /// The Red Queen's own.
    pub coterie: Option<[Option<Card>; 3]>,
}

impl PublicView {
    pub fn of(state: &RedQueen) -> PublicView {
        let over = state.over();
        let shown = |slot| {
            let member = state.coterie.get(slot)?;
            Some(Shown { up: member.up, card: member.known.then_some(member.card) })
        };
        PublicView {
            target: state.options.target,
            rounds: state.options.rounds,
            round: state.round,
            queen: state.queen,
            roles: state.seats().map(|seat| state.role(seat)).collect(),
            turn: (!over).then_some(state.turn),
            first_turn: !over && state.first_turn(),
            actions: state.actions,
            to_discard: if state.phase == Phase::Discard { state.too_many() } else { 0 },
            pile: state.pile.len(),
            discard: state.discard.clone(),
            hands: state.seats().map(|seat| state.hand(seat).len()).collect(),
            seen: state.seats().map(|seat| state.seen[seat.index()]).collect(),
            coterie: Slot::ALL.map(shown),
            last_attack: state.last_attack,
            idle: state.idle,
            reigns: state.seats().map(|seat| state.reigns[seat.index()]).collect(),
            felled: state.seats().map(|seat| state.felled[seat.index()]).collect(),
            history: state.history.clone(),
            revealed: over.then(|| Revealed {
                hands: state.seats().map(|seat| state.hand(seat)).collect(),
                coterie: state.true_coterie(),
            }),
        }
    }

    pub fn seats(&self) -> u8 {
        self.hands.len() as u8
    }
}

impl PrivateView {
    pub fn of(state: &RedQueen, seat: Seat) -> PrivateView {
        PrivateView {
            role: state.role(seat),
            hand: state.hand(seat),
            coterie: (seat == state.queen).then(|| state.true_coterie()),
        }
    }
}

impl RedQueen {
    fn true_coterie(&self) -> [Option<Card>; 3] {
        Slot::ALL.map(|slot| Some(self.coterie.get(slot)?.card))
    }
}
