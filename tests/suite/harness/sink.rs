//! A mail server that takes letters, or not, as a test tells it.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Where mail servers run: they answer while a test waits for a house to stop, which says goodbye to them.
static ASIDE: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a thread"));

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
    /// The letter is taken, but nobody is told.
    Silent,
}

/// A letter as it came over the wire.
#[derive(Clone, Debug)]
pub struct Received {
    /// The sender on the envelope.
    pub from: String,
    pub to: String,
    pub data: String,
}

impl Received {
    /// The value of a header, in one line; empty if there is none.
    pub fn header(&self, name: &str) -> String {
        let mut value = String::new();
        let mut found = false;
        for line in self.data.lines().take_while(|line| !line.is_empty()) {
            match line.split_once(':') {
                _ if line.starts_with([' ', '\t']) => {
                    if found {
                        value.push(' ');
                        value += line.trim();
                    }
                }
                Some((there, rest)) => {
                    found = there.eq_ignore_ascii_case(name);
                    if found {
                        rest.trim().clone_into(&mut value);
                    }
                }
                None => found = false,
            }
        }
        value
    }
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
    answering: Option<JoinHandle<()>>,
}

async fn listen(address: String) -> TcpListener {
    ASIDE.spawn(TcpListener::bind(address)).await.expect("it is tried").expect("a port")
}

impl Sink {
    /// Letters meet these fates one after the other, then all are taken.
    pub async fn start(fates: impl IntoIterator<Item = Fate>) -> Sink {
        let listener = listen("127.0.0.1:0".to_owned()).await;
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let state = Arc::new(Mutex::new(State { fates: fates.into_iter().collect(), ..State::default() }));
        let sink = Sink { url, state };
        sink.answer(listener);
        sink
    }

    fn answer(&self, listener: TcpListener) {
        let server = self.clone();
        let task = ASIDE.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let sink = server.clone();
                tokio::spawn(async move { drop(sink.talk(stream).await) });
            }
        });
        self.state.lock().unwrap().answering = Some(task);
    }

    /// The letter that came after so many others.
    pub fn nth(&self, place: usize) -> Option<Received> {
        self.state.lock().unwrap().received.get(place).cloned()
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().received.clone()
    }

    /// Lets nobody in any more.
    pub async fn close(&self) {
        let task = self.state.lock().unwrap().answering.take();
        if let Some(task) = task {
            task.abort();
            let _ = task.await;
        }
    }

    /// Lets people in again, at the same address.
    pub async fn open(&self) {
        self.answer(listen(self.url.trim_start_matches("smtp://").to_owned()).await);
    }

    async fn talk(&self, stream: TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
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
                        // A dot at the beginning of a line was doubled on its way.
                        data += line.strip_prefix('.').unwrap_or(&line);
                        data.push('\n');
                    }
                    if matches!(fate, Fate::Later) {
                        "451 not now\r\n"
                    } else {
                        self.state.lock().unwrap().received.push(Received { from: from.clone(), to: to.clone(), data });
                        if matches!(fate, Fate::Silent) {
                            std::future::pending::<()>().await;
                        }
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
