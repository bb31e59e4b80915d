//! A table as its events make it.

use chrono::{DateTime, TimeDelta, Utc};

use crate::db::tables::lists::Projection;
use crate::tables::TableId;
use crate::tables::clock::times::{Clock, Times};
use crate::tables::history::describe::tell_of_the_house;
use crate::tables::state::concealed::Concealed;
use crate::tables::state::open_moves::OpenMoves;
use crate::tables::state::record;
use crate::tables::state::record::{By, Chain, Digest, Ending, Opened, Record, TableFact};
use crate::tables::state::undoing::TakeBackRequest;
use wonderpost_rules::seed::{Cut, Secret, Seed};
use wonderpost_rules::{Catalogue, Fact, Game, Level, Position, Seat, SeatSet, Viewer};

pub use crate::tables::state::status::Status;

/// After how many days an open table that nobody starts is cleared away.
const OPEN_DAYS: i64 = 14;

/// How long a bot takes to think.
const BOT_MILLISECONDS: i64 = 1_200;

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

/// What came of something that a seat had a part in.
pub struct Aftermath {
    pub seat: Seat,
    pub move_no: u32,
    /// With marks for names.
    pub words: String,
}

/// The state of a table: what folding its events gives, and nothing else.
#[derive(Clone)]
pub struct TableState {
    pub game: &'static dyn Game,
    pub opened: Opened,
    pub opened_at: DateTime<Utc>,
    /// When something last happened that everybody knows of.
    pub moved_at: DateTime<Utc>,
    pub seated: SeatSet,
    pub bots: Vec<(Seat, Level)>,
    pub cuts: Vec<Cut>,
    pub resigned: SeatSet,
    /// Who wants to end the game here.
    pub agreed: SeatSet,
    /// How the table ended, if not by the game itself.
    pub ended: Option<Ending>,
    /// Why the host closed the table, if so.
    pub closing_reason: Option<String>,
    /// What each seat last did, and since when it is awaited.
    pub clocks: [Clock; Seat::MOST as usize],
    /// When clocks run and who is absent.
    pub times: Times,
    /// The number of the last event.
    pub version: i64,
    pub head: Digest,
    /// All of them; what one viewer knows of is counted by [`TableState::moves_for`].
    pub moves: u32,
    /// The moves that are known to their movers alone, in order.
    pub concealed: Vec<Concealed>,
    /// The number and the digest of the last event that is no part of such a move.
    pub public_version: i64,
    pub public_head: Digest,
    /// The moves that can still be undone.
    pub open_moves: OpenMoves,
    /// Who would like to take a move back.
    pub take_back: Option<TakeBackRequest>,
    /// How many draws of chance there have been.
    pub draws: u64,
    pub revealed: Option<Secret>,
    pub position: Box<dyn Position>,
}

impl TableState {
    /// Folds the first event of a table.
    pub fn begin(catalogue: &Catalogue, first: &Record) -> Result<TableState, Unfoldable> {
        let fact: TableFact = read(first)?;
        let TableFact::Opened(opened) = fact else { return Err(unfoldable(first, "a table begins with being opened")) };
        let game = catalogue.find(&opened.game).ok_or_else(|| Unfoldable::Game(opened.game.clone()))?;
        let position = game.begin(&opened.options, opened.seats).map_err(|refusal| unfoldable(first, refusal))?;
        Ok(TableState {
            game,
            opened,
            opened_at: first.at,
            moved_at: first.at,
            seated: SeatSet::EMPTY,
            bots: Vec::new(),
            cuts: Vec::new(),
            resigned: SeatSet::EMPTY,
            agreed: SeatSet::EMPTY,
            ended: None,
            closing_reason: None,
            clocks: Default::default(),
            times: Times::default(),
            version: first.seq,
            head: first.digest,
            moves: 0,
            concealed: Vec::new(),
            public_version: first.seq,
            public_head: first.digest,
            open_moves: OpenMoves::default(),
            take_back: None,
            draws: 0,
            revealed: None,
            position,
        })
    }

    /// Folds all events of a table.
    pub fn from_records(catalogue: &Catalogue, records: &[Record]) -> Result<TableState, Unfoldable> {
        let (first, rest) = records.split_first().ok_or(Unfoldable::Empty)?;
        let mut folded = TableState::begin(catalogue, first)?;
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
        if record.is_of_the_house() {
            self.fold_house_fact(read(record)?, record)?;
        } else {
            self.position.fold(&record.body).map_err(|error| unfoldable(record, error))?;
        }
        self.stamp(record, self.awaiting());
        Ok(())
    }

