//! Handing a message to a push service or a webhook: one request over a connection of its own, to an address that was looked at first. No
//! redirects, and nothing of the answer is read but its head.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{HOST, HeaderName, HeaderValue, InvalidHeaderValue, RETRY_AFTER, USER_AGENT};
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

/// How large the head of an answer may be.
const LARGEST_HEAD: usize = 16 * 1024;

const WHO_ASKS: HeaderValue = HeaderValue::from_static("Wonderpost");

/// Posts to addresses that players gave.
#[derive(Default)]
pub struct OutboundClient {
    /// Made at the first use: most houses start and stop without one.
    tls: OnceCell<TlsConnector>,
}

/// What is posted.
pub struct Message {
    pub headers: Vec<(HeaderName, HeaderValue)>,
    pub body: Vec<u8>,
}

/// What the receiver answered.
pub struct Answer {
    pub status: StatusCode,
    /// For how many seconds it wants to be left alone.
    pub retry_after: Option<u32>,
}

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nothing there belongs to the Internet at large.
    #[error("the address leads into a private network")]
    Private,
    #[error("no answer came in time")]
    TooSlow,
    #[error("nobody can be reached there: {0}")]
    Io(#[from] io::Error),
    #[error("there is no https here: {0}")]
    Tls(#[from] rustls::Error),
    #[error("the answer cannot be understood: {0}")]
    Http(#[from] hyper::Error),
    #[error("the request cannot be written: {0}")]
    Request(#[from] hyper::http::Error),
}

impl From<InvalidHeaderValue> for ClientError {
    fn from(error: InvalidHeaderValue) -> ClientError {
        ClientError::Request(error.into())
    }
}

impl OutboundClient {
    /// Posts a message, if the address may be reached.
    pub async fn post(&self, endpoint: &Endpoint, reach: Reach, message: Message) -> Result<Answer, ClientError> {
        timeout(PATIENCE, self.try_post(endpoint, reach, message)).await.map_err(|_| ClientError::TooSlow)?
    }

    async fn try_post(&self, endpoint: &Endpoint, reach: Reach, message: Message) -> Result<Answer, ClientError> {
        let mut request =
            Request::post(endpoint.path()).header(HOST, endpoint.authority()).header(USER_AGENT, WHO_ASKS);
        for (name, value) in message.headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::from(message.body)))?;
        let stream = connect(endpoint, reach).await?;
        if !endpoint.is_https() {
            return exchange(stream, request).await;
        }
        let name = ServerName::try_from(endpoint.host()).map_err(io::Error::other)?;
        let tls = self.tls.get_or_try_init(async || connector()).await?;
        exchange(tls.connect(name, stream).await?, request).await
    }
}

/// Connects to one of the host's addresses that may be reached. It is the looked-at address itself, so that a second answer of the
/// DNS leads nowhere else.
async fn connect(endpoint: &Endpoint, reach: Reach) -> Result<TcpStream, ClientError> {
    let found = lookup_host((endpoint.host(), endpoint.port())).await?;
    let allowed: Vec<SocketAddr> = match reach {
        Reach::Internet => found.filter(|address| is_public(address.ip())).collect(),
        Reach::Anywhere => found.collect(),
    };
    if allowed.is_empty() {
        return Err(ClientError::Private);
    }
    Ok(TcpStream::connect(&*allowed).await?)
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
    let mut http = hyper::client::conn::http1::Builder::new();
    http.max_buf_size(LARGEST_HEAD);
    let (mut sender, connection) = http.handshake(TokioIo::new(stream)).await?;
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

    /// What a name leads to is looked at as well, whatever was looked at when the address was given.
    #[tokio::test]
    async fn no_connection_is_made_into_private_networks() {
        for host in
            ["10.0.0.1", "127.0.0.1", "[::1]", "169.254.169.254", "192.168.0.1", "localhost", "[::ffff:127.0.0.1]"]
        {
            let endpoint = Endpoint::parse(&format!("http://{host}:9/push"), Reach::Anywhere).unwrap();
            assert!(matches!(connect(&endpoint, Reach::Internet).await, Err(ClientError::Private)), "{host}");
        }
    }
}
