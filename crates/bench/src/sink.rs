//! A mail server that takes everything, in this process.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::OwnedReadHalf;
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone)]
pub struct Sink {
    pub url: String,
    taken: Arc<AtomicUsize>,
    /// The last letter, as it came.
    last: Arc<Mutex<Vec<u8>>>,
}

impl Sink {
    pub async fn start() -> std::io::Result<Sink> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("smtp://{}", listener.local_addr()?);
        let sink = Sink { url, taken: Arc::default(), last: Arc::default() };
        let server = sink.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let sink = server.clone();
                tokio::spawn(async move { drop(sink.talk(stream).await) });
            }
        });
        Ok(sink)
    }

    /// How many letters it has taken.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    pub fn last(&self) -> Vec<u8> {
        self.last.lock().map(|last| last.clone()).unwrap_or_default()
    }

    async fn talk(&self, stream: TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader);
        acknowledge(reader.get_ref().as_ref())?;
        let mut line = Vec::new();
        writer.write_all(b"220 sink\r\n").await?;
        loop {
            if next_line(&mut reader, &mut line).await? == 0 {
                return Ok(());
            }
            let answer: &[u8] = match line.get(..4).unwrap_or_default() {
                b"EHLO" => b"250-sink\r\n250 8BITMIME\r\n",
                b"QUIT" => return writer.write_all(b"221 bye\r\n").await,
                b"DATA" => {
                    writer.write_all(b"354 tell\r\n").await?;
                    let mut letter = Vec::new();
                    while next_line(&mut reader, &mut line).await? > 0 && line != b".\r\n" {
                        letter.extend_from_slice(&line);
                    }
                    if let Ok(mut last) = self.last.lock() {
                        *last = letter;
                    }
                    self.taken.fetch_add(1, Ordering::Relaxed);
                    b"250 taken\r\n"
                }
                _ => b"250 well\r\n",
            };
            writer.write_all(answer).await?;
        }
    }
}

/// Reads a line; gives how many bytes it has.
async fn next_line(reader: &mut BufReader<OwnedReadHalf>, line: &mut Vec<u8>) -> std::io::Result<usize> {
    line.clear();
    if reader.buffer().is_empty() {
        acknowledge(reader.get_ref().as_ref())?;
    }
    reader.read_until(b'\n', line).await
}

/// Lets the system acknowledge at once what has come. Else it waits 40 ms for something to send along, while the system of the other
/// side holds the end of a letter back until the rest is acknowledged. It has to be told again and again.
#[cfg(target_os = "linux")]
fn acknowledge(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_quickack(true)
}

#[cfg(not(target_os = "linux"))]
fn acknowledge(_: &TcpStream) -> std::io::Result<()> {
    Ok(())
}
