//! As much of the DNS (RFC 1035) as it takes to look at the records that mail needs: one question over UDP to the resolver of this
//! machine.

use std::io;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::time::Duration;

/// How long a resolver may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// The most bytes of an answer. We say so (EDNS), and DKIM keys need it.
const LARGEST: u16 = 4096;

/// The most jumps within one name.
const MOST_JUMPS: usize = 32;

/// What is asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Mx,
    Txt,
}

impl Kind {
    const fn number(self) -> u16 {
        match self {
            Kind::Mx => 15,
            Kind::Txt => 16,
        }
    }
}

/// Asks the resolvers of this machine, one after the other, for the records of a name; none if it has none.
pub fn look_up(name: &str, kind: Kind) -> io::Result<Vec<String>> {
    let mut trouble = io::Error::new(io::ErrorKind::NotFound, "this machine names no resolver");
    for resolver in resolvers(&std::fs::read_to_string("/etc/resolv.conf").unwrap_or_default()) {
        match ask(resolver, name, kind) {
            Ok(records) => return Ok(records),
            Err(error) => trouble = error,
        }
    }
    Err(trouble)
}

/// The resolvers that a file such as `/etc/resolv.conf` names.
fn resolvers(file: &str) -> Vec<SocketAddr> {
    let named = file.lines().filter_map(|line| line.trim().strip_prefix("nameserver"));
    named.filter_map(|address| address.trim().parse::<IpAddr>().ok()).map(|address| (address, 53).into()).collect()
}

/// Asks one resolver.
fn ask(resolver: SocketAddr, name: &str, kind: Kind) -> io::Result<Vec<String>> {
    let socket = UdpSocket::bind(if resolver.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" })?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.connect(resolver)?;
    let id: u16 = rand::random();
    socket.send(&question(id, name, kind)?)?;
    let mut buffer = [0; LARGEST as usize];
    let length = socket.recv(&mut buffer)?;
    let answer = Packet(&buffer[..length]);
    answer
        .records(id, kind)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the resolver's answer cannot be read"))
}

fn question(id: u16, name: &str, kind: Kind) -> io::Result<Vec<u8>> {
    let mut packet = Vec::new();
    // Recursion is wanted; one question, and one record that says how much we take.
    for word in [id, 0x0100, 1, 0, 0, 1] {
        packet.extend(word.to_be_bytes());
    }
    for label in name.trim_end_matches('.').split('.') {
        let length = u8::try_from(label.len()).ok().filter(|length| (1..=63).contains(length));
        packet.push(length.ok_or(io::ErrorKind::InvalidInput)?);
        packet.extend(label.as_bytes());
    }
    packet.push(0);
    for word in [kind.number(), 1] {
        packet.extend(word.to_be_bytes());
    }
    packet.push(0);
    for word in [41, LARGEST, 0, 0, 0] {
        packet.extend(word.to_be_bytes());
    }
    Ok(packet)
}

struct Packet<'a>(&'a [u8]);

impl Packet<'_> {
    fn word(&self, at: usize) -> Option<u16> {
        Some(u16::from_be_bytes([*self.0.get(at)?, *self.0.get(at + 1)?]))
    }

    /// The records of a kind in an answer; `None` if it cannot be read, or says that something went wrong.
    fn records(&self, id: u16, kind: Kind) -> Option<Vec<String>> {
        const NO_SUCH_NAME: u16 = 3;
        let flags = self.word(2).filter(|flags| self.word(0) == Some(id) && flags & 0x8000 != 0)?;
        match flags & 0xf {
            0 => {}
            NO_SUCH_NAME => return Some(Vec::new()),
            _ => return None,
        }
        let mut at = 12;
        for _ in 0..self.word(4)? {
            at = self.name(at)?.1 + 4;
        }
        let mut records = Vec::new();
        for _ in 0..self.word(6)? {
            at = self.name(at)?.1;
            let (there, length) = (self.word(at)?, usize::from(self.word(at + 8)?));
            let data = at + 10;
            let bytes = self.0.get(data..data + length)?;
            match kind {
                _ if there != kind.number() => {}
                Kind::Mx => records.push(self.name(data + 2)?.0),
                Kind::Txt => records.push(text(bytes)?),
            }
            at = data + length;
        }
        Some(records)
    }

    /// The name that begins here, and where it ends.
    fn name(&self, mut at: usize) -> Option<(String, usize)> {
        let (mut name, mut end) = (String::new(), None);
        for _ in 0..MOST_JUMPS * 8 {
            match usize::from(*self.0.get(at)?) {
                0 => return Some((name, end.unwrap_or(at + 1))),
                jump if jump >= 0xc0 => {
                    end = end.or(Some(at + 2));
                    at = usize::from(self.word(at)? & 0x3fff);
                }
                length => {
                    let label = self.0.get(at + 1..at + 1 + length)?;
                    if !name.is_empty() {
                        name.push('.');
                    }
                    name.push_str(&String::from_utf8_lossy(label));
                    at += 1 + length;
                }
            }
        }
        None
    }
}

