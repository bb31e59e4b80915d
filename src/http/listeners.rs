//! The sockets on which the service listens, and how they are closed without turning anybody away who has got through.

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::time::Duration;

/// How long connections that are being made may take to come in after no more are begun.
const LAST_COMERS: Duration = Duration::from_millis(100);

/// Everything that a name such as “localhost” stands for.
pub struct Listeners(Vec<TcpListener>);

impl Listeners {
    pub fn bind(listen: &str) -> std::io::Result<Listeners> {
        let mut listeners = Vec::new();
        let mut trouble = None;
        let mut port = None;
        for mut address in listen.to_socket_addrs()? {
            // With port 0 the system chooses one, and it is to be the same for all.
            if let (0, Some(port)) = (address.port(), port) {
                address.set_port(port);
            }
            match bind(address) {
                Ok(listener) => {
                    port = listener.local_addr().ok().map(|address| address.port());
                    listeners.push(listener);
                }
                Err(error) => trouble = Some(error),
            }
        }
        match trouble {
            Some(error) if listeners.is_empty() => Err(error),
            _ => Ok(Listeners(listeners)),
        }
    }

    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.0.iter().filter_map(|listener| listener.local_addr().ok()).collect()
    }

    /// The same sockets, for the server to accept on.
    pub fn for_server(&self) -> std::io::Result<Vec<TcpListener>> {
        self.0.iter().map(TcpListener::try_clone).collect()
    }

    /// Lets no further connection begin, and gives those that have begun the time to be accepted. Closing a socket resets whoever the
    /// system has let in and the server has not taken over yet; a proxy cannot tell then whether a move was made, and would not ask
    /// another service. Whoever comes later tries again a second later, finds the port closed, and goes elsewhere.
    pub async fn let_in_the_last(self) {
        for listener in &self.0 {
            if let Err(error) = drop_new_connections(listener) {
                tracing::warn!(%error, "new connections cannot be held off");
            }
        }
        tokio::time::sleep(LAST_COMERS).await;
    }
}

fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Has the system's packet filter drop the first segment of each new connection.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn drop_new_connections(listener: &TcpListener) -> std::io::Result<()> {
    use socket2::SockFilter;
    // The filter sees TCP segments from their header on: those with SYN and without ACK are dropped.
    let program = [
        // Load byte 13, the flags; keep SYN and ACK of them.
        SockFilter::new(0x30, 0, 0, 13),
        SockFilter::new(0x54, 0, 0, 0x12),
        // SYN alone: the next instruction, which drops; else the one after it, which takes all of the segment.
        SockFilter::new(0x15, 0, 1, 0x02),
        SockFilter::new(0x06, 0, 0, 0),
        SockFilter::new(0x06, 0, 0, u32::MAX),
    ];
    socket2::SockRef::from(listener).attach_filter(&program)
}

/// Other systems have no such filter.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn drop_new_connections(_: &TcpListener) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    #[tokio::test]
    async fn whoever_has_got_through_is_served_and_nobody_gets_through_later() {
        let listeners = Listeners::bind("127.0.0.1:0").unwrap();
        let address = listeners.addresses()[0];
        let server = listeners.for_server().unwrap().remove(0);
        let mut early = TcpStream::connect(address).unwrap();
        listeners.let_in_the_last().await;
        let late = TcpStream::connect_timeout(&address, Duration::from_millis(200));
        assert!(late.is_err(), "a connection was begun");
        let (mut accepted, _) = server.accept().unwrap();
        drop(server);
        early.write_all(b"move").unwrap();
        let mut heard = [0; 4];
        accepted.set_nonblocking(false).unwrap();
        accepted.read_exact(&mut heard).unwrap();
        assert_eq!(&heard, b"move");
        let refused = TcpStream::connect_timeout(&address, Duration::from_millis(200)).unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    }
}
