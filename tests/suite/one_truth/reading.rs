//! Finished games and history are read from a standby, and no page is older for that.

use crate::harness::page::Page;
use crate::harness::standby::DatabaseServer;
use crate::harness::{Service, Visitor};

/// How many reads the standby answered, and how many the primary had to answer in its place.
async fn reads(visitor: &Visitor) -> (u64, u64) {
    let figures = visitor.look("/metrics").await;
    let figure = |by: &str| {
        let name = format!("wonderpost_standby_reads_total{{by=\"{by}\"}} ");
        figures.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok()).unwrap_or(0)
    };
    (figure("standby"), figure("primary"))
}

/// What there is to read of a finished game.
async fn read(visitor: &Visitor, table: &str) -> Vec<String> {
    let mut read = Vec::new();
    for path in [table.to_owned(), format!("{table}/at/1"), format!("{table}/export.jsonl"), "/archive".to_owned()] {
        read.push(Page(&visitor.look(&path).await).without_marks());
    }
    read
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_finished_is_read_from_the_standby_as_long_as_it_keeps_up() {
    let primary = DatabaseServer::start(&[]).await;
    let standby = primary.standby().await;
    let plain = Service::start_on(primary.options(), |_| {});
    let visitor = plain.visitor();
    let finish = async || {
        let table = visitor.begin().await;
        for _ in 0..3 {
            visitor.move_on(&table).await.expect("a move");
        }
        visitor.end(&table).await;
        table
    };
    let first = finish().await;
    primary.await_standby(&standby).await;
    // A service that remembers nothing yet.
    let service = Service::start_reading(primary.options(), Some(standby.options()), |_| {});
    let reader = visitor.at(&service.url);
    let expected = read(&visitor, &first).await;
    assert!(expected[3].contains(&first));
    assert_eq!(read(&reader, &first).await, expected);
    let (answered, _) = reads(&reader).await;
    assert!(answered >= 3, "page, file and archive came from the standby: {answered}");

    // It falls behind: what the viewer has seen elsewhere is there all the same.
    standby.statement("select pg_wal_replay_pause()").await;
    let second = finish().await;
    let before = reads(&reader).await;
    let expected = read(&visitor, &second).await;
    assert!(expected[3].contains(&second));
    assert_eq!(read(&reader, &second).await, expected);
    let after = reads(&reader).await;
    assert_eq!(after.0, before.0, "the standby does not have it");
    assert!(after.1 > before.1, "the primary was asked in its place");

    // It catches up again.
    standby.statement("select pg_wal_replay_resume()").await;
    primary.await_standby(&standby).await;
    assert!(reader.look("/archive").await.contains(&second));
    assert!(reads(&reader).await.0 > after.0, "and is read from again");

    // One that takes changes itself is no standby any more, and what only it knows of is nowhere.
    standby.cut_off().await;
    standby.promote().await;
    let elsewhere = Service::start_on(standby.options(), |_| {});
    let stranger = visitor.at(&elsewhere.url);
    let ghost = stranger.begin().await;
    stranger.end(&ghost).await;
    let before = reads(&reader).await;
    assert!(!reader.look("/archive").await.contains(&ghost));
    assert_eq!(reader.get(&ghost).await.status, 404);
    assert_eq!(reads(&reader).await.0, before.0);

    // And it may be gone.
    drop(elsewhere);
    standby.crash().await;
    assert_eq!(read(&reader, &second).await, expected);
}
