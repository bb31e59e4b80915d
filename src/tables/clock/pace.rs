//! How long a move may take, and what happens to those who are late.

use serde::{Deserialize, Serialize};

use wonderpost_rules::Refusal;

const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;

/// The shortest and the longest time that a move may be given.
const SHORTEST: u32 = HOUR;
const LONGEST: u32 = 14 * DAY;

/// No bank holds more.
const LARGEST_BANK: u32 = 30 * DAY;

/// How many moves in a row somebody has to miss before the others may end the table without them.
pub const MISSES: u8 = 3;

/// How long a move may take. Without a time for each move and without a bank there is no limit.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_a_move: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank: Option<Bank>,
    /// Clocks run in their players' waking hours only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nights_off: bool,
    #[serde(default, skip_serializing_if = "WhenLate::is_the_default")]
    pub when_late: WhenLate,
}

/// Time that each player has saved up, in seconds: what they begin with, what each move adds, and the most there can be.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    pub start: u32,
    pub refill: u32,
    pub most: u32,
}

/// What happens when time runs out.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenLate {
    /// The rulebook's default move is made.
    #[default]
    DefaultMove,
    /// A bot keeps the seat until its owner returns.
    Bot,
}

impl WhenLate {
    fn is_the_default(&self) -> bool {
        *self == WhenLate::default()
    }
}

impl Pace {
    pub const fn a_move(seconds: u32) -> Pace {
        Pace { seconds_a_move: Some(seconds), bank: None, nights_off: false, when_late: WhenLate::DefaultMove }
    }

    pub const fn banked(start: u32, refill: u32, most: u32) -> Pace {
        let bank = Some(Bank { start, refill, most });
        Pace { seconds_a_move: None, bank, nights_off: false, when_late: WhenLate::DefaultMove }
    }

    /// The times for each move that the form offers.
    pub const A_MOVE: [Pace; 12] = [
        Pace::a_move(HOUR),
        Pace::a_move(2 * HOUR),
        Pace::a_move(4 * HOUR),
        Pace::a_move(8 * HOUR),
        Pace::a_move(12 * HOUR),
        Pace::a_move(DAY),
        Pace::a_move(2 * DAY),
        Pace::a_move(3 * DAY),
        Pace::a_move(5 * DAY),
        Pace::a_move(7 * DAY),
        Pace::a_move(10 * DAY),
        Pace::a_move(14 * DAY),
    ];

    /// The banks that the form offers.
    pub const BANKS: [Pace; 5] = [
        Pace::banked(12 * HOUR, HOUR, DAY),
        Pace::banked(DAY, 4 * HOUR, 2 * DAY),
        Pace::banked(3 * DAY, 12 * HOUR, 5 * DAY),
        Pace::banked(7 * DAY, DAY, 10 * DAY),
        Pace::banked(14 * DAY, 2 * DAY, 21 * DAY),
    ];

    /// Whether there is no limit.
    pub fn is_free(&self) -> bool {
        self.seconds_a_move.is_none() && self.bank.is_none()
    }

    /// The pace if a table can have it. Without a limit nobody is late, at night or by day.
    pub fn checked(self) -> Result<Pace, Refusal> {
        if self.is_free() {
            return Ok(Pace::default());
        }
        if self.seconds_a_move.is_some() && self.bank.is_some() {
            return Err(Refusal::new("A table has a time for each move or a bank, not both."));
        }
        if self.seconds_a_move.is_some_and(|seconds| !(SHORTEST..=LONGEST).contains(&seconds)) {
            return Err(Refusal::new("A move may take an hour at least and 14 days at most."));
        }
        if let Some(Bank { start, refill, most }) = self.bank
            && !(SHORTEST <= refill && refill <= most && SHORTEST <= start && start <= most && most <= LARGEST_BANK)
        {
            return Err(Refusal::new(
                "A bank begins with an hour at least, wins an hour at least for each move, and never holds more than 30 days.",
            ));
        }
        Ok(self)
    }

    /// How a form names the time: `none`, `move-SECONDS` or `bank-START-REFILL-MOST`.
    pub fn code(&self) -> String {
        match (self.seconds_a_move, self.bank) {
            (Some(seconds), _) => format!("move-{seconds}"),
            (None, Some(Bank { start, refill, most })) => format!("bank-{start}-{refill}-{most}"),
            (None, None) => "none".to_owned(),
        }
    }