    fn fold_house_fact(&mut self, fact: TableFact, record: &Record) -> Result<(), Unfoldable> {
        match fact {
            TableFact::Opened(_) => return Err(unfoldable(record, "the table is open already")),
            TableFact::Sat { seat, cut, bot } => self.fold_sat(seat, cut, bot),
            TableFact::Stood { seat } => {
                self.seated.remove(seat);
                self.bots.retain(|(bot, _)| *bot != seat);
                self.cuts.retain(|cut| cut.seat != seat);
            }
            TableFact::Said { by, concealed, .. } => {
                if let Some(seat) = record.seat {
                    self.note_said(&fact, seat, record).map_err(|error| unfoldable(record, error))?;
                    self.fold_said(seat, by, concealed, record);
                }
            }
            TableFact::Undone { moves, by_consent, .. } => {
                let seat = record.seat.ok_or_else(|| unfoldable(record, "nobody undoes it"))?;
                self.fold_undone(seat, &moves, by_consent, record).map_err(|error| unfoldable(record, error))?;
            }
            TableFact::TakeBack { seat, of, word } => self.fold_word(seat, of, word),
            TableFact::Resigned { seat } => {
                self.resigned.insert(seat);
                self.agreed.remove(seat);
            }
            TableFact::Agreed { seat, to_end: true } => self.agreed.insert(seat),
            TableFact::Agreed { seat, to_end: false } => self.agreed.remove(seat),
            TableFact::Ended { how } => self.ended = Some(how),
            TableFact::ClosedByHost { reason } => {
                self.ended = Some(Ending::ClosedByHost);
                self.closing_reason = Some(reason);
            }
            TableFact::Drew(_) => self.draws += 1,
            TableFact::Revealed { secret } => {
                let bytes = data_encoding::HEXLOWER.decode(secret.as_bytes()).unwrap_or_default();
                self.revealed = Secret::from_slice(&bytes);
            }
            TableFact::Hours { .. }
            | TableFact::Away { .. }
            | TableFact::Back { .. }
            | TableFact::PauseAgreed { .. }
            | TableFact::Paused { .. }
            | TableFact::Resumed { .. }
            | TableFact::Kept { .. }
            | TableFact::Returned { .. }
            | TableFact::Held { .. }
            | TableFact::Missed { .. }
            | TableFact::WentOn { .. }
            | TableFact::Closed { .. } => {
                self.note_time(&fact);
                self.fold_time(&fact, record.at);
            }
        }
        Ok(())
    }

    fn fold_sat(&mut self, seat: Seat, cut: Option<String>, bot: Option<Level>) {
        self.seated.insert(seat);
        self.bots.extend(bot.map(|level| (seat, level)));
        self.cuts.extend(cut.map(|word| Cut { seat, word }));
        self.cuts.sort_by_key(|cut| cut.seat);
    }

    fn fold_said(&mut self, seat: Seat, by: By, concealed: bool, record: &Record) {
        if concealed {
            let (version, head) = (record.seq, record.digest);
            self.note_move(seat, by, record.move_no);
            self.concealed.push(Concealed { seat, move_no: record.move_no, version, head });
        } else {
            self.stop_clock(seat, by, record.move_no, record.at);
        }
    }

    /// Takes over the position that a decision came to, with the records of its facts and who was awaited after each: the same as
    /// folding the records, without reading them again.
    pub fn adopt(&mut self, records: &[Record], awaiting: &[SeatSet], position: Box<dyn Position>) {
        let before = cfg!(debug_assertions).then(|| self.clone());
        self.position = position;
        for (record, awaiting) in records.iter().zip(awaiting) {
            self.stamp(record, *awaiting);
        }
        if let Some(mut folded) = before {
            let agrees = records.iter().all(|record| folded.fold(record).is_ok()) && folded.write() == self.write();
            debug_assert!(agrees, "folding the facts of a decision gives another table than the decision");
        }
    }

    fn stamp(&mut self, record: &Record, awaiting: SeatSet) {
        self.version = record.seq;
        self.head = record.digest;
        self.moves = record.move_no;
        self.note_fact(record, awaiting);
        self.note_concealed(record);
        for (index, clock) in self.clocks.iter_mut().enumerate() {
            let awaited = Seat::new(index as u8 + 1).is_some_and(|seat| awaiting.contains(seat));
            clock.await_or_not(awaited, record.at);
        }
    }

    /// The log line of a record for a viewer; the record is the next to be folded.
    pub fn describe_event(&self, record: &Record, viewer: Viewer) -> Result<Option<String>, Unfoldable> {
        if record.is_of_the_house() {
            return Ok(tell_of_the_house(record, &read(record)?, viewer));
        }
        if record.move_no == 0 && self.opened.played_on.is_some() {
            // The log of the other game tells it.
            return Ok(None);
        }
        self.position.describe_event(&record.body, viewer).map_err(|error| unfoldable(record, error))
    }

