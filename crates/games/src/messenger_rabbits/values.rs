//! MR-20: what cards are worth, and what the additions change about it.

use super::MessengerRabbits;
use super::cards::Cards;
use super::options::Options;
use super::view::PublicView;
use wonderpost_rules::{Card, Rank, Seat};

/// What the cards of one player are worth when they are spent, thrown or shown in a flight or contest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Worths {
    /// MR-64: one ace may count more than those after it.
    first_ace: u16,
    ace: u16,
    jack: u16,
    queen: u16,
    king: u16,
}

/// A pip's number.
const fn number(rank: Rank) -> u16 {
    rank as u16 + 2
}

impl Worths {
    /// What a card is worth by itself.
    pub const fn of(&self, card: Card) -> u16 {
        match card {
            Card::Plain(_, Rank::Ace) => self.first_ace,
            Card::Plain(_, Rank::Jack) => self.jack,
            Card::Plain(_, Rank::Queen) => self.queen,
            Card::Plain(_, Rank::King) => self.king,
            Card::Plain(_, rank) => number(rank),
            Card::BlackJoker | Card::RedJoker => 0,
        }
    }

    /// What cards are worth together.
    pub fn of_all(&self, cards: Cards) -> u16 {
        let sum = cards.iter().map(|card| self.of(card)).sum::<u16>();
        let later_aces = (cards & Cards::ACES).len().saturating_sub(1) as u16;
        sum - later_aces * (self.first_ace - self.ace)
    }
}

impl Worths {
    /// What the cards of a player count under these options; `laid`: whether an ace lies before them (MR-64).
    pub fn new(options: &Options, laid: bool) -> Worths {
        let royals = if options.patriarchal_values { [11, 12, 13] } else { [10; 3] };
        let (first_ace, ace) = if options.patriarchal_values {
            // MR-72
            (14, 14)
        } else if options.ambivalent_aces {
            // MR-63
            (11, 11)
        } else if options.capital_aces && !laid {
            // MR-64
            (11, 1)
        } else {
            (1, 1)
        };
        Worths { first_ace, ace, jack: royals[0], queen: royals[1], king: royals[2] }
    }
}

impl PublicView {
    pub fn worths(&self, seat: Seat) -> Worths {
        Worths::new(&self.options, self.capital[seat.index()].is_some())
    }
}

impl MessengerRabbits {
    pub(super) fn worths(&self, seat: Seat) -> Worths {
        Worths::new(&self.options, self.capital[seat.index()].is_some())
    }

    /// MR-48, MR-60: what a pip or an ace is worth at the market and in a trade.
    pub(super) fn market_value(&self, card: Card) -> u16 {
        match card {
            Card::Plain(_, Rank::Ace) if self.options.patriarchal_values => 14,
            Card::Plain(_, Rank::Ace) => 1,
            Card::Plain(_, rank) => number(rank),
            Card::BlackJoker | Card::RedJoker => 0,
        }
    }

    /// MR-13: the number with which a card matches a die; royals and jokers have none.
    pub(super) fn lottery_number(&self, card: Card) -> Option<u16> {
        match card {
            // MR-72: an ace no longer matches.
            Card::Plain(_, Rank::Ace) if self.options.patriarchal_values => None,
            Card::Plain(_, Rank::Ace) => Some(1),
            Card::Plain(_, Rank::Jack | Rank::Queen | Rank::King) | Card::BlackJoker | Card::RedJoker => None,
            Card::Plain(_, rank) => Some(number(rank)),
        }
    }
}
