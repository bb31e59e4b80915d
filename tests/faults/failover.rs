//! The database's machine is lost, and a standby takes its place.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use wonderpost::db::{Address, Store};
use wonderpost::tables::Tables;
use wonderpost_bench::ledger::audit::recorded;
use wonderpost_bench::ledger::book::{Book, Outcome, SentMove};

use crate::forwarder::Forwarder;
use crate::report::Row;
use crate::server::Server;
use crate::service::Service;
use crate::setting::{House, Setting, folder, subfolder};

/// How far the standby is behind, at least.
const BEHIND: Duration = Duration::from_secs(2);
/// Within so long after the switch every table is playable.
const AGAIN: Duration = Duration::from_millis(5500);

/// The standby has heard nothing for two seconds when the primary is killed: what it never had is lost, and nothing else.
pub fn asynchronous(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let mut house = setting.house(2, &[])?;
    let standby = subfolder(house.folder.path(), "standby")?;
    let standby = setting.runtime.block_on(house.server.standby(&standby, "standby"))?;
    let load = setting.play(&house)?;
    setting.runtime.block_on(standby.cut_off())?;
    thread::sleep(BEHIND);
    // It gets nothing more, and a table that is begun now it never had. Looking takes time that is not the services'.
    let had = setting.runtime.block_on(moves_in(&standby, &load.book.tables()))?;
    let killed = Instant::now();
    house.server.kill()?;
    house.way.lead_to(None);
    setting.runtime.block_on(standby.promote())?;
    let promoted_at = load.book.now_ms();
    house.way.lead_to(Some(standby.socket()?));
    let away = killed.elapsed();
    let never_had = count_missing(&load.book, promoted_at, had);
    house.server = standby;
    let mut row = setting.conclude(fault, &house, load)?;
    let lost = row.lost;
    row.expect(never_had > 0, || "the standby was not behind".into());
    row.expect(lost == never_had, || format!("{lost} are lost, though the standby never had {never_had}"));
    row.expect_gap_within(away + AGAIN);
    Ok(row)
}

/// The standby confirms every commit: nothing is lost.
pub fn synchronous(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let mut house = setting.house(2, &[])?;
    let standby = subfolder(house.folder.path(), "standby")?;
    let standby = setting.runtime.block_on(house.server.standby(&standby, "standby"))?;
    make_synchronous(setting, &house.server)?;
    let load = setting.play(&house)?;
    let killed = Instant::now();
    house.server.kill()?;
    house.way.lead_to(None);
    setting.runtime.block_on(standby.promote())?;
    house.way.lead_to(Some(standby.socket()?));
    let away = killed.elapsed();
    house.server = standby;
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    row.expect_gap_within(away + AGAIN);
    Ok(row)
}

/// Both servers are named in `DATABASE_URL`, and the services find the primary by themselves.
pub fn hosts(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let folder = folder()?;
    let first = Server::start(&subfolder(folder.path(), "first")?, &[])?;
    let second = setting.runtime.block_on(first.standby(&subfolder(folder.path(), "second")?, "second"))?;
    make_synchronous(setting, &first)?;
    let (way, second_way) = (Forwarder::start(first.socket()?)?, Forwarder::start(second.socket()?)?);
    let url = format!(
        "postgres://wonderpost@127.0.0.1:{},127.0.0.1:{}/wonderpost?sslmode=disable&target_session_attrs=read-write",
        way.port(),
        second_way.port()
    );
    let mut house = House { services: Vec::new(), way, server: first, folder };
    for _ in 0..2 {
        house.services.push(Service::start(&url, house.folder.path(), &[])?);
    }
    let load = setting.play(&house)?;
    let killed = Instant::now();
    house.server.kill()?;
    house.way.lead_to(None);
    setting.runtime.block_on(second.promote())?;
    let away = killed.elapsed();
    house.server = second;
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    row.expect_gap_within(away + AGAIN);
    Ok(row)
}

fn make_synchronous(setting: &Setting, primary: &Server) -> anyhow::Result<()> {
    setting.runtime.block_on(async {
        primary.statement("alter system set synchronous_standby_names = '*'").await?;
        primary.statement("select pg_reload_conf()").await?;
        let mut is_so = false;
        for _ in 0..500 {
            is_so = primary.ask("select exists (select from pg_stat_replication where sync_state = 'sync')").await?;
            if is_so {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        anyhow::ensure!(is_so, "the standby does not become synchronous");
        Ok(())
    })
}

/// How often each move stands in a database.
async fn moves_in(server: &Server, ids: &[wonderpost::tables::TableId]) -> anyhow::Result<HashMap<SentMove, usize>> {
    let store = Store::new(server.url()?.parse::<Address>().context("an address")?, 2);
    let tables = Tables::new(store, wonderpost_games::catalogue(), Arc::default());
    let mut moves = HashMap::new();
    for id in ids {
        for sent in recorded(&tables, *id).await? {
            *moves.entry(sent).or_default() += 1;
        }
    }
    tables.store.close().await;
    Ok(moves)
}

/// How many moves that were acknowledged before this time are not among these.
fn count_missing(book: &Book, before_ms: u64, mut had: HashMap<SentMove, usize>) -> usize {
    let acknowledged = book.entries().into_iter().filter(|entry| entry.outcome == Outcome::Acknowledged);
    acknowledged
        .filter(|entry| entry.at_ms <= before_ms)
        .filter(|entry| match had.get_mut(&entry.sent) {
            Some(times) if *times > 0 => {
                *times -= 1;
                false
            }
            _ => true,
        })
        .count()
}
