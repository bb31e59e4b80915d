//! How soon the service answers, and how much memory it holds when nobody asks anything.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::ensure;

use super::house::House;
use super::http::Connection;
use super::load::quantile;
use super::processor_time;
use super::service::Service;

const STARTS: usize = 7;
const IDLE_TIME: Duration = Duration::from_secs(3);

pub struct Starts {
    /// From starting the process to the last byte of the first page.
    pub first_page: Duration,
    pub idle_bytes: u64,
}

impl Starts {
    /// Starts the service several times on a running database.
    pub fn measure(house: &House) -> anyhow::Result<Starts> {
        let mut times = Vec::new();
        let mut start = || -> anyhow::Result<Service> {
            let begun = Instant::now();
            let service = house.start_service()?;
            let status = Connection::open(service.address)?.get("/", "")?.0;
            times.push(begun.elapsed());
            ensure!(status == 200, "the first page was answered with {status}");
            Ok(service)
        };
        for _ in 1..STARTS {
            start()?;
        }
        let service = start()?;
        thread::sleep(IDLE_TIME);
        let idle_bytes = processor_time::resident_bytes(service.pid())?;
        times.sort_unstable();
        Ok(Starts { first_page: quantile(&times, 0.5), idle_bytes })
    }
}
