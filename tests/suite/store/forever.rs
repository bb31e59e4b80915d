//! Events are never changed.

use sqlx::AssertSqlSafe;

use crate::harness::{TestDatabase, table};

#[tokio::test]
async fn events_cannot_be_updated_deleted_or_truncated() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    table::play(&tables, &caller, id, 3).await;
    let before = tables.records(id).await.expect("records").len();
    for mut connection in [database.connection().await, database.superuser().await] {
        for text in [
            "update event set body = '{}'",
            "update event set at = now() where seq = 1",
            "delete from event",
            "delete from event where seq = 2",
            "truncate event",
            "truncate event, checkpoint cascade",
        ] {
            let refusal = sqlx::query(AssertSqlSafe(text)).execute(&mut connection).await.expect_err(text);
            assert!(refusal.to_string().contains("events are never changed or deleted"), "{text}: {refusal}");
        }
    }
    assert_eq!(tables.records(id).await.expect("records").len(), before);
}
