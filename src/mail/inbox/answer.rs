//! What a reply is answered with, as it stands in the outbox until it is sent. Its words are made then, from what is true then.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::mail::Kind;
use crate::mail::reply_address::Asked;
use crate::tables::TableId;
use wonderpost_rules::Seat;

/// More would only feed a machine that answers us.
const ANSWERS_AN_HOUR: i64 = 6;

/// A message that is answered, so that the answer finds its thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub message_id: Option<String>,
    #[serde(default)]
    pub references: Vec<String>,
}

/// Why somebody is asked whether they mean something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "kebab-case")]
pub enum Doubt {
    /// What they wrote is no move, and a slip away from one.
    NearMiss { typed: String },
    /// It cannot be taken back.
    Grave,
    /// They leave it to the house.
    LeftToUs,
}

/// What was proposed in a letter: its lines are carried out when it is answered with “yes”, as if they had been written in answer to the
/// letter before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub lines: Vec<String>,
    pub seat: Seat,
    /// After how many moves the letter was written that was answered.
    pub moves: u32,
    #[serde(flatten)]
    pub doubt: Doubt,
}

impl Proposal {
    pub fn new(asked: Asked, lines: Vec<String>, doubt: Doubt) -> Proposal {
        Proposal { lines, seat: asked.seat, moves: asked.moves, doubt }
    }
}

/// What came of an answer to an invitation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InvitationOutcome {
    /// They have a seat.
    Seated,
    /// It has begun, is full or was withdrawn.
    TooLate,
    /// Neither yes nor no.
    Unread,
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
    /// Whether that was meant.
    Propose(Proposal),
    /// No letters about the table until then.
    Later { until: DateTime<Utc> },
    /// Days off, these two included.
    DaysOff { first: NaiveDate, last: NaiveDate },
    /// Whether letters about the table come.
    Letters { wanted: bool },
    /// What came of an answer to an invitation, which is named.
    Invitation { outcome: InvitationOutcome, token: String },
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
            | Answer::Propose(_)
            | Answer::Later { .. }
            | Answer::DaysOff { .. }
            | Answer::Letters { .. }
            | Answer::Invitation { .. }
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
            | Answer::Propose(_)
            | Answer::Later { .. }
            | Answer::DaysOff { .. }
            | Answer::Letters { .. }
            | Answer::Invitation { .. }
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
            Answer::Propose(Proposal { doubt: Doubt::NearMiss { .. }, .. }) => "a near miss: asked what was meant",
            Answer::Propose(Proposal { doubt: Doubt::Grave, .. }) => "asked whether it is meant",
            Answer::Propose(Proposal { doubt: Doubt::LeftToUs, .. }) => "a move was proposed",
            Answer::Later { .. } => "letters put off",
            Answer::DaysOff { .. } => "days off announced",
            Answer::Letters { wanted: true } => "letters about the table come again",
            Answer::Letters { wanted: false } => "no more letters about the table",
            Answer::Invitation { outcome: InvitationOutcome::Seated, .. } => "an invitation was accepted",
            Answer::Invitation { outcome: InvitationOutcome::TooLate, .. } => "an invitation was accepted too late",
            Answer::Invitation { outcome: InvitationOutcome::Unread, .. } => {
                "unread: neither yes nor no to an invitation"
            }
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
