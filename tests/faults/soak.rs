//! Load for a while without any fault, and with few connections.

use std::thread;
use std::time::Duration;

use anyhow::ensure;
use wonderpost_bench::ledger::Load;

use crate::report::Row;
use crate::setting::{House, Setting};

/// Time to find out how many connections there are.
const SETTLING: Duration = Duration::from_secs(3);

pub fn soak(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let house = setting.house(2, &[])?;
    let load = setting.play(&house)?;
    thread::sleep(setting.soak);
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    let failed = row.failed_requests;
    row.expect(failed == 0, || format!("{failed} requests failed"));
    row.load += &format!(", {} s", setting.soak.as_secs());
    Ok(row)
}

/// Two services share a database that lets them have two connections each.
pub fn few_connections(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let house = setting.house(2, &[])?;
    let load = setting.play(&house)?;
    let full = rate(&load);
    setting.runtime.block_on(house.server.statement("alter role wonderpost connection limit 4"))?;
    let ended = "select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = 'wonderpost'";
    let _: i64 = setting.runtime.block_on(house.server.ask(ended))?;
    thread::sleep(SETTLING);
    let few = rate(&load);
    let mut row = finish(setting, fault, &house, load)?;
    row.expect_rates(full, few);
    Ok(row)
}

/// Two services share a database that has ten connections, three of which it keeps for those who look after it.
pub fn few_slots(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let mut house = setting.house(2, &[])?;
    let load = setting.play(&house)?;
    let full = rate(&load);
    house.server.restart_with(&[("max_connections", "10")])?;
    thread::sleep(SETTLING);
    let few = rate(&load);
    // The comparison needs connections, too.
    house.server.restart_with(&[("max_connections", "100")])?;
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    row.expect_rates(full, few);
    Ok(row)
}

fn finish(setting: &Setting, fault: &str, house: &House, load: Load) -> anyhow::Result<Row> {
    // The comparison needs connections, too.
    let book_row = setting.runtime.block_on(house.server.statement("alter role wonderpost connection limit -1"));
    ensure!(book_row.is_ok(), "the limit is not lifted");
    let mut row = setting.conclude(fault, house, load)?;
    row.expect_none_lost();
    Ok(row)
}

/// Acknowledged moves a second, over some seconds.
fn rate(load: &Load) -> f64 {
    const SECONDS: u32 = 6;
    let before = load.book.acknowledged();
    thread::sleep(Duration::from_secs(u64::from(SECONDS)));
    (load.book.acknowledged() - before) as f64 / f64::from(SECONDS)
}
