//! The records of a table: events as they are stored, each chained to the one before.
//!
//! The digest of an event is SHA-256 over, in this order: the digest of the event before (32 zero bytes for the first), the
//! table's id (16 bytes), `seq` (8), `move_no` (4), the seat (1, 0 for none), the time in microseconds since 1970 (8), the length of `kind`
//! (4) and `kind`, the length of the body (4) and the body as it stands. Numbers are big-endian, lengths in bytes.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::TableId;
use crate::rules::{Draw, Fact, Level, Seat};
use crate::store::events::EventRow;
use crate::store::tables::NewEvent;

pub type Digest = [u8; 32];

/// The kinds of events that belong to the house and not to a game begin so.
pub const HOUSE_PREFIX: &str = "table-";

/// What happens at a table besides the game itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum TableFact {
    #[serde(rename = "table-opened")]
    Opened(Opened),
    /// Somebody sat down and cut the deck with a word. A garden of the day is not cut: it is the same for all.
    #[serde(rename = "table-sat")]
    Sat {
        seat: Seat,
        cut: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bot: Option<Level>,
    },
    /// Somebody stood up again before the game began.
    #[serde(rename = "table-stood")]
    Stood { seat: Seat },
    /// A move, in its canonical form; `form` tells one saying from another.
    #[serde(rename = "table-said")]
    Said {
        line: String,
        form: String,
        #[serde(default, skip_serializing_if = "By::is_the_holder")]
        by: By,
    },
    /// Somebody gave up. A bot stands in for them as long as the others play on.
    #[serde(rename = "table-resigned")]
    Resigned { seat: Seat },
    /// Somebody wants to end the game here, or no longer does.
    #[serde(rename = "table-agreed")]
    Agreed { seat: Seat, to_end: bool },
    /// The table came to an end that is not the game's own.
    #[serde(rename = "table-ended")]
    Ended { how: Ending },
    /// A draw of chance.
    #[serde(rename = "table-drew")]
    Drew(Draw),
    /// The secret, published when the game is over.
    #[serde(rename = "table-revealed")]
    Revealed { secret: String },
}

/// Who said a move.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Whoever holds the seat.
    #[default]
    Holder,
    /// A bot that stands in for somebody who resigned.
    StandIn,
    /// Nobody: time ran out.
    Clock,
}

impl By {
    fn is_the_holder(&self) -> bool {
        *self == By::Holder
    }
}

/// Why a table ended before its game did.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// All but one resigned, or all.
    Resigned,
    /// All agreed to stop.
    Agreed,
    /// It was never started.
    Expired,
}

/// How long a move may take.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Without it there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_a_move: Option<u32>,
}

impl Pace {
    /// The paces that a table can be opened with.
    pub const CHOICES: [(&'static str, Pace); 6] = [
        ("no limit", Pace { seconds_a_move: None }),
        ("an hour a move", Pace { seconds_a_move: Some(3_600) }),
        ("a day a move", Pace { seconds_a_move: Some(86_400) }),
        ("three days a move", Pace { seconds_a_move: Some(3 * 86_400) }),
        ("a week a move", Pace { seconds_a_move: Some(7 * 86_400) }),
        ("two weeks a move", Pace { seconds_a_move: Some(14 * 86_400) }),
    ];

    pub fn words(self) -> &'static str {
        Pace::CHOICES.iter().find(|(_, pace)| *pace == self).map_or("a pace of its own", |(words, _)| words)
    }

    fn is_free(&self) -> bool {
        self.seconds_a_move.is_none()
    }
}

/// How a table was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    pub game: String,
    pub seats: u8,
    pub options: Value,
    /// SHA-256 of the secret, in hexadecimal.
    pub promise: String,
    /// What the seed is derived for: the table, or the day.
    pub deal: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<NaiveDate>,
    #[serde(default, skip_serializing_if = "Pace::is_free")]
    pub pace: Pace,
    /// Only those who are invited can see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// Seats are drawn by lot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_lot: bool,
}

/// An event with its place in the chain.
#[derive(Clone, Debug)]
pub struct Record {
    pub seq: i64,
    pub move_no: u32,
    pub seat: Option<Seat>,
    pub at: DateTime<Utc>,
    pub kind: String,
    pub body: Box<RawValue>,
    pub digest: Digest,
}

impl Record {
    /// The digest that this event must have after the one before.
    pub fn expected_digest(&self, table: TableId, before: &Digest) -> Digest {
        let body = self.body.get();
        let mut hash = Sha256::new();
        hash.update(before);
        hash.update(table.0.as_bytes());
        hash.update(self.seq.to_be_bytes());
        hash.update(self.move_no.to_be_bytes());
        hash.update([self.seat.map_or(0, Seat::number)]);
        hash.update(self.at.timestamp_micros().to_be_bytes());
        hash.update((self.kind.len() as u32).to_be_bytes());
        hash.update(&self.kind);
        hash.update((body.len() as u32).to_be_bytes());
        hash.update(body);
        hash.finalize().into()
    }

    pub fn is_of_the_house(&self) -> bool {
        self.kind.starts_with(HOUSE_PREFIX)
    }

    pub fn to_new_event(&self) -> NewEvent<'_> {
        NewEvent {
            seq: self.seq,
            move_no: self.move_no as i32,
            seat: self.seat.map(|seat| i16::from(seat.number())),
            kind: &self.kind,
            body: self.body.get(),
            digest: &self.digest,
        }
    }
}

/// A row that cannot have been written by this service.
#[derive(Debug, thiserror::Error)]
#[error("event {0} is damaged")]
pub struct Damaged(i64);

impl TryFrom<EventRow> for Record {
    type Error = Damaged;

    fn try_from(row: EventRow) -> Result<Record, Damaged> {
        let damaged = || Damaged(row.seq);
        let seat =
            row.seat.map(|number| u8::try_from(number).ok().and_then(Seat::new).ok_or_else(damaged)).transpose()?;
        Ok(Record {
            seq: row.seq,
            move_no: u32::try_from(row.move_no).map_err(|_| damaged())?,
            seat,
            at: row.at,
            digest: row.digest.try_into().map_err(|_| Damaged(row.seq))?,
            kind: row.kind,
            body: row.body.0,
        })
    }
}

/// Writes records at the end of a chain.
pub struct Chain {
    pub table: TableId,
    pub seq: i64,
    pub head: Digest,
    pub at: DateTime<Utc>,
    pub records: Vec<Record>,
}

impl Chain {
    pub fn add(&mut self, move_no: u32, seat: Option<Seat>, fact: Fact) -> &Record {
        let body = RawValue::from_string(fact.body).expect("facts are written as JSON");
        let mut record =
            Record { seq: self.seq + 1, move_no, seat, at: self.at, kind: fact.kind, body, digest: [0; 32] };
        record.digest = record.expected_digest(self.table, &self.head);
        self.seq = record.seq;
        self.head = record.digest;
        self.records.push(record);
        &self.records[self.records.len() - 1]
    }
}
