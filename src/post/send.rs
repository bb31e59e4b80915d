//! The worker: takes letters that are due, finds their words, hands them over, notes what became of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::carrier::{Carrier, Trouble};
use super::letter::Kind;
use super::write::{Writing, write};
use crate::players::EmailAddress;
use crate::store::StoreError;
use crate::store::letters::ClaimedLetter;
use crate::tables::Tables;

/// So often the outbox is looked into.
const ROUND: Duration = Duration::from_millis(500);

/// So many letters are taken at a time.
const LETTERS_A_ROUND: i64 = 16;

/// A letter that could not be sent for so long is given up.
const GIVE_UP_AFTER: chrono::Duration = chrono::Duration::days(2);

/// So often the house is tidied.
const TIDYING: Duration = Duration::from_secs(3600);

pub struct PostOffice {
    pub tables: Arc<Tables>,
    pub carrier: Carrier,
    /// The address of the house.
    pub place: String,
    /// How long letters about a turn are held back.
    pub hold: Duration,
}

impl PostOffice {
    /// Sends letters until it is stopped.
    pub async fn run(self, mut stopped: watch::Receiver<bool>) {
        let office = Arc::new(self);
        let mut tidied: Option<Instant> = None;
        while !*stopped.borrow() {
            if tidied.is_none_or(|at| at.elapsed() > TIDYING) {
                tidied = Some(Instant::now());
                office.tidy().await;
            }
            let pause = match office.clone().round().await {
                Ok(0) => ROUND,
                Ok(_) => continue,
                Err(error) => {
                    tracing::warn!(%error, "the outbox cannot be looked into");
                    10 * ROUND
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                changed = stopped.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Sees to the letters that are due; says how many there were.
    async fn round(self: Arc<PostOffice>) -> Result<usize, StoreError> {
        let letters = self.tables.store.claim_letters(LETTERS_A_ROUND, self.hold).await?;
        let count = letters.len();
        let mut under_way = JoinSet::new();
        for letter in letters {
            let office = self.clone();
            under_way.spawn(async move { office.see_to(letter).await });
        }
        under_way.join_all().await;
        Ok(count)
    }

    /// Neither addresses nor words of a letter go into the log.
    async fn see_to(&self, letter: ClaimedLetter) {
        let (id, kind, tries, written_at) = (letter.id, letter.kind.clone(), letter.tries, letter.written_at);
        let store = &self.tables.store;
        let noted = match self.send(letter).await {
            Ok(true) => {
                tracing::info!(letter = id, kind, tries, "sent");
                Ok(())
            }
            Ok(false) => {
                tracing::info!(letter = id, kind, "nothing to tell any more");
                store.letter_dropped(id, None).await
            }
            Err(Trouble::Lasting(words)) => {
                tracing::warn!(letter = id, kind, tries, "refused for good");
                store.letter_dropped(id, Some(&words)).await
            }
            Err(Trouble::Passing(words)) if self.tables.now() - written_at > GIVE_UP_AFTER => {
                tracing::warn!(letter = id, kind, tries, "given up");
                store.letter_dropped(id, Some(&format!("given up: {words}"))).await
            }
            Err(Trouble::Passing(words)) => {
                tracing::warn!(letter = id, kind, tries, "not sent; to be tried again");
                store.letter_in_trouble(id, &words).await
            }
            Err(Trouble::Store(error)) => Err(error),
        };
        if let Err(error) = noted {
            tracing::error!(%error, letter = id, "what became of a letter could not be noted");
        }
    }

    /// Whether there was anything (and anybody) to tell.
    async fn send(&self, letter: ClaimedLetter) -> Result<bool, Trouble> {
        let Ok(kind) = letter.kind.parse::<Kind>() else {
            return Err(Trouble::Lasting("this build does not know such letters".into()));
        };
        // Guests have no address.
        let Some(to) = letter.to.as_deref() else { return Ok(false) };
        let Ok(to) = EmailAddress::parse(to) else { return Err(Trouble::Lasting("this is no address".into())) };
        match write(&self.tables, &self.place, kind, &letter).await? {
            Writing::Nothing => Ok(false),
            Writing::Words(words) => {
                self.carrier.carry(&self.tables.store, letter.id, to.into(), &words).await?;
                Ok(true)
            }
        }
    }

    async fn tidy(&self) {
        let store = &self.tables.store;
        for done in [store.tidy_up().await, store.forget_old_letters().await] {
            if let Err(error) = done {
                tracing::warn!(%error, "the house could not be tidied");
            }
        }
    }
}
