//! What the house does by itself: bots move, the clock runs out, tables that nobody starts are cleared away.
//!
//! Any process may do it: tables that are due are claimed in the database, so no two see to the same one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;

use crate::db::StoreError;
use crate::tables::state::concealed::is_concealed;
use crate::tables::state::record::{By, Ending, TableFact};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, MoveError, ReadError, TableId, Tables};
use wonderpost_rules::{AnyMove, Position, Scripted, Seat};

/// How long the scheduler waits between two runs.
const ROUND: Duration = Duration::from_millis(400);

/// How often a process writes its heartbeat.
const PULSE: Duration = Duration::from_secs(30);

/// How long all heartbeats may be missing before the time counts as an outage, which nobody pays for with their own.
const OUTAGE: Duration = Duration::from_secs(600);

/// How often a process clears away what is no longer needed.
const CLEARING: Duration = Duration::from_secs(3600);

/// How long answers to requests with an idempotency key are kept.
const REQUESTS_KEPT: TimeDelta = TimeDelta::days(2);

/// The most tables that one run processes.
const TABLES_A_ROUND: i64 = 20;

/// Limits the moves that a bot makes in secret at once: a guard against games that ask for ever.
const LONGEST_CHAIN: usize = 100;

impl Tables {
    /// Looks round for ever.
    pub async fn run_scheduler(self: Arc<Tables>) {
        let (mut pulse, mut cleared) = (None, None);
        loop {
            self.keep_pulse(&mut pulse).await;
            self.clear_away_now_and_then(&mut cleared).await;
            match self.process_due_tables().await {
                Ok(0) => tokio::time::sleep(ROUND).await,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "the scheduler's run failed; it will run again");
                    tokio::time::sleep(10 * ROUND).await;
                }
            }
        }
    }

    async fn clear_away_now_and_then(&self, last: &mut Option<Instant>) {
        if last.is_none_or(|last| last.elapsed() >= CLEARING) {
            *last = Some(Instant::now());
            if let Err(error) = self.clear_away().await {
                tracing::warn!(%error, "what is no longer needed could not be cleared away");
            }
        }
    }

    /// Forgets what is no longer needed.
    pub async fn clear_away(&self) -> Result<(), StoreError> {
        self.store.forget_requests(REQUESTS_KEPT).await?;
        Ok(())
    }

    /// Notes now and then that the house is awake. Who was awake all the time knows that the house was not closed, whatever the clock says.
    async fn keep_pulse(&self, last: &mut Option<Instant>) {
        if last.is_some_and(|last| last.elapsed() < PULSE) {
            return;
        }
        let was_awake = last.is_some_and(|last| last.elapsed() < OUTAGE);
        match self.note_pulse(was_awake).await {
            Ok(()) => *last = Some(Instant::now()),
            Err(error) => tracing::warn!(%error, "the heartbeat could not be written"),
        }
    }

    /// Notes that the house is awake, and if it was closed for longer than some minutes, that it was.
    pub async fn note_pulse(&self, was_awake: bool) -> Result<(), StoreError> {
        self.store.pulse(TimeDelta::seconds(OUTAGE.as_secs() as i64), was_awake).await
    }

    /// Sees to the tables that are due; says how many there were.
    pub async fn process_due_tables(&self) -> Result<usize, ReadError> {
        let due = self.store.claim_due_tables(TABLES_A_ROUND).await?;
        for id in &due {
            let id = *id;
            if let Err(error) = self.process(id).await {
                tracing::error!(%error, table = %id, "a table could not be processed");
            }
        }
        Ok(due.len())
    }

    async fn process(&self, id: TableId) -> Result<(), MoveError> {
        let cached = self.load_fresh(id).await?;
        let now = self.now();
        let projection = cached.now.projection();
        if projection.due.is_none_or(|due| due > now) {
            // Somebody moved since it was claimed.
            self.store.postpone_table(id, &projection).await?;
            return Ok(());
        }
        match cached.now.status() {
            Status::Open => self.record_all(&cached, &[TableFact::Ended { how: Ending::Expired }]).await,
            Status::Playing => self.play_for_the_absent(&cached).await,
            Status::Over | Status::Gone => Ok(()),
        }
    }

    /// Moves for one seat: a bot's, or one that time has run out for. The next one is due at once.
    async fn play_for_the_absent(&self, cached: &CachedTable) -> Result<(), MoveError> {
        let awaiting = cached.now.awaiting();
        if let Some((seat, level)) = awaiting.iter().find_map(|seat| Some((seat, cached.now.bot_at(seat)?))) {
            let kept_for_owner = cached.now.times.kept.contains(seat);
            if kept_for_owner && cached.now.is_abandoned_without(seat) {
                return self.record_all(cached, &[TableFact::Ended { how: Ending::Abandoned }]).await;
            }
            let by = match () {
                () if cached.now.resigned.contains(seat) => By::StandIn,
                () if kept_for_owner => By::Keeper,
                () => By::Holder,
            };
            let position = cached.now.position.boxed_clone();
            // A bot that thinks hard must not keep others waiting.
            let bot = move || whole_chain(position, seat, |position| position.bot(level, seat, &mut rand::rng()));
            let moves = tokio::task::spawn_blocking(bot).await.unwrap_or_default();
            let moves = if moves.is_empty() { self.default_moves(cached, seat) } else { moves };
            return match self.play_for_seat(cached, seat, &moves, by).await {
                // A bot that errs is not to hold up the table.
                Err(MoveError::Refused { refusal, .. }) => {
                    tracing::error!(%refusal, table = %cached.id, %seat, "a bot's move was refused");
                    self.play_for_seat(cached, seat, &self.default_moves(cached, seat), by).await.map(|_| ())
                }
                other => other.map(|_| ()),
            };
        }
        let now = self.now();
        if cached.now.times.pause_ends().is_some_and(|end| end <= now) {
            return self.record_all(cached, &[TableFact::Resumed { seat: None }]).await;
        }
        let late = awaiting.iter().find(|seat| cached.now.deadline_of(*seat).is_some_and(|deadline| deadline <= now));
        match late {
            Some(seat) => self.run_out(cached, seat).await,
            None => Ok(()),
        }
    }

    /// The rulebook's move for a seat that says nothing.
    pub(crate) fn default_moves(&self, cached: &CachedTable, seat: Seat) -> Vec<AnyMove> {
        let position = cached.now.position.boxed_clone();
        whole_chain(position, seat, |position| position.default_move(seat).into_iter().collect())
    }
}

