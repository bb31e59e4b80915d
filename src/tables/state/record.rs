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

use crate::db::tables::append::NewEvent;
use crate::db::tables::events::EventRow;
use crate::local_time::WakingHours;
use crate::tables::TableId;
use crate::tables::clock::pace::Pace;
use wonderpost_rules::{Draw, Fact, Level, Seat};

pub type Digest = [u8; 32];

/// The kinds of events that belong to the house and not to a game begin so.
pub const HOUSE_PREFIX: &str = "table-";

/// The kinds of events of the house that are part of a move.
const PARTS_OF_MOVES: [&str; 3] = ["table-said", "table-drew", "table-undone"];

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
        /// Nobody else is to know of it until the game shows it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        concealed: bool,
        /// No chance was drawn and nobody learnt anything hidden by it: it can be undone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reversible: bool,
    },
    /// Moves that no longer count, by their numbers: one of the seat's own, and with the consent of all whatever came after it, too.
    #[serde(rename = "table-undone")]
    Undone {
        moves: Vec<u32>,
        form: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_consent: bool,
        /// Nobody else knows of the move, nor is to know of this.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        concealed: bool,
    },
    /// Somebody would like to take a move back that concerns others, or says what they think of it.
    #[serde(rename = "table-take-back")]
    TakeBack { seat: Seat, of: u32, word: TakeBackWord },
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
    /// The waking hours of whoever holds a seat, where the table leaves the nights out; none, and the clock runs day and night.
    #[serde(rename = "table-hours")]
    Hours { seat: Seat, hours: Option<WakingHours> },
    /// Somebody takes days off: their clock stands.
    #[serde(rename = "table-away")]
    Away { seat: Seat, from: DateTime<Utc>, until: DateTime<Utc> },
    /// The days off that begin then are over at once, or will not be.
    #[serde(rename = "table-back")]
    Back { seat: Seat, from: DateTime<Utc> },
    /// Somebody wants a pause, for good or until then, or no longer does.
    #[serde(rename = "table-pause-agreed")]
    PauseAgreed { seat: Seat, to_pause: bool, until: Option<DateTime<Utc>> },
    /// All agreed: every clock stands.
    #[serde(rename = "table-paused")]
    Paused { until: Option<DateTime<Utc>> },
    /// The pause is over: somebody asked, or its time has come.
    #[serde(rename = "table-resumed")]
    Resumed { seat: Option<Seat> },
    /// Time ran out: a bot keeps the seat until its owner returns.
    #[serde(rename = "table-kept")]
    Kept { seat: Seat },
    #[serde(rename = "table-returned")]
    Returned { seat: Seat },
    /// The host lets a bot keep a seat for a while: whoever holds it is suspended.
    #[serde(rename = "table-held")]
    Held { seat: Seat },
    /// The host ended the table.
    #[serde(rename = "table-closed-by-host")]
    ClosedByHost { reason: String },
    /// Time ran out, and nothing was done about it but to close the table.
    #[serde(rename = "table-missed")]
    Missed { seat: Seat },
    /// Somebody goes on though others have missed many moves.
    #[serde(rename = "table-went-on")]
    WentOn { seat: Seat },
    /// The house itself was closed: the time does not count.
    #[serde(rename = "table-closed")]
    Closed { from: DateTime<Utc>, until: DateTime<Utc> },
}

/// What somebody says about taking a move back.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TakeBackWord {
    Ask,
    /// No longer asks.
    Withdraw,
    Grant,
    Refuse,
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
    /// The holder, in advance.
    Standing,
    /// A bot that keeps the seat until its owner returns.
    Keeper,
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
    /// Everybody's time ran out, one after the other.
    Abandoned,
    /// The host closed it.
    ClosedByHost,
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
    /// Everybody has left the game's preset answers until they say otherwise; bots never do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub preset_answers: bool,
    /// The finished game that is played on here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_on: Option<PlayedOn>,
}

/// A step of a finished game: the facts up to it take the place of a deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedOn {
    /// The id of its table.
    pub table: String,
    #[serde(rename = "move")]
    pub move_no: u32,
}

impl Opened {
    /// The day whose garden is played here after the day was over, so that it does not count among its results.
    pub fn former_garden(&self) -> Option<NaiveDate> {
        let day = self.deal.strip_prefix("day ")?.parse().ok()?;
        self.day.is_none().then_some(day)
    }
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

    /// Whether it is part of a move, and not what the house recorded meanwhile.
    pub fn is_of_a_move(&self) -> bool {
        !self.is_of_the_house() || PARTS_OF_MOVES.contains(&self.kind.as_str())
    }

    pub fn to_new_event(&self) -> NewEvent {
        NewEvent {
            seq: self.seq,
            move_no: self.move_no as i32,
            seat: self.seat,
            kind: self.kind.clone(),
            body: self.body.get().to_owned(),
            digest: self.digest,
        }
    }
}

/// The first of these records that does not carry the digest it must have after an event with this digest, by its number.
pub fn first_break<'a>(table: TableId, head: &Digest, records: impl IntoIterator<Item = &'a Record>) -> Option<i64> {
    let mut head = *head;
    let broken = records.into_iter().find(|record| {
        let chains = record.expected_digest(table, &head) == record.digest;
        head = record.digest;
        !chains
    });
    broken.map(|record| record.seq)
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
