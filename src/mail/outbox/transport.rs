//! What carries letters away: a mail server, or nobody.

use std::time::Duration;

use anyhow::Context;
use lettre::address::Envelope;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::PoolConfig;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use crate::app::settings::PostSettings;
use crate::db::{Store, StoreError};
use crate::mail::letters::composer::Words;
use crate::mail::outbox::dkim::Signature;
use crate::mail::outbox::flowed::flowed;
use crate::mail::outbox::message_id::Thread;

/// The most open connections to the mail server.
pub const MOST_CONNECTIONS: u32 = 8;

/// How long the mail server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A house with a mail server, or one that keeps its letters.
pub struct Carrier {
    way: Way,
    /// What names of letters end in.
    pub domain: String,
}

enum Way {
    Smtp {
        transport: Box<AsyncSmtpTransport<Tokio1Executor>>,
        from: Mailbox,
        signature: Option<Box<Signature>>,
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
#[derive(Clone, Debug)]
pub enum Trouble {
    /// It may go later.
    Transient { words: String, may_have_gone: bool },
    /// It will never go.
    Permanent(String),
    /// The house could not look up what it has to say.
    Store(String),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        Trouble::Store(error.to_string())
    }
}

impl From<lettre::transport::smtp::Error> for Trouble {
    fn from(error: lettre::transport::smtp::Error) -> Trouble {
        let words = words_of(&error);
        if error.is_permanent() {
            return Trouble::Permanent(words);
        }
        // What was answered with “later”, or never reached anybody, has not gone. Of all else nobody knows.
        let never_began = words.starts_with("Connection error");
        Trouble::Transient { may_have_gone: !error.is_transient() && !never_began, words }
    }
}

impl Carrier {
    pub fn new(settings: &PostSettings, place: &str) -> anyhow::Result<Carrier> {
        let Some(url) = &settings.smtp else { return Ok(Carrier { way: Way::Keeper, domain: host(place).to_owned() }) };
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
        let signature = Signature::new(&settings.dkim, &domain)?.map(Box::new);
        Ok(Carrier { way: Way::Smtp { transport: Box::new(transport), from, signature }, domain })
    }

    /// Whom others ask who have to do with the house: its page, or whoever its letters are from.
    pub fn contact(&self, place: &str) -> String {
        match &self.way {
            _ if place.starts_with("https://") => place.trim_end_matches('/').to_owned(),
            Way::Smtp { from, .. } => format!("mailto:{}", from.email),
            Way::Keeper => format!("mailto:post@{}", self.domain),
        }
    }

    /// Sends a letter that says only that letters arrive.
    pub async fn send_test(&self, to: Address) -> anyhow::Result<()> {
        let Way::Smtp { transport, from, signature } = &self.way else { anyhow::bail!("there is no mail server") };
        let mut message = Message::builder()
            .from(from.clone())
            .to(Mailbox::new(None, to))
            .subject("A test letter from Wonderpost")
            .raw_header(plain_header("Auto-Submitted", "auto-generated"))
            .body("Letters from this house arrive. Nobody has to answer this one.\n".to_owned())?;
        if let Some(signature) = signature {
            signature.sign(&mut message);
        }
        transport.send(message).await.map_err(|error| anyhow::anyhow!(words_of(&error)))?;
        Ok(())
    }

