//! Why the host did something.

/// The most characters that a reason may have.
const LONGEST: usize = 300;

/// A sentence or two that those whom it concerns are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostReason(String);

/// Why a reason will not do.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadReason {
    #[error("Say why: those whom it concerns are shown your reason.")]
    Missing,
    #[error("A reason has at most {LONGEST} characters.")]
    TooLong,
    #[error("There are characters in the reason that cannot be shown.")]
    Characters,
}

impl HostReason {
    /// The most characters that a reason may have.
    pub const LONGEST: usize = LONGEST;

    pub fn parse(typed: &str) -> Result<HostReason, BadReason> {
        match HostReason::parse_optional(typed)? {
            reason if reason.0.is_empty() => Err(BadReason::Missing),
            reason => Ok(reason),
        }
    }

    /// A reason that may be left out.
    pub fn parse_optional(typed: &str) -> Result<HostReason, BadReason> {
        let reason = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        if reason.chars().count() > LONGEST {
            return Err(BadReason::TooLong);
        }
        // Characters for private use stand for the names of seats in the log of a table.
        if reason.chars().any(|letter| letter.is_control() || ('\u{E000}'..='\u{F8FF}').contains(&letter)) {
            return Err(BadReason::Characters);
        }
        Ok(HostReason(reason))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_a_plain_line_that_is_not_empty() {
        assert_eq!(HostReason::parse(" rude\r\n words ").unwrap().as_str(), "rude words");
        assert_eq!(HostReason::parse(" \n"), Err(BadReason::Missing));
        assert_eq!(HostReason::parse_optional("").unwrap().as_str(), "");
        assert_eq!(HostReason::parse(&"x".repeat(LONGEST + 1)), Err(BadReason::TooLong));
        assert_eq!(HostReason::parse("\u{E001} cheats"), Err(BadReason::Characters));
        assert_eq!(HostReason::parse("a\u{7}b"), Err(BadReason::Characters));
    }
}
