//! The worker: takes letters that are due, sees to several at a time, and notes what became of them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::task::{self, JoinError, JoinSet};

use crate::app::metrics::Metrics;
use crate::db::mail::outbox::{NewReminder, PostponedLetter, SettledLetter, TroubledLetter};
use crate::db::{Store, StoreError, retry_transient};
use crate::mail::outbox::bundle::{Done, Outcome, Sender, bundles};
use crate::mail::outbox::transport::Trouble;

/// How often the outbox is polled.
const ROUND: Duration = Duration::from_millis(500);

/// The most letters that are claimed at a time.
const LOT: usize = 32;

/// The most bundles of letters in flight: while some wait for the mail server, others are being composed.
const MOST_UNDER_WAY: usize = 2 * LOT;

/// How long the outcome of a letter may wait to be stored in one batch with others.
const NOTED_WITHIN: Duration = Duration::from_millis(20);

/// How long a letter is retried before it is given up.
pub const GIVE_UP_AFTER: chrono::Duration = chrono::Duration::days(2);

/// How often old rows are deleted.
const TIDYING: Duration = Duration::from_secs(3600);

/// How far ahead letters about games may be due to go along with those that are due now.
const ALONG: chrono::Duration = chrono::Duration::minutes(2);

pub struct OutboxWorker {
    sender: Arc<Sender>,
    store: Store,
    metrics: Arc<Metrics>,
    under_way: JoinSet<Vec<Done>>,
    /// The letters that each of those has in hand.
    in_hand: HashMap<task::Id, Vec<i64>>,
    notes: Notes,
    /// When the outbox is looked into next.
    next_look: Instant,
    /// Wakes this worker when there may be letters to send.
    letters: Arc<Notify>,
}

/// What became of letters and is not stored yet.
#[derive(Default)]
struct Notes {
    /// Since when the first of them waits.
    since: Option<Instant>,
    settled: Vec<SettledLetter>,
    postponed: Vec<PostponedLetter>,
    troubled: Vec<TroubledLetter>,
    reminders: Vec<NewReminder>,
}

impl Notes {
    fn letters(&self) -> impl Iterator<Item = i64> {
        let settled = self.settled.iter().map(|letter| letter.id);
        let postponed = self.postponed.iter().map(|letter| letter.id);
        settled.chain(postponed).chain(self.troubled.iter().map(|letter| letter.id))
    }
}

impl OutboxWorker {
    pub fn new(sender: Sender, letters: Arc<Notify>) -> OutboxWorker {
        let tables = &sender.desk.tables;
        let (store, metrics) = (tables.store.clone(), tables.metrics.clone());
        OutboxWorker {
            sender: Arc::new(sender),
            store,
            metrics,
            under_way: JoinSet::new(),
            in_hand: HashMap::new(),
            notes: Notes::default(),
            next_look: Instant::now(),
            letters,
        }
    }

    /// Sends letters until it is stopped, and then finishes those under way.
    pub async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut tidied: Option<Instant> = None;
        while !*stopped.borrow() {
            if tidied.is_none_or(|at| at.elapsed() > TIDYING) {
                tidied = Some(Instant::now());
                self.tidy().await;
            }
            let pause = match self.round().await {
                Ok(()) => self.until_next_round(),
                Err(error) => {
                    tracing::warn!(%error, "the outbox cannot be read");
                    10 * ROUND
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                Some(done) = self.under_way.join_next_with_id() => self.gather(done),
                () = self.letters.notified() => self.next_look = Instant::now(),
                changed = stopped.changed() => if changed.is_err() { break },
            }
        }
        while let Some(done) = self.under_way.join_next_with_id().await {
            self.gather(done);
        }
        if let Err(error) = self.note().await {
            tracing::error!(%error, "the outcome of letters could not be stored");
        }
    }

    fn has_room(&self) -> bool {
        self.under_way.len() + LOT <= MOST_UNDER_WAY
    }

    /// For how long what became of letters can still wait.
    fn until_noting(&self) -> Option<Duration> {
        let since = self.notes.since?;
        if self.under_way.is_empty() || self.notes.settled.len() >= LOT {
            return Some(Duration::ZERO);
        }
        Some(NOTED_WITHIN.saturating_sub(since.elapsed()))
    }

    fn until_next_round(&self) -> Duration {
        let look = if self.has_room() { self.next_look.saturating_duration_since(Instant::now()) } else { ROUND };
        self.until_noting().map_or(look, |noting| noting.min(look))
    }

