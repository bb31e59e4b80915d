//! LMTP (RFC 2033): a mail server in front of us hands in messages, and hears of each reader of each message what became of it.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, BufWriter};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use crate::mail::inbox::dialogue::{Command, Text, read_command_line, read_text};
use crate::mail::inbox::intake::{Intake, LARGEST, NotTaken, Way};
use crate::mail::reply_address::NoRecipient;

/// The most connections of mail servers at a time.
const MOST_CONNECTIONS: usize = 64;

/// The most recipients that one message may have here.
const MOST_RECIPIENTS: usize = 100;

/// How long the other side may take to send a command or a message.
const PATIENCE: Duration = Duration::from_secs(300);

/// How many errors a connection may make before it is closed.
const MOST_MISTAKES: u32 = 20;

/// Where messages are handed in.
pub enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

/// The path in a place that is a Unix socket, and not an address such as `localhost:2424`.
pub fn socket_path(place: &str) -> Option<&str> {
    place.strip_prefix("unix:").or(place.starts_with('/').then_some(place))
}

impl Listener {
    /// Listens on an address such as `localhost:2424`, or on a socket at a path.
    pub fn bind(place: &str) -> io::Result<Listener> {
        match socket_path(place) {
            Some(path) => {
                let path = PathBuf::from(path);
                // What a program left that ended; one that runs would answer.
                if path.exists() && std::os::unix::net::UnixStream::connect(&path).is_err() {
                    std::fs::remove_file(&path)?;
                }
                let listener = UnixListener::bind(&path)?;
                // Mail servers run under accounts of their own. Whoever gets here can hand in letters and nothing else, and those
                // have to prove themselves.
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666))?;
                Ok(Listener::Unix(listener, path))
            }
            None => {
                let listener = std::net::TcpListener::bind(place)?;
                listener.set_nonblocking(true)?;
                Ok(Listener::Tcp(TcpListener::from_std(listener)?))
            }
        }
    }

    /// Takes messages until it is stopped.
    pub async fn serve(self, intake: Intake, mut stopped: watch::Receiver<bool>) {
        let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        while !*stopped.borrow() {
            let Ok(place) = room.clone().acquire_owned().await else { return };
            let accepted = tokio::select! {
                accepted = self.accept() => accepted,
                changed = stopped.changed() => match changed {
                    Ok(()) => continue,
                    Err(_) => return,
                },
            };
            match accepted {
                Ok(stream) => {
                    let (intake, stopped) = (intake.clone(), stopped.clone());
                    tokio::spawn(async move {
                        if let Err(error) = Session::new(stream, intake).talk(stopped).await {
                            tracing::debug!(%error, "a mail server broke off");
                        }
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a mail server cannot be talked to");
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
        }
    }

    async fn accept(&self) -> io::Result<Box<dyn Stream>> {
        Ok(match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                Box::new(stream)
            }
            Listener::Unix(listener, _) => Box::new(listener.accept().await?.0),
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Listener::Unix(_, path) = self {
            let _ = std::fs::remove_file(path);
        }
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin> Stream for S {}

/// A message that is being handed in.
struct Envelope {
    null_sender: bool,
    recipients: Vec<String>,
}

struct Session {
    stream: BufReader<BufWriter<Box<dyn Stream>>>,
    intake: Intake,
    greeted: bool,
    envelope: Option<Envelope>,
    mistakes: u32,
}

impl Session {
    fn new(stream: Box<dyn Stream>, intake: Intake) -> Session {
        let stream = BufReader::new(BufWriter::new(stream));
        Session { stream, intake, greeted: false, envelope: None, mistakes: 0 }
    }

    async fn talk(mut self, mut stopped: watch::Receiver<bool>) -> io::Result<()> {
        let domain = self.intake.addresses.domain.clone();
        self.say(&format!("220 {domain} LMTP Wonderpost")).await?;
        while self.mistakes < MOST_MISTAKES {
            // Answers are gathered as long as there is more to read: the other side need not wait for each.
            if self.stream.buffer().is_empty() {
                self.stream.flush().await?;
            }
            let line = tokio::select! {
                line = timeout(PATIENCE, read_command_line(&mut self.stream)) => line,
                () = closing(&mut stopped) => return self.part("421 4.3.2 the house is closing").await,
            };
            let line = match line {
                Ok(Ok(Some(line))) => line,
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    self.mistake("500 5.5.2 that line is too long").await?;
                    continue;
                }
                Ok(Err(error)) => return Err(error),
                Err(_) => return self.part("421 4.4.2 you took too long").await,
            };
            match Command::parse(&line) {
                Command::Lhlo => {
                    self.greeted = true;
                    self.envelope = None;
                    self.say(&format!(
                        "250-{domain}\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-ENHANCEDSTATUSCODES\r\n250 SIZE {LARGEST}"
                    ))
                    .await?;
                }
                Command::Mail { null_sender, size } => self.mail(null_sender, size).await?,
                Command::Rcpt { recipient } => self.rcpt(recipient).await?,
                Command::Data => self.data().await?,
                Command::Rset => {
                    self.envelope = None;
                    self.say("250 2.0.0 forgotten").await?;
                }
                Command::Noop => self.say("250 2.0.0 very well").await?,
                Command::Vrfy => self.say("252 2.5.0 send it and see").await?,
                Command::Quit => return self.part("221 2.0.0 goodbye").await,
                Command::Smtp => self.mistake("500 5.5.1 we speak LMTP here: say LHLO").await?,
                Command::Malformed => self.mistake("501 5.5.4 that cannot be read").await?,
                Command::Unknown => self.mistake("500 5.5.1 there is no such command").await?,
            }
        }
        self.part("421 4.7.0 too many mistakes").await
    }

    async fn say(&mut self, answer: &str) -> io::Result<()> {
        self.stream.write_all(answer.as_bytes()).await?;
        self.stream.write_all(b"\r\n").await
    }

    async fn mistake(&mut self, answer: &str) -> io::Result<()> {
        self.mistakes += 1;
        self.say(answer).await
    }

    async fn part(&mut self, answer: &str) -> io::Result<()> {
        self.say(answer).await?;
        self.stream.flush().await
    }

    async fn mail(&mut self, null_sender: bool, size: Option<usize>) -> io::Result<()> {
        match () {
            () if !self.greeted => self.mistake("503 5.5.1 say LHLO first").await,
            () if self.envelope.is_some() => self.mistake("503 5.5.1 one message at a time").await,
            () if size.is_some_and(|size| size > LARGEST) => self.say("552 5.3.4 that is too large").await,
            () => {
                self.envelope = Some(Envelope { null_sender, recipients: Vec::new() });
                self.say("250 2.1.0 go on").await
            }
        }
    }

    async fn rcpt(&mut self, recipient: String) -> io::Result<()> {
        let Some(envelope) = &self.envelope else { return self.mistake("503 5.5.1 say MAIL first").await };
        if envelope.recipients.len() == MOST_RECIPIENTS {
            return self.say("452 4.5.3 too many readers").await;
        }
        match self.intake.check(&recipient).await {
            Ok(()) => {
                if let Some(envelope) = &mut self.envelope {
                    envelope.recipients.push(recipient);
                }
                self.say("250 2.1.5 go on").await
            }
            Err(error) => self.say(&verdict(&error)).await,
        }
    }

    async fn data(&mut self) -> io::Result<()> {
        let Some(envelope) = self.envelope.take().filter(|envelope| !envelope.recipients.is_empty()) else {
            return self.mistake("503 5.5.1 for whom?").await;
        };
        self.say("354 tell, and end with a dot").await?;
        self.stream.flush().await?;
        let Ok(text) = timeout(PATIENCE, read_text(&mut self.stream, LARGEST)).await else {
            return self.part("421 4.4.2 you took too long").await;
        };
        let text = text?;
        for recipient in &envelope.recipients {
            let answer = match &text {
                Text::Whole(raw) => {
                    let taken = self.intake.take(Way::Lmtp, envelope.null_sender, recipient, raw).await;
                    taken.map_or_else(|error| verdict(&error), |()| "250 2.0.0 taken".to_owned())
                }
                Text::TooLarge => verdict(&NotTaken::TooLarge),
            };
            self.say(&answer).await?;
        }
        Ok(())
    }
}

/// Waits until the house closes.
async fn closing(stopped: &mut watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// What is said of a message that is not taken. Trouble of our own is passing: the other side keeps the message and tries again.
fn verdict(error: &NotTaken) -> String {
    let code = match error {
        NotTaken::NoRecipient(NoRecipient::CrossOrigin) => "550 5.7.1",
        NotTaken::NoRecipient(NoRecipient::Unknown | NoRecipient::Expired) => "550 5.1.1",
        NotTaken::TooLarge => "552 5.3.4",
        NotTaken::Empty => "554 5.6.0",
        NotTaken::Store(error) => {
            tracing::warn!(%error, "a message could not be kept");
            return "451 4.3.0 the database is unavailable".to_owned();
        }
    };
    format!("{code} {error}")
}
