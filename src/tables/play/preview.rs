//! What moves would come to, as far as whoever would make them can know.
//!
//! A preview is computed from tables on which everything hidden from its viewer is dealt anew, never from the real one, and the random
//! numbers for that come from what the viewer sees. So it depends on the viewer's knowledge alone, and asking again tells nothing new.

#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::tables::play::lines::{Draft, Saying, decide, read_lines, split_lines};
use crate::tables::play::plans::Answers;
use crate::tables::state::record::{By, Record};
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, MoveError, ReadError, Tables};
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Line, Position, Refusal, Seat, Viewer};

/// How many tables are tried that differ in what the viewer does not know. The rules say when an event tells something that was hidden; several
/// tables are there for what the rules may have missed.
const SAMPLES: usize = 4;

/// What moves would come to.
pub struct Preview {
    /// The moves in their canonical form.
    pub lines: Vec<String>,
    pub log: Vec<String>,
    /// A position that looks to the viewer as the table would.
    pub then: Box<dyn Position>,
    /// Whether that is all; else chance or hidden knowledge comes up next.
    pub is_whole: bool,
}

/// What moves come to on one table.
enum Outcome {
    Refused {
        line: Option<String>,
        refusal: Refusal,
    },
    /// Chance is drawn, or somebody learns what was hidden, before anything else happens.
    Unforeseeable,
    Foreseen {
        preview: Preview,
        view: Value,
    },
}

impl Outcome {
    fn looks_like(&self, other: &Outcome) -> bool {
        match (self, other) {
            (Outcome::Refused { line, refusal }, Outcome::Refused { line: other_line, refusal: other_refusal }) => {
                line == other_line && refusal == other_refusal
            }
            (Outcome::Unforeseeable, Outcome::Unforeseeable) => true,
            (Outcome::Foreseen { preview, view }, Outcome::Foreseen { preview: other, view: other_view }) => {
                preview.lines == other.lines
                    && preview.log == other.log
                    && preview.is_whole == other.is_whole
                    && view == other_view
            }
            (Outcome::Refused { .. } | Outcome::Unforeseeable | Outcome::Foreseen { .. }, _) => false,
        }
    }
}

impl Tables {
    /// What lines would come to, as far as nothing of it depends on chance or on what is hidden from the seat: the table as it would be,
    /// and the log. What others have said in advance is hidden, too.
    pub fn preview(&self, cached: &CachedTable, seat: Seat, lines: &str) -> Result<Option<Preview>, MoveError> {
        preview(cached, seat, lines, self.now())
    }
}

fn preview(cached: &CachedTable, seat: Seat, lines: &str, at: DateTime<Utc>) -> Result<Option<Preview>, MoveError> {
    let lines = split_lines(lines)?;
    let mut rng = rng_of(&cached.now.position.view(Viewer::Seat(seat)), &lines);
    let first = try_out(&dealt_anew(cached, seat, &mut rng), seat, &lines, at)?;
    for _ in 1..SAMPLES {
        if matches!(first, Outcome::Unforeseeable) {
            break;
        }
        if !try_out(&dealt_anew(cached, seat, &mut rng), seat, &lines, at)?.looks_like(&first) {
            return Ok(None);
        }
    }
    match first {
        Outcome::Refused { line, refusal } => Err(MoveError::Refused { line, refusal }),
        Outcome::Unforeseeable => Ok(None),
        Outcome::Foreseen { preview, .. } => Ok(Some(preview)),
    }
}

fn rng_of(view: &Value, lines: &[&str]) -> StdRng {
    let digest = Sha256::digest(format!("{view}\n{}", lines.join("\n")));
    StdRng::from_seed(digest.into())
}

/// The table as it might be for all that a seat knows, with chance of its own.
fn dealt_anew(cached: &CachedTable, seat: Seat, rng: &mut StdRng) -> CachedTable {
    let mut anew = cached.clone();
    anew.secret = None;
    if cached.now.status() == Status::Playing {
        anew.now.position = cached.now.position.resample_hidden(Viewer::Seat(seat), rng);
        anew.seed = Some(Seed::of_number(rng.random()));
    }
    anew
}

fn try_out(cached: &CachedTable, seat: Seat, lines: &[&str], at: DateTime<Utc>) -> Result<Outcome, MoveError> {
    match decide_on(cached, seat, lines, at) {
        Err(MoveError::Refused { line, refusal }) => Ok(Outcome::Refused { line, refusal }),
        outcome => outcome,
    }
}

fn decide_on(cached: &CachedTable, seat: Seat, lines: &[&str], at: DateTime<Utc>) -> Result<Outcome, MoveError> {
    let viewer = Viewer::Seat(seat);
    let read = read_lines(&*cached.now.position, seat, lines)?;
    let saying = Saying { seat, form: "", by: By::Holder, lines: &read };
    let Draft { deciding, .. } = decide(cached, &saying, Answers::default(), at)?;
    let foreseen = match deciding.revealing {
        true => &deciding.chain.records[..deciding.foreseeable],
        false => &deciding.chain.records[..],
    };
    if deciding.revealing && foreseen.last().is_none_or(Record::is_of_the_house) {
        return Ok(Outcome::Unforeseeable);
    }
    let mut folded: TableState = cached.now.clone();
    let mut log = Vec::new();
    for record in foreseen {
        log.extend(folded.describe_event(record, viewer).map_err(ReadError::from)?);
        folded.fold(record).map_err(ReadError::from)?;
    }
    let lines = read.iter().map(Line::to_string).collect();
    let view = folded.position.view(viewer);
    Ok(Outcome::Foreseen {
        preview: Preview { lines, log, then: folded.position, is_whole: !deciding.revealing },
        view,
    })
}
