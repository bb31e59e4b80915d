//! The analyst: makes the curves that people ask for, one at a time in each process.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use crate::db::players::rate_limits::RateLimit;
use crate::db::tables::analyses::{AnalysisKey, NewCurve};
use crate::db::{StoreError, retry_transient};
use crate::tables::analysis::{Curve, Effort, FinishedGame, NoAnalysis, VERSION, analyse};
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, ReadError, Tables};
use wonderpost_rules::{Seat, SeatSet};

/// How long the analyst waits before it looks for work that another process was asked for.
const ROUND: Duration = Duration::from_secs(5);

/// How often it says how far it is.
const REPORT: Duration = Duration::from_secs(1);

/// How many curves one player or network may ask for.
const ASKED_BY_ONE: RateLimit = RateLimit::an_hour("analyses", 60);

/// Above this chance of the winners a game is no longer open.
const OPEN_BELOW: f32 = 0.6;

/// How the analysis of a game stands.
pub enum Analysis {
    /// Nobody has asked for it.
    NotAsked,
    /// It is being made, or waits behind so many others.
    Waiting {
        progress: f32,
        ahead: i64,
    },
    Done(Box<Curve>),
    /// It broke down, again and again.
    Failed,
}

/// Why no analysis can be asked for.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error("The curve of a game can be drawn when the game is over.")]
    Running,
    #[error("The curve of a game on today's garden can be drawn when the day is over.")]
    Today,
    #[error("No move was made in this game, so there is no curve.")]
    NoMove,
    #[error("You have asked for many curves. Wait a while before the next.")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
enum WorkError {
    #[error("the events have changed since it was asked for")]
    OtherEnd,
    #[error("it was stopped")]
    Stopped,
    #[error("it was begun again and again, and never finished")]
    TooOften,
    #[error("it broke down: {0}")]
    Broken(String),
    #[error(transparent)]
    NoAnalysis(#[from] NoAnalysis),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stops the thread that works if nobody waits for it any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn key_of(cached: &CachedTable) -> AnalysisKey {
    AnalysisKey { table: cached.id, head: cached.now.head.to_vec(), version: VERSION }
}

impl Tables {
    /// Whether the curve of a table may be made and shown: never while the game runs, and not on the day of its garden.
    pub fn may_analyse(&self, now: &TableState) -> Result<(), AskError> {
        if now.status() != Status::Over || !now.started() {
            return Err(AskError::Running);
        }
        if now.opened.day.is_some_and(|day| day >= self.today()) {
            return Err(AskError::Today);
        }
        if now.moves == 0 { Err(AskError::NoMove) } else { Ok(()) }
    }

    /// How the analysis of a table stands.
    pub async fn analysis(&self, cached: &CachedTable) -> Result<Analysis, StoreError> {
        if self.may_analyse(&cached.now).is_err() {
            return Ok(Analysis::NotAsked);
        }
        let key = key_of(cached);
        let Some(row) = retry_transient(|| self.store.analysis(&key)).await? else { return Ok(Analysis::NotAsked) };
        let curve = row.curve.and_then(|text| serde_json::from_str(&text).ok());
        Ok(match (curve, row.done_at) {
            (Some(curve), _) => Analysis::Done(Box::new(curve)),
            (None, Some(_)) => Analysis::Failed,
            (None, None) => Analysis::Waiting { progress: row.progress, ahead: row.ahead },
        })
    }

    /// Asks for the analysis of a finished table.
    pub async fn ask_for_analysis(&self, cached: &CachedTable, asker: &str) -> Result<(), AskError> {
        self.may_analyse(&cached.now)?;
        let key = key_of(cached);
        if self.store.analysis(&key).await?.is_some() {
            return Ok(());
        }
        if !self.store.admits(&ASKED_BY_ONE, asker).await? {
            return Err(AskError::TooMany);
        }
        self.store.ask_for_analysis(&key).await?;
        self.analysis_asked.notify_one();
        Ok(())
    }

    /// Makes curves for ever.
    pub async fn run_analyst(self: Arc<Tables>) {
        loop {
            match self.make_next_curve(&Effort::BACKGROUND).await {
                Ok(true) => {}
                Ok(false) => {
                    let _ = tokio::time::timeout(ROUND, self.analysis_asked.notified()).await;
                }
                Err(error) => {
                    tracing::warn!(%error, "no analysis could be claimed; the analyst will try again");
                    tokio::time::sleep(ROUND).await;
                }
            }
        }
    }