/// What a seat says, and goes on to say as long as the others do not know of it: how many moves it makes in secret must not show in how
/// long it takes.
fn whole_chain(
    mut position: Box<dyn Position>,
    seat: Seat,
    next: impl Fn(&dyn Position) -> Vec<AnyMove>,
) -> Vec<AnyMove> {
    let mut made = Vec::new();
    while made.len() < LONGEST_CHAIN {
        let moves = next(&*position);
        let mut concealed = !moves.is_empty();
        for mv in moves {
            // Concealed moves draw no chance, and after any other there is nothing more to say.
            let decided = concealed.then(|| position.decide_move(seat, &mv, &mut Scripted::new([])).ok()).flatten();
            concealed = decided.as_ref().is_some_and(|decided| is_concealed(&*position, &*decided.position, seat));
            position = decided.map_or(position, |decided| decided.position);
            made.push(mv);
        }
        if !concealed {
            break;
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use std::cell::RefCell;
    use wonderpost_games::catalogue;
    use wonderpost_rules::Level;
    use wonderpost_rules::seed::Seed;

    #[test]
    fn a_bot_never_stops_in_the_middle_of_what_is_concealed() {
        let game = catalogue().find("off-with-their-heads").unwrap();
        let seed = Seed::of_number(3);
        let rng = RefCell::new(SmallRng::seed_from_u64(3));
        let begun = game.begin(&game.default_options(), 3).unwrap();
        let mut decided = begun.set_up(&mut seed.chance(0)).unwrap();
        let (mut drawn, mut longest) = (decided.draws.len() as u64, 0);
        while let Some(seat) = decided.position.awaiting().iter().next() {
            let bot = |position: &dyn Position| position.bot(Level::Easy, seat, &mut *rng.borrow_mut());
            let moves = whole_chain(decided.position.boxed_clone(), seat, bot);
            longest = longest.max(moves.len());
            for (place, mv) in moves.iter().enumerate() {
                let before = decided.position;
                decided = before.decide_move(seat, mv, &mut seed.chance(drawn)).unwrap();
                drawn += decided.draws.len() as u64;
                let concealed = is_concealed(&*before, &*decided.position, seat);
                assert_eq!(concealed, place + 1 < moves.len(), "{moves:?}");
            }
        }
        assert!(longest > 1, "there were chains");
    }
}