    /// Notes what became of letters and takes new ones, if it is time.
    async fn round(&mut self) -> Result<(), StoreError> {
        if self.until_noting().is_some_and(|left| left.is_zero()) {
            self.note().await?;
        }
        if !self.has_room() || self.next_look > Instant::now() {
            return Ok(());
        }
        // However long it takes: what is in hand here is not taken up a second time.
        let ours: Vec<i64> = self.in_hand.values().flatten().copied().chain(self.notes.letters()).collect();
        // Letters about what their reader has seen are not sent.
        self.store.looks_written().await;
        let letters = self.store.claim_letters(LOT as i64, ALONG, &ours).await?;
        if letters.is_empty() {
            self.next_look = Instant::now() + ROUND;
            return Ok(());
        }
        let tables: Vec<_> = letters.iter().filter_map(|letter| letter.table_id).collect();
        let holders = Arc::new(self.sender.desk.tables.holders_at(&tables).await?);
        for bundle in bundles(letters) {
            let (sender, holders) = (self.sender.clone(), holders.clone());
            let letters = bundle.iter().map(|letter| letter.id).collect();
            let task = self.under_way.spawn(async move { sender.process(bundle, &holders).await });
            self.in_hand.insert(task.id(), letters);
        }
        Ok(())
    }

    /// Takes down what became of a bundle, and of those that are done as well by now.
    fn gather(&mut self, done: Result<(task::Id, Vec<Done>), JoinError>) {
        let mut next = Some(done);
        while let Some(done) = next {
            self.in_hand.remove(&done.as_ref().map_or_else(JoinError::id, |(task, _)| *task));
            match done {
                Ok((_, done)) => done.into_iter().for_each(|done| self.take_down(done)),
                Err(error) => tracing::error!(%error, "sending task panicked; will retry"),
            }
            next = self.under_way.try_join_next_with_id();
        }
    }

    /// Neither addresses nor words of a letter go into the log.
    fn take_down(&mut self, done: Done) {
        let Done { letter, outcome, reminder } = done;
        self.notes.since.get_or_insert_with(Instant::now);
        let (id, kind, tries) = (letter.id, letter.kind.name(), letter.tries);
        if let Some((number, at)) = reminder {
            self.notes.reminders.push(NewReminder { after: id, number, at });
        }
        let is_late = self.store.clock.now() - letter.tried_at > GIVE_UP_AFTER;
        match outcome {
            Outcome::Sent(name) => {
                tracing::info!(letter = id, kind, tries, "sent");
                self.metrics.letter_sent(kind);
                self.notes.settled.push(SettledLetter { id, sent_as: Some(name), trouble: None });
            }
            Outcome::Noticed => {
                tracing::info!(letter = id, kind, "told by notices alone");
                self.notes.settled.push(SettledLetter { id, sent_as: None, trouble: None });
            }
            Outcome::Dropped => {
                tracing::info!(letter = id, kind, "nothing to tell any more");
                self.notes.settled.push(SettledLetter { id, sent_as: None, trouble: None });
            }
            Outcome::Later(at) => self.notes.postponed.push(PostponedLetter { id, tries, at }),
            Outcome::Trouble(Trouble::Permanent(words)) => {
                tracing::warn!(letter = id, kind, tries, "refused for good");
                self.metrics.letter_failed(kind);
                self.notes.settled.push(SettledLetter { id, sent_as: None, trouble: Some(words) });
            }
            Outcome::Trouble(Trouble::Transient { words, .. }) if is_late => {
                tracing::warn!(letter = id, kind, tries, "given up");
                self.metrics.letter_failed(kind);
                let trouble = Some(format!("given up: {words}"));
                self.notes.settled.push(SettledLetter { id, sent_as: None, trouble });
            }
            Outcome::Trouble(Trouble::Transient { words, may_have_gone }) => {
                tracing::warn!(letter = id, kind, tries, "not sent; to be tried again");
                self.metrics.letter_failed(kind);
                self.notes.troubled.push(TroubledLetter { id, trouble: words, may_have_gone });
            }
            Outcome::Trouble(Trouble::Store(error)) => {
                tracing::warn!(%error, letter = id, kind, "the database failed; to be tried again");
            }
        }
    }

    /// Stores what became of letters. What cannot be stored now is kept for the next time.
    async fn note(&mut self) -> Result<(), StoreError> {
        let (store, notes) = (&self.store, &mut self.notes);
        if !notes.reminders.is_empty() {
            retry_transient(|| store.write_reminders(&notes.reminders)).await?;
            notes.reminders.clear();
        }
        if !notes.settled.is_empty() {
            retry_transient(|| store.settle_letters(&notes.settled)).await?;
            notes.settled.clear();
        }
        if !notes.postponed.is_empty() {
            retry_transient(|| store.postpone_letters(&notes.postponed)).await?;
            notes.postponed.clear();
        }
        if !notes.troubled.is_empty() {
            retry_transient(|| store.letters_in_trouble(&notes.troubled)).await?;
            notes.troubled.clear();
        }
        notes.since = None;
        Ok(())
    }

    async fn tidy(&self) {
        let store = &self.store;
        let done = [
            store.tidy_up().await,
            store.forget_old_letters().await,
            store.forget_old_messages().await,
            store.forget_dead_notices().await,
        ];
        for done in done {
            if let Err(error) = done {
                tracing::warn!(%error, "old rows could not be deleted");
            }
        }
    }
}
