//! Asking a running service whether it is well: for container engines, which have no other way to ask.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(3);

/// Whether the service that listens here answers.
pub fn is_well(listen: &str) -> bool {
    // A service that listens everywhere listens here, too.
    let listen = listen.replace("0.0.0.0:", "127.0.0.1:").replace("[::]:", "[::1]:");
    let Ok(addresses) = listen.to_socket_addrs() else { return false };
    addresses.into_iter().any(|address| ask(&address).is_ok_and(|well| well))
}

fn ask(address: &std::net::SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut start = [0; 12];
    stream.read_exact(&mut start)?;
    Ok(start.ends_with(b" 200"))
}
