//! MR-14: the journey. One way to travel, free or paid for.

use super::super::cards::Cards;
use super::super::event::{Event, Way};
use super::super::hexagon::{Hexagon, Place};
use super::super::moves::{Move, Transfer};
use super::super::phase::Action;
use super::{MessengerRabbits, Record, pay};
use wonderpost_rules::{Card, Refusal, Seat, SeatSet, Step};

pub struct Journey;

impl Step<MessengerRabbits> for Journey {
    fn name(&self) -> &'static str {
        "journey"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        let start = state.start();
        let mut moves = vec![Move::Stay];
        moves.extend(start.near.iter().map(|hexagon| Move::Go(Place::On(hexagon))));
        moves.extend(state.leads_off().then_some(Move::Go(Place::Off)));
        moves.extend(state.leads_underground().then_some(Move::Go(Place::Underground)));
        if state.joker_in_hand().is_some() {
            moves.extend(start.beyond.iter().map(Move::Joker));
        }
        let fares = state.fares().into_iter().map(|(by, to, asks)| (Action::Travel(by, to), asks));
        state.list_paid(fares, &mut moves);
        moves
    }

    fn default_move(&self, _state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        Some(Move::Stay)
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("You are on your journey: stay, go somewhere, or pay for a transfer.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            Move::Stay => {
                let to = record.rabbit(record.active);
                travel(record, Way::Stay, to, Cards::EMPTY, None);
                Ok(())
            }
            Move::Go(to) => {
                record.check_road(to)?;
                travel(record, Way::Road, to, Cards::EMPTY, None);
                Ok(())
            }
            // MR-33
            Move::Joker(to) => {
                let joker = record.joker_in_hand().ok_or_else(|| Refusal::new("You have no joker."))?;
                if !record.start().beyond.contains(to) {
                    return Err(Refusal::new("A joker leads to places that no road of yours reaches."));
                }
                travel(record, Way::Joker, Place::On(to), Cards::EMPTY, Some(joker));
                Ok(())
            }
            Move::Act(action @ Action::Travel(..), paying) => pay::act(record, action, paying),
            _ => Err(self.refusal(record)),
        }
    }
}

/// Pays for a transfer and goes.
pub fn transfer(record: &mut Record, transfer: Transfer, to: Hexagon, paid: Cards) {
    // MR-32: the black joker first.
    let joker = (transfer == Transfer::Tavern).then(|| (record.court & Cards::JOKERS).first()).flatten();
    travel(record, transfer.into(), Place::On(to), paid, joker);
}

fn travel(record: &mut Record, by: Way, to: Place, paid: Cards, joker: Option<Card>) {
    // MR-15: staying is no arrival.
    let asked = match to {
        Place::On(hexagon) if by != Way::Stay => record.asked_at(hexagon, paid),
        Place::On(_) | Place::Underground | Place::Off => SeatSet::EMPTY,
    };
    record.record(Event::Travelled { by, to, paid, joker, asked });
}

impl MessengerRabbits {
    fn joker_in_hand(&self) -> Option<Card> {
        (self.active_hand() & Cards::JOKERS).first()
    }

    /// MR-31: no road leads from the Underground off the board.
    fn leads_off(&self) -> bool {
        self.rabbit(self.active) != Place::Underground && !self.start().nets.and(self.land.open).is_empty()
    }

    /// MR-31: free of charge if a cave is on one's nets.
    fn leads_underground(&self) -> bool {
        self.rabbit(self.active) != Place::Underground && !self.start().nets.and(self.land.caved).is_empty()
    }

    fn check_road(&self, to: Place) -> Result<(), Refusal> {
        let refuse = |sentence: &str| Err(Refusal::new(sentence));
        match to {
            Place::On(hexagon) if self.rabbit(self.active) == Place::On(hexagon) => {
                refuse("You are there already: say “stay” to stay.")
            }
            Place::On(hexagon) if !self.start().near.contains(hexagon) => {
                Err(Refusal::new(format!("No road of yours leads to {}.", hexagon.in_words())))
            }
            Place::Off if !self.leads_off() => refuse("No road of yours leads off the board."),
            Place::Underground if self.rabbit(self.active) == Place::Underground => {
                refuse("You are underground already: say “stay” to stay.")
            }
            Place::Underground if !self.leads_underground() => refuse("There is no rabbit hole on your roads."),
            Place::On(_) | Place::Off | Place::Underground => Ok(()),
        }
    }
}
