//! Load for a while without any fault, and with few connections.

use std::thread;

use anyhow::ensure;
use wonderpost_bench::ledger::Load;

use crate::report::Row;
use crate::setting::{House, Setting};

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
    thread::sleep(std::time::Duration::from_secs(3));
    let few = rate(&load);
    let mut row = finish(setting, fault, &house, load)?;
    row.load += &format!(", {full:.0} moves/s, then {few:.0}");
    row.expect(few * 2.0 >= full, || format!("{few:.0} moves a second instead of {full:.0}"));
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
    thread::sleep(std::time::Duration::from_secs(u64::from(SECONDS)));
    (load.book.acknowledged() - before) as f64 / f64::from(SECONDS)
}
