//! Players whom the host keeps out until further notice.

use std::fmt;

use chrono::{DateTime, Utc};

/// Since when somebody is suspended, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspension {
    pub since: DateTime<Utc>,
    pub reason: String,
}

impl Suspension {
    /// From columns that are empty for those who are not suspended.
    pub fn from_columns(since: Option<DateTime<Utc>>, reason: Option<String>) -> Option<Suspension> {
        Some(Suspension { since: since?, reason: reason? })
    }
}

/// As a suspended player reads it.
impl fmt::Display for Suspension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let since = self.since.format("%-d %B %Y, %H:%M UTC");
        write!(f, "The host has suspended you since {since}, and gave this reason: {}", self.reason)?;
        if !self.reason.ends_with(['.', '!', '?']) {
            f.write_str(".")?;
        }
        f.write_str(
            " You can look around, and see, download or delete what we keep of you, but not play or write to others.",
        )
    }
}