    /// What a record, the next to be folded, brings to an end that a seat had a part in.
    fn aftermath(&self, record: &Record, seat: Seat) -> Result<Option<String>, Unfoldable> {
        if record.is_of_the_house() {
            return Ok(None);
        }
        self.position.aftermath(&record.body, seat).map_err(|error| unfoldable(record, error))
    }

    /// What records that follow this state bring to an end, for the seats that had a part in it, the latest last.
    pub fn aftermaths<'a>(&self, records: impl IntoIterator<Item = &'a Record>) -> Result<Vec<Aftermath>, Unfoldable> {
        let mut told = Vec::new();
        if !self.game.has_calls() {
            return Ok(told);
        }
        let mut now = self.clone();
        for record in records {
            for seat in now.seated.iter() {
                told.extend(now.aftermath(record, seat)?.map(|words| Aftermath {
                    seat,
                    move_no: record.move_no,
                    words,
                }));
            }
            now.fold(record)?;
        }
        Ok(told)
    }

    pub fn status(&self) -> Status {
        if let Some(ending) = self.ended {
            return match ending {
                Ending::Expired => Status::Gone,
                // There is no game to look at.
                Ending::ClosedByHost if !self.started() => Status::Gone,
                Ending::Resigned | Ending::Agreed | Ending::Abandoned | Ending::ClosedByHost => Status::Over,
            };
        }
        if self.seated.len() < usize::from(self.opened.seats) {
            Status::Open
        } else if self.position.result().is_some() {
            Status::Over
        } else {
            Status::Playing
        }
    }

    /// Whether the cards have been dealt.
    pub fn started(&self) -> bool {
        self.seated.len() == usize::from(self.opened.seats)
    }

    /// The seats that are to move now.
    pub fn awaiting(&self) -> SeatSet {
        if self.status() == Status::Playing { self.position.awaiting() } else { SeatSet::EMPTY }
    }

    /// Who plays a seat that its holder does not: a bot, a bot that stands in, or one that keeps the seat.
    pub fn bot_at(&self, seat: Seat) -> Option<Level> {
        let bot = self.bots.iter().find(|(bot, _)| *bot == seat).map(|(_, level)| *level);
        let absent = self.resigned.contains(seat) || self.times.kept.contains(seat);
        bot.or(absent.then_some(Level::Easy))
    }

    /// The seats held by people who have not given up.
    pub fn people(&self) -> SeatSet {
        let bot = |seat: Seat| self.bots.iter().any(|(bot, _)| *bot == seat);
        self.seated.iter().filter(|seat| !bot(*seat) && !self.resigned.contains(*seat)).collect()
    }

    /// Who won, once the table is over.
    pub fn winners(&self) -> SeatSet {
        match (self.ended, self.position.result()) {
            (Some(Ending::Resigned), _) => self.seated.iter().filter(|seat| !self.resigned.contains(*seat)).collect(),
            (Some(Ending::Agreed | Ending::Expired | Ending::Abandoned | Ending::ClosedByHost), _) | (None, None) => {
                SeatSet::EMPTY
            }
            (None, Some(result)) => result.winners,
        }
    }

    /// When the house has to see to the table.
    fn due(&self) -> Option<DateTime<Utc>> {
        match self.status() {
            Status::Open => Some(self.opened_at + TimeDelta::days(OPEN_DAYS)),
            Status::Playing => {
                let bot = self.awaiting().iter().any(|seat| self.bot_at(seat).is_some());
                let bot_due = bot.then(|| self.moved_at + TimeDelta::milliseconds(BOT_MILLISECONDS));
                bot_due.into_iter().chain(self.deadline()).chain(self.times.pause_ends()).min()
            }
            Status::Over | Status::Gone => None,
        }
    }

    pub fn seed(&self, secret: &Secret) -> Seed {
        secret.seed(&self.opened.deal, &self.cuts)
    }

    pub fn projection(&self) -> Projection {
        Projection {
            status: self.status(),
            version: self.version,
            head: self.head.to_vec(),
            moves: self.moves_for(Viewer::Public) as i32,
            awaiting: self.awaiting().into(),
            standing: if self.started() { self.position.ranking_key() } else { Vec::new() },
            deadlines: self.awaiting().iter().map(|seat| self.deadline_of(seat)).collect(),
            kept: self.times.kept.into(),
            over_at: (self.status() == Status::Over).then_some(self.moved_at),
            due: self.due(),
        }
    }

    /// A chain that goes on from here, with what happens at this time.
    pub fn chain(&self, table: TableId, at: DateTime<Utc>) -> Chain {
        Chain { table, seq: self.version, head: self.head, at, records: Vec::new() }
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
