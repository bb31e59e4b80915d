//! The log: what an event is told as, to everybody and to those who know more.

use super::RedQueen;
use super::card_set::CardSet;
use super::combat::Fight;
use super::coterie::Slot;
use super::event::Event;
use super::round::{How, Round};
use super::turn::DEAL;
use super::words::{begin, in_a_row, list, the, winners};
use wonderpost_rules::{Card, Person, Seat, SeatSet, Viewer};

impl RedQueen {
    /// The line of an event for a viewer; `self` is the table before it.
    pub(super) fn describe(&self, event: &Event, viewer: Viewer) -> Option<String> {
        let person = |seat: Seat| viewer.person(seat);
        let queen = person(self.queen);
        Some(match event {
            Event::Dealt { round, queen, cards } => {
                let begins = format!("Round {round}: {} the Red Queen.", person(*queen).then_does("is"));
                match viewer.seat().and_then(|seat| self.dealt_to(seat, *queen, cards)) {
                    Some(hand) => format!("{begins} Your hand: {}.", list(hand)),
                    None => begins,
                }
            }
            Event::Drew { seat, card, .. } => {
                let left = self.pile.len().saturating_sub(1);
                let drawn = if person(*seat).is_reader() { the(*card) } else { "a card".to_owned() };
                format!("{} {drawn} ({left} left).", person(*seat).does("draws"))
            }
            Event::Placed { slot, card, .. } if queen.is_reader() => {
                format!("You place {} in slot {slot}.", the(*card))
            }
            Event::Placed { slot, .. } => format!("{} a card in slot {slot} of her coterie.", queen.does("places")),
            Event::Swapped { slot, card, old, .. } if queen.is_reader() => {
                format!("You put {} in slot {slot} and take back {}.", the(*card), the(*old))
            }
            Event::Swapped { slot, old, .. } => self.tell_swap(queen, *slot, *old),
            Event::Shuffled { cards, .. } if queen.is_reader() => {
                let slots = self.coterie.face_down().map(|(slot, _)| slot).zip(cards);
                let slots: Vec<String> = slots.map(|(slot, card)| format!("{} in slot {slot}", the(*card))).collect();
                format!("You lay your coterie anew: {}.", slots.join(", "))
            }
            Event::Shuffled { .. } => format!("{} the face-down cards of her coterie.", queen.does("shuffles")),
            Event::Attacked { seat, slot, card, member, result, .. } => {
                let whose = if queen.is_reader() { "your " } else { "" };
                let attack = format!("{} {whose}slot {slot} with {}", person(*seat).does("attacks"), the(*card));
                tell_fight(&attack, person(*seat), *card, *member, *result)
            }
            Event::Slew { seat, card } => self.tell_slaying(person(*seat), queen, *card),
            Event::Ended { seat, unused, .. } => {
                let actions = if *unused == 1 { "action" } else { "actions" };
                format!("{} the turn with {unused} {actions} unused.", person(*seat).does("ends"))
            }
            Event::Discarded { seat, card, .. } => format!("{} {}.", person(*seat).does("discards"), the(*card)),
            Event::RoundOver(round) => tell_round(round, person(round.queen)),
            Event::Over { winners } => self.tell_winners(*winners, viewer),
        })
    }

    fn tell_swap(&self, queen: Person, slot: Slot, old: Card) -> String {
        match self.coterie.get(slot) {
            Some(member) if member.known => {
                let takes = queen.does("takes");
                format!("{takes} {} back from slot {slot} and lays another card there.", the(old))
            }
            _ => format!("{} the card in slot {slot}.", queen.does("exchanges")),
        }
    }

    fn tell_slaying(&self, slayer: Person, queen: Person, card: Card) -> String {
        let others = if self.seats > 2 { ", 5 to every other companion" } else { "" };
        let victim = if queen.is_reader() { "you, the Red Queen," } else { "the Red Queen" };
        let strikes = slayer.does("strikes");
        format!("{strikes} {victim} with {}! Round {} goes to {slayer}: 10 points{others}.", the(card), self.round)
    }

    fn dealt_to(&self, seat: Seat, queen: Seat, cards: &[Card]) -> Option<CardSet> {
        let seats = usize::from(self.seats);
        let place = (seat.index() + seats).checked_sub(queen.index())? % seats;
        Some(cards.iter().skip(place).step_by(seats).take(DEAL).copied().collect())
    }

    fn tell_winners(&self, won: SeatSet, viewer: Viewer) -> String {
        let seats: Vec<Seat> = won.iter().collect();
        let best = seats.first().map_or(0, |seat| self.scores[seat.index()]);
        let line = format!("{} with {best} points", begin(winners(&seats, viewer)));
        let tied = self.seats().filter(|seat| self.scores[seat.index()] == best).count();
        if tied == seats.len() {
            return format!("{line}.");
        }
        // RQ-27: the tie was broken.
        let felled = seats.first().map_or(0, |seat| self.felled[seat.index()]);
        let members = if felled == 1 { "member" } else { "members" };
        format!("{line}, and {felled} {members} felled.")
    }
}

fn tell_round(round: &Round, queen: Person) -> String {
    let won = match round.how {
        // Told by the blow itself.
        How::Slain => String::new(),
        How::Aces | How::Killers => {
            let (shows, wins) = (queen.does("shows"), queen.verb("wins"));
            format!("{shows} {} and {wins} round {}: 20 points. ", list(round.cards), round.round)
        }
        How::Depleted => format!("The pile is gone and {}: 20 points. ", queen.then_does("still reigns")),
        How::Safe => format!("No killer is left to harm {queen}: 20 points. "),
        How::Quiet => {
            let is = queen.then_does("is");
            format!("Two laps without a card drawn or lost: {is} left in peace, 20 points. ")
        }
    };
    let whose = if queen.is_reader() { "Your" } else { "Her" };
    if round.coterie.is_empty() {
        format!("{won}{whose} coterie was empty.")
    } else {
        format!("{won}{whose} coterie was {}.", in_a_row(round.coterie.iter().copied()))
    }
}

fn tell_fight(attack: &str, attacker: Person, card: Card, member: Card, result: Fight) -> String {
    let (card, member) = (the(card), the(member));
    match result {
        Fight::Win => format!("{attack} and {} {member}. Both are discarded.", attacker.verb("fells")),
        Fight::Lose => format!("{attack}: {member} holds. {} is discarded.", begin(card)),
        Fight::Draw => format!("{attack}: {member} stands it off and stays face up."),
    }
}
