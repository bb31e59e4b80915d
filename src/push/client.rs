//! Handing a notice to a push service: one request over a connection of its own, to an address that was looked at first. No redirects.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, RETRY_AFTER};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::sync::OnceCell;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use crate::push::endpoint::{Endpoint, Reach, is_public};

/// How long all of it may take.
const PATIENCE: Duration = Duration::from_secs(10);

const TTL: HeaderName = HeaderName::from_static("ttl");
const URGENCY: HeaderName = HeaderName::from_static("urgency");
const TOPIC: HeaderName = HeaderName::from_static("topic");

pub struct PushClient {
    /// Made at the first use: most houses start and stop without one.
    tls: OnceCell<TlsConnector>,
    reach: Reach,
}

/// What a push service is handed.
pub struct Message {
    pub body: Vec<u8>,
    pub authorization: String,
    /// For how many seconds it is kept for a browser that does not run.
    pub keep_for: i64,
    pub is_urgent: bool,
    /// A message of the same topic that still waits is replaced.
    pub topic: String,
}

/// What it answered.
pub struct Answer {
    pub status: StatusCode,
    /// For how many seconds it wants to be left alone.
    pub retry_after: Option<u32>,
}

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nothing there belongs to the Internet at large.
    #[error("the push service is in a private network")]
    Private,
    #[error("the push service takes too long")]
    TooSlow,
    #[error("the push service cannot be reached: {0}")]
    Io(#[from] io::Error),
    #[error("there is no https here: {0}")]
    Tls(#[from] rustls::Error),
    #[error("the push service cannot be understood: {0}")]
    Http(#[from] hyper::Error),
    #[error("the request cannot be written: {0}")]
    Request(#[from] hyper::http::Error),
}

impl PushClient {
    pub fn new(reach: Reach) -> PushClient {
        PushClient { tls: OnceCell::new(), reach }
    }

    pub async fn send(&self, endpoint: &Endpoint, message: Message) -> Result<Answer, ClientError> {
        timeout(PATIENCE, self.try_send(endpoint, message)).await.map_err(|_| ClientError::TooSlow)?
    }

    async fn try_send(&self, endpoint: &Endpoint, message: Message) -> Result<Answer, ClientError> {
        let request = Request::post(endpoint.path())
            .header(HOST, endpoint.authority())
            .header(AUTHORIZATION, message.authorization)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(TTL, message.keep_for)
            .header(URGENCY, if message.is_urgent { "high" } else { "normal" })
            .header(TOPIC, message.topic)
            .body(Full::new(Bytes::from(message.body)))?;
        let stream = self.connect(endpoint).await?;
        if !endpoint.is_https() {
            return exchange(stream, request).await;
        }
        let name = ServerName::try_from(endpoint.host()).map_err(io::Error::other)?;
        let tls = self.tls.get_or_try_init(async || connector()).await?;
        exchange(tls.connect(name, stream).await?, request).await
    }

    /// Connects to one of the host's addresses that may be reached. It is the looked-at address itself, so that a second answer of the
    /// DNS leads nowhere else.
    async fn connect(&self, endpoint: &Endpoint) -> Result<TcpStream, ClientError> {
        let found = lookup_host((endpoint.host(), endpoint.port())).await?;
        let allowed: Vec<SocketAddr> = match self.reach {
            Reach::Internet => found.filter(|address| is_public(address.ip())).collect(),
            Reach::ThisMachine => found.collect(),
        };
        if allowed.is_empty() {
            return Err(ClientError::Private);
        }
        Ok(TcpStream::connect(&*allowed).await?)
    }
}

/// Trusts whom this machine trusts.
fn connector() -> Result<TlsConnector, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
) -> Result<Answer, ClientError> {
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    // Ends with this function, whatever comes of it.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let answer = sender.send_request(request).await?;
    let retry_after = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    Ok(Answer { status: answer.status(), retry_after })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a name leads to is looked at as well, whatever was looked at when notices were turned on.
    #[tokio::test]
    async fn no_connection_is_made_into_private_networks() {
        let client = PushClient::new(Reach::Internet);
        for host in
            ["10.0.0.1", "127.0.0.1", "[::1]", "169.254.169.254", "192.168.0.1", "localhost", "[::ffff:127.0.0.1]"]
        {
            let endpoint = Endpoint::parse(&format!("http://{host}:9/push"), Reach::ThisMachine).unwrap();
            assert!(matches!(client.connect(&endpoint).await, Err(ClientError::Private)), "{host}");
        }
    }
}
