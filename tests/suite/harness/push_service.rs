//! A push service that takes notices, or not, as a test tells it; and browsers that can read what it took.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex};

use data_encoding::BASE64URL_NOPAD;
use p256::ecdh::diffie_hellman;
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hmac;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use wonderpost::push::encryption::BrowserKeys;

/// Push services answer while a test waits for a house to stop.
static ASIDE: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a thread"));

/// A request as it came over the wire.
#[derive(Clone, Debug)]
pub struct Pushed {
    pub path: String,
    headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Pushed {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Checks the signature of the house (RFC 8292), and gives what it signed and its public key.
    pub fn claims(&self) -> (Value, String) {
        let words = self.header("authorization").strip_prefix("vapid t=").expect("VAPID");
        let (token, key) = words.split_once(", k=").expect("a token and a key");
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let bytes = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).expect("Base64");
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(key));
        public.verify(signed.as_bytes(), &bytes(signature)).expect("the signature fits");
        let (_, claims) = signed.split_once('.').expect("claims");
        (serde_json::from_slice(&bytes(claims)).expect("JSON"), key.to_owned())
    }
}

#[derive(Clone)]
pub struct PushService {
    pub url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    answers: VecDeque<u16>,
    received: Vec<Pushed>,
}

impl PushService {
    /// Requests are answered with these numbers one after the other, then all are taken.
    pub async fn start(answers: impl IntoIterator<Item = u16>) -> PushService {
        let listener = ASIDE.spawn(TcpListener::bind("127.0.0.1:0")).await.expect("it is tried").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let state = State { answers: answers.into_iter().collect(), received: Vec::new() };
        let service = PushService { url, state: Arc::new(Mutex::new(state)) };
        let server = service.clone();
        ASIDE.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let service = server.clone();
                tokio::spawn(async move { drop(service.answer(stream).await) });
            }
        });
        service
    }

    pub fn received(&self) -> Vec<Pushed> {
        self.state.lock().unwrap().received.clone()
    }

    async fn answer(&self, stream: TcpStream) -> std::io::Result<()> {
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader);
        let (mut line, mut headers) = (String::new(), HashMap::new());
        reader.read_line(&mut line).await?;
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        loop {
            line.clear();
            reader.read_line(&mut line).await?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body).await?;
        let status = {
            let mut state = self.state.lock().unwrap();
            state.received.push(Pushed { path, headers, body });
            state.answers.pop_front().unwrap_or(201)
        };
        let answer = format!("HTTP/1.1 {status} Well\r\nlocation: {}/elsewhere\r\ncontent-length: 0\r\n\r\n", self.url);
        writer.write_all(answer.as_bytes()).await
    }
}

/// A browser that subscribed to a push service.
pub struct PushBrowser {
    key: SecretKey,
    secret: [u8; 16],
    pub endpoint: String,
}

impl PushBrowser {
    pub fn new(service: &PushService, name: &str) -> PushBrowser {
        PushBrowser::at(&format!("{}/push/{name}", service.url))
    }

    pub fn at(endpoint: &str) -> PushBrowser {
        let key = SecretKey::from_slice(&rand::random::<[u8; 32]>()).expect("a key");
        PushBrowser { key, secret: rand::random(), endpoint: endpoint.to_owned() }
    }

    fn public_key(&self) -> Vec<u8> {
        self.key.public_key().to_sec1_point(false).as_bytes().to_vec()
    }

    pub fn keys(&self) -> BrowserKeys {
        BrowserKeys::from_bytes(&self.public_key(), &self.secret).expect("keys")
    }

    /// What the page sends when notices are turned on.
    pub fn form(&self) -> [(&'static str, String); 3] {
        let encode = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
        [("endpoint", self.endpoint.clone()), ("p256dh", encode(&self.public_key())), ("auth", encode(&self.secret))]
    }

    /// Reads a notice as browsers do (RFC 8291).
    pub fn read(&self, pushed: &Pushed) -> Value {
        let (salt, rest) = pushed.body.split_at(16);
        let (id_length, rest) = (usize::from(rest[4]), &rest[5..]);
        let (theirs, record) = rest.split_at(id_length);
        let point = PublicKey::from_sec1_bytes(theirs).expect("a key");
        let shared = diffie_hellman(self.key.to_nonzero_scalar(), point.as_affine());
        let sign = |key: &[u8], parts: &[&[u8]]| {
            let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
            parts.iter().for_each(|part| context.update(part));
            context.sign().as_ref().to_vec()
        };
        let combined = sign(&self.secret, &[shared.raw_secret_bytes()]);
        let keying = sign(&combined, &[b"WebPush: info\0", &self.public_key(), theirs, &[1]]);
        let extracted = sign(salt, &[&keying]);
        let key = sign(&extracted, &[b"Content-Encoding: aes128gcm\0\x01"]);
        let nonce = sign(&extracted, &[b"Content-Encoding: nonce\0\x01"]);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).expect("a key"));
        let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).expect("a nonce");
        let mut record = record.to_vec();
        let words = key.open_in_place(nonce, Aad::empty(), &mut record).expect("it is for this browser");
        let end = words.iter().rposition(|byte| *byte != 0).expect("an end");
        assert_eq!(words[end], 2, "the last record");
        serde_json::from_slice(&words[..end]).expect("JSON")
    }
}
