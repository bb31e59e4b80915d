//! One message from a mail server's pipe, answered with an exit code of `sysexits.h`. It is stored in the database, or handed to a
//! service that runs: a mail server's account need not reach the database then.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::Duration;

use crate::mail::inbox::intake::{Intake, LARGEST, NotTaken, Way};
use crate::mail::inbox::lmtp::socket_path;

/// The message is no good.
const DATA_ERROR: u8 = 65;
/// There is nobody of that name.
const NO_USER: u8 = 67;
/// Not now: the mail server keeps the message and tries again.
pub const LATER: u8 = 75;

/// Reads a message; no more of it than is needed to see that it is too large.
pub fn read_message(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    from.take(LARGEST as u64 + 1).read_to_end(&mut raw)?;
    // Some pipes put a line of their own before the message.
    if raw.starts_with(b"From ") {
        let end = raw.iter().position(|byte| *byte == b'\n').map_or(raw.len(), |end| end + 1);
        raw.drain(..end);
    }
    Ok(raw)
}

/// Takes a message, and gives the exit code.
pub async fn deliver(intake: &Intake, sender: Option<&str>, recipient: &str, raw: &[u8]) -> ExitCode {
    let null_sender = sender.is_some_and(|sender| matches!(sender.trim(), "" | "<>" | "MAILER-DAEMON"));
    match intake.take(Way::Deliver, null_sender, recipient, raw).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(match error {
                NotTaken::NoRecipient(_) => NO_USER,
                NotTaken::TooLarge | NotTaken::Empty => DATA_ERROR,
                NotTaken::Store(_) => LATER,
            })
        }
    }
}

/// How long the service may take for each answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Hands a message to the service that takes mail by LMTP at this place, and gives the exit code. What goes wrong is tried again later
/// by the mail server.
pub fn hand_over(place: &str, sender: Option<&str>, recipient: &str, raw: &[u8]) -> io::Result<ExitCode> {
    if let Some(path) = socket_path(place) {
        let stream = UnixStream::connect(path)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        return talk(stream, sender, recipient, raw);
    }
    let stream = TcpStream::connect(place)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    talk(stream, sender, recipient, raw)
}

fn talk(stream: impl Read + Write, sender: Option<&str>, recipient: &str, raw: &[u8]) -> io::Result<ExitCode> {
    let sender = sender.unwrap_or_default().trim().trim_matches(['<', '>']);
    let sender = if sender == "MAILER-DAEMON" { "" } else { sender };
    if [sender, recipient].iter().any(|address| address.contains(['<', '>', ' ', '\r', '\n'])) {
        return Ok(ExitCode::from(NO_USER));
    }
    let mut stream = BufReader::new(stream);
    hear(&mut stream)?;
    let mut exchange = |command: &str| {
        stream.get_mut().write_all(command.as_bytes())?;
        hear(&mut stream)
    };
    for command in
        ["LHLO localhost\r\n".to_owned(), format!("MAIL FROM:<{sender}>\r\n"), format!("RCPT TO:<{recipient}>\r\n")]
    {
        let (code, words) = exchange(&command)?;
        if code != 250 {
            eprintln!("{words}");
            return Ok(exit_code(code));
        }
    }
    let (code, words) = exchange("DATA\r\n")?;
    if code != 354 {
        eprintln!("{words}");
        return Ok(exit_code(code));
    }
    let mut text = Vec::with_capacity(raw.len() + raw.len() / 32);
    for line in raw.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b".") {
            text.push(b'.');
        }
        text.extend_from_slice(line);
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(b".\r\n");
    stream.get_mut().write_all(&text)?;
    let (code, words) = hear(&mut stream)?;
    if code != 250 {
        eprintln!("{words}");
    }
    Ok(exit_code(code))
}

/// One answer, of one line or several: its code, and the words of its last line.
fn hear(stream: &mut impl BufRead) -> io::Result<(u16, String)> {
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (code, words) = line.split_at_checked(3).ok_or(io::ErrorKind::InvalidData)?;
        let code = code.parse().map_err(|_| io::ErrorKind::InvalidData)?;
        if !words.starts_with('-') {
            return Ok((code, words.trim().to_owned()));
        }
    }
}

fn exit_code(code: u16) -> ExitCode {
    match code {
        250 => ExitCode::SUCCESS,
        550 => ExitCode::from(NO_USER),
        552 | 554 => ExitCode::from(DATA_ERROR),
        _ => ExitCode::from(LATER),
    }
}
