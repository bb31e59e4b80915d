//! Many clients at a time who say what was written down for them.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::http::Connection;
use super::processor_time;
use super::script::Script;
use wonderpost::percent::percent_encoded;

impl Connection {
    /// Says one line of a script; gives the status.
    pub fn say(&mut self, script: &Script, place: usize) -> io::Result<u16> {
        let line = percent_encoded(script.lines[place].line.as_bytes());
        let form = format!("csrf={}&step={place}&say={line}", script.stamp(place));
        Ok(self.post(&format!("/t/{}/say", script.table), script.cookie(place), &form)?.0)
    }
}

/// What many clients brought about together.
#[derive(Default)]
pub struct Load {
    /// How long each move took, shortest first. Only moves that were answered with 303 are counted.
    pub latencies: Vec<Duration>,
    /// Answers that were something else.
    pub failures: usize,
    pub elapsed: Duration,
    /// The processor time of the clients themselves.
    pub client_time: Duration,
    /// All games were over before the time was.
    pub ran_dry: bool,
}

/// Clients say scripts from their first lines to where they end, each client at its own table, until the time is over.
pub fn say_all(host: SocketAddr, scripts: &[Script], clients: usize, time: Duration) -> io::Result<Load> {
    let (next, over, ran_dry) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicBool::new(false));
    let begun = Instant::now();
    let client = || -> io::Result<(Vec<Duration>, usize, Duration)> {
        let mut connection = Connection::open(host)?;
        let (mut latencies, mut failures) = (Vec::new(), 0);
        while !over.load(Relaxed) {
            let Some(script) = scripts.get(next.fetch_add(1, Relaxed)) else {
                ran_dry.store(true, Relaxed);
                over.store(true, Relaxed);
                break;
            };
            for place in 0..script.lines.len() {
                let asked = Instant::now();
                let status = connection.say(script, place)?;
                let took = asked.elapsed();
                if status != 303 {
                    // The rest of the game does not follow any more.
                    failures += 1;
                    break;
                }
                latencies.push(took);
                if begun.elapsed() >= time {
                    over.store(true, Relaxed);
                }
                if over.load(Relaxed) {
                    break;
                }
            }
        }
        Ok((latencies, failures, processor_time::of_this_thread()?))
    };
    let mut load = thread::scope(|scope| -> io::Result<Load> {
        let running: Vec<_> = (0..clients).map(|_| scope.spawn(client)).collect();
        let mut load = Load::default();
        for client in running {
            let (latencies, failures, time) = client.join().map_err(|_| io::Error::other("a client broke off"))??;
            load.latencies.extend(latencies);
            load.failures += failures;
            load.client_time += time;
        }
        Ok(load)
    })?;
    load.elapsed = begun.elapsed();
    load.ran_dry = ran_dry.into_inner();
    load.latencies.sort_unstable();
    Ok(load)
}

/// The time that such a part of them did not exceed; they are sorted.
pub fn quantile(sorted: &[Duration], part: f64) -> Duration {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * part).round() as usize).copied().unwrap_or_default()
}
