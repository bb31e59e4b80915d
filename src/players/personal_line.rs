//! The line that somebody sends along with an invitation.

use crate::tables::talk::messages::is_plain;

/// The most characters of it.
pub const LONGEST_LINE: usize = 200;

/// A line in somebody's own words. It goes to people who never asked for letters, so it brings no links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalLine(String);

/// Why a line will not do, as a sentence.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    #[error("Your line is too long: at most {LONGEST_LINE} characters.")]
    Length,
    #[error("There are signs in your line that cannot be shown.")]
    Characters,
    #[error("Leave Web addresses out of your line: the letter brings its own link. (Put a space after a full stop.)")]
    Link,
}

impl PersonalLine {
    /// Reads what somebody typed; nothing is no line.
    pub fn parse(typed: &str) -> Result<Option<PersonalLine>, BadLine> {
        let line = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            return Ok(None);
        }
        if line.chars().count() > LONGEST_LINE {
            return Err(BadLine::Length);
        }
        if !line.chars().all(is_plain) {
            return Err(BadLine::Characters);
        }
        if line.split(' ').any(is_like_a_link) {
            return Err(BadLine::Link);
        }
        Ok(Some(PersonalLine(line)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether mail programs might make a link of a word: `www`, `://`, or a dot between a word and letters.
fn is_like_a_link(word: &str) -> bool {
    let word = word.to_lowercase();
    let domain = word.match_indices('.').any(|(at, _)| {
        let before = word[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        before && word[at + 1..].chars().take_while(|sign| sign.is_alphabetic()).count() >= 2
    });
    domain || word.contains("://") || word.contains("www.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_kept_as_it_was_meant() {
        let read = |typed: &str| PersonalLine::parse(typed).map(|line| line.map(|line| line.0));
        assert_eq!(read("  Fancy a game,\n Bill? "), Ok(Some("Fancy a game, Bill?".to_owned())));
        assert_eq!(read(" \n "), Ok(None));
        assert_eq!(read("Tea at 3.15... e.g. on Sunday."), Ok(Some("Tea at 3.15... e.g. on Sunday.".to_owned())));
        assert_eq!(read(&"a".repeat(201)), Err(BadLine::Length));
        assert_eq!(read("tea\u{7}pot"), Err(BadLine::Characters));
        for line in ["look at evil.example", "https://evil.example", "www.evil", "Hi.there"] {
            assert_eq!(read(line), Err(BadLine::Link), "{line}");
        }
    }
}
