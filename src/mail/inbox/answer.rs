//! What a reply is answered with, as it stands in the outbox until it is sent. Its words are made then, from what is true then.

use serde::{Deserialize, Serialize};

use crate::mail::Kind;
use crate::tables::TableId;

/// More would only feed a machine that answers us.
const ANSWERS_AN_HOUR: i64 = 6;

/// A message that is answered, so that the answer finds its thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub message_id: Option<String>,
    #[serde(default)]
    pub references: Vec<String>,
}

/// What is to be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Answer {
    /// The first line is neither a move nor a command.
    Unread { line: Option<String>, reason: String },
    /// Nothing was done. The line is given if there were several.
    Refused { line: Option<String>, reason: String },
    /// The letter that was answered is an old one, written after so many moves. Nothing was done.
    MovedOn { since: Option<u32> },
    /// The letter tells of moves that the database no longer has. Nothing was done.
    WentBack,
    /// Some of it was done, the rest not.
    Partly { made: usize, refused: Option<(String, String)>, dropped: Vec<String> },
    /// All of it was done, and the table waits for the same seat again: nobody else's move will bring it a letter.
    GoOn,
    /// The seat is theirs again.
    Back,
    /// They have a seat at the table that plays this one again.
    Rematch { table: TableId },
    /// How to play, and what can be written.
    Help,
    /// Somebody wrote in the player's place, perhaps the player. The secret of the page that confirms it, and what it says.
    Confirm { token: String, lines: String },
}

impl Answer {
    /// The kind of letter that brings it. A machine that answers us makes no moves, so letters about moves that were made are as many
    /// as the moves; all others are few.
    pub const fn kind(&self) -> Kind {
        match self {
            Answer::Unread { .. }
            | Answer::Refused { .. }
            | Answer::MovedOn { .. }
            | Answer::WentBack
            | Answer::Back
            | Answer::Rematch { .. }
            | Answer::Help => Kind::Answer,
            Answer::Partly { .. } | Answer::GoOn => Kind::GoOn,
            Answer::Confirm { .. } => Kind::Confirm,
        }
    }

    /// How many letters a player may have got about one table within the hour, answers and questions together, for this one to be
    /// written.
    pub const fn most_an_hour(&self) -> i64 {
        match self {
            Answer::Partly { .. } | Answer::GoOn => i64::MAX,
            Answer::Unread { .. }
            | Answer::Refused { .. }
            | Answer::MovedOn { .. }
            | Answer::WentBack
            | Answer::Back
            | Answer::Rematch { .. }
            | Answer::Help
            | Answer::Confirm { .. } => ANSWERS_AN_HOUR,
        }
    }

    /// For the log and the inbox: what it is, and nothing of what was written.
    pub const fn entry(&self) -> &'static str {
        match self {
            Answer::Unread { .. } => "unread: the first line is no move",
            Answer::Refused { .. } => "refused",
            Answer::MovedOn { .. } => "the table had moved on",
            Answer::WentBack => "the database went back in time",
            Answer::Partly { .. } => "made in part",
            Answer::GoOn => "done, and still to move",
            Answer::Back => "back at the seat",
            Answer::Rematch { .. } => "a rematch",
            Answer::Help => "help",
            Answer::Confirm { .. } => "held until its player confirms it",
        }
    }
}

/// What an answer in the outbox brings along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerDetails {
    pub answer: Answer,
    pub answered: Answered,
    /// After how many moves the letter was written that was answered.
    #[serde(default)]
    pub since: Option<u32>,
}
