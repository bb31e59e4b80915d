//! HTTP by hand, over a socket: for what a well-behaved client never sends.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The longest wait for a word.
const PATIENCE: Duration = Duration::from_secs(60);

/// An open connection to a service.
pub struct Raw {
    stream: TcpStream,
    pub host: String,
}

impl Raw {
    pub fn connect(url: &str) -> Raw {
        let host = url.trim_start_matches("http://").to_owned();
        let stream = TcpStream::connect(&host).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        Raw { stream, host }
    }

    /// Whether it could be sent: the other side may have closed the connection.
    pub fn try_send(&mut self, words: &str) -> bool {
        self.stream.write_all(words.as_bytes()).is_ok()
    }

    pub fn send(&mut self, words: &str) {
        assert!(self.try_send(words), "the connection is closed");
    }

    /// All that comes until the other side closes the connection.
    pub fn read_to_end(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        match self.stream.read_to_end(&mut all) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
            Err(error) => panic!("{error} after {}", String::from_utf8_lossy(&all)),
        }
        all
    }

    /// What comes until the given words are there.
    pub fn read_until(&mut self, words: &str) -> String {
        let mut all = Vec::new();
        let mut byte = [0];
        while !all.ends_with(words.as_bytes()) {
            let count = self.stream.read(&mut byte).expect("a word");
            assert!(count == 1, "the connection ends after: {}", String::from_utf8_lossy(&all));
            all.push(byte[0]);
        }
        String::from_utf8_lossy(&all).into_owned()
    }
}

/// Sends a whole request and reads the answer until the connection ends: its head, and its body.
pub fn ask(url: &str, request: &str) -> (String, Vec<u8>) {
    let mut raw = Raw::connect(url);
    raw.send(request);
    split(&raw.read_to_end())
}

/// The head of an answer, and its body.
pub fn split(answer: &[u8]) -> (String, Vec<u8>) {
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n").expect("a whole head");
    (String::from_utf8_lossy(&answer[..end + 2]).to_lowercase(), answer[end + 4..].to_vec())
}
