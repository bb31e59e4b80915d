//! MR-21, MR-25: what pays for an action, and which payments are listed.

use super::cards::Cards;
use super::suits::Suits;
use super::values::Worths;

/// What one place asks for an action: so much, in these suits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    pub takes: Suits,
    pub price: u16,
}

/// The asks of all places that offer the same action; a payment must satisfy one of them.
///
/// At most two prices come up: the plain one, and one less where additional capital helps (MR-65).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Asks {
    price: u16,
    /// A bit for each set of suits that is taken at the plain price, and at one less.
    plain: u16,
    reduced: u16,
}

impl Asks {
    pub const fn none(price: u16) -> Asks {
        Asks { price, plain: 0, reduced: 0 }
    }

    pub fn one(price: u16, takes: Suits, reduced: bool) -> Asks {
        let mut asks = Asks::none(price);
        asks.add(takes, reduced);
        asks
    }

    pub fn add(&mut self, takes: Suits, reduced: bool) {
        let bit = 1 << takes.number();
        if reduced { self.reduced |= bit } else { self.plain |= bit }
    }

    pub const fn is_empty(&self) -> bool {
        self.plain | self.reduced == 0
    }

    /// What is asked, before any reduction.
    pub const fn price(&self) -> u16 {
        self.price
    }

    pub fn iter(self) -> impl Iterator<Item = Ask> + Clone {
        let bits = [(self.plain, self.price), (self.reduced, self.price.saturating_sub(1))];
        bits.into_iter().flat_map(|(bits, price)| {
            let taken = (1..16).filter(move |number| bits & 1 << number != 0);
            taken.map(move |number| Ask { takes: Suits::of_number(number), price })
        })
    }

    /// MR-21: whether these cards are a legal payment.
    pub fn accept(self, cards: Cards, worths: &Worths) -> bool {
        self.iter().any(|ask| ask.accepts(cards, worths))
    }

    /// MR-25: a legal payment of which no part is one.
    fn is_minimal(self, cards: Cards, worths: &Worths) -> bool {
        self.iter().all(|ask| {
            let part = cards & ask.takes.cards();
            if part != cards {
                return !ask.accepts(part, worths);
            }
            cards.iter().all(|card| !ask.accepts(cards - Cards::one(card), worths))
        })
    }

    /// All minimal payments from a hand.
    pub fn payments(self, hand: Cards, worths: &Worths) -> Vec<Cards> {
        let mut found = Vec::new();
        for ask in self.iter() {
            let usable = (hand & ask.takes.cards()).to_vec();
            self.extend(ask, &usable, Cards::EMPTY, worths, &mut found);
        }
        found
    }

    /// Adds cards in order until the ask is met.
    fn extend(
        self,
        ask: Ask,
        usable: &[wonderpost_rules::Card],
        chosen: Cards,
        worths: &Worths,
        found: &mut Vec<Cards>,
    ) {
        for (place, card) in usable.iter().enumerate() {
            let chosen = chosen | Cards::one(*card);
            if !ask.accepts(chosen, worths) {
                self.extend(ask, &usable[place + 1..], chosen, worths, found);
            } else if self.is_minimal(chosen, worths) && !found.contains(&chosen) {
                found.push(chosen);
            }
        }
    }

    /// Whether anything in a hand pays.
    pub fn payable(self, hand: Cards, worths: &Worths) -> bool {
        self.iter().any(|ask| ask.accepts(hand & ask.takes.cards(), worths))
    }
}

impl Ask {
    fn accepts(&self, cards: Cards, worths: &Worths) -> bool {
        // MR-65: at least one card must be paid.
        !cards.is_empty() && self.takes.cards().holds(cards) && worths.of_all(cards) >= self.price
    }
}

/// The cheapest first: fewest royals, least worth, fewest cards, first in card order.
pub fn cheapness(cards: Cards, worths: &Worths) -> impl Ord {
    ((cards & Cards::ROYALS).len(), worths.of_all(cards), cards.len(), cards.to_vec())
}

pub fn cheapest(payments: impl IntoIterator<Item = Cards>, worths: &Worths) -> Option<Cards> {
    payments.into_iter().min_by_key(|cards| cheapness(*cards, worths))
}

#[cfg(test)]
mod tests {
    use super::super::MessengerRabbits;
    use super::super::options::Options;
    use super::*;
    use wonderpost_rules::{Rules, Seat, Suit};

    fn worths(options: Options) -> Worths {
        MessengerRabbits::begin(options, 2).unwrap().worths(Seat::new(1).unwrap())
    }

    fn listed(asks: Asks, hand: &str, worths: &Worths) -> Vec<String> {
        let mut payments: Vec<String> =
            asks.payments(hand.parse().unwrap(), worths).iter().map(|cards| cards.to_string()).collect();
        payments.sort();
        payments
    }

    #[test]
    fn minimal_payments_are_those_of_which_no_part_pays() {
        let worths = worths(Options::default());
        let clubs = Asks::one(10, Suits::one(Suit::Clubs), false);
        assert_eq!(listed(clubs, "4C 6C 7C 9S KC BJ", &worths), ["4C 6C", "4C 7C", "6C 7C", "KC"]);
        let mut both = Asks::one(9, "SC".to_owned().try_into().unwrap(), false);
        both.add(Suits::one(Suit::Spades), true);
        // Eight in spades alone will do, nine if mixed.
        assert_eq!(listed(both, "3S 8S 9C 6C", &worths), ["3S 6C", "8S", "9C"]);
    }

    #[test]
    fn the_first_ace_of_a_payment_is_the_capital_one() {
        let worths = worths(Options { capital_aces: true, ..Options::default() });
        let asks = Asks::one(12, Suits::ALL, false);
        assert_eq!(listed(asks, "4S AH AD", &worths), ["4S AD", "4S AH", "AH AD"]);
    }

    #[test]
    fn a_price_of_nothing_still_costs_a_card() {
        let worths = worths(Options::default());
        let asks = Asks::one(1, Suits::one(Suit::Clubs), true);
        assert_eq!(listed(asks, "4C 5C 6H", &worths), ["4C", "5C"]);
    }
}
