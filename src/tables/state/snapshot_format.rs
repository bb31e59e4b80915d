//! How the state of a table is written in a snapshot.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::tables::clock::times::{Clock, Times};
use crate::tables::state::concealed::Concealed;
use crate::tables::state::open_moves::{OpenMoves, WrittenMoves};
use crate::tables::state::record::{Digest, Opened};
use crate::tables::state::table_state::TableState;
use crate::tables::state::undoing::TakeBackRequest;
use wonderpost_rules::seed::Cut;
use wonderpost_rules::{Catalogue, Level, Seat, SeatSet};

/// A folded table, written down.
#[derive(Serialize, Deserialize)]
struct Written {
    opened: Opened,
    opened_at: DateTime<Utc>,
    moved_at: DateTime<Utc>,
    seated: SeatSet,
    bots: Vec<(Seat, Level)>,
    cuts: Vec<Cut>,
    resigned: SeatSet,
    agreed: SeatSet,
    clocks: [Clock; Seat::MOST as usize],
    times: Times,
    version: i64,
    head: Digest,
    moves: u32,
    concealed: Vec<Concealed>,
    public_version: i64,
    public_head: Digest,
    open_moves: WrittenMoves,
    take_back: Option<TakeBackRequest>,
    draws: u64,
    position: Box<RawValue>,
}

impl TableState {
    /// Writes the state down for a snapshot. A finished table needs none.
    pub fn write(&self) -> String {
        let written = Written {
            opened: self.opened.clone(),
            opened_at: self.opened_at,
            moved_at: self.moved_at,
            seated: self.seated,
            bots: self.bots.clone(),
            cuts: self.cuts.clone(),
            resigned: self.resigned,
            agreed: self.agreed,
            clocks: self.clocks,
            times: self.times.clone(),
            version: self.version,
            head: self.head,
            moves: self.moves,
            concealed: self.concealed.clone(),
            public_version: self.public_version,
            public_head: self.public_head,
            open_moves: self.open_moves.write(),
            take_back: self.take_back,
            draws: self.draws,
            position: RawValue::from_string(self.position.snapshot()).expect("a state is written as JSON"),
        };
        serde_json::to_string(&written).expect("a snapshot is plain data")
    }

    /// Reads a snapshot; `None` if it does not fit today's shape.
    pub fn read(catalogue: &Catalogue, text: &str) -> Option<TableState> {
        let written: Written = serde_json::from_str(text).ok()?;
        let game = catalogue.find(&written.opened.game)?;
        Some(TableState {
            game,
            position: game.restore(written.position.get())?,
            opened: written.opened,
            opened_at: written.opened_at,
            moved_at: written.moved_at,
            seated: written.seated,
            bots: written.bots,
            cuts: written.cuts,
            resigned: written.resigned,
            agreed: written.agreed,
            ended: None,
            closing_reason: None,
            clocks: written.clocks,
            times: written.times,
            version: written.version,
            head: written.head,
            moves: written.moves,
            concealed: written.concealed,
            public_version: written.public_version,
            public_head: written.public_head,
            open_moves: OpenMoves::read(game, written.open_moves)?,
            take_back: written.take_back,
            draws: written.draws,
            revealed: None,
        })
    }
}
