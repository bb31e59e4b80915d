//! Deciding: what the deal and each move bring about, up to the next decision.

use super::combat::{DECK, fight, is_killer};
use super::coterie::Slot;
use super::event::{Event, Then};
use super::moves::Move;
use super::options::First;
use super::round::How;
use super::turn::slots_in_words;
use super::{CardSet, Phase, RedQueen};
use wonderpost_rules::{Card, Recorder, Refusal, Seat};

type Record<'a> = Recorder<'a, RedQueen>;

pub fn set_up(record: &mut Record) -> Result<(), Refusal> {
    // RQ-4: before the first shuffle.
    let queen = match record.options.first {
        First::Seat(seat) => seat,
        First::Chance(_) => {
            let seats: Vec<Seat> = record.seats().collect();
            record.pick(&seats)?
        }
    };
    deal(record, queen)
}

/// RQ-5: sets up a round; and the next, if the deal alone wins it.
fn deal(record: &mut Record, queen: Seat) -> Result<(), Refusal> {
    let cards = record.shuffle(&DECK)?;
    let round = record.round.saturating_add(1);
    record.record(Event::Dealt { round, queen, cards });
    match record.queen_has_won() {
        Some(how) => finish_round(record, how, queen, None),
        None => Ok(()),
    }
}

pub fn decide(record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
    let event = match record.phase {
        Phase::Act => record.act(seat, mv)?,
        Phase::Discard => record.give_up(seat, mv)?,
        Phase::Dealing | Phase::Over(_) => return Err(Refusal::new("There is nothing to decide.")),
    };
    let slain_with = match &event {
        Event::Slew { card, .. } => Some(*card),
        _ => None,
    };
    let event = record.with_then(event);
    record.record(event);
    // RQ-17: at once, whatever else there is.
    if slain_with.is_some() {
        return finish_round(record, How::Slain, seat, slain_with);
    }
    let queen = record.queen;
    match record.queen_has_won().or_else(|| record.is_quiet().then_some(How::Quiet)) {
        Some(how) => finish_round(record, how, queen, None),
        None => Ok(()),
    }
}

/// RQ-24 to RQ-27: the points; then the next round, or the end.
fn finish_round(record: &mut Record, how: How, winner: Seat, card: Option<Card>) -> Result<(), Refusal> {
    let round = record.finished_round(how, winner, card);
    record.record(Event::RoundOver(round));
    if record.ends_here() {
        let winners = record.leaders();
        record.record(Event::Over { winners });
        return Ok(());
    }
    // RQ-25: the crown passes.
    let queen = record.queen.next(record.seats);
    deal(record, queen)
}

impl RedQueen {
    /// A move of phase `act`, as an event that does not yet say how the turn goes on.
    fn act(&self, seat: Seat, mv: Move) -> Result<Event, Refusal> {
        let then = Then::GoOn;
        match mv {
            // RQ-8
            Move::Draw => {
                let card = self.pile.last().ok_or_else(|| Refusal::new("The pile is empty."))?;
                Ok(Event::Drew { seat, card: *card, then })
            }
            // RQ-9
            Move::Place { card } => {
                self.only_the_queen(seat)?;
                let full = "The coterie is full: use “swap” to exchange a member.";
                let slot = self.coterie.lowest_gap().ok_or_else(|| Refusal::new(full))?;
                self.holds(seat, card)?;
                Ok(Event::Placed { slot, card, then })
            }
            // RQ-10
            Move::Swap { slot, card } => {
                self.only_the_queen(seat)?;
                let empty = || Refusal::new(format!("Slot {slot} is empty: use “place” to fill it."));
                let old = self.coterie.get(slot).ok_or_else(empty)?.card;
                self.holds(seat, card)?;
                Ok(Event::Swapped { slot, card, old, then })
            }
            // RQ-11
            Move::Shuffle { cards } => {
                self.only_the_queen(seat)?;
                self.check_order(&cards)?;
                Ok(Event::Shuffled { cards, then })
            }
            // RQ-12, RQ-13
            Move::Attack { slot, card } => {
                self.only_companions(seat)?;
                self.holds(seat, card)?;
                let member = self.coterie.get(slot).ok_or_else(|| self.no_member_in(slot))?;
                let result = fight(card, member.card);
                Ok(Event::Attacked { seat, slot, card, member: member.card, result, then })
            }
            // RQ-17
            Move::AttackQueen { card } => {
                self.only_companions(seat)?;
                if !self.coterie.is_empty() {
                    return Err(Refusal::new("Her coterie must be gone before you can strike at the Red Queen."));
                }
                if !is_killer(card) {
                    return Err(Refusal::new("Only a killer can slay the Red Queen: JH, QD, BJ or RJ."));
                }
                self.holds(seat, card)?;
                Ok(Event::Slew { seat, card })
            }
            // RQ-18
            Move::End => Ok(Event::Ended { seat, unused: self.actions, then }),
            Move::Discard { .. } => Err(Refusal::new(
                "Cards are discarded only at the end of a turn, and only if there are too many in hand.",
            )),
        }
    }

