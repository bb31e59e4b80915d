//! What carries letters away: a mail server, or nobody.

use std::time::Duration;

use anyhow::Context;
use lettre::address::Envelope;
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::PoolConfig;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use super::write::Words;
use crate::settings::PostSettings;
use crate::store::{Store, StoreError};

/// So many connections to the mail server are open at most.
const MOST_CONNECTIONS: u32 = 8;

/// So long the mail server may take for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

pub enum Carrier {
    Smtp {
        transport: Box<AsyncSmtpTransport<Tokio1Executor>>,
        from: Mailbox,
        domain: String,
    },
    /// Letters are kept in the database.
    Keeper,
}

/// Where what comes of a letter goes.
#[derive(Default)]
pub struct WayBack {
    pub reply_to: Option<Address>,
    /// The sender on the envelope.
    pub bounces_to: Option<Address>,
}

/// Why a letter did not go.
#[derive(Debug)]
pub enum Trouble {
    /// It may go later.
    Passing(String),
    /// It will never go.
    Lasting(String),
    /// The house could not note what became of it.
    Store(StoreError),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        Trouble::Store(error)
    }
}

impl Carrier {
    pub fn new(settings: &PostSettings, place: &str) -> anyhow::Result<Carrier> {
        let Some(url) = &settings.smtp else { return Ok(Carrier::Keeper) };
        // The error would show the address with its password.
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|_| anyhow::anyhow!("the address of the mail server cannot be read"))?
            .timeout(Some(PATIENCE))
            .pool_config(PoolConfig::new().max_size(MOST_CONNECTIONS))
            .build();
        let from: Mailbox = match &settings.mail_from {
            Some(from) => from.parse().context("whom letters are from cannot be read")?,
            None => {
                let address = Address::new("post", host(place)).context("say whom letters are from (--mail-from)")?;
                Mailbox::new(Some("Wonderpost".to_owned()), address)
            }
        };
        let domain = from.email.domain().to_owned();
        Ok(Carrier::Smtp { transport: Box::new(transport), from, domain })
    }

    /// Hands a letter over. Its name is the same at every try, so that one that arrives twice is known for the same.
    pub async fn carry(
        &self,
        store: &Store,
        id: i64,
        to: Address,
        words: &Words,
        way_back: WayBack,
    ) -> Result<(), Trouble> {
        match self {
            Carrier::Keeper => {
                store.letter_kept(id, to.as_ref(), &words.subject, &words.text, &words.html).await?;
            }
            Carrier::Smtp { transport, from, domain } => {
                let message = compose(from, to, format!("<letter-{id}@{domain}>"), words, way_back)
                    .map_err(|error| Trouble::Lasting(error.to_string()))?;
                transport.send(message).await.map_err(|error| {
                    let words = words_of(&error);
                    if error.is_permanent() { Trouble::Lasting(words) } else { Trouble::Passing(words) }
                })?;
                store.letter_sent(id).await?;
            }
        }
        Ok(())
    }
}

/// An error and what is behind it.
fn words_of(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words += &format!(": {error}");
        cause = error.source();
    }
    words
}

fn compose(
    from: &Mailbox,
    to: Address,
    id: String,
    words: &Words,
    way_back: WayBack,
) -> Result<Message, lettre::error::Error> {
    let mut message = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to.clone()))
        .message_id(Some(id))
        .subject(words.subject.clone())
        .header(AutoSubmitted);
    if let Some(address) = way_back.reply_to {
        message = message.reply_to(Mailbox::new(Some("Wonderpost".to_owned()), address));
    }
    if let Some(address) = way_back.bounces_to {
        message = message.envelope(Envelope::new(Some(address), vec![to])?);
    }
    message.multipart(MultiPart::alternative_plain_html(words.text.clone(), words.html.clone()))
}

/// The host in an address of a page.
fn host(place: &str) -> &str {
    let place = place.split_once("://").map_or(place, |(_, rest)| rest);
    let authority = place.split('/').next().unwrap_or(place);
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
}

/// Tells other machines that nobody sat down to write this: do not answer that you are on holiday.
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<AutoSubmitted, Box<dyn std::error::Error + Send + Sync>> {
        Ok(AutoSubmitted)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(AutoSubmitted::name(), "auto-generated".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_says_what_it_is() {
        let words =
            Words {
                subject: "Your turn — Zoë".into(), text: "Hello".into(), html: "<p>Hello</p>".into(), asked: None
            };
        let from = "Wonderpost <post@example.org>".parse().unwrap();
        let to = "alice@example.net".parse().unwrap();
        let way_back = WayBack {
            reply_to: Some("m-abc@in.example.org".parse().unwrap()),
            bounces_to: Some("b-abc@in.example.org".parse().unwrap()),
        };
        let message = compose(&from, to, "<letter-7@example.org>".into(), &words, way_back).unwrap();
        assert_eq!(message.envelope().from().unwrap().as_ref() as &str, "b-abc@in.example.org");
        let text = String::from_utf8(message.formatted()).unwrap();
        for line in [
            "Message-ID: <letter-7@example.org>",
            "Auto-Submitted: auto-generated",
            "multipart/alternative",
            "To: alice@example.net",
            "Reply-To: Wonderpost <m-abc@in.example.org>",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }

    #[test]
    fn the_host_of_a_place() {
        assert_eq!(host("https://play.example.org/"), "play.example.org");
        assert_eq!(host("http://localhost:8080"), "localhost");
    }
}
