//! A game that is over, step by step.

use std::fmt;

use crate::tables::state::record::{Record, TableFact};
use crate::tables::state::table_state::{Status, TableState, Unfoldable};
use wonderpost_rules::{AnyMove, Catalogue, Game, Position, Seat, SeatSet, Viewer};

/// A finished game, ready to be analysed.
pub struct FinishedGame {
    pub game: &'static dyn Game,
    pub seats: u8,
    /// The seats that people held.
    pub people: SeatSet,
    /// The table after the deal, and after each move.
    pub steps: Vec<GameStep>,
    /// The same game is analysed with the same random numbers.
    pub(super) seed: u64,
}

/// The table after a move.
pub struct GameStep {
    pub move_no: u32,
    /// Who moved, and what was said.
    pub seat: Option<Seat>,
    pub said: Option<String>,
    /// What everybody was told, with marks for names.
    pub log: Vec<String>,
    pub position: Box<dyn Position>,
}

/// Why a game cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum NoAnalysis {
    #[error("the game is not over: only finished games are analysed")]
    Running,
    #[error("no move was made in this game")]
    NoMove,
    #[error(transparent)]
    Unfoldable(#[from] Unfoldable),
}

impl FinishedGame {
    /// The game that these events make, if it is over.
    pub fn read(catalogue: &Catalogue, records: &[Record]) -> Result<FinishedGame, NoAnalysis> {
        let (first, rest) = records.split_first().ok_or(Unfoldable::Empty)?;
        let mut now = TableState::begin(catalogue, first)?;
        let mut steps = Vec::new();
        for group in rest.chunk_by(|left, right| left.move_no == right.move_no) {
            let mut log = Vec::new();
            for record in group {
                log.extend(now.describe_event(record, Viewer::Public)?);
                now.fold(record)?;
            }
            if now.started() {
                steps.push(GameStep {
                    move_no: now.moves,
                    seat: group.iter().find_map(|record| record.seat),
                    said: group.iter().find_map(said),
                    log,
                    position: now.position.boxed_clone(),
                });
            }
        }
        if now.status() != Status::Over {
            return Err(NoAnalysis::Running);
        }
        let is_bot = |seat: Seat| now.bots.iter().any(|(bot, _)| *bot == seat);
        let people = now.seated.iter().filter(|seat| !is_bot(*seat)).collect();
        let seed = now.head.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        FinishedGame::new(now.game, now.opened.seats, people, steps, seed)
    }

    /// A game that was played without a table, if it is over.
    pub fn of_steps(
        game: &'static dyn Game,
        seats: u8,
        people: SeatSet,
        steps: Vec<GameStep>,
        seed: u64,
    ) -> Result<FinishedGame, NoAnalysis> {
        match steps.last().map(|last| last.position.result()) {
            Some(Some(_)) => FinishedGame::new(game, seats, people, steps, seed),
            Some(None) | None => Err(NoAnalysis::Running),
        }
    }

    /// A game from its record. Records are of finished games alone, some of which ended early.
    pub fn of_record(
        game: &'static dyn Game,
        seats: u8,
        people: SeatSet,
        steps: Vec<GameStep>,
    ) -> Result<FinishedGame, NoAnalysis> {
        FinishedGame::new(game, seats, people, steps, 0)
    }

    fn new(
        game: &'static dyn Game,
        seats: u8,
        people: SeatSet,
        steps: Vec<GameStep>,
        seed: u64,
    ) -> Result<FinishedGame, NoAnalysis> {
        if steps.len() < 2 { Err(NoAnalysis::NoMove) } else { Ok(FinishedGame { game, seats, people, steps, seed }) }
    }

    /// The random number that belongs to a use of chance in the analysis.
    pub(super) fn number(&self, what: u64, step: usize, count: u64) -> u64 {
        let mut number = self.seed ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for part in [step as u64, count] {
            number = (number ^ part).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            number ^= number >> 29;
        }
        number
    }

    /// The move that led to a step, if somebody made one.
    pub(super) fn made(&self, step: usize) -> Option<(Seat, AnyMove)> {
        let (before, after) = (self.steps.get(step.checked_sub(1)?)?, self.steps.get(step)?);
        Some((after.seat?, before.position.read_line(after.said.as_deref()?).ok()?))
    }
}

impl fmt::Debug for FinishedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FinishedGame({}, {} steps)", self.game.info().slug, self.steps.len())
    }
}

fn said(record: &Record) -> Option<String> {
    if !record.is_of_the_house() {
        return None;
    }
    match serde_json::from_str(record.body.get()) {
        Ok(TableFact::Said { line, .. }) => Some(line),
        _ => None,
    }
}
