//! What pages show of the database and need not read each time.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// A value as this process last read it, read again once it is older than its time.
pub struct Refreshed<T> {
    fresh_for: Duration,
    known: RwLock<Known<T>>,
}

struct Known<T> {
    read_at: Option<Instant>,
    value: Arc<T>,
}

impl<T: Default> Refreshed<T> {
    pub fn every(fresh_for: Duration) -> Refreshed<T> {
        Refreshed { fresh_for, known: RwLock::new(Known { read_at: None, value: Arc::default() }) }
    }

    /// The value, read again if that was too long ago. While one request reads, others take what is there; so do all if the database
    /// fails.
    pub async fn get<E: std::fmt::Display>(&self, read: impl AsyncFnOnce() -> Result<T, E>) -> Arc<T> {
        if self.begin_to_read() {
            match read().await {
                Ok(value) => self.known.write().unwrap_or_else(PoisonError::into_inner).value = Arc::new(value),
                Err(error) => tracing::warn!(%error, "what pages share cannot be read"),
            }
        }
        self.last()
    }

    /// The value as it was last read.
    pub fn last(&self) -> Arc<T> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).value.clone()
    }

    /// It has changed: whoever asks next reads it again.
    pub fn forget(&self) {
        self.known.write().unwrap_or_else(PoisonError::into_inner).read_at = None;
    }

    /// Whether it is to be read now, by whoever asks.
    fn begin_to_read(&self) -> bool {
        let is_fresh = |known: &Known<T>| known.read_at.is_some_and(|at| at.elapsed() < self.fresh_for);
        if is_fresh(&self.known.read().unwrap_or_else(PoisonError::into_inner)) {
            return false;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let begins = !is_fresh(&known);
        known.read_at = Some(Instant::now());
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_value_is_read_again_when_it_is_old_or_forgotten_and_stays_when_reading_fails() {
        let number = Refreshed::<u32>::every(Duration::from_secs(3600));
        assert_eq!(*number.get(async || Ok::<_, String>(1)).await, 1);
        assert_eq!(*number.get(async || Ok::<_, String>(2)).await, 1, "it is fresh");
        number.forget();
        assert_eq!(*number.get(async || Err::<u32, _>("the database sleeps")).await, 1);
        number.forget();
        assert_eq!(*number.get(async || Ok::<_, String>(3)).await, 3);
    }
}
