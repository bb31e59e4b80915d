//! The log: what an event is told as, to everybody and to those who know more.

use super::RedQueen;
use super::card_set::CardSet;
use super::combat::Fight;
use super::event::Event;
use super::round::{How, Round};
use super::turn::DEAL;
use wonderpost_rules::{Card, Seat, SeatSet, Viewer};

impl RedQueen {
    /// The line of an event for a viewer; `self` is the table before it.
    pub(super) fn describe(&self, event: &Event, viewer: Viewer) -> Option<String> {
        let mine = |seat: Seat| viewer == Viewer::Seat(seat);
        let queen = self.queen.mark();
        Some(match event {
            Event::Dealt { round, queen, cards } => {
                let begins = format!("Round {round}: {} is the Red Queen.", queen.mark());
                match viewer.seat().and_then(|seat| self.dealt_to(seat, *queen, cards)) {
                    Some(hand) => format!("{begins} Your hand: {}.", list(hand.iter())),
                    None => begins,
                }
            }
            Event::Drew { seat, card, .. } => {
                let left = self.pile.len().saturating_sub(1);
                if mine(*seat) {
                    format!("You draw {card} ({left} left).")
                } else {
                    format!("{} draws a card ({left} left).", seat.mark())
                }
            }
            Event::Placed { slot, card, .. } if mine(self.queen) => format!("You place {card} in slot {slot}."),
            Event::Placed { slot, .. } => format!("{queen} places a card in slot {slot} of her coterie."),
            Event::Swapped { slot, card, old, .. } if mine(self.queen) => {
                format!("You put {card} in slot {slot} and take back {old}.")
            }
            Event::Swapped { slot, old, .. } => match self.coterie.get(*slot) {
                Some(member) if member.known => {
                    format!("{queen} takes {old} back from slot {slot} and lays another card there.")
                }
                _ => format!("{queen} exchanges the card in slot {slot}."),
            },
            Event::Shuffled { cards, .. } if mine(self.queen) => {
                let slots = self.coterie.face_down().map(|(slot, _)| slot).zip(cards);
                let slots: Vec<String> = slots.map(|(slot, card)| format!("{card} in slot {slot}")).collect();
                format!("You lay your coterie anew: {}.", slots.join(", "))
            }
            Event::Shuffled { .. } => format!("{queen} shuffles the face-down cards of her coterie."),
            Event::Attacked { seat, slot, card, member, result, .. } => {
                let attack = format!("{} attacks slot {slot} with {card}", seat.mark());
                match result {
                    Fight::Win => format!("{attack} and fells {member}. Both are discarded."),
                    Fight::Lose => format!("{attack}: {member} holds. {card} is discarded."),
                    Fight::Draw => format!("{attack}: {member} stands it off and stays face up."),
                }
            }
            Event::Slew { seat, card } => {
                let others = if self.seats > 2 { ", 5 to every other companion" } else { "" };
                let slayer = seat.mark();
                format!(
                    "{slayer} strikes the Red Queen with {card}! Round {} goes to {slayer}: 10 points{others}.",
                    self.round
                )
            }
            Event::Ended { seat, unused, .. } => {
                let actions = if *unused == 1 { "action" } else { "actions" };
                format!("{} ends the turn with {unused} {actions} unused.", seat.mark())
            }
            Event::Discarded { seat, card, .. } => format!("{} discards {card}.", seat.mark()),
            Event::RoundOver(round) => tell_round(round),
            Event::Over { winners } => self.tell_winners(*winners),
        })
    }

    fn dealt_to(&self, seat: Seat, queen: Seat, cards: &[Card]) -> Option<CardSet> {
        let seats = usize::from(self.seats);
        let place = (seat.index() + seats).checked_sub(queen.index())? % seats;
        Some(cards.iter().skip(place).step_by(seats).take(DEAL).copied().collect())
    }

    fn tell_winners(&self, winners: SeatSet) -> String {
        let names: Vec<String> = winners.iter().map(|seat| seat.mark().to_string()).collect();
        let verb = if names.len() == 1 { "wins" } else { "win" };
        let best = winners.iter().next().map_or(0, |seat| self.scores[seat.index()]);
        let line = format!("{} {verb} with {best} points", names.join(" and "));
        let tied = self.seats().filter(|seat| self.scores[seat.index()] == best).count();
        if tied == winners.len() {
            return format!("{line}.");
        }
        // RQ-27: the tie was broken.
        let felled = winners.iter().next().map_or(0, |seat| self.felled[seat.index()]);
        let members = if felled == 1 { "member" } else { "members" };
        format!("{line}, and {felled} {members} felled.")
    }
}

fn tell_round(round: &Round) -> String {
    let queen = round.queen.mark();
    let won = match round.how {
        // Told by the blow itself.
        How::Slain => String::new(),
        How::Aces | How::Killers => {
            format!("{queen} shows {} and wins round {}: 20 points. ", list(round.cards.iter()), round.round)
        }
        How::Depleted => format!("The pile is gone and {queen} still reigns: 20 points. "),
        How::Safe => format!("No killer is left to harm {queen}: 20 points. "),
        How::Quiet => format!("Two laps without a card drawn or lost: {queen} is left in peace, 20 points. "),
    };
    if round.coterie.is_empty() {
        format!("{won}Her coterie was empty.")
    } else {
        format!("{won}Her coterie was {}.", list(round.coterie.iter().copied()))
    }
}

fn list(cards: impl Iterator<Item = Card>) -> String {
    let names: Vec<String> = cards.map(|card| card.to_string()).collect();
    names.join(", ")
}
