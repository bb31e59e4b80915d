//! A client that costs little: HTTP/1.1 by hand over blocking sockets that stay open.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::processor_time;
use super::script::Script;
use crate::percent::percent_encoded;

/// A connection that is used again and again.
pub struct Connection {
    stream: BufReader<TcpStream>,
    host: SocketAddr,
    /// Answers are wanted without compression.
    pub plain: bool,
    request: String,
    line: String,
    body: Vec<u8>,
}

impl Connection {
    pub fn open(host: SocketAddr) -> io::Result<Connection> {
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        Ok(Connection {
            stream: BufReader::new(stream),
            host,
            plain: false,
            request: String::new(),
            line: String::new(),
            body: Vec::new(),
        })
    }

    /// Looks at a page; gives the status and what was sent.
    pub fn get(&mut self, path: &str, cookie: &str) -> io::Result<(u16, &[u8])> {
        self.begin("GET", path, cookie);
        self.request.push_str("\r\n");
        let status = self.exchange()?;
        Ok((status, &self.body))
    }

    /// Says one line of a script; gives the status.
    pub fn say(&mut self, script: &Script, place: usize) -> io::Result<u16> {
        self.begin("POST", &format!("/t/{}/say", script.table), script.cookie(place));
        let line = percent_encoded(script.lines[place].line.as_bytes());
        let form = format!("csrf={}&step={place}&say={line}", script.stamp(place));
        let _ = write!(
            self.request,
            "Origin: http://{}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            self.host,
            form.len(),
        );
        self.exchange()
    }

    /// What browsers send with every request.
    fn begin(&mut self, method: &str, path: &str, cookie: &str) {
        self.request.clear();
        let _ = write!(
            self.request,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nUser-Agent: wonderpost-bench\r\nAccept: text/html\r\n\
             Accept-Encoding: {}\r\nCookie: {cookie}\r\n",
            self.host,
            if self.plain { "identity" } else { "gzip, deflate" },
        );
    }

    fn exchange(&mut self) -> io::Result<u16> {
        self.stream.get_mut().write_all(self.request.as_bytes())?;
        self.read_line()?;
        let status = self.line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(no_answer)?;
        let (mut length, mut chunked) = (0, false);
        while !self.read_line()?.is_empty() {
            let Some((name, value)) = self.line.split_once(':') else { return Err(no_answer()) };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().map_err(|_| no_answer())?;
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                chunked = true;
            }
        }
        self.body.clear();
        if chunked {
            loop {
                let size = usize::from_str_radix(self.read_line()?, 16).map_err(|_| no_answer())?;
                self.read_body(size)?;
                self.read_line()?;
                if size == 0 {
                    break;
                }
            }
        } else {
            self.read_body(length)?;
        }
        Ok(status)
    }

    fn read_line(&mut self) -> io::Result<&str> {
        self.line.clear();
        if self.stream.read_line(&mut self.line)? == 0 {
            return Err(no_answer());
        }
        Ok(self.line.trim_end())
    }

    fn read_body(&mut self, length: usize) -> io::Result<()> {
        let begin = self.body.len();
        self.body.resize(begin + length, 0);
        self.stream.read_exact(&mut self.body[begin..])
    }
}

fn no_answer() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the service broke off or did not answer in HTTP")
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

/// So many clients say scripts from their first lines to where they end, each client at its own table, until the time is over.
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