    fn no_member_in(&self, slot: Slot) -> Refusal {
        if self.coterie.is_empty() {
            return Refusal::new(
                "Her coterie is gone: there is nobody but the Queen to attack, and only with a killer.",
            );
        }
        let slots = slots_in_words(self.coterie.members().map(|(slot, _)| slot));
        Refusal::new(format!("Slot {slot} is empty: there are members in {slots}."))
    }

    /// A move of phase `discard`.
    fn give_up(&self, seat: Seat, mv: Move) -> Result<Event, Refusal> {
        let Move::Discard { card } = mv else {
            let limit = self.hand_limit(seat);
            return Err(Refusal::new(format!("Your hand is over the limit of {limit}: discard first.")));
        };
        self.holds(seat, card)?;
        Ok(Event::Discarded { seat, card, then: Then::GoOn })
    }

    fn only_the_queen(&self, seat: Seat) -> Result<(), Refusal> {
        let refusal = "Only the Red Queen has a coterie: a companion can draw, attack or end the turn.";
        if seat == self.queen { Ok(()) } else { Err(Refusal::new(refusal)) }
    }

    fn only_companions(&self, seat: Seat) -> Result<(), Refusal> {
        let refusal = "The Red Queen never attacks: she can draw, place, swap, shuffle or end the turn.";
        if seat == self.queen { Err(Refusal::new(refusal)) } else { Ok(()) }
    }

    fn holds(&self, seat: Seat, card: Card) -> Result<(), Refusal> {
        if self.hand(seat).contains(card) { Ok(()) } else { Err(Refusal::new(format!("You do not hold {card}."))) }
    }

    /// RQ-11: exactly the face-down members, each once, two at least.
    fn check_order(&self, cards: &[Card]) -> Result<(), Refusal> {
        let members = self.face_down();
        if members.len() < 2 {
            return Err(Refusal::new("There must be at least two face-down members to shuffle."));
        }
        if cards.len() == members.len() && cards.iter().copied().collect::<CardSet>() == members {
            return Ok(());
        }
        let names: Vec<String> = members.iter().map(|card| card.to_string()).collect();
        Err(Refusal::new(format!("A shuffle names all face-down members, each once: {}.", names.join(", "))))
    }

    /// Finds out how the turn goes on after an event, and says so in it.
    fn with_then(&self, event: Event) -> Event {
        let mut after = self.clone();
        after.fold(&event);
        let then = after.then(matches!(event, Event::Ended { .. }));
        match event {
            Event::Drew { seat, card, .. } => Event::Drew { seat, card, then },
            Event::Placed { slot, card, .. } => Event::Placed { slot, card, then },
            Event::Swapped { slot, card, old, .. } => Event::Swapped { slot, card, old, then },
            Event::Shuffled { cards, .. } => Event::Shuffled { cards, then },
            Event::Attacked { seat, slot, card, member, result, .. } => {
                Event::Attacked { seat, slot, card, member, result, then }
            }
            Event::Ended { seat, unused, .. } => Event::Ended { seat, unused, then },
            Event::Discarded { seat, card, .. } => Event::Discarded { seat, card, then },
            Event::Dealt { .. } | Event::Slew { .. } | Event::RoundOver(_) | Event::Over { .. } => event,
        }
    }

    /// How the turn goes on, now that an action is done; `ended` if the player has said so.
    fn then(&self, ended: bool) -> Then {
        // The end of the round cuts the turn short.
        if self.queen_has_won().is_some() {
            return Then::GoOn;
        }
        match self.phase {
            // RQ-18: the last action ends the turn by itself.
            Phase::Act if self.actions > 0 && !ended => Then::GoOn,
            Phase::Act if self.too_many() > 0 => Then::Discard,
            Phase::Act => Then::Pass,
            // RQ-19
            Phase::Discard if self.too_many() > 0 => Then::GoOn,
            Phase::Discard => Then::Pass,
            Phase::Dealing | Phase::Over(_) => Then::GoOn,
        }
    }
}
