//! How long answers take, as histograms that can be added up over processes and hours.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How many buckets a histogram has. The last takes all that is longer.
pub const BUCKETS: usize = 24;

/// The upper bound of the first bucket, in seconds, and how much wider each bucket is than the one before.
const FIRST_BOUND: f64 = 0.000_5;
const FACTOR: f64 = 1.5;

/// What was answered.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    Page,
    Move,
    Api,
}

impl AnswerKind {
    pub const ALL: [AnswerKind; 3] = [AnswerKind::Page, AnswerKind::Move, AnswerKind::Api];

    pub const fn name(self) -> &'static str {
        match self {
            AnswerKind::Page => "page",
            AnswerKind::Move => "move",
            AnswerKind::Api => "api",
        }
    }

    /// What a route answers; `None` for what players do not wait for: streams, files, and those who watch over the service.
    fn of_route(route: &str) -> Option<AnswerKind> {
        let is_watched = ["/static/", "/healthz", "/readyz", "/metrics"].iter().any(|start| route.starts_with(start));
        if route == "none" || route.ends_with("/live") || is_watched {
            None
        } else if route.ends_with("/say") {
            Some(AnswerKind::Move)
        } else if route.starts_with("/api/") {
            Some(AnswerKind::Api)
        } else {
            Some(AnswerKind::Page)
        }
    }
}

/// How many answers of a kind fell into a bucket.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct AnswerCount {
    pub kind: AnswerKind,
    pub bucket: usize,
    pub answers: u64,
}

/// The answers of this process that are not in the database yet.
#[derive(Default)]
pub struct AnswerTimes([[AtomicU64; BUCKETS]; AnswerKind::ALL.len()]);

impl AnswerTimes {
    pub fn add(&self, route: &str, time: Duration) {
        if let Some(kind) = AnswerKind::of_route(route) {
            self.0[kind as usize][bucket_of(time)].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What was added since the last time.
    pub fn take(&self) -> Vec<AnswerCount> {
        let mut taken = Vec::new();
        for (kind, buckets) in AnswerKind::ALL.into_iter().zip(&self.0) {
            for (bucket, count) in buckets.iter().enumerate() {
                let answers = count.swap(0, Ordering::Relaxed);
                if answers > 0 {
                    taken.push(AnswerCount { kind, bucket, answers });
                }
            }
        }
        taken
    }

    /// Takes back what could not be stored.
    pub fn put_back(&self, counts: &[AnswerCount]) {
        for count in counts {
            self.0[count.kind as usize][count.bucket].fetch_add(count.answers, Ordering::Relaxed);
        }
    }
}

fn bucket_of(time: Duration) -> usize {
    let steps = (time.as_secs_f64() / FIRST_BOUND).max(1.0).log(FACTOR).ceil();
    (steps as usize).min(BUCKETS - 1)
}

/// The upper bound of a bucket, in seconds.
fn bound(bucket: usize) -> f64 {
    FIRST_BOUND * FACTOR.powi(i32::try_from(bucket).unwrap_or(i32::MAX))
}

/// Within how many seconds this share of answers was given; `None` if there were none. Within a bucket answers count as evenly spread.
pub fn quantile(counts: &[u64; BUCKETS], share: f64) -> Option<f64> {
    let all: u64 = counts.iter().sum();
    if all == 0 {
        return None;
    }
    let wanted = share * all as f64;
    let mut before = 0.0;
    for (bucket, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let count = *count as f64;
        if before + count >= wanted {
            let lower = if bucket == 0 { 0.0 } else { bound(bucket - 1) };
            return Some(lower + (bound(bucket) - lower) * ((wanted - before) / count));
        }
        before += count;
    }
    Some(bound(BUCKETS - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_fall_into_the_bucket_that_holds_their_time() {
        for (micros, bucket) in [(0, 0), (500, 0), (501, 1), (750, 1), (751, 2), (60_000_000, BUCKETS - 1)] {
            assert_eq!(bucket_of(Duration::from_micros(micros)), bucket, "{micros} µs");
        }
    }

    #[test]
    fn what_is_taken_is_taken_once_and_can_be_put_back() {
        let times = AnswerTimes::default();
        for route in ["/t/{id}", "/t/{id}/say", "/api/v1/tables/{id}/say", "/api/v1/me", "/t/{id}/live", "/readyz"] {
            times.add(route, Duration::from_millis(3));
        }
        let taken = times.take();
        let answers = |kind| taken.iter().filter(|count| count.kind == kind).map(|count| count.answers).sum::<u64>();
        assert_eq!(AnswerKind::ALL.map(answers), [1, 2, 1]);
        assert!(times.take().is_empty());
        times.put_back(&taken);
        assert_eq!(times.take(), taken);
    }

    #[test]
    fn quantiles_lie_where_the_answers_do() {
        let mut counts = [0; BUCKETS];
        assert_eq!(quantile(&counts, 0.5), None);
        (counts[4], counts[10]) = (90, 10);
        let (median, slow) = (quantile(&counts, 0.5).unwrap(), quantile(&counts, 0.95).unwrap());
        assert!(bound(3) < median && median <= bound(4), "{median}");
        assert!(bound(9) < slow && slow <= bound(10), "{slow}");
    }
}
