//! Which state of a table a form was drawn from. The number of moves alone does not tell: if the database goes back in time, a table may come to
//! the same number on another way.

use std::fmt;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::tables::CachedTable;
use crate::tables::state::record::Digest;
use wonderpost_rules::hmac::{Mac, hmac_sha256};
use wonderpost_rules::seed::Secret;
use wonderpost_rules::{Line, Viewer};

/// A state of a table, as its forms name it. Every mark is another one, so that nobody can tell from two of them whether anything hidden
/// happened in between.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StateMark {
    nonce: [u8; 8],
    mac: [u8; 8],
}

impl StateMark {
    fn new(secret: &Secret, nonce: [u8; 8], head: &Digest) -> StateMark {
        let mut mac = hmac_sha256(secret.bytes());
        mac.update(b"state ");
        mac.update(&nonce);
        mac.update(head);
        let mut short = [0; 8];
        short.copy_from_slice(&mac.finalize().into_bytes()[..8]);
        StateMark { nonce, mac: short }
    }

    fn is_of(&self, secret: &Secret, head: &Digest) -> bool {
        StateMark::new(secret, self.nonce, head) == *self
    }
}

/// What a form was drawn from: so many moves, and which state, where the form says so.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub moves: u32,
    pub mark: Option<StateMark>,
}

impl Step {
    /// Tells one saying from another: the same lines said after the same number of moves are the same saying.
    pub(crate) fn form(self, lines: &[Line]) -> String {
        let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
        let digest = Sha256::digest(format!("{}\n{}", self.moves, lines.join("\n")));
        HEXLOWER.encode(&digest[..6])
    }
}

impl From<u32> for Step {
    fn from(moves: u32) -> Step {
        Step { moves, mark: None }
    }
}

impl fmt::Display for StateMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&[self.nonce, self.mac].concat()))
    }
}

/// This is no step.
#[derive(Debug, thiserror::Error)]
#[error("a step is a number of moves, and perhaps a mark")]
pub struct NoStep;

impl FromStr for StateMark {
    type Err = NoStep;

    fn from_str(text: &str) -> Result<StateMark, NoStep> {
        let bytes: [u8; 16] =
            HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok()).ok_or(NoStep)?;
        let (nonce, mac) = bytes.split_at(8);
        Ok(StateMark { nonce: nonce.try_into().map_err(|_| NoStep)?, mac: mac.try_into().map_err(|_| NoStep)? })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.moves)?;
        self.mark.map_or(Ok(()), |mark| write!(f, "-{mark}"))
    }
}

impl FromStr for Step {
    type Err = NoStep;

    fn from_str(text: &str) -> Result<Step, NoStep> {
        let (moves, mark) = match text.split_once('-') {
            Some((moves, mark)) => (moves, Some(mark.parse()?)),
            None => (text, None),
        };
        Ok(Step { moves: moves.parse().map_err(|_| NoStep)?, mark })
    }
}

impl CachedTable {
    /// A mark of the table as it is now, for forms.
    pub fn mark(&self) -> Option<StateMark> {
        self.secret.as_ref().map(|secret| StateMark::new(secret, rand::random(), &self.now.head))
    }

    /// What a viewer's forms are drawn from now.
    pub fn step(&self, viewer: Viewer) -> Step {
        Step { moves: self.now.moves_for(viewer), mark: self.mark() }
    }

    /// Whether the table may have been as a viewer's form shows it. `false` if the form is from a state that the table never was in.
    pub fn may_have_been(&self, step: Step, viewer: Viewer) -> bool {
        let numbering = self.now.numbering(viewer);
        if step.moves > numbering.shown(self.now.moves) {
            return false;
        }
        let (Some(mark), Some(secret)) = (step.mark, &self.secret) else { return true };
        let window = &self.window;
        let mut heads = window.records().iter().rev().map(|record| &record.digest).chain([&window.base().head]);
        // What lies before the window is not looked for.
        heads.any(|head| mark.is_of(secret, head)) || !window.reaches(numbering.recorded(step.moves))
    }

    /// Whether this event is one of the table's; `None` if it lies before what is at hand.
    pub(crate) fn has_event(&self, seq: i64, digest: &Digest) -> Option<bool> {
        if seq > self.now.version {
            return Some(false);
        }
        self.window.digest_of(seq).map(|there| there == digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_written() {
        let secret = Secret::new([7; 32]);
        let mark = StateMark::new(&secret, [1; 8], &[2; 32]);
        for step in [Step { moves: 12, mark: Some(mark) }, Step::from(0)] {
            assert_eq!(step.to_string().parse::<Step>().unwrap(), step);
        }
        for text in ["", "-", "12-", "12-xyz", "twelve", "-3", "12-0011223344556677"] {
            assert!(text.parse::<Step>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_mark_is_of_one_state_and_looks_different_each_time() {
        let (secret, other) = (Secret::new([7; 32]), Secret::new([8; 32]));
        let (one, two) = (StateMark::new(&secret, [1; 8], &[2; 32]), StateMark::new(&secret, [3; 8], &[2; 32]));
        assert!(one.is_of(&secret, &[2; 32]) && two.is_of(&secret, &[2; 32]));
        assert_ne!((one.nonce, one.mac), (two.nonce, two.mac));
        assert!(!one.is_of(&secret, &[4; 32]) && !one.is_of(&other, &[2; 32]));
    }
}
