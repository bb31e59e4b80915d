//! A way to a database server that can lead elsewhere, or swallow what is sent over it.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use wonderpost::db::cluster::{DATABASE, ROLE};

/// How often a connection looks whether it is to end, or may go on.
const LOOK: Duration = Duration::from_millis(20);

/// Takes connections on a port of its own and carries them to the socket of a server.
#[derive(Clone)]
pub struct Forwarder {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    target: Mutex<Option<PathBuf>>,
    /// Connections of earlier generations end.
    generation: AtomicU64,
    swallows: AtomicBool,
}

impl Forwarder {
    pub fn start(target: PathBuf) -> std::io::Result<Forwarder> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            target: Mutex::new(Some(target)),
            generation: AtomicU64::new(0),
            swallows: AtomicBool::new(false),
        });
        let forwarder = Forwarder { address, state: state.clone() };
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let state = state.clone();
                thread::spawn(move || state.carry(client));
            }
        });
        Ok(forwarder)
    }

    /// Leads to another server, or nowhere; open connections break.
    pub fn lead_to(&self, target: Option<PathBuf>) {
        *self.state.target.lock().unwrap_or_else(PoisonError::into_inner) = target;
        self.state.generation.fetch_add(1, SeqCst);
    }

    /// Says nothing any more, and hears nothing: as if the cable were cut. Or goes on where it was.
    pub fn swallow(&self, swallows: bool) {
        self.state.swallows.store(swallows, SeqCst);
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How services connect by it.
    pub fn url(&self) -> String {
        format!("postgres://{ROLE}@{}/{DATABASE}?sslmode=disable", self.address)
    }
}

impl State {
    fn carry(self: Arc<State>, client: TcpStream) {
        let generation = self.generation.load(SeqCst);
        self.wait_while_swallowing(generation);
        let target = self.target.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(Ok(server)) = target.map(UnixStream::connect) else { return };
        let _ = client.set_nodelay(true);
        let (Ok(client_too), Ok(server_too)) = (client.try_clone(), server.try_clone()) else { return };
        let state = self.clone();
        let back = thread::spawn(move || {
            let _ = server_too.set_read_timeout(Some(LOOK));
            state.copy(generation, &server_too, &client_too);
            let _ = client_too.shutdown(Shutdown::Both);
        });
        let _ = client.set_read_timeout(Some(LOOK));
        self.copy(generation, &client, &server);
        let _ = server.shutdown(Shutdown::Both);
        let _ = back.join();
    }

    fn wait_while_swallowing(&self, generation: u64) {
        while self.swallows.load(SeqCst) && self.generation.load(SeqCst) == generation {
            thread::sleep(LOOK);
        }
    }

    fn copy(&self, generation: u64, mut from: impl Read, mut to: impl Write) {
        let mut bytes = vec![0; 64 * 1024];
        while self.generation.load(SeqCst) == generation {
            match from.read(&mut bytes) {
                Ok(0) => return,
                Ok(length) => {
                    self.wait_while_swallowing(generation);
                    if to.write_all(&bytes[..length]).is_err() {
                        return;
                    }
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return,
            }
        }
    }
}