    /// Hands a letter over. Its name is the same at every try, so that one that arrives twice is known for the same.
    pub async fn carry(
        &self,
        store: &Store,
        id: i64,
        to: Address,
        words: &Words,
        thread: &Thread,
        way_back: WayBack,
    ) -> Result<(), Trouble> {
        match &self.way {
            Way::Keeper => {
                let picture = words.pictures.first().map(|(_, picture)| picture.png.as_slice());
                let html = with_further_pictures(words);
                store.keep_letter(id, to.as_ref(), &words.subject, &words.text, &html, picture).await?;
            }
            Way::Smtp { transport, from, signature } => {
                let mut message = compose(from, to, words, thread, way_back)
                    .map_err(|error| Trouble::Permanent(error.to_string()))?;
                if let Some(signature) = signature {
                    signature.sign(&mut message);
                }
                transport.send(message).await?;
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
    words: &Words,
    thread: &Thread,
    way_back: WayBack,
) -> Result<Message, lettre::error::Error> {
    let mut message = thread
        .write(Message::builder().from(from.clone()).to(Mailbox::new(None, to.clone())))
        .subject(words.subject.clone())
        // Tells other machines that nobody sat down to write this: do not answer that you are on holiday.
        .raw_header(plain_header(
            "Auto-Submitted",
            if words.answered.is_some() { "auto-replied" } else { "auto-generated" },
        ))
        .raw_header(plain_header("X-Auto-Response-Suppress", "All"));
    if let Some(id) = words.answered.as_ref().and_then(|answered| answered.message_id.as_deref()) {
        let before = words.answered.iter().flat_map(|answered| answered.references.iter().map(String::as_str));
        let thread: Vec<String> = before.chain([id]).map(|id| format!("<{id}>")).collect();
        message = message.in_reply_to(format!("<{id}>")).references(thread.join(" "));
    }
    if let Some(way_out) = &words.unsubscribe {
        let address = way_out.address.iter().map(|address| format!(", <mailto:{address}?subject=unsubscribe>"));
        let ways = format!("<{}>{}", way_out.page, address.collect::<String>());
        message = message
            .raw_header(plain_header("List-Unsubscribe", &ways))
            .raw_header(plain_header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
    }
    if let Some(address) = way_back.reply_to {
        message = message.reply_to(Mailbox::new(Some("Wonderpost".to_owned()), address));
    }
    if let Some(address) = way_back.bounces_to {
        message = message.envelope(Envelope::new(Some(address), vec![to])?);
    }
    message.multipart(body(words))
}

/// The page of a letter that is kept: its first picture is kept beside it, any others are part of the page.
fn with_further_pictures(words: &Words) -> String {
    let mut html = words.html.clone();
    for (id, picture) in words.pictures.iter().skip(1) {
        let data = format!("src=\"data:image/png;base64,{}\"", data_encoding::BASE64.encode(&picture.png));
        html = html.replace(&format!("src=\"cid:{id}\""), &data);
    }
    html
}

/// Words, and the page with its pictures, for the mail program to choose from.
fn body(words: &Words) -> MultiPart {
    let plain = match ContentType::parse("text/plain; charset=utf-8; format=flowed") {
        Ok(kind) => SinglePart::builder().header(kind).body(flowed(&words.text)),
        Err(_) => SinglePart::plain(words.text.clone()),
    };
    let alternatives = MultiPart::alternative().singlepart(plain);
    let html = SinglePart::html(words.html.clone());
    let Some(kind) = ContentType::parse("image/png").ok().filter(|_| !words.pictures.is_empty()) else {
        return alternatives.singlepart(html);
    };
    let page = words.pictures.iter().fold(MultiPart::related().singlepart(html), |page, (id, picture)| {
        let attachment = Attachment::new_inline_with_name(id.clone(), format!("{id}.png"));
        page.singlepart(attachment.body(picture.png.clone(), kind.clone()))
    });
    alternatives.multipart(page)
}

/// A header of plain signs, on one line however long it is: some programs do not find a link that goes over two.
fn plain_header(name: &'static str, value: &str) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str(name);
    HeaderValue::dangerous_new_pre_encoded(name, value.to_owned(), value.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::inbox::answer::Answered;
    use crate::mail::letters::composer::WayOut;
    use crate::mail::letters::picture::Drawn;

    #[test]
    fn a_letter_says_what_it_is() {
        let url = format!("https://house.example/unsubscribe/{}", "x".repeat(120));
        let picture = Drawn { png: b"\x89PNG".to_vec(), alt: "A board".into(), width: 640, height: 480 };
        let words = Words {
            subject: "Red Queen with Zoë".into(),
            text: "Hello".into(),
            html: "<p>Hello <img src=\"cid:board\"></p>".into(),
            reply_to: None,
            unsubscribe: Some(WayOut { page: url.clone(), address: Some("u-abc@in.example.org".into()) }),
            answered: None,
            pictures: vec![("board".into(), picture)],
        };
        let from = "Wonderpost <post@example.org>".parse().unwrap();
        let to = "alice@example.net".parse().unwrap();
        let way_back = WayBack {
            reply_to: Some("m-abc@in.example.org".parse().unwrap()),
            bounces_to: Some("b-abc@in.example.org".parse().unwrap()),
        };
        let message = compose(&from, to, &words, &Thread::of_digest(7, "example.org"), way_back).unwrap();
        assert_eq!(message.envelope().from().unwrap().as_ref() as &str, "b-abc@in.example.org");
        let text = String::from_utf8(message.formatted()).unwrap();
        for line in [
            "Message-ID: <digest-7@example.org>",
            "Auto-Submitted: auto-generated",
            "X-Auto-Response-Suppress: All",
            "multipart/alternative",
            "multipart/related",
            "Content-Type: text/plain; charset=utf-8; format=flowed",
            "Content-Type: image/png",
            "Content-ID: <board>",
            "Content-Disposition: inline; filename=\"board.png\"",
            "To: alice@example.net",
            "Reply-To: Wonderpost <m-abc@in.example.org>",
            &format!("List-Unsubscribe: <{url}>, <mailto:u-abc@in.example.org?subject=unsubscribe>\r\n"),
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
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
            reply_to: None,
            unsubscribe: None,
            answered: Some(answered),
            pictures: Vec::new(),
        };
        let from = "Wonderpost <post@example.org>".parse().unwrap();
        let to = "alice@example.net".parse().unwrap();
        let thread = Thread::of_digest(7, "example.org");
        let message = compose(&from, to, &words, &thread, WayBack::default()).unwrap();
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
