//! Playing on from a step of a finished game: a new table that begins there, with chance of its own.
//!
//! The facts of the game up to that step are copied to the new table in the place of a deal. Its opening says where they come from, so
//! that whoever checks it can compare them, and it counts in no figures.

use crate::tables::lifecycle::open::TableOptions;
use crate::tables::state::record::{Opened, PlayedOn, Record, TableFact};
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, OpenError, OpeningBot, PlayerId, ReadError, SitError, TableId, Tables};
use wonderpost_rules::{Fact, Level, Refusal, Seat};

/// Who plays the other seats.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Others {
    Bots(Level),
    /// Whoever sits down there.
    People,
}

#[derive(Debug, thiserror::Error)]
pub enum PlayOnError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Sit(#[from] SitError),
}

impl From<Refusal> for PlayOnError {
    fn from(refusal: Refusal) -> PlayOnError {
        PlayOnError::Open(refusal.into())
    }
}

impl Tables {
    /// Opens a table that goes on from a step of a finished one, and sits down there.
    pub async fn play_on(
        &self,
        player: PlayerId,
        cached: &CachedTable,
        move_no: u32,
        seat: Seat,
        others: Others,
    ) -> Result<TableId, PlayOnError> {
        let now = &cached.now;
        if now.status() != Status::Over || now.opened.day.is_some_and(|day| day >= self.today()) {
            return Err(Refusal::new("One can play on from a game that is over.").into());
        }
        if seat.number() > now.opened.seats || move_no > now.moves {
            return Err(Refusal::new("This game has no such seat or move.").into());
        }
        let records = self.records(cached.id).await.map_err(SitError::from)?;
        let then = state_at(self, &records, move_no).map_err(SitError::from)?;
        if then.position.result().is_some() {
            return Err(Refusal::new("The game was over there: choose an earlier move.").into());
        }
        // What cannot be told by facts alone is not played on.
        facts_of(&then, &records, move_no)?;
        let bots = match others {
            Others::People => Vec::new(),
            Others::Bots(level) => {
                let others = Seat::all(now.opened.seats).filter(|other| *other != seat);
                others.map(|other| OpeningBot { seat: Some(other), level }).collect()
            }
        };
        let wishes = TableOptions {
            game: now.game,
            seats: now.opened.seats,
            options: now.opened.options.clone(),
            pace: now.opened.pace,
            private: now.opened.private,
            by_lot: false,
            preset_answers: false,
            bots,
        };
        let from = PlayedOn { table: cached.id.to_string(), move_no };
        let table = self.open_played_on(&wishes, player, from).await?;
        self.sit_at(player, table, "", Some(seat)).await?;
        Ok(table)
    }

    /// The facts with which a table begins that goes on from another; nothing for tables that are dealt.
    pub(crate) async fn facts_to_play_on(&self, opened: &Opened) -> Result<Option<Vec<Fact>>, SitError> {
        let Some(from) = &opened.played_on else { return Ok(None) };
        let lost = || Refusal::new("The game from which this one goes on is not there any more.");
        let source: TableId = from.table.parse().map_err(|_| lost())?;
        let records = self.records(source).await?;
        let then = state_at(self, &records, from.move_no)?;
        Ok(Some(facts_of(&then, &records, from.move_no)?))
    }
}

/// A table after a move.
fn state_at(tables: &Tables, records: &[Record], move_no: u32) -> Result<TableState, ReadError> {
    let end = records.partition_point(|record| record.move_no <= move_no);
    Ok(TableState::from_records(&tables.catalogue, &records[..end])?)
}

/// The facts of a game up to a move, without those that were taken back.
pub(crate) fn facts_of(then: &TableState, records: &[Record], move_no: u32) -> Result<Vec<Fact>, Refusal> {
    let until: Vec<&Record> = records.iter().take_while(|record| record.move_no <= move_no).collect();
    let undone: Vec<u32> = until.iter().filter_map(|record| undone_by(record)).flatten().collect();
    let counts = |record: &&&Record| !record.is_of_the_house() && !undone.contains(&record.move_no);
    let facts: Vec<&Record> = until.iter().filter(counts).copied().collect();
    let odd =
        || Refusal::new("This step cannot be played on, because moves were taken back around it. Choose another.");
    let mut position = then.game.begin(&then.opened.options, then.opened.seats)?;
    for fact in &facts {
        position.fold(&fact.body).map_err(|_| odd())?;
    }
    if position.snapshot() != then.position.snapshot() {
        return Err(odd());
    }
    Ok(facts.iter().map(|fact| Fact { kind: fact.kind.clone(), body: fact.body.get().to_owned() }).collect())
}

fn undone_by(record: &Record) -> Option<Vec<u32>> {
    if !record.is_of_the_house() {
        return None;
    }
    match serde_json::from_str(record.body.get()) {
        Ok(TableFact::Undone { moves, .. }) => Some(moves),
        _ => None,
    }
}
