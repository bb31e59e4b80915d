//! Where a table stands, in a word.

use std::str::FromStr;

use crate::db::column_types::text_column;

/// Whether a table waits for players, is being played, is over, or was never started.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Open,
    Playing,
    Over,
    Gone,
}

impl Status {
    const ALL: [Status; 4] = [Status::Open, Status::Playing, Status::Over, Status::Gone];

    pub const fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Playing => "playing",
            Status::Over => "over",
            Status::Gone => "gone",
        }
    }
}

/// What is not the status of a table.
#[derive(Debug, thiserror::Error)]
#[error("there is no such status of a table")]
pub struct NoStatus;

impl FromStr for Status {
    type Err = NoStatus;

    fn from_str(name: &str) -> Result<Status, NoStatus> {
        Status::ALL.into_iter().find(|status| status.name() == name).ok_or(NoStatus)
    }
}

text_column!(Status);
