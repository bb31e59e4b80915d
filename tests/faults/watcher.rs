//! Somebody who watches a table, as browsers do: when the stream of events ends they come back.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use wonderpost::tables::TableId;

/// What browsers wait before they come back, unless the stream says otherwise.
const RETURN: Duration = Duration::from_secs(3);

pub struct Watcher {
    table: TableId,
    heard: Arc<Mutex<Heard>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What a watcher has heard.
#[derive(Clone, Default)]
pub struct Heard {
    /// The mark of the table as it was told last.
    pub mark: String,
    pub words: usize,
    /// How often the stream ended in good order.
    pub ended: usize,
    /// How often it broke off, or did not begin.
    pub broken: usize,
}

impl Watcher {
    pub fn start(address: SocketAddr, table: TableId) -> Watcher {
        let (heard, over) = (Arc::new(Mutex::new(Heard::default())), Arc::new(AtomicBool::new(false)));
        let thread = thread::spawn({
            let (heard, over) = (heard.clone(), over.clone());
            move || {
                while !over.load(Relaxed) {
                    let mut pause = RETURN;
                    let ending = follow(address, table, &heard, &over, &mut pause);
                    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                    match ending {
                        Ok(()) => heard.ended += 1,
                        Err(_) => heard.broken += 1,
                    }
                    drop(heard);
                    if !over.load(Relaxed) {
                        thread::sleep(pause);
                    }
                }
            }
        });
        Watcher { table, heard, over, thread: Some(thread) }
    }

    pub fn heard(&self) -> Heard {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the last that was heard is what the table is now.
    pub fn is_up_to_date(&self, address: SocketAddr) -> bool {
        let now = Mutex::new(Heard::default());
        let over = AtomicBool::new(true);
        let _ = follow(address, self.table, &now, &over, &mut RETURN.clone());
        let now = now.into_inner().unwrap_or_else(PoisonError::into_inner);
        !now.mark.is_empty() && now.mark == self.heard().mark
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Follows a table until the stream ends or it is all over; at least until the first mark is heard.
fn follow(
    address: SocketAddr,
    table: TableId,
    heard: &Mutex<Heard>,
    over: &AtomicBool,
    pause: &mut Duration,
) -> std::io::Result<()> {
    let broken = || std::io::Error::other("the stream broke off");
    let mut stream = TcpStream::connect(address)?;
    // Something is said every 20 seconds.
    stream.set_read_timeout(Some(Duration::from_secs(25)))?;
    write!(stream, "GET /t/{table}/live HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n")?;
    let mut lines = BufReader::new(stream).lines();
    if !lines.next().ok_or_else(broken)??.contains(" 200") {
        return Err(broken());
    }
    let (mut is_mark, mut heard_one) = (false, false);
    loop {
        if heard_one && over.load(Relaxed) {
            return Ok(());
        }
        let line = lines.next().ok_or_else(broken)??;
        let line = line.trim_end();
        if line == "0" {
            // The last part of an answer that ends in good order.
            return Ok(());
        } else if let Some(event) = line.strip_prefix("event: ") {
            is_mark = event == "moved";
        } else if let Some(milliseconds) = line.strip_prefix("retry: ").and_then(|text| text.parse().ok()) {
            *pause = Duration::from_millis(milliseconds);
        } else if let Some(data) = line.strip_prefix("data: ") {
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.words += 1;
            if is_mark {
                data.clone_into(&mut heard.mark);
                heard_one = true;
            }
        }
    }
}
