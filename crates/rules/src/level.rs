//! How well bots play.

use std::str::FromStr;

use serde::Serialize;

use crate::Refusal;

/// How well a bot plays.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Plays by simple rules, with much chance in it.
    Easy,
    /// Plays part of the game as well as [`Level::Decent`], and the rest like [`Level::Easy`].
    Middle,
    /// Plays to win.
    Decent,
}

impl Level {
    /// From the weakest to the strongest.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Middle, Level::Decent];

    /// As it is written in requests and options, and stored.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Middle => "middle",
            Level::Decent => "decent",
        }
    }

    /// As players read it.
    pub const fn title(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Middle => "middle",
            Level::Decent => "strong",
        }
    }

    /// A bot of this level, as an offer: “a strong bot”.
    pub const fn some_bot(self) -> &'static str {
        match self {
            Level::Easy => "an easy bot",
            Level::Middle => "a middle bot",
            Level::Decent => "a strong bot",
        }
    }
}

impl FromStr for Level {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Level, Refusal> {
        match text {
            "easy" => Ok(Level::Easy),
            "middle" => Ok(Level::Middle),
            "decent" => Ok(Level::Decent),
            _ => Err(Refusal::new(format!("A bot is easy, middle or decent, not “{text}”."))),
        }
    }
}
