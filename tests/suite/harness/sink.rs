//! A mail server that takes letters, or not, as a test tells it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What becomes of the next letter.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    Taken,
    /// “Not now” after the letter was read.
    Later,
    /// “Never” when its reader is named.
    Never,
    /// The connection breaks in the middle of the letter.
    Dropped,
}

/// A letter as it came over the wire.
#[derive(Clone, Debug)]
pub struct Received {
    /// The sender on the envelope.
    pub from: String,
    pub to: String,
    pub data: String,
}

#[derive(Clone)]
pub struct Sink {
    pub url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    fates: VecDeque<Fate>,
    received: Vec<Received>,
}

impl Sink {
    /// Letters meet these fates one after the other, then all are taken.
    pub async fn start(fates: impl IntoIterator<Item = Fate>) -> Sink {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let state = Arc::new(Mutex::new(State { fates: fates.into_iter().collect(), received: Vec::new() }));
        let sink = Sink { url, state };
        let server = sink.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let sink = server.clone();
                tokio::spawn(async move { drop(sink.talk(stream).await) });
            }
        });
        sink
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().received.clone()
    }

    async fn talk(&self, stream: TcpStream) -> std::io::Result<()> {
        let (reader, mut writer) = stream.into_split();
        let mut lines = BufReader::new(reader).lines();
        writer.write_all(b"220 sink\r\n").await?;
        let (mut from, mut to, mut fate) = (String::new(), String::new(), Fate::Taken);
        while let Some(line) = lines.next_line().await? {
            let verb = line.get(..4).unwrap_or(&line).to_ascii_uppercase();
            let answer = match verb.as_str() {
                "EHLO" | "HELO" => "250-sink\r\n250 8BITMIME\r\n",
                "MAIL" => {
                    from = path_in(&line);
                    fate = self.state.lock().unwrap().fates.pop_front().unwrap_or(Fate::Taken);
                    "250 go on\r\n"
                }
                "RCPT" => {
                    to = path_in(&line);
                    if matches!(fate, Fate::Never) { "550 nobody of that name\r\n" } else { "250 go on\r\n" }
                }
                "DATA" => {
                    writer.write_all(b"354 tell\r\n").await?;
                    if matches!(fate, Fate::Dropped) {
                        return Ok(());
                    }
                    let mut data = String::new();
                    while let Some(line) = lines.next_line().await? {
                        if line == "." {
                            break;
                        }
                        data += &line;
                        data.push('\n');
                    }
                    if matches!(fate, Fate::Later) {
                        "451 not now\r\n"
                    } else {
                        self.state.lock().unwrap().received.push(Received { from: from.clone(), to: to.clone(), data });
                        "250 taken\r\n"
                    }
                }
                "QUIT" => {
                    writer.write_all(b"221 bye\r\n").await?;
                    return Ok(());
                }
                _ => "250 well\r\n",
            };
            writer.write_all(answer.as_bytes()).await?;
        }
        Ok(())
    }
}

/// The address in `MAIL FROM:<alice@example.org> BODY=8BITMIME`.
fn path_in(line: &str) -> String {
    let path = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    path.map(|(path, _)| path.to_owned()).unwrap_or_default()
}