    /// Makes the curve that has waited longest; `false` if none waits.
    pub async fn make_next_curve(&self, effort: &Effort) -> Result<bool, StoreError> {
        let Some((key, too_often)) = self.store.claim_analysis(VERSION).await? else { return Ok(false) };
        let made = if too_often { Err(WorkError::TooOften) } else { self.make_curve(&key, effort).await };
        match made {
            Ok(()) => {}
            Err(WorkError::Stopped) => {}
            Err(error) => {
                tracing::warn!(%error, table = %key.table, "a game could not be analysed");
                self.store.fail_analysis(&key, &error.to_string()).await?;
            }
        }
        Ok(true)
    }

    async fn make_curve(&self, key: &AnalysisKey, effort: &Effort) -> Result<(), WorkError> {
        let records = self.records(key.table).await?;
        if records.last().is_none_or(|last| last.digest[..] != key.head[..]) {
            return Err(WorkError::OtherEnd);
        }
        let winners = TableState::from_records(&self.catalogue, &records).map_err(ReadError::from)?.winners();
        let game = FinishedGame::read(&self.catalogue, &records)?;
        let (stop, progress) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        let guard = StopOnDrop(stop.clone());
        let (effort, told) = (*effort, progress.clone());
        let mut work = tokio::task::spawn_blocking(move || {
            analyse(&game, &effort, &mut |share| {
                told.store((share * 1_000.0) as u32, Ordering::Relaxed);
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        let curve = loop {
            match tokio::time::timeout(REPORT, &mut work).await {
                Ok(done) => break done.map_err(|error| WorkError::Broken(error.to_string()))?,
                Err(_) => {
                    let share = progress.load(Ordering::Relaxed) as f32 / 1_000.0;
                    if !self.store.note_analysis(key, share).await? {
                        return Err(WorkError::Stopped);
                    }
                }
            }
        };
        drop(guard);
        let curve = curve.map_err(|_| WorkError::Stopped)?;
        let text = serde_json::to_string(&curve).map_err(|error| WorkError::Broken(error.to_string()))?;
        let found = NewCurve {
            curve: &text,
            winners_least: winners_least(&curve, winners),
            open_until: open_until(&curve, winners),
        };
        Ok(self.store.finish_analysis(key, &found).await?)
    }
}

/// The best chance of those who won in the end, at each point.
fn chances_of(curve: &Curve, winners: SeatSet) -> Vec<f32> {
    let best = |chances: &[crate::tables::analysis::Estimate]| {
        let won = Seat::all(Seat::MOST).zip(chances).filter(|(seat, _)| winners.contains(*seat));
        won.map(|(_, estimate)| estimate.chance)
            .fold(None, |best: Option<f32>, chance| Some(best.map_or(chance, |best| best.max(chance))))
    };
    curve.points.iter().filter_map(|point| best(&point.chances)).collect()
}

/// The least chance that those had who won in the end.
fn winners_least(curve: &Curve, winners: SeatSet) -> Option<f32> {
    chances_of(curve, winners).into_iter().reduce(f32::min)
}

/// How much of the game was played when its winners' chance last was no better than even.
fn open_until(curve: &Curve, winners: SeatSet) -> Option<f32> {
    let chances = chances_of(curve, winners);
    let last = chances.iter().rposition(|chance| *chance < OPEN_BELOW)?;
    let end = curve.points.last()?.move_no.max(1);
    Some(curve.points.get(last)?.move_no as f32 / end as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::analysis::{Estimate, Measure, Point};
    use wonderpost_rules::Level;

    #[test]
    fn a_comeback_and_a_close_finish_are_seen_in_the_curve() {
        let point = |(move_no, chance): (u32, f32)| Point {
            move_no,
            chances: vec![Estimate::exact(chance), Estimate::exact(1.0 - chance)],
            known: Vec::new(),
            best: None,
        };
        let curve = Curve {
            measure: Measure::Chances,
            level: Level::Easy,
            playouts: 0,
            milliseconds: 0,
            points: [(0, 0.5), (10, 0.1), (20, 0.55), (40, 0.9), (80, 1.0)].map(point).into(),
            turning_points: Vec::new(),
        };
        let winners = SeatSet::one(Seat::FIRST);
        assert_eq!((winners_least(&curve, winners), open_until(&curve, winners)), (Some(0.1), Some(0.25)));
        assert_eq!(winners_least(&curve, SeatSet::EMPTY), None, "nobody won");
    }
}
