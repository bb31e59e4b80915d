//! A port behind which one service takes the place of another, as behind a load balancer.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub struct Forwarder {
    pub url: String,
    target: Arc<Mutex<SocketAddr>>,
    task: JoinHandle<()>,
}

fn address(url: &str) -> SocketAddr {
    url.trim_start_matches("http://").parse().expect("an address")
}

impl Forwarder {
    /// Hands connections on to a service.
    pub async fn start(url: &str) -> Forwarder {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let own = format!("http://{}", listener.local_addr().expect("an address"));
        let target = Arc::new(Mutex::new(address(url)));
        let current = target.clone();
        let task = tokio::spawn(async move {
            while let Ok((mut here, _)) = listener.accept().await {
                let target = *current.lock().expect("a target");
                tokio::spawn(async move {
                    if let Ok(mut there) = TcpStream::connect(target).await {
                        let _ = copy_bidirectional(&mut here, &mut there).await;
                    }
                });
            }
        });
        Forwarder { url: own, target, task }
    }

    /// New connections go to another service.
    pub fn turn_to(&self, url: &str) {
        *self.target.lock().expect("a target") = address(url);
    }
}

impl Drop for Forwarder {
    fn drop(&mut self) {
        self.task.abort();
    }
}
