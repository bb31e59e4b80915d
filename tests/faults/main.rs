//! Things are broken on purpose while players play, and a ledger of every acknowledged move is compared with the database
//! afterwards. `./test faults` runs it: all of it, or the runs whose names contain one of the words given.

#![allow(clippy::unwrap_used)]

mod crashes;
mod disk;
mod failover;
mod forwarder;
mod proxies;
mod report;
mod rolling;
mod server;
mod service;
mod setting;
mod silence;
mod soak;
mod watcher;

use std::env;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;

use report::Row;
use setting::Setting;

/// A run: its name, what it breaks, and how.
struct Run {
    name: &'static str,
    fault: &'static str,
    run: fn(&Setting, &str) -> anyhow::Result<Row>,
}

const RUNS: [Run; 14] = [
    Run { name: "service-killed", fault: "kill -9 of the service, 10 times", run: crashes::service },
    Run { name: "backend-killed", fault: "kill -9 of a database process, 5 times", run: crashes::backend },
    Run { name: "postmaster-killed", fault: "kill -9 of the database, 3 times", run: crashes::postmaster },
    Run { name: "database-stopped", fault: "database stopped (SIGSTOP) for 10 s", run: silence::stopped },
    Run { name: "black-hole", fault: "packets to the database swallowed for 10 s", run: silence::black_hole },
    Run { name: "disk-full", fault: "the database's disk full", run: disk::full },
    Run { name: "failover-asynchronous", fault: "failover to a standby 2 s behind", run: failover::asynchronous },
    Run { name: "failover-synchronous", fault: "failover to a synchronous standby", run: failover::synchronous },
    Run { name: "failover-hosts", fault: "failover between two hosts of DATABASE_URL", run: failover::hosts },
    Run { name: "few-connections", fault: "room for 4 database connections only", run: soak::few_connections },
    Run { name: "few-slots", fault: "max_connections = 10 for two services", run: soak::few_slots },
    Run { name: "rolling-haproxy", fault: "rolling restart behind haproxy", run: rolling::haproxy },
    Run { name: "rolling-nginx", fault: "rolling restart behind nginx", run: rolling::nginx },
    Run { name: "soak", fault: "none (soak)", run: soak::soak },
];

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if env::args().any(|word| word == "--list") {
        RUNS.iter().for_each(|run| println!("{}", run.name));
        return ExitCode::SUCCESS;
    }
    let chosen = |run: &&Run| words.is_empty() || words.iter().any(|word| run.name.contains(word.as_str()));
    let setting = Setting::from_environment();
    let mut rows = Vec::new();
    for Run { name, fault, run } in RUNS.iter().filter(chosen) {
        eprintln!("{name} …");
        let begun = Instant::now();
        let row = run(&setting, fault).unwrap_or_else(|error| Row::failed(fault, &error));
        eprintln!("{name}: {:.0} s", begun.elapsed().as_secs_f64());
        row.troubles.iter().for_each(|trouble| eprintln!("  FAILS: {trouble}"));
        rows.push(row);
    }
    println!("{}", report::table(&rows));
    if rows.is_empty() || rows.iter().any(|row| !row.troubles.is_empty()) {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Waits until something is so.
fn wait_until(what: &str, patience: Duration, mut is_so: impl FnMut() -> bool) -> anyhow::Result<()> {
    let begun = Instant::now();
    while !is_so() {
        if begun.elapsed() > patience {
            bail!("waited in vain until {what}");
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}
