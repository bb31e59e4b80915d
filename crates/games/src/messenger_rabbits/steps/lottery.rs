//! MR-13: the lottery. A card that matches a die is shown for another card.

use super::super::cards::Cards;
use super::super::event::Event;
use super::super::moves::Move;
use super::{MessengerRabbits, Record, turn};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

/// MR-69: the sum of the dice counts from here on.
const WINDFALL: u16 = 10;

pub struct Lottery;

impl Step<MessengerRabbits> for Lottery {
    fn name(&self) -> &'static str {
        "lottery"
    }

    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        SeatSet::one(state.active)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        let matching = state.matching_now();
        let mut moves: Vec<Move> = matching.iter().map(|card| Move::Show(Cards::one(card))).collect();
        if state.options.windfall_lottery && matching.len() > 1 {
            moves.push(Move::Show(matching));
        }
        moves.push(Move::Pass);
        moves
    }

    /// The first match: a free card, and little is told.
    fn default_move(&self, state: &MessengerRabbits, _seat: Seat) -> Option<Move> {
        Some(state.matching_now().first().map_or(Move::Pass, |card| Move::Show(Cards::one(card))))
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("The dice have a number of yours: show a card that matches, or pass.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            Move::Pass => {
                record.record(Event::Passed);
                Ok(())
            }
            Move::Show(cards) => {
                let matching = record.matching_now();
                if cards.is_empty() || !record.active_hand().holds(cards) {
                    return Err(Refusal::new("You can only show cards of your hand."));
                }
                if !matching.holds(cards) {
                    return Err(Refusal::new(format!("{} matches no die.", (cards - matching).in_words())));
                }
                // MR-69
                if cards.len() > 1 && !record.options.windfall_lottery {
                    return Err(Refusal::new("Only one card can be shown."));
                }
                let drawn = turn::draw(record, cards.len())?;
                record.record(Event::Shown { cards, drawn });
                Ok(())
            }
            _ => Err(self.refusal(record)),
        }
    }
}

impl MessengerRabbits {
    /// The cards of a hand that match these dice.
    pub(super) fn matching(&self, seat: Seat, dice: [u8; 2]) -> Cards {
        let [a, b] = dice.map(u16::from);
        let worths = self.worths(seat);
        // MR-69: the sum counts, and so does what a card is worth when spent.
        let windfall = self.options.windfall_lottery;
        let wins = |number: u16| number == a || number == b || (windfall && a + b >= WINDFALL && number == a + b);
        let matches = |card| {
            self.lottery_number(card).is_some_and(wins)
                || (windfall && !Cards::JOKERS.contains(card) && wins(worths.of(card)))
        };
        self.hand(seat).iter().filter(|card| matches(*card)).collect()
    }

    fn matching_now(&self) -> Cards {
        self.dice.map_or(Cards::EMPTY, |dice| self.matching(self.active, dice))
    }
}
