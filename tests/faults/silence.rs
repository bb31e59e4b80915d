//! The database says nothing any more, and does not hang up either.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rustix::process::Signal;
use wonderpost_bench::ledger::Load;

use crate::report::Row;
use crate::setting::{House, PATIENCE, Setting};

/// How long the database is silent.
const SILENCE: Duration = Duration::from_secs(10);
/// Every answer comes within five seconds; half a second is for a busy machine.
pub const ANSWER: Duration = Duration::from_millis(5500);
/// `/readyz` tells within two.
pub const READY_ANSWER: Duration = Duration::from_millis(2500);

pub fn stopped(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let house = setting.house(2, &[])?;
    let load = setting.play(&house)?;
    house.server.signal_all(Signal::STOP)?;
    let probes = probe(&house);
    // Also where something else went wrong, or the server could never be stopped.
    house.server.signal_all(Signal::CONT)?;
    conclude(setting, fault, &house, load, probes)
}

pub fn black_hole(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    let house = setting.house(2, &[])?;
    let load = setting.play(&house)?;
    house.way.swallow(true);
    let probes = probe(&house);
    house.way.swallow(false);
    conclude(setting, fault, &house, load, probes)
}

fn conclude(
    setting: &Setting,
    fault: &str,
    house: &House,
    load: Load,
    probes: anyhow::Result<Vec<String>>,
) -> anyhow::Result<Row> {
    ensure!(load.goes_on(setting.players, PATIENCE), "play does not go on afterwards");
    let mut row = setting.conclude(fault, house, load)?;
    row.expect_none_lost();
    row.expect_answers_within(ANSWER);
    row.expect_gap_within(SILENCE + ANSWER);
    row.troubles.extend(probes?);
    Ok(row)
}

/// Looks at the services' health while the database is silent, and says what is wrong with it.
fn probe(house: &House) -> anyhow::Result<Vec<String>> {
    let begun = Instant::now();
    let mut troubles = Vec::new();
    // What was at hand when the silence began may still be answered.
    thread::sleep(Duration::from_secs(3));
    for address in house.addresses() {
        let (status, took) = look(address, "/readyz")?;
        if status != Some(503) || took > READY_ANSWER {
            troubles.push(format!("/readyz answered {status:?} after {:.1} s", took.as_secs_f64()));
        }
        let (status, took) = look(address, "/healthz")?;
        if status != Some(200) || took > READY_ANSWER {
            troubles.push(format!("/healthz answered {status:?} after {:.1} s", took.as_secs_f64()));
        }
    }
    thread::sleep(SILENCE.saturating_sub(begun.elapsed()));
    Ok(troubles)
}

/// The status of a page, if it came, and how long that took.
pub fn look(address: SocketAddr, path: &str) -> anyhow::Result<(Option<u16>, Duration)> {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(address).context("the service takes no connections")?;
    stream.set_read_timeout(Some(SILENCE))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = [0; 12];
    let status =
        stream.read_exact(&mut answer).ok().and_then(|()| std::str::from_utf8(&answer[9..]).ok()?.parse().ok());
    Ok((status, begun.elapsed()))
}