    /// Reads what a form named.
    pub fn from_code(code: &str) -> Option<Pace> {
        let mut words = code.split('-');
        let kind = words.next()?;
        let numbers: Vec<u32> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        match (kind, numbers.as_slice()) {
            ("none", []) => Some(Pace::default()),
            ("move", [seconds]) => Some(Pace::a_move(*seconds)),
            ("bank", [start, refill, most]) => Some(Pace::banked(*start, *refill, *most)),
            _ => None,
        }
    }

    /// The time alone, in words.
    pub fn time_in_words(&self) -> String {
        match (self.seconds_a_move, self.bank) {
            (Some(seconds), _) => format!("{} a move", span(seconds)),
            (None, Some(Bank { start, refill, most })) => {
                format!("a bank of {}, and {} more for each move up to {}", span(start), span(refill), span(most))
            }
            (None, None) => "no limit".to_owned(),
        }
    }

    /// What happens to those who are late, and what a move in time brings; nothing where there is no limit.
    pub fn afterwards(&self) -> String {
        if self.is_free() {
            return String::new();
        }
        let late = match self.when_late {
            WhenLate::DefaultMove => "Then the house makes a harmless move for you.",
            WhenLate::Bot => "Then a bot keeps your seat until you return.",
        };
        match self.bank {
            Some(Bank { refill, .. }) => format!("That is all your bank holds; a move adds {}. {late}", span(refill)),
            None => late.to_owned(),
        }
    }

    /// All of it in words.
    pub fn words(&self) -> String {
        let mut words = self.time_in_words();
        if self.nights_off {
            words.push_str(", nights left out");
        }
        if !self.is_free() {
            words.push_str(match self.when_late {
                WhenLate::DefaultMove => "; when time runs out a harmless move is made",
                WhenLate::Bot => "; when time runs out a bot keeps the seat until its owner returns",
            });
        }
        words
    }
}

/// Some time in words.
fn span(seconds: u32) -> String {
    match (seconds / DAY, seconds % DAY / HOUR, seconds % HOUR) {
        (1, 0, 0) => "a day".to_owned(),
        (7, 0, 0) => "a week".to_owned(),
        (14, 0, 0) => "two weeks".to_owned(),
        (days, 0, 0) => format!("{days} days"),
        (0, 1, 0) => "an hour".to_owned(),
        (_, _, 0) => format!("{} hours", seconds / HOUR),
        _ => format!("{} minutes", seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_form_offers_can_be_had_and_is_read_back() {
        for pace in [Pace::default()].into_iter().chain(Pace::A_MOVE).chain(Pace::BANKS) {
            assert_eq!(pace.checked().unwrap(), pace);
            assert_eq!(Pace::from_code(&pace.code()), Some(pace));
        }
        assert_eq!(Pace::from_code("bank-1-2"), None);
        assert_eq!(Pace::from_code("move-soon"), None);
    }

    #[test]
    fn what_is_out_of_bounds_is_refused() {
        for pace in [
            Pace::a_move(HOUR - 1),
            Pace::a_move(14 * DAY + 1),
            Pace::banked(DAY, 0, DAY),
            Pace::banked(2 * DAY, HOUR, DAY),
            Pace::banked(DAY, HOUR, 31 * DAY),
            Pace { seconds_a_move: Some(DAY), ..Pace::banked(DAY, HOUR, DAY) },
        ] {
            assert!(pace.checked().is_err(), "{pace:?}");
        }
        let idle = Pace { nights_off: true, when_late: WhenLate::Bot, ..Pace::default() };
        assert_eq!(idle.checked().unwrap(), Pace::default());
    }

    #[test]
    fn paces_in_words() {
        assert_eq!(Pace::default().words(), "no limit");
        assert_eq!(Pace::a_move(3 * DAY).time_in_words(), "3 days a move");
        assert_eq!(Pace::a_move(36 * HOUR).time_in_words(), "36 hours a move");
        let banked = Pace { nights_off: true, when_late: WhenLate::Bot, ..Pace::banked(7 * DAY, 12 * HOUR, 14 * DAY) };
        assert_eq!(
            banked.words(),
            "a bank of a week, and 12 hours more for each move up to two weeks, nights left out; when time runs out a bot keeps \
             the seat until its owner returns"
        );
    }

    #[test]
    fn paces_recorded_before_there_were_banks_mean_what_they_meant() {
        let pace: Pace = serde_json::from_str(r#"{"seconds_a_move":86400}"#).unwrap();
        assert_eq!(pace, Pace::a_move(DAY));
        assert_eq!(serde_json::to_string(&pace).unwrap(), r#"{"seconds_a_move":86400}"#);
    }
}
