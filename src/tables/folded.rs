//! A table as its events make it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::record::{Chain, Digest, HOUSE_PREFIX, Opened, Record, TableFact};
use super::{TableId, record};
use crate::rules::seed::{Cut, Secret, Seed};
use crate::rules::{Catalogue, Fact, Game, Position, Seat, SeatSet, Viewer};
use crate::store::tables::Projection;

/// Whether a table waits for players, is being played, or is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Open,
    Playing,
    Over,
}

impl Status {
    pub const fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Playing => "playing",
            Status::Over => "over",
        }
    }
}

/// The events of a table do not make a table.
#[derive(Debug, thiserror::Error)]
pub enum Unfoldable {
    #[error("event {seq} does not fold: {reason}")]
    Event { seq: i64, reason: String },
    #[error("there is no game “{0}” in the catalogue")]
    Game(String),
    #[error("the table has no events")]
    Empty,
    #[error(transparent)]
    Damaged(#[from] record::Damaged),
}

/// The state of a table: what folding its events gives, and nothing else.
pub struct Folded {
    pub game: &'static dyn Game,
    pub opened: Opened,
    pub opened_at: DateTime<Utc>,
    pub moved_at: DateTime<Utc>,
    pub seated: SeatSet,
    pub cuts: Vec<Cut>,
    /// The number of the last event.
    pub version: i64,
    pub head: Digest,
    pub moves: u32,
    /// How many draws of chance there have been.
    pub draws: u64,
    pub revealed: Option<Secret>,
    pub position: Box<dyn Position>,
}

impl Clone for Folded {
    fn clone(&self) -> Folded {
        Folded {
            game: self.game,
            opened: self.opened.clone(),
            opened_at: self.opened_at,
            moved_at: self.moved_at,
            seated: self.seated,
            cuts: self.cuts.clone(),
            version: self.version,
            head: self.head,
            moves: self.moves,
            draws: self.draws,
            revealed: self.revealed.clone(),
            position: self.position.boxed_clone(),
        }
    }
}

impl Folded {
    /// Folds the first event of a table.
    pub fn begin(catalogue: &Catalogue, first: &Record) -> Result<Folded, Unfoldable> {
        let fact: TableFact = read(first)?;
        let TableFact::Opened(opened) = fact else { return Err(unfoldable(first, "a table begins with being opened")) };
        let game = catalogue.find(&opened.game).ok_or_else(|| Unfoldable::Game(opened.game.clone()))?;
        let position = game.begin(&opened.options, opened.seats).map_err(|refusal| unfoldable(first, refusal))?;
        Ok(Folded {
            game,
            opened,
            opened_at: first.at,
            moved_at: first.at,
            seated: SeatSet::EMPTY,
            cuts: Vec::new(),
            version: first.seq,
            head: first.digest,
            moves: 0,
            draws: 0,
            revealed: None,
            position,
        })
    }

    /// Folds all events of a table.
    pub fn from_records(catalogue: &Catalogue, records: &[Record]) -> Result<Folded, Unfoldable> {
        let (first, rest) = records.split_first().ok_or(Unfoldable::Empty)?;
        let mut folded = Folded::begin(catalogue, first)?;
        for record in rest {
            folded.fold(record)?;
        }
        Ok(folded)
    }

    /// Folds the next event.
    pub fn fold(&mut self, record: &Record) -> Result<(), Unfoldable> {
        if record.seq != self.version + 1 {
            return Err(unfoldable(record, format!("it follows event {}", self.version)));
        }
        if record.kind.starts_with(HOUSE_PREFIX) {
            match read(record)? {
                TableFact::Opened(_) => return Err(unfoldable(record, "the table is open already")),
                TableFact::Sat { seat, cut } => {
                    self.seated.insert(seat);
                    if let Some(word) = cut {
                        self.cuts.push(Cut { seat, word });
                        self.cuts.sort_by_key(|cut| cut.seat);
                    }
                }
                TableFact::Said { .. } => {}
                TableFact::Drew(_) => self.draws += 1,
                TableFact::Revealed { secret } => {
                    let bytes = data_encoding::HEXLOWER.decode(secret.as_bytes()).unwrap_or_default();
                    self.revealed = Secret::from_slice(&bytes);
                }
            }
        } else {
            self.position.fold(&record.body).map_err(|error| unfoldable(record, error))?;
        }
        self.stamp(record);
        Ok(())
    }

