//! The outcome of one game, read from its events.

use crate::tables::state::record::{By, Ending, Record, TableFact};
use crate::tables::state::table_state::{Status, TableState, Unfoldable};
use wonderpost_rules::{Catalogue, Seat};

/// How many decisions of a seat are kept: no figure looks back further.
const MOST_ANSWERS: usize = 100;

/// What is noted for a decision that was missed.
pub const MISSED: i32 = -1;

/// How a game went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it tells how well somebody plays.
    pub counts: bool,
    /// By how many points the best was ahead of the next.
    pub lead: Option<i64>,
    /// In the order of seats.
    pub seats: Vec<SeatOutcome>,
}

/// How a game went for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatOutcome {
    pub seat: Seat,
    pub won: bool,
    /// How many seconds of its clock each decision took, the latest last; [`MISSED`] for one that was missed.
    pub answers: Vec<i32>,
}

impl Outcome {
    /// Reads the outcome of a table; nothing if it is not over.
    pub fn read(catalogue: &Catalogue, records: &[Record]) -> Result<Option<Outcome>, Unfoldable> {
        let (first, rest) = records.split_first().ok_or(Unfoldable::Empty)?;
        let mut now = TableState::begin(catalogue, first)?;
        let mut answers = vec![Vec::new(); usize::from(now.opened.seats)];
        for record in rest {
            if let Some((seat, answer)) = answer(&now, record)
                && let Some(answers) = answers.get_mut(seat.index())
            {
                answers.push(answer);
            }
            now.fold(record)?;
        }
        if now.status() != Status::Over || !now.started() {
            return Ok(None);
        }
        let winners = now.winners();
        let ended_by_play = matches!(now.ended, None | Some(Ending::Resigned));
        // What goes on from another game was half played by others.
        let is_whole = now.opened.played_on.is_none();
        let counts = is_whole && now.opened.seats > 1 && ended_by_play && !winners.is_empty();
        let seats = Seat::all(now.opened.seats).zip(answers).map(|(seat, mut answers)| SeatOutcome {
            seat,
            won: winners.contains(seat),
            answers: match is_whole {
                true => answers.split_off(answers.len().saturating_sub(MOST_ANSWERS)),
                false => Vec::new(),
            },
        });
        Ok(Some(Outcome { counts, lead: lead(&now).filter(|_| counts && now.ended.is_none()), seats: seats.collect() }))
    }
}

/// How long a person took for a decision that this record, the next to be folded, brings. What bots do, and answers left in
/// advance, say nothing of anybody's pace.
fn answer(now: &TableState, record: &Record) -> Option<(Seat, i32)> {
    if !record.is_of_the_house() {
        return None;
    }
    let fact: TableFact = serde_json::from_str(record.body.get()).ok()?;
    match fact {
        TableFact::Missed { seat } | TableFact::Kept { seat } => Some((seat, MISSED)),
        TableFact::Said { by: By::Clock, .. } => Some((record.seat?, MISSED)),
        TableFact::Said { by: By::Holder, concealed: false, .. } => {
            let seat = record.seat.filter(|seat| now.bot_at(*seat).is_none())?;
            let seconds = now.spent(seat, record.at).num_seconds();
            Some((seat, i32::try_from(seconds.max(0)).unwrap_or(i32::MAX)))
        }
        _ => None,
    }
}

/// By how many points the best seat is ahead of the next.
fn lead(now: &TableState) -> Option<i64> {
    let mut scores = now.position.scores().into_iter().collect::<Option<Vec<i64>>>()?;
    scores.sort_unstable();
    let (best, others) = scores.split_last()?;
    Some(best - others.last()?)
}
