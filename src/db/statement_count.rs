//! How many statements a piece of work sends to the database: each is a round trip.

use std::cell::Cell;

tokio::task_local! {
    static SENT: Cell<u32>;
}

/// Does work, and says how many statements it sent.
pub async fn counted<T>(work: impl Future<Output = T>) -> (T, u32) {
    let counting = async {
        let done = work.await;
        (done, SENT.get().get())
    };
    SENT.scope(Cell::new(0), counting).await
}

/// Counts a statement for the work under way, if anybody wants to know.
pub fn count_statement() {
    let _ = SENT.try_with(|sent| sent.set(sent.get() + 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_piece_of_work_has_a_count_of_its_own() {
        count_statement();
        let work = async {
            count_statement();
            tokio::task::yield_now().await;
            count_statement();
            7
        };
        assert_eq!(tokio::join!(counted(work), counted(async {})), ((7, 2), ((), 0)));
    }
}
