//! Tampering shows, and a projection can be rebuilt.

use wonderpost::tables::audit::check::Verdict;
use wonderpost::tables::audit::rebuild::Comparison;
use wonderpost::tables::{TableId, Tables};

use crate::harness::{TestDatabase, table};

/// What fails, in words. A table whose events do not fold at all cannot even be read.
async fn failures(tables: &Tables, id: TableId) -> Vec<String> {
    match tables.check(id).await {
        Ok(report) => report
            .findings
            .into_iter()
            .filter(|finding| finding.verdict == Verdict::Fails)
            .map(|finding| finding.words)
            .collect(),
        Err(error) => vec![error.to_string()],
    }
}

#[tokio::test]
async fn a_damaged_event_is_found_and_named() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    table::play(&tables, &caller, id, 10).await;
    let last = tables.records(id).await.expect("records").len() as i64;
    for (damage, mend, seq) in [
        ("body = replace(body::text, ':', ': ')::json", "body = replace(body::text, ': ', ':')::json", 5),
        ("at = at + interval '1 second'", "at = at - interval '1 second'", 7),
        ("seat = 2", "seat = 1", last),
        ("digest = sha256(digest)", "", last),
    ] {
        let of = format!("where table_id = '{id}' and seq = {seq}");
        let kept: (Vec<u8>, Option<i16>) =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("select digest, seat from event {of}")))
                .fetch_one(&mut database.superuser().await)
                .await
                .expect("an event");
        database.tamper(&format!("update event set {damage} {of}")).await;
        let found = failures(&database.tables(), id).await;
        assert!(found[0].contains(&format!("event {seq} ")), "{damage}: {found:?}");
        if mend.is_empty() {
            let digest = data_encoding::HEXLOWER.encode(&kept.0);
            database.tamper(&format!("update event set digest = '\\x{digest}' {of}")).await;
        } else {
            database.tamper(&format!("update event set {mend} {of}")).await;
        }
        assert_eq!(failures(&database.tables(), id).await, Vec::<String>::new(), "{damage} was undone");
    }
    // A missing event, at the end and in the middle.
    database.tamper(&format!("delete from event where table_id = '{id}' and seq = 6")).await;
    let found = failures(&database.tables(), id).await;
    assert!(found[0].contains("event 7"), "{found:?}");
}

#[tokio::test]
async fn a_wrong_projection_is_found_and_mended() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    table::play(&tables, &caller, id, 6).await;
    assert!(matches!(tables.rebuild(id, false).await.expect("it"), Comparison::Same));
    let right = tables.store.projection(id).await.expect("it").expect("a row");
    for damage in
        ["moves = 99", "status = 'over'", "awaiting = '{}'", "standing = '{12,1,-3}'", "version = version - 2"]
    {
        database.tamper(&format!("update game_table set {damage} where id = '{id}'")).await;
        let comparison = tables.rebuild(id, false).await.expect("it");
        assert!(
            matches!(&comparison, Comparison::Different { mended: false, rebuilt, .. } if **rebuilt == right),
            "{damage}: {comparison:?}"
        );
        let comparison = tables.rebuild(id, true).await.expect("it");
        assert!(matches!(comparison, Comparison::Different { mended: true, .. }), "{damage}: {comparison:?}");
        assert!(matches!(tables.rebuild(id, false).await.expect("it"), Comparison::Same), "{damage}");
        assert_eq!(tables.store.projection(id).await.expect("it").expect("a row"), right);
    }
    table::move_on(&tables, &caller, id).await.expect("and on it goes");
    assert_eq!(tables.all_ids().await.expect("ids"), vec![id]);
}

#[tokio::test]
async fn a_finished_game_holds_in_every_respect() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (caller, id) = table::begin(&tables).await;
    table::play(&tables, &caller, id, 8).await;
    let report = tables.check(id).await.expect("a report");
    assert!(!report.fails() && !report.is_complete(), "the secret is not published yet: {report}");
    table::end(&tables, &caller, id).await;
    let report = database.tables().check(id).await.expect("a report");
    assert!(report.is_complete(), "{report}");
}