    /// Takes over a record whose event the position has already seen.
    pub(super) fn stamp(&mut self, record: &Record) {
        self.version = record.seq;
        self.head = record.digest;
        self.moves = record.move_no;
        self.moved_at = record.at;
    }

    /// The log line of a record for a viewer; the record is the next to be folded.
    pub fn tell(&self, record: &Record, viewer: Viewer) -> Result<Option<String>, Unfoldable> {
        if record.is_of_the_house() {
            return Ok(None);
        }
        self.position.tell(&record.body, viewer).map_err(|error| unfoldable(record, error))
    }

    pub fn status(&self) -> Status {
        if self.seated.len() < usize::from(self.opened.seats) {
            Status::Open
        } else if self.position.result().is_some() {
            Status::Over
        } else {
            Status::Playing
        }
    }

    /// The seats that are to move now.
    pub fn awaiting(&self) -> SeatSet {
        if self.status() == Status::Playing { self.position.awaiting() } else { SeatSet::EMPTY }
    }

    pub fn seed(&self, secret: &Secret) -> Seed {
        secret.seed(&self.opened.deal, &self.cuts)
    }

    pub fn projection(&self) -> Projection {
        Projection {
            status: self.status().name().to_owned(),
            version: self.version,
            moves: self.moves as i32,
            awaiting: self.awaiting().iter().map(|seat| i16::from(seat.number())).collect(),
            standing: if self.status() == Status::Open { Vec::new() } else { self.position.standing() },
        }
    }

    /// A chain that goes on from here.
    pub fn chain(&self, table: TableId) -> Chain {
        Chain { table, seq: self.version, head: self.head, at: record::now(), records: Vec::new() }
    }

    /// Records an event of the house and folds it.
    pub fn record(
        &mut self,
        chain: &mut Chain,
        move_no: u32,
        seat: Option<Seat>,
        fact: &TableFact,
    ) -> Result<(), Unfoldable> {
        let record = chain.add(move_no, seat, Fact::new(fact)).clone();
        self.fold(&record)
    }
}

fn read(record: &Record) -> Result<TableFact, Unfoldable> {
    serde_json::from_str(record.body.get()).map_err(|error| unfoldable(record, error))
}

fn unfoldable(record: &Record, reason: impl ToString) -> Unfoldable {
    Unfoldable::Event { seq: record.seq, reason: reason.to_string() }
}

/// A folded table, written down.
#[derive(Serialize, Deserialize)]
struct Written {
    opened: Opened,
    opened_at: DateTime<Utc>,
    moved_at: DateTime<Utc>,
    seated: SeatSet,
    cuts: Vec<Cut>,
    version: i64,
    head: Digest,
    moves: u32,
    draws: u64,
    position: String,
}

impl Folded {
    /// Writes the state down for a checkpoint. A finished table needs none.
    pub fn write(&self) -> String {
        let written = Written {
            opened: self.opened.clone(),
            opened_at: self.opened_at,
            moved_at: self.moved_at,
            seated: self.seated,
            cuts: self.cuts.clone(),
            version: self.version,
            head: self.head,
            moves: self.moves,
            draws: self.draws,
            position: self.position.checkpoint(),
        };
        serde_json::to_string(&written).expect("a checkpoint is plain data")
    }

    /// Reads a checkpoint; `None` if it does not fit today's shape.
    pub fn read(catalogue: &Catalogue, text: &str) -> Option<Folded> {
        let written: Written = serde_json::from_str(text).ok()?;
        let game = catalogue.find(&written.opened.game)?;
        Some(Folded {
            game,
            position: game.restore(&written.position)?,
            opened: written.opened,
            opened_at: written.opened_at,
            moved_at: written.moved_at,
            seated: written.seated,
            cuts: written.cuts,
            version: written.version,
            head: written.head,
            moves: written.moves,
            draws: written.draws,
            revealed: None,
        })
    }
}
