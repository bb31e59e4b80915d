//! The database's disk is full.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::report::Row;
use crate::server::Server;
use crate::setting::{PATIENCE, Setting, folder, subfolder};
use crate::silence::{ANSWER, READY_ANSWER, look};

/// How long the disk is full, at least.
const FULL: Duration = Duration::from_secs(8);

/// A small file system in memory. Dropping it unmounts it.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> anyhow::Result<SmallDisk> {
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=192m,mode=711", "tmpfs"]).arg(at).output();
        match mounted {
            Ok(mounted) if mounted.status.success() => Ok(SmallDisk(at.to_path_buf())),
            _ => bail!("skipped: a small disk can be mounted by root only"),
        }
    }

    /// Writes until nothing fits any more.
    fn fill(&self) -> anyhow::Result<PathBuf> {
        let path = self.0.join("ballast");
        let mut file = File::create(&path)?;
        for size in [1 << 20, 1 << 12] {
            loop {
                match file.write_all(&vec![7; size]) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => return Err(error).context("the disk cannot be filled"),
                }
            }
        }
        Ok(path)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

pub fn full(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    // Not within the folder of the house, which is removed before the disk is unmounted.
    let outer = folder()?;
    let place = subfolder(outer.path(), "small")?;
    let disk = SmallDisk::mount(&place)?;
    let small = [("min_wal_size", "32MB"), ("max_wal_size", "64MB")];
    let mut house = setting.house_on(folder()?, Server::start(&place, &small)?, 2)?;
    let load = setting.play(&house)?;
    let mut ready = Vec::new();
    let (ballast, begun) = (disk.fill()?, Instant::now());
    thread::sleep(FULL / 2);
    for address in house.addresses() {
        ready.push(look(address, "/readyz")?);
    }
    // Pages that have room are still filled, which takes the longer the less is played.
    let mut stuck = false;
    while !stuck && begun.elapsed() < PATIENCE {
        stuck = !load.goes_on(1, FULL / 2);
    }
    std::fs::remove_file(ballast)?;
    // Where there is no room for its log Postgres stops; whoever looks after it starts it when there is.
    if !house.server.is_running() {
        house.server.restart()?;
    }
    ensure!(load.goes_on(setting.players, PATIENCE), "play does not go on afterwards");
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    row.expect(stuck, || "the disk did not become full".into());
    row.expect_answers_within(ANSWER);
    for (status, took) in ready {
        row.expect(status == Some(503) && took <= READY_ANSWER, || {
            format!("/readyz answered {status:?} after {:.1} s", took.as_secs_f64())
        });
    }
    // First the services and the server, which have files there.
    drop(house);
    drop(disk);
    Ok(row)
}
