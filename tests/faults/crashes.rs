//! Processes are killed with -9 in the middle of games.

use std::thread;
use std::time::Duration;

use anyhow::ensure;

use crate::report::Row;
use crate::setting::{PATIENCE, Setting};

/// The service, ten times; a supervisor starts it again at once.
pub fn service(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let mut house = setting.house(1, &[])?;
    let load = setting.play(&house)?;
    for _ in 0..10 {
        ensure!(load.goes_on(4 * setting.players, PATIENCE), "play does not go on");
        house.services[0].kill();
        house.services[0].start_again()?;
    }
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    Ok(row)
}

/// One of the database's processes: Postgres then breaks all connections and recovers.
pub fn backend(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let house = setting.house(2, &[])?;
    let load = setting.play(&house)?;
    for _ in 0..5 {
        ensure!(load.goes_on(4 * setting.players, PATIENCE), "play does not go on");
        setting.runtime.block_on(house.server.kill_backend())?;
    }
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    Ok(row)
}

/// The whole database, which is started again a second later.
pub fn postmaster(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let mut house = setting.house(2, &[])?;
    let load = setting.play(&house)?;
    for _ in 0..3 {
        ensure!(load.goes_on(4 * setting.players, PATIENCE), "play does not go on");
        house.server.kill()?;
        thread::sleep(Duration::from_secs(1));
        house.server.restart()?;
    }
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    Ok(row)
}
