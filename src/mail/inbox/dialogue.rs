//! The words of LMTP: commands, and messages with their dots stuffed.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

use crate::mail::inbox::reading::attachments::{Keeping, MOST_KEPT};

/// The longest command.
const LONGEST_COMMAND: usize = 2048;

/// What the other side asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Lhlo,
    /// Whether it names no sender, and how large it says the message is.
    Mail {
        null_sender: bool,
        size: Option<usize>,
    },
    Rcpt {
        recipient: String,
    },
    Data,
    Rset,
    Noop,
    Vrfy,
    Quit,
    /// It speaks another language.
    Smtp,
    /// A command that we know, and cannot read.
    Malformed,
    Unknown,
}

impl Command {
    pub fn parse(line: &str) -> Command {
        let line = line.trim_end();
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (verb.to_ascii_uppercase().as_str(), rest) {
            ("LHLO", "") => Command::Malformed,
            ("LHLO", _) => Command::Lhlo,
            ("HELO" | "EHLO", _) => Command::Smtp,
            ("MAIL", _) => read_path(rest, "FROM:").map_or(Command::Malformed, |(sender, parameters)| {
                let size = parameters.split_whitespace().filter_map(|word| word.split_once('='));
                let size =
                    size.filter(|(name, _)| name.eq_ignore_ascii_case("SIZE")).find_map(|(_, size)| size.parse().ok());
                Command::Mail { null_sender: sender.is_empty(), size }
            }),
            ("RCPT", _) => match read_path(rest, "TO:") {
                Some((recipient, _)) if !recipient.is_empty() => Command::Rcpt { recipient },
                _ => Command::Malformed,
            },
            ("DATA", "") => Command::Data,
            ("RSET", _) => Command::Rset,
            ("NOOP", _) => Command::Noop,
            ("VRFY" | "EXPN", _) => Command::Vrfy,
            ("QUIT", _) => Command::Quit,
            _ => Command::Unknown,
        }
    }
}

/// The address in `FROM:<alice@example.org> SIZE=1000`, and what follows.
fn read_path<'a>(text: &'a str, keyword: &str) -> Option<(String, &'a str)> {
    let (head, path) = (text.get(..keyword.len())?, text.get(keyword.len()..)?);
    if !head.eq_ignore_ascii_case(keyword) {
        return None;
    }
    let path = path.trim_start().strip_prefix('<')?;
    let (address, parameters) = path.split_once('>')?;
    // A route before the address is a thing of the past.
    let address = match address.split_once(':') {
        Some((route, address)) if route.starts_with('@') => address,
        _ => address,
    };
    Some((address.to_owned(), parameters))
}

/// Reads a command; `None` at the end. One that is too long is read to its end and is an error.
pub async fn read_command_line(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let buffer = stream.fill_buf().await?;
        if buffer.is_empty() {
            return Ok(None);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        too_long |= line.len() + length > LONGEST_COMMAND;
        if !too_long {
            line.extend_from_slice(&buffer[..length]);
        }
        stream.consume(length);
        if end.is_some() {
            break;
        }
    }
    if too_long {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "too long"));
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// A message that was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    Whole(Vec<u8>),
    /// It was read to its end and forgotten.
    TooLarge,
}

