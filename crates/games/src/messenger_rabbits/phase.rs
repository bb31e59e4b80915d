//! What is being waited for, and what is under way.

use serde::{Deserialize, Serialize};

use super::cards::Cards;
use super::hexagon::{Hexagon, House};
use super::moves::Transfer;
use wonderpost_rules::{Card, Seat, SeatSet, Suit};

/// Where the turn stands. Some phases ask nobody: deciding runs on through them.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before the deal.
    Setting,
    Build,
    /// Between turns: the next one is about to begin.
    Turning,
    Takeoff,
    Lottery,
    Discard(Check),
    /// A rabbit that begins off the board is about to land underground.
    Sinking,
    Journey,
    Pay,
    Flight,
    Contest,
    Prove,
    Visit,
    Fight,
    Release(After),
    Trade,
    /// A turn that ended on a hexagon is about to draw its card.
    Increment,
    Over,
}

impl From<Phase> for &'static str {
    fn from(phase: Phase) -> &'static str {
        phase.step().name()
    }
}

/// MR-18: the two checks of the hand limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    AfterLottery,
    AtEnd,
}

/// MR-42: what gave the fourth royal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum After {
    Theft,
    Claim,
}

/// MR-34: a flight, from take-off until the turn ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flight {
    pub from: Hexagon,
    pub to: Hexagon,
    pub shown: Card,
    pub worth: u16,
}

/// MR-43: a contest, until it is settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    pub visitor: Seat,
    pub at: Hexagon,
    pub asked: SeatSet,
    /// The hearts of those who have answered, in the order of `asked`; nothing is a pass.
    pub answers: Vec<Option<Cards>>,
}

impl Contest {
    /// Those who have not answered.
    pub fn awaited(&self) -> SeatSet {
        let unanswered = self.asked.iter().zip(&self.answers).filter(|(_, answer)| answer.is_none());
        unanswered.map(|(seat, _)| seat).collect()
    }

    /// Who contests, and with what.
    pub fn contesters(&self) -> impl Iterator<Item = (Seat, Cards)> {
        let answers = self.asked.iter().zip(&self.answers);
        answers.filter_map(|(seat, answer)| answer.filter(|cards| !cards.is_empty()).map(|cards| (seat, cards)))
    }
}

/// MR-38: a fight, until one yields. The attacker's side first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fight {
    pub attacker: Seat,
    pub target: Seat,
    pub totals: [u16; 2],
    /// Throw after throw.
    pub thrown: [Vec<Card>; 2],
    /// Whose throw it is: the place of a side.
    pub next: usize,
}

impl Fight {
    pub fn thrower(&self) -> Seat {
        if self.next == 0 { self.attacker } else { self.target }
    }
}

/// MR-60: an offer, until it is answered.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub from: Seat,
    pub to: Seat,
    #[serde(with = "letter")]
    pub suit: Suit,
    pub card: Card,
}

/// MR-25: a paid action.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    Travel(Transfer, Hexagon),
    Claim(House),
    Buy(Card),
    Land,
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Action::Travel(by, to) => write!(f, "{by} {to}"),
            Action::Claim(house) => write!(f, "claim {house}"),
            Action::Buy(card) => write!(f, "buy {card}"),
            Action::Land => f.write_str("land"),
        }
    }
}

/// A suit written as its letter.
pub mod letter {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::super::suits::Suits;
    use wonderpost_rules::Suit;

    pub fn serialize<S: Serializer>(suit: &Suit, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(suit.letter())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Suit, D::Error> {
        let suits = Suits::deserialize(deserializer)?;
        suits.iter().next().ok_or_else(|| serde::de::Error::custom("a suit is a letter"))
    }
}
