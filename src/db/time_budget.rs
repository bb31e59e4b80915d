//! How long work may wait for the database, all its statements together.
//!
//! A request gets a budget; whatever it asks of the database is paid from it, so that it is answered in time however often it asks again.
//! Time that a client takes to send its request is not counted. Work without a budget is limited statement by statement.

use std::cell::Cell;
use std::time::{Duration, Instant};

tokio::task_local! {
    static LEFT: Cell<Duration>;
}

/// What a page, a move or a call of the API may wait.
pub const REQUEST: Duration = Duration::from_millis(4_000);

/// What a check of health may wait.
pub const HEALTH_CHECK: Duration = Duration::from_millis(1_500);

/// Does work that may wait for the database for so long in all.
pub async fn within<T>(time: Duration, work: impl Future<Output = T>) -> T {
    // A budget within a budget does not lengthen it.
    LEFT.scope(Cell::new(left(time)), work).await
}

/// What is left for the work under way, or `most` if that is less.
pub fn left(most: Duration) -> Duration {
    LEFT.try_with(|left| left.get().min(most)).unwrap_or(most)
}

/// Waits for at most this long, and no longer than the budget allows. `None` if that was too short.
pub async fn limited<T>(most: Duration, wait: impl Future<Output = T>) -> Option<T> {
    let (before, begun) = (left(Duration::MAX), Instant::now());
    let outcome = tokio::time::timeout(before.min(most), wait).await;
    // Waits within waits, or beside each other, are paid once.
    let after = before.saturating_sub(begun.elapsed());
    let _ = LEFT.try_with(|left| left.set(left.get().min(after)));
    outcome.ok()
}

/// Pauses before another try; `false` if there is no time for one.
pub async fn pause(time: Duration) -> bool {
    limited(Duration::MAX, tokio::time::sleep(time)).await.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(30);
    const LONG: Duration = Duration::from_secs(600);

    #[tokio::test]
    async fn waits_are_paid_from_one_budget_until_it_is_used_up() {
        within(20 * SHORT, async {
            assert_eq!(limited(LONG, async { 7 }).await, Some(7));
            assert!(pause(SHORT).await);
            assert!(left(LONG) <= 19 * SHORT);
            assert_eq!(limited(LONG, pause(SHORT)).await, Some(true));
            assert!(left(LONG) > SHORT, "a wait within a wait is paid once");
            assert_eq!(limited(LONG, std::future::pending::<()>()).await, None);
            assert_eq!(left(LONG), Duration::ZERO);
            assert!(!pause(SHORT).await);
            assert_eq!(limited(LONG, async { 7 }).await, Some(7), "what needs no waiting is done");
        })
        .await;
    }

    #[tokio::test]
    async fn without_a_budget_each_wait_has_its_own_limit_and_budgets_do_not_add_up() {
        assert_eq!(limited(SHORT, std::future::pending::<()>()).await, None);
        assert_eq!(left(LONG), LONG);
        within(SHORT, within(LONG, async { assert_eq!(left(LONG), SHORT) })).await;
    }
}