/// Reads a message up to the line that is a dot, and keeps what is not attached to it. Only a dot between two whole line ends counts,
/// so that nothing within a message can be taken for its end.
pub async fn read_text(stream: &mut (impl AsyncBufRead + Unpin), largest: usize) -> io::Result<Text> {
    let mut text = Keeping::default();
    let mut length_so_far = 0;
    let mut too_large = false;
    let mut line = Vec::new();
    let mut after_line_end = true;
    loop {
        let buffer = stream.fill_buf().await?;
        if buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        line.extend_from_slice(&buffer[..length]);
        stream.consume(length);
        // Of a line that does not fit only its beginning and end matter: whether it is a dot, and whether it ends whole.
        if line.len() > largest.clamp(8, MOST_KEPT) {
            too_large = true;
            let end = [line[line.len() - 2], line[line.len() - 1]];
            line.truncate(3);
            line.extend(end);
        }
        if end.is_none() {
            continue;
        }
        if after_line_end && line == b".\r\n" {
            let whole = text.finish().filter(|_| !too_large);
            return Ok(whole.map_or(Text::TooLarge, Text::Whole));
        }
        let stuffed = after_line_end && line.first() == Some(&b'.');
        let content = if stuffed { &line[1..] } else { &line[..] };
        length_so_far += content.len();
        too_large |= length_so_far > largest;
        if !too_large {
            text.take(content);
        }
        after_line_end = line.ends_with(b"\r\n");
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        assert_eq!(Command::parse("lhlo mx.example.org\r\n"), Command::Lhlo);
        assert_eq!(Command::parse("MAIL FROM:<>"), Command::Mail { null_sender: true, size: None });
        assert_eq!(
            Command::parse("mail from: <alice@example.org> BODY=8BITMIME SIZE=1234"),
            Command::Mail { null_sender: false, size: Some(1234) }
        );
        assert_eq!(
            Command::parse("RCPT TO:<m-a@in.example.org>"),
            Command::Rcpt { recipient: "m-a@in.example.org".into() }
        );
        assert_eq!(
            Command::parse("RCPT TO:<@relay:m-a@in.example.org>"),
            Command::Rcpt { recipient: "m-a@in.example.org".into() }
        );
        for line in ["MAIL", "MAIL FROM:alice", "RCPT TO:<>", "RCPT TO:", "RCPT é", "LHLO"] {
            assert_eq!(Command::parse(line), Command::Malformed, "{line}");
        }
        assert_eq!(Command::parse("EHLO x"), Command::Smtp);
        assert_eq!(Command::parse(""), Command::Unknown);
    }

    async fn text(wire: &[u8], largest: usize) -> io::Result<Text> {
        read_text(&mut tokio::io::BufReader::with_capacity(3, wire), largest).await
    }

    #[tokio::test]
    async fn dots_are_taken_out_and_only_a_whole_line_of_one_ends_a_message() {
        assert_eq!(
            text(b"a\r\n..b\r\n.c\r\n.\r\nQUIT\r\n", 100).await.unwrap(),
            Text::Whole(b"a\r\n.b\r\nc\r\n".to_vec())
        );
        assert_eq!(text(b".\r\n", 100).await.unwrap(), Text::Whole(Vec::new()));
        assert_eq!(
            text(b"a\n.\r\nb\r\n.\nc\r\n.\r\n", 100).await.unwrap(),
            Text::Whole(b"a\n.\r\nb\r\n\nc\r\n".to_vec())
        );
        assert_eq!(text(b"a\r\n", 100).await.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[tokio::test]
    async fn a_message_that_is_too_large_is_read_to_its_end() {
        for begin in ["x", ".", ".\r", "..", ".\r\r"] {
            for length in 15..60 {
                let long = [begin.as_bytes().to_vec(), b"x".repeat(length), b"\r\n.\r\n".to_vec()].concat();
                let expected = if begin.len() + length + 2 > 40 { Text::TooLarge } else { continue };
                assert_eq!(text(&long, 38).await.unwrap(), expected, "{begin:?} {length}");
            }
        }
        assert_eq!(
            text(&b"0123456789\r\n".repeat(3).into_iter().chain(*b".\r\n").collect::<Vec<_>>(), 20).await.unwrap(),
            Text::TooLarge
        );
        assert_eq!(text(b"0123456789\r\n.\r\n", 12).await.unwrap(), Text::Whole(b"0123456789\r\n".to_vec()));
    }

    #[tokio::test]
    async fn a_command_that_is_too_long_is_read_to_its_end() {
        let wire = [b"NOOP ".to_vec(), b"x".repeat(5000), b"\r\nQUIT\r\n".to_vec()].concat();
        let mut stream = tokio::io::BufReader::new(wire.as_slice());
        assert_eq!(read_command_line(&mut stream).await.unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(read_command_line(&mut stream).await.unwrap().as_deref(), Some("QUIT\r\n"));
        assert_eq!(read_command_line(&mut stream).await.unwrap(), None);
    }
}