/// The strings of a text record, put together.
fn text(mut bytes: &[u8]) -> Option<String> {
    let mut text = Vec::new();
    while let [length, rest @ ..] = bytes {
        let (piece, after) = rest.split_at_checked(usize::from(*length))?;
        text.extend_from_slice(piece);
        bytes = after;
    }
    Some(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer to a question, with these records.
    fn answer(id: u16, kind: Kind, code: u16, records: &[Vec<u8>]) -> Vec<u8> {
        let mut packet = question(id, "in.example.org", kind).unwrap();
        packet.truncate(packet.len() - 11);
        packet[2..4].copy_from_slice(&(0x8180 | code).to_be_bytes());
        packet[6..8].copy_from_slice(&u16::try_from(records.len()).unwrap().to_be_bytes());
        packet[10..12].copy_from_slice(&[0, 0]);
        for record in records {
            packet.extend([0xc0, 12]);
            packet.extend(kind.number().to_be_bytes());
            packet.extend([0, 1, 0, 0, 1, 0]);
            packet.extend(u16::try_from(record.len()).unwrap().to_be_bytes());
            packet.extend(record);
        }
        packet
    }

    #[test]
    fn records_are_read() {
        let mx = answer(7, Kind::Mx, 0, &[[&[0, 10, 4][..], b"mail", &[0xc0, 15]].concat()]);
        assert_eq!(Packet(&mx).records(7, Kind::Mx), Some(vec!["mail.example.org".to_owned()]));
        let txt = answer(7, Kind::Txt, 0, &[[&[5][..], b"v=spf", &[2], b"1 "].concat(), vec![1, b'x']]);
        assert_eq!(Packet(&txt).records(7, Kind::Txt), Some(vec!["v=spf1 ".to_owned(), "x".to_owned()]));
        assert_eq!(Packet(&answer(7, Kind::Txt, 3, &[])).records(7, Kind::Txt), Some(vec![]));
        assert_eq!(Packet(&answer(7, Kind::Txt, 2, &[])).records(7, Kind::Txt), None);
    }

    #[test]
    fn broken_answers_break_nothing() {
        let whole = answer(7, Kind::Mx, 0, &[[&[0, 10, 4][..], b"mail", &[0xc0, 15]].concat()]);
        for length in 0..whole.len() {
            assert_eq!(Packet(&whole[..length]).records(7, Kind::Mx), None, "{length}");
        }
        let mut round = whole.clone();
        let last = round.len() - 1;
        round[last] = u8::try_from(last - 1).unwrap();
        assert_eq!(Packet(&round).records(7, Kind::Mx), None, "a name that leads back to itself");
        assert_eq!(Packet(&whole).records(8, Kind::Mx), None, "an answer to somebody else");
        assert!(question(1, "a..b", Kind::Mx).is_err() && question(1, &"x".repeat(64), Kind::Mx).is_err());
    }

    #[test]
    fn resolvers_are_found() {
        let file = "# comment\nnameserver 192.0.2.1\nnameserver ::1\nsearch example.org\n";
        assert_eq!(resolvers(file), ["192.0.2.1:53".parse().unwrap(), "[::1]:53".parse().unwrap()]);
    }
}
