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

    /// The domain in the names of our letters, if any are sent.
    pub fn domain(&self) -> Option<&str> {
        match self {
            Carrier::Smtp { domain, .. } => Some(domain),
            Carrier::Keeper => None,
        }
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
        .header(if words.answered.is_some() { AutoSubmitted::Replied } else { AutoSubmitted::Generated });
    if let Some(id) = words.answered.as_ref().and_then(|answered| answered.message_id.as_deref()) {
        let before = words.answered.iter().flat_map(|answered| answered.references.iter().map(String::as_str));
        let thread: Vec<String> = before.chain([id]).map(|id| format!("<{id}>")).collect();
        message = message.in_reply_to(format!("<{id}>")).references(thread.join(" "));
    }
    if let Some(address) = way_back.reply_to {
        message = message.reply_to(Mailbox::new(Some("Wonderpost".to_owned()), address));
    }
    if let Some(address) = way_back.bounces_to {
        message = message.envelope(Envelope::new(Some(address), vec![to])?);
    }
    message.multipart(MultiPart::alternative_plain_html(words.text.clone(), words.html.clone()))
}

/// Whether a message with this name (before the @) at our domain is a letter of ours.
pub fn is_name_of_ours(local: &str) -> bool {
    ["letter-", "t-", "digest-"].iter().any(|prefix| local.starts_with(prefix))
}

/// The host in an address of a page.
fn host(place: &str) -> &str {
    let place = place.split_once("://").map_or(place, |(_, rest)| rest);
    let authority = place.split('/').next().unwrap_or(place);
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
}

/// Tells other machines that nobody sat down to write this: do not answer that you are on holiday.
#[derive(Clone)]
enum AutoSubmitted {
    Generated,
    Replied,
}

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(word: &str) -> Result<AutoSubmitted, Box<dyn std::error::Error + Send + Sync>> {
        Ok(if word == "auto-replied" { AutoSubmitted::Replied } else { AutoSubmitted::Generated })
    }

    fn display(&self) -> HeaderValue {
        let word = match self {
            AutoSubmitted::Generated => "auto-generated",
            AutoSubmitted::Replied => "auto-replied",
        };
        HeaderValue::new(AutoSubmitted::name(), word.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::post::receive::answer::Answered;

    #[test]
    fn a_letter_says_what_it_is() {
        let words = Words {
            subject: "Your turn — Zoë".into(),
            text: "Hello".into(),
            html: "<p>Hello</p>".into(),
            asked: None,
            answered: None,
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
    fn an_answer_follows_what_it_answers() {
        let answered = Answered { message_id: Some("b@c".into()), references: vec!["a@b".into()] };
        let words = Words {
            subject: "Re: Red Queen".into(),
            text: "No".into(),
            html: "<p>No</p>".into(),
            asked: None,
            answered: Some(answered),
        };
        let from = "Wonderpost <post@example.org>".parse().unwrap();
        let to = "alice@example.net".parse().unwrap();
        let message = compose(&from, to, "<letter-7@example.org>".into(), &words, WayBack::default()).unwrap();
        let text = String::from_utf8(message.formatted()).unwrap();
        for line in ["Auto-Submitted: auto-replied", "In-Reply-To: <b@c>", "References: <a@b> <b@c>"] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }

    #[test]
    fn the_host_of_a_place() {
        assert_eq!(host("https://play.example.org/"), "play.example.org");
        assert_eq!(host("http://localhost:8080"), "localhost");
    }
}
