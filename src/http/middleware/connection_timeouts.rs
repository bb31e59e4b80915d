//! Time limits of connections. The server itself limits only the head of a connection's first request and the pause between requests;
//! here each connection has a deadline for whatever its client is to do next: send the head of a request, or take an answer.

use std::any::Any;
use std::convert::Infallible;
use std::net::{Shutdown, TcpStream as Socket};
use std::os::fd::AsFd;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Extensions, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::rt::net::TcpStream;
use actix_web::web::Bytes;
use rustix::process::{Resource, getrlimit};

use crate::app::settings::Timeouts;

/// How often deadlines are looked at.
const SWEEP: Duration = Duration::from_secs(1);

/// The most connections of one worker, however many files may be open.
const MOST_PER_WORKER: usize = 10_000;

/// Files for other things than connections: the database, letters, the log.
const OTHER_FILES: u64 = 256;

/// No deadline: it is our turn, or the answer has no end.
const NEVER: u64 = u64::MAX;

/// All open connections of the service.
pub struct Connections {
    open: Mutex<Vec<Weak<Connection>>>,
    timeouts: Timeouts,
    epoch: Instant,
}

/// A connection, and until when its client has to do something.
struct Connection {
    /// A second handle, to end it from outside.
    socket: Socket,
    /// In milliseconds since the epoch of all connections.
    deadline: AtomicU64,
    all: Arc<Connections>,
}

impl Connections {
    pub fn new(timeouts: Timeouts) -> Arc<Connections> {
        Arc::new(Connections { open: Mutex::default(), timeouts, epoch: Instant::now() })
    }

    /// Watches over a connection as long as it is open. What it is known by is among its data.
    pub fn connected(self: &Arc<Connections>, io: &dyn Any, data: &mut Extensions) {
        let Some(stream) = io.downcast_ref::<TcpStream>() else { return };
        // Whoever acknowledges nothing for so long is gone.
        #[cfg(target_os = "linux")]
        let _ = socket2::SockRef::from(stream).set_tcp_user_timeout(Some(self.timeouts.answer));
        let Ok(socket) = stream.as_fd().try_clone_to_owned() else { return };
        let connection = Arc::new(Connection {
            socket: Socket::from(socket),
            deadline: AtomicU64::new(self.after(self.timeouts.head)),
            all: self.clone(),
        });
        self.lock().push(Arc::downgrade(&connection));
        data.insert(connection);
    }

    /// Ends connections whose deadline is over, for ever.
    pub async fn sweep(&self) -> Infallible {
        loop {
            tokio::time::sleep(SWEEP).await;
            let now = self.after(Duration::ZERO);
            self.lock().retain(|connection| {
                let Some(connection) = connection.upgrade() else { return false };
                let in_time = connection.deadline.load(Relaxed) > now;
                if !in_time {
                    tracing::debug!("a connection has timed out");
                    let _ = connection.socket.shutdown(Shutdown::Both);
                }
                in_time
            });
        }
    }

    fn after(&self, time: Duration) -> u64 {
        u64::try_from((self.epoch.elapsed() + time).as_millis()).unwrap_or(NEVER)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Weak<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many connections a worker may have, so that files are left for other things. Each has two.
pub fn most_per_worker(workers: usize) -> usize {
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let most = usize::try_from(files.saturating_sub(OTHER_FILES) / 2).unwrap_or(usize::MAX) / workers;
    most.clamp(16, MOST_PER_WORKER)
}

impl Connection {
    fn set_deadline(&self, time: Option<Duration>) {
        self.deadline.store(time.map_or(NEVER, |time| self.all.after(time)), Relaxed);
    }

    /// The next request may come, after a pause.
    fn wait_for_request(&self) {
        let timeouts = &self.all.timeouts;
        self.set_deadline(Some(timeouts.keep_alive + timeouts.head));
    }
}

/// Middleware around all others: no deadline while we work, one for taking the answer, and then one for the next request.
pub async fn track(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let connection = request.conn_data::<Arc<Connection>>().cloned();
    if let Some(connection) = &connection {
        connection.set_deadline(None);
    }
    let answer = next.call(request).await.inspect_err(|_| {
        if let Some(connection) = &connection {
            connection.wait_for_request();
        }
    })?;
    if let Some(connection) = &connection
        && !crate::http::middleware::http10::is_endless(answer.headers())
    {
        connection.set_deadline(Some(connection.all.timeouts.answer));
    }
    Ok(answer.map_body(|_, body| Tracked { body: body.boxed(), connection }))
}

/// A body that tells its connection when it was sent, or given up.
struct Tracked {
    body: BoxBody,
    connection: Option<Arc<Connection>>,
}

impl MessageBody for Tracked {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(cx)
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            connection.wait_for_request();
        }
    }
}
