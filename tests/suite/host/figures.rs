//! Figures and plots.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use sqlx::AssertSqlSafe;

use super::hosted;
use crate::harness::{TestDatabase, letters, table};

async fn number(database: &TestDatabase, query: &str) -> i64 {
    let row = sqlx::query_scalar(AssertSqlSafe(query.to_owned()));
    row.fetch_one(&mut database.connection().await).await.unwrap_or_else(|error| panic!("{query}: {error}"))
}

#[actix_web::test]
async fn what_happened_is_counted_once_and_caught_up_with_after_an_outage() {
    let database = TestDatabase::new();
    let (_service, host) = hosted(&database).await;
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    let made = i64::from(table::play(&tables, &caller, id, 5).await);
    // All of it happened three hours ago, and nobody has counted for days.
    database.tamper("update event set at = now() - interval '3 hours'").await;
    letters::execute(&database, "update game_table set opened_at = now() - interval '3 hours'").await;
    letters::execute(&database, "update player set created_at = now() - interval '3 hours'").await;
    letters::execute(&database, "update letter set sent_at = now() - interval '3 hours'").await;
    letters::execute(&database, "update figures_until set at = now() - interval '4 days'").await;
    let others = database.tables();
    let (one, other) = tokio::join!(tables.roll_up_figures(), others.roll_up_figures());
    one.and(other).unwrap();
    tables.roll_up_figures().await.unwrap();
    for span in ["hour", "day"] {
        let sum = async |column: &str| {
            number(&database, &format!("select sum({column})::bigint from figures where span = '{span}'")).await
        };
        assert_eq!(sum("moves").await, made, "{span}");
        assert_eq!(sum("players").await, 1, "{span}");
        assert_eq!(sum("newcomers").await, 2, "{span}");
        assert_eq!(sum("tables_opened").await, 1, "{span}");
        assert_eq!(sum("letters_sent").await, 1, "{span}");
    }
    let page = host.look("/host").await;
    assert!(page.contains(&format!("moves: {made} in all, at most {made}.")), "{page}");
    assert_eq!(page.matches("<svg viewBox=\"0 0 360 150\" role=\"img\"").count(), 14);
    assert_eq!(page.matches("<desc").count(), 14);
    assert!(page.contains("<summary>As a table</summary>"));
}

#[actix_web::test]
async fn a_player_who_moves_in_two_slices_of_an_hour_counts_once() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    table::play(&tables, &caller, id, 4).await;
    let hour = Utc::now().date_naive().and_hms_opt(9, 0, 0).unwrap().and_utc() - TimeDelta::days(2);
    database.tamper(&format!("update event set at = '{hour}'::timestamptz + move_no * interval '10 minutes'")).await;
    letters::execute(&database, &format!("update figures_until set at = '{hour}'")).await;
    for minutes in [15, 25, 55] {
        tables.store.roll_up_figures(hour + TimeDelta::minutes(minutes)).await.unwrap();
    }
    assert_eq!(number(&database, "select moves from figures where span = 'hour'").await, 4);
    assert_eq!(number(&database, "select players from figures where span = 'hour'").await, 1);
    assert_eq!(number(&database, "select players from figures where span = 'day'").await, 1);
}

#[actix_web::test]
async fn answer_times_of_all_processes_come_together() {
    let database = TestDatabase::new();
    let (_service, host) = hosted(&database).await;
    for milliseconds in [3, 4] {
        let process = database.tables();
        for _ in 0..10 {
            process.metrics.answered("/t/{id}/say", 303, Duration::from_millis(milliseconds));
        }
        process.add_answer_times().await.unwrap();
        process.add_answer_times().await.unwrap();
    }
    assert_eq!(number(&database, "select sum(answers)::bigint from answer_time where kind = 'move'").await, 20);
    let page = host.look("/host").await;
    let moves = page.split("id=\"day-move-times-desc\">").nth(1).and_then(|rest| rest.split("</desc>").next());
    assert_eq!(moves, Some("median: at most 3.8 ms; 95 of 100: at most 5.5 ms."), "{page}");
}
