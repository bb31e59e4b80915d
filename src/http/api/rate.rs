//! How often a token may ask: a token bucket for each, kept by this process.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;

/// How many tokens are counted at a time.
const COUNTED_TOKENS: usize = 10_000;

/// How many seconds' worth of calls may come at once.
const BURST_SECONDS: f64 = 10.0;

/// The limit, and how much of it each token has used.
pub struct ApiRate {
    a_second: f64,
    buckets: Cache<[u8; 32], Arc<Mutex<Bucket>>>,
}

struct Bucket {
    calls_left: f64,
    at: Instant,
}

impl ApiRate {
    /// How many calls a second each token may make; 0 is no limit.
    pub fn new(a_second: u32) -> ApiRate {
        ApiRate { a_second: f64::from(a_second), buckets: Cache::new(COUNTED_TOKENS) }
    }

    /// Counts a call; says how long to wait if there were too many.
    pub fn admit(&self, token_digest: &[u8; 32]) -> Result<(), Duration> {
        self.admit_at(token_digest, Instant::now())
    }

    fn admit_at(&self, token_digest: &[u8; 32], now: Instant) -> Result<(), Duration> {
        if self.a_second == 0.0 {
            return Ok(());
        }
        let most = self.a_second * BURST_SECONDS;
        let fresh = || Ok::<_, std::convert::Infallible>(Arc::new(Mutex::new(Bucket { calls_left: most, at: now })));
        let Ok(bucket) = self.buckets.get_or_insert_with(token_digest, fresh);
        let mut bucket = bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let gained = now.saturating_duration_since(bucket.at).as_secs_f64() * self.a_second;
        bucket.calls_left = (bucket.calls_left + gained).min(most);
        bucket.at = now;
        if bucket.calls_left >= 1.0 {
            bucket.calls_left -= 1.0;
            return Ok(());
        }
        Err(Duration::from_secs_f64((1.0 - bucket.calls_left) / self.a_second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_a_steady_rate_for_each_token() {
        let (rate, start) = (ApiRate::new(2), Instant::now());
        let (one, other) = ([1; 32], [2; 32]);
        assert!((0..20).all(|_| rate.admit_at(&one, start).is_ok()));
        assert_eq!(rate.admit_at(&one, start), Err(Duration::from_millis(500)));
        assert!(rate.admit_at(&other, start).is_ok());
        let later = start + Duration::from_secs(1);
        assert!(rate.admit_at(&one, later).is_ok() && rate.admit_at(&one, later).is_ok());
        assert!(rate.admit_at(&one, later).is_err());
    }

    #[test]
    fn none_is_no_limit() {
        let (rate, now) = (ApiRate::new(0), Instant::now());
        assert!((0..10_000).all(|_| rate.admit_at(&[1; 32], now).is_ok()));
    }
}
