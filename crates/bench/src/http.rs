//! A client that costs little: HTTP/1.1 by hand over blocking sockets that stay open.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A connection that is used again and again.
pub struct Connection {
    stream: BufReader<TcpStream>,
    host: SocketAddr,
    /// Answers are wanted without compression.
    pub plain: bool,
    request: String,
    line: String,
    /// The headers of the last answer, names in small letters.
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Connection {
    pub fn open(host: SocketAddr) -> io::Result<Connection> {
        Connection::open_within(host, Duration::from_secs(20))
    }

    /// A connection that gives up when it has heard nothing for so long.
    pub fn open_within(host: SocketAddr, patience: Duration) -> io::Result<Connection> {
        let stream = TcpStream::connect_timeout(&host, patience)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(patience))?;
        Ok(Connection {
            stream: BufReader::new(stream),
            host,
            plain: false,
            request: String::new(),
            line: String::new(),
            headers: Vec::new(),
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

    /// Sends a form, already encoded; gives the status and what was sent.
    pub fn post(&mut self, path: &str, cookie: &str, form: &str) -> io::Result<(u16, &[u8])> {
        self.begin("POST", path, cookie);
        let _ = write!(
            self.request,
            "Origin: http://{}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            self.host,
            form.len(),
        );
        let status = self.exchange()?;
        Ok((status, &self.body))
    }

    /// The values of a header of the last answer.
    pub fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(there, _)| there == name).map(|(_, value)| value.as_str())
    }

    /// Whether the service has said that this was the last answer over this connection.
    pub fn is_over(&self) -> bool {
        self.header("connection").any(|value| value.eq_ignore_ascii_case("close"))
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
        self.headers.clear();
        while !self.read_line()?.is_empty() {
            let Some((name, value)) = self.line.split_once(':') else { return Err(no_answer()) };
            let (name, value) = (name.to_ascii_lowercase(), value.trim());
            match name.as_str() {
                "content-length" => length = value.parse().map_err(|_| no_answer())?,
                "transfer-encoding" => chunked = true,
                _ => {}
            }
            self.headers.push((name, value.to_owned()));
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
