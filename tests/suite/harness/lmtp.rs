//! A mail server that hands in mail by LMTP, as Postfix does: it sends commands without waiting, and hears of each reader.

use std::path::Path;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpStream, UnixStream};

/// What the house said to something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub code: u16,
    pub words: String,
}

pub struct Lmtp<S> {
    stream: BufReader<S>,
}

impl Lmtp<UnixStream> {
    /// Connects to a socket, once it is there.
    pub async fn at(path: &Path) -> Lmtp<UnixStream> {
        for _ in 0..200 {
            if let Ok(stream) = UnixStream::connect(path).await {
                return Lmtp::greet(stream).await;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("nobody listens at {}", path.display());
    }
}

impl Lmtp<TcpStream> {
    pub async fn over_tcp(address: &str) -> Lmtp<TcpStream> {
        for _ in 0..200 {
            if let Ok(stream) = TcpStream::connect(address).await {
                return Lmtp::greet(stream).await;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("nobody listens at {address}");
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Lmtp<S> {
    async fn greet(stream: S) -> Lmtp<S> {
        let mut client = Lmtp { stream: BufReader::new(stream) };
        assert_eq!(client.hear().await.code, 220);
        assert_eq!(client.ask("LHLO mx.example.org").await.code, 250);
        client
    }

    /// One answer, of one line or several.
    pub async fn hear(&mut self) -> Verdict {
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await.expect("an answer");
            assert!(line.len() > 4, "the house hung up: {line:?}");
            if line.as_bytes()[3] == b' ' {
                let words = line[4..].trim_end().to_owned();
                return Verdict { code: line[..3].parse().expect("a code"), words };
            }
        }
    }

    pub async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.expect("it listens");
        self.stream.flush().await.expect("it listens");
    }

    pub async fn ask(&mut self, command: &str) -> Verdict {
        self.send(format!("{command}\r\n").as_bytes()).await;
        self.hear().await
    }

    /// Hands in a message for some readers; what became of it for each, whether when they were named or in the end.
    pub async fn hand_in(&mut self, sender: &str, recipients: &[&str], message: &str) -> Vec<Verdict> {
        let mut commands = format!("MAIL FROM:<{sender}> BODY=8BITMIME\r\n");
        for recipient in recipients {
            commands += &format!("RCPT TO:<{recipient}>\r\n");
        }
        commands += "DATA\r\n";
        self.send(commands.as_bytes()).await;
        assert_eq!(self.hear().await.code, 250);
        let mut verdicts = Vec::new();
        for _ in recipients {
            verdicts.push(self.hear().await);
        }
        let ready = self.hear().await;
        if verdicts.iter().all(|verdict| verdict.code != 250) {
            assert_eq!(ready.code, 503);
            return verdicts;
        }
        assert_eq!(ready.code, 354);
        let mut text = String::new();
        for line in message.lines() {
            let dot = if line.starts_with('.') { "." } else { "" };
            text += &format!("{dot}{line}\r\n");
        }
        self.send(format!("{text}.\r\n").as_bytes()).await;
        for verdict in verdicts.iter_mut().filter(|verdict| verdict.code == 250) {
            *verdict = self.hear().await;
        }
        verdicts
    }
}
