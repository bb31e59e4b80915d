//! The course of a round: whose turn, how many actions, what can be done, and when it is over.

use super::card_set::CardSet;
use super::combat::{aces, killers};
use super::coterie::Slot;
use super::moves::Move;
use super::options::Muster;
use super::role::Role;
use super::round::{How, Round};
use super::{Phase, RedQueen};
use wonderpost_rules::{Card, Seat, SeatSet};

/// RQ-5: cards dealt to each seat.
pub const DEAL: usize = 4;

impl RedQueen {
    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::all(self.seats)
    }

    pub(super) fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat.index()]
    }

    pub(super) fn role(&self, seat: Seat) -> Role {
        Role::of(seat, self.queen, self.seats)
    }

    pub(super) fn over(&self) -> bool {
        matches!(self.phase, Phase::Over(_))
    }

    /// Whether the seat whose turn it is has had no turn in this round before.
    pub(super) fn first_turn(&self) -> bool {
        self.turns < u16::from(self.seats)
    }

    /// RQ-7: the actions of a turn that begins.
    pub(super) fn allotment(&self) -> u8 {
        match (self.turn == self.queen, self.options.muster, self.seats) {
            (true, _, _) if self.first_turn() => 4,
            (true, _, _) => 3,
            (false, Muster::Even, 2) => 6,
            (false, Muster::Even, 3) => 3,
            (false, Muster::Even | Muster::Two, _) => 2,
        }
    }

    /// RQ-19: how many cards a hand may hold at the end of a turn.
    pub(super) fn hand_limit(&self, seat: Seat) -> usize {
        if seat == self.queen { 6 } else { 5 }
    }

    /// RQ-19: cards that must be discarded at the end of this turn.
    pub(super) fn too_many(&self) -> usize {
        if self.first_turn() { 0 } else { self.hand(self.turn).len().saturating_sub(self.hand_limit(self.turn)) }
    }

    /// The moves of phase `act`.
    pub(super) fn actions_of(&self, seat: Seat) -> Vec<Move> {
        let hand = self.hand(seat);
        // RQ-8, RQ-18
        let mut moves = vec![Move::Draw, Move::End];
        if seat != self.queen {
            // RQ-17
            if self.coterie.is_empty() {
                moves.extend(hand.and(killers()).iter().map(|card| Move::AttackQueen { card }));
            }
            // RQ-12
            for (slot, _) in self.coterie.members() {
                moves.extend(hand.iter().map(|card| Move::Attack { slot, card }));
            }
            return moves;
        }
        // RQ-9
        if self.coterie.lowest_gap().is_some() {
            moves.extend(hand.iter().map(|card| Move::Place { card }));
        }
        // RQ-10
        for (slot, _) in self.coterie.members() {
            moves.extend(hand.iter().map(|card| Move::Swap { slot, card }));
        }
        // RQ-11
        moves.extend(orders(self.face_down()).into_iter().map(|cards| Move::Shuffle { cards }));
        moves
    }

    /// The face-down members, sorted: their order tells nothing.
    pub(super) fn face_down(&self) -> CardSet {
        self.coterie.face_down().map(|(_, member)| member.card).collect()
    }

    /// What is the Red Queen's: her hand and her coterie.
    pub(super) fn possession(&self) -> CardSet {
        self.hand(self.queen).or(self.coterie.cards())
    }

    /// RQ-20, RQ-21, RQ-22, in this order: whether the Red Queen has won.
    pub(super) fn queen_has_won(&self) -> Option<How> {
        self.wins_with(self.possession())
    }

    /// Whether she has won if these cards are hers.
    pub(super) fn wins_with(&self, hers: CardSet) -> Option<How> {
        if hers.and(aces()).len() >= 3 {
            return Some(How::Aces);
        }
        if hers.and(killers()).len() >= 2 {
            return Some(How::Killers);
        }
        if self.pile.is_empty() {
            return Some(How::Depleted);
        }
        self.killers_left().without(hers).is_empty().then_some(How::Safe)
    }

    /// The killers that have not been discarded.
    fn killers_left(&self) -> CardSet {
        killers().without(self.discard.iter().copied().collect())
    }

    /// RQ-22: whether a seat that makes these cards be discarded cannot foresee if that ends the round. It does if the Red Queen has
    /// the last killer.
    pub(super) fn may_make_her_safe(&self, seat: Seat, discarded: CardSet) -> bool {
        let left = self.killers_left().without(discarded);
        if seat == self.queen || discarded.and(killers()).is_empty() || left.len() != 1 {
            return false;
        }
        let known = self.coterie.members().filter(|(_, member)| member.known).map(|(_, member)| member.card);
        let seen = self.seats().fold(known.collect(), |seen: CardSet, other| seen.or(self.seen[other.index()]));
        left.and(seen.or(self.hand(seat))).is_empty()
    }

    /// RQ-23: whether two laps have gone by without a card drawn or discarded.
    pub(super) fn is_quiet(&self) -> bool {
        self.idle >= 2 * u16::from(self.seats)
    }

    /// RQ-24: this round as it goes into the history.
    pub(super) fn finished_round(&self, how: How, winner: Seat, card: Option<Card>) -> Round {
        let cards = match how {
            How::Slain => card.into_iter().collect(),
            How::Aces => self.possession().and(aces()),
            How::Killers => self.possession().and(killers()),
            How::Depleted | How::Safe | How::Quiet => CardSet::EMPTY,
        };
        let points = |seat: Seat| match (how == How::Slain, seat == winner, seat == self.queen) {
            (false, true, _) => 20,
            (false, false, _) | (true, _, true) => 0,
            (true, true, false) => 10,
            (true, false, false) => 5,
        };
        Round {
            round: self.round,
            queen: self.queen,
            how,
            winner,
            cards,
            coterie: self.coterie.members().map(|(_, member)| member.card).collect(),
            points: self.seats().map(points).collect(),
        }
    }

    /// RQ-26: whether the game ends with the round that has just been entered.
    pub(super) fn ends_here(&self) -> bool {
        match self.options.rounds {
            0 => {
                self.round.is_multiple_of(u16::from(self.seats))
                    && self.seats().any(|seat| self.scores[seat.index()] >= i64::from(self.options.target))
            }
            rounds => self.round >= u16::from(rounds),
        }
    }

    /// RQ-27: the highest score; of those the most members felled; of those all.
    pub(super) fn leaders(&self) -> SeatSet {
        let rank = |seat: &Seat| (self.scores[seat.index()], self.felled[seat.index()]);
        let best = self.seats().map(|seat| rank(&seat)).max();
        self.seats().filter(|seat| Some(rank(seat)) == best).collect()
    }
}

/// All orders of two or three cards; none of fewer.
fn orders(cards: CardSet) -> Vec<Vec<Card>> {
    match cards.to_vec()[..] {
        [a, b] => vec![vec![a, b], vec![b, a]],
        [a, b, c] => {
            vec![vec![a, b, c], vec![a, c, b], vec![b, a, c], vec![b, c, a], vec![c, a, b], vec![c, b, a]]
        }
        _ => vec![],
    }
}

/// RQ-9, RQ-11: words for slots, as in “slots 1 and 3”.
pub fn slots_in_words(slots: impl Iterator<Item = Slot>) -> String {
    let slots: Vec<String> = slots.map(|slot| slot.to_string()).collect();
    match slots.split_last() {
        None => "no slot".into(),
        Some((only, [])) => format!("slot {only}"),
        Some((last, before)) => format!("slots {} and {last}", before.join(", ")),
    }
}
