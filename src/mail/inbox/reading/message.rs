//! A message as it came over the wire, opened: who it is from, whether a machine wrote it, and what it says.

use std::borrow::Cow;

use mail_parser::{Address, HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use crate::mail::inbox::reading::report;
use crate::mail::inbox::reading::report::Report;
use crate::mail::inbox::reading::{authentication, html, table_number};
use crate::mail::outbox::transport::is_name_of_ours;

/// The most parts that a message may have. Each needs a header of its own.
const MOST_PARTS: usize = 200;

/// The most earlier messages of its thread that a message may name.
const MOST_REFERENCES: usize = 20;

/// A line that would have had more room than that was not broken by a mail program.
const NARROWEST: usize = 60;

/// What matters of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The one address that it says it is from.
    pub from: Option<String>,
    /// Whether our mail server found that it is; `None` if nobody is trusted with that.
    pub authentic: Option<bool>,
    pub message_id: Option<String>,
    pub references: Vec<String>,
    pub subject: Option<String>,
    /// Why it was not written by a person.
    pub automatic: Option<&'static str>,
    /// Whether it is an automatic answer of somebody who is away.
    pub is_away: bool,
    pub report: Option<Report>,
    /// What it says, from the top.
    pub text: String,
    /// What looks like addresses of seats in all it says and quotes.
    pub addresses: Vec<String>,
}

/// Why a message could not be opened.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("this is no message")]
    NoMessage,
    #[error("too many parts")]
    TooManyParts,
}

/// What the house knows about its own mail.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    /// The name of the mail server whose findings are believed.
    pub authserv_id: Option<String>,
    /// The domain in the names of our own letters.
    pub our_domain: Option<String>,
}

impl Desk {
    pub fn open(&self, raw: &[u8]) -> Result<Opened, Unreadable> {
        if count_parts(raw) > MOST_PARTS {
            return Err(Unreadable::TooManyParts);
        }
        let raw = unnested(raw);
        let message = MessageParser::default().parse(&raw).ok_or(Unreadable::NoMessage)?;
        if message.parts.is_empty() {
            return Err(Unreadable::NoMessage);
        }
        let from = writer(&message);
        let authentic = self.authserv_id.as_deref().map(|authserv_id| {
            let domain = from.as_deref().and_then(|from| from.rsplit_once('@')).map(|(_, domain)| domain);
            domain.is_some_and(|domain| {
                authentication::passes(values(&message, "Authentication-Results"), authserv_id, domain)
            })
        });
        Ok(Opened {
            from,
            authentic,
            message_id: message.message_id().filter(|name| is_name(name)).map(str::to_owned),
            references: references(&message),
            subject: message.subject().map(str::to_owned),
            automatic: self.automatic(&message),
            is_away: is_away(&message),
            report: report::find(&message),
            text: words(&message),
            addresses: addresses(&message),
        })
    }

    /// Why a message was not written by a person (RFC 3834): answering such mail makes loops.
    fn automatic(&self, message: &Message) -> Option<&'static str> {
        let first_word = |name: &str| {
            let value = values(message, name).next()?;
            Some(value.trim().split([';', ' ', '\t', '\r', '\n']).next().unwrap_or_default().to_ascii_lowercase())
        };
        let is_ours = |id: &str| {
            let ours = self.our_domain.as_deref().zip(id.rsplit_once('@'));
            ours.is_some_and(|(domain, (local, host))| host.eq_ignore_ascii_case(domain) && is_name_of_ours(local))
        };
        let is_report = message.root_part().content_type().is_some_and(|kind| {
            kind.ctype() == "multipart" && kind.subtype().is_some_and(|it| it.eq_ignore_ascii_case("report"))
        });
        match () {
            () if first_word("Auto-Submitted").is_some_and(|word| word != "no") => Some("Auto-Submitted"),
            () if matches!(
                first_word("Precedence").as_deref(),
                Some("bulk" | "list" | "junk" | "auto_reply" | "auto-reply")
            ) =>
            {
                Some("Precedence")
            }
            () if values(message, "List-Id").next().is_some() => Some("List-Id"),
            () if values(message, "Return-Path").next().is_some_and(|path| path.trim() == "<>") => Some("no sender"),
            () if ["X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Failed-Recipients", "Feedback-Type"]
                .iter()
                .any(|name| values(message, name).next().is_some()) =>
            {
                Some("an automatic answer")
            }
            () if is_report => Some("a report"),
            () if message.message_id().is_some_and(is_ours) => Some("a letter of ours"),
            () => None,
        }
    }
}

/// Whether a message is the automatic answer of somebody who is away (RFC 3834), as far as it says so itself.
fn is_away(message: &Message) -> bool {
    let says = |name: &str, words: &[&str]| {
        values(message, name).next().is_some_and(|value| {
            let value = value.trim().to_ascii_lowercase();
            words.iter().any(|word| value.starts_with(word))
        })
    };
    says("Auto-Submitted", &["auto-replied"])
        || says("Precedence", &["auto_reply", "auto-reply"])
        || ["X-Autoreply", "X-Autorespond", "X-Autoresponder"].iter().any(|name| values(message, name).next().is_some())
}

/// How many parts a message can have at most: each that holds others says so in a header.
fn count_parts(raw: &[u8]) -> usize {
    const HEADER: &[u8] = b"content-type";
    raw.windows(HEADER.len()).filter(|window| window.eq_ignore_ascii_case(HEADER)).count()
}

/// A message in which no other messages are looked for: nothing in them is for us, and taking apart thousands of messages within
/// messages takes more room than any house has.
fn unnested(raw: &[u8]) -> Cow<'_, [u8]> {
    const HEADER: &[u8] = b"content-type";
    // What makes a part a message, or a part whose parts are messages.
    const NESTING: [&[u8]; 3] = [b"rfc822", b"global", b"digest"];
    let mut flat = Cow::Borrowed(raw);
    let mut within = false;
    for place in 0..raw.len() {
        let begins = |word: &[u8]| raw[place..].get(..word.len()).is_some_and(|there| there.eq_ignore_ascii_case(word));
        if within && (begins(b"\n\n") || begins(b"\n\r\n")) {
            within = false;
        } else if begins(HEADER) {
            within = true;
        } else if within && NESTING.iter().any(|word| begins(word)) {
            flat.to_mut()[place] = b'x';
        }
    }
    flat
}

/// The raw values of a header, the topmost first.
fn values<'a>(message: &'a Message<'_>, name: &'a str) -> impl Iterator<Item = &'a str> {
    message.headers_raw().filter(move |(there, _)| there.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The one address that a message is from; `None` if there are none, or several.
fn writer(message: &Message) -> Option<String> {
    let mut named = message.headers().iter().filter(|header| header.name == HeaderName::From);
    let (Some(from), None) = (named.next(), named.next()) else { return None };
    match from.value.as_address()? {
        Address::List(list) => match list.as_slice() {
            [one] => one.address.as_deref().map(|address| address.trim().to_lowercase()),
            _ => None,
        },
        Address::Group(_) => None,
    }
}

/// Whether this can stand as the name of a message in a header of ours.
fn is_name(name: &str) -> bool {
    const LONGEST: usize = 250;
    let plain = |sign: char| sign.is_ascii_graphic() && !matches!(sign, '<' | '>');
    (1..=LONGEST).contains(&name.len()) && name.chars().all(plain)
}

/// The names of the messages before this one in its thread.
fn references(message: &Message) -> Vec<String> {
    let value = message.references();
    let mut names: Vec<String> = match (value.as_text_list(), value.as_text()) {
        (Some(list), _) => list.iter().map(|name| name.to_string()).collect(),
        (None, Some(one)) => vec![one.to_owned()],
        (None, None) => Vec::new(),
    };
    names.retain(|name| is_name(name));
    names.drain(..names.len().saturating_sub(MOST_REFERENCES));
    names
}

/// What a message says: its text, or else its HTML as text.
fn words(message: &Message) -> String {
    let bodies = message.text_bodies().chain(message.html_bodies());
    bodies.map(words_of).find(|words| !words.trim().is_empty()).unwrap_or_default()
}

/// The addresses of seats that a message holds, wherever they stand.
fn addresses(message: &Message) -> Vec<String> {
    let mut found = Vec::new();
    for part in message.text_bodies().chain(message.html_bodies()) {
        if let PartType::Text(text) | PartType::Html(text) = &part.body {
            table_number::collect_addresses(text, &mut found);
        }
    }
    found
}

fn words_of(part: &MessagePart) -> String {
    match &part.body {
        PartType::Text(text) => {
            let attribute = |name: &str| part.content_type().and_then(|kind| kind.attribute(name));
            match attribute("format") {
                Some(format) if format.eq_ignore_ascii_case("flowed") => {
                    unflow(text, attribute("delsp").is_some_and(|word| word.eq_ignore_ascii_case("yes")))
                }
                _ => text.to_string(),
            }
        }
        PartType::Html(text) => html::own_text(text),
        _ => String::new(),
    }
}

/// Puts lines together that were broken only to be sent (RFC 3676). Mail programs break lines that are full; whoever typed a short line
/// with a space behind it ended it themselves.
fn unflow(text: &str, delete_spaces: bool) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.strip_prefix(' ').unwrap_or(line);
        let next_word = lines.peek().and_then(|next| next.split_whitespace().next()).unwrap_or_default();
        let is_quoted = |line: &str| line.starts_with('>');
        let is_full = line.chars().count() + next_word.chars().count() > NARROWEST;
        let flows = line.ends_with(' ') && line != "-- " && next_word != "--" && is_full;
        if flows && !is_quoted(line) && !is_quoted(next_word) {
            whole.push_str(if delete_spaces { line.trim_end_matches(' ') } else { line });
        } else {
            whole.push_str(line);
            whole.push('\n');
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(raw: &str) -> Opened {
        Desk::default().open(raw.as_bytes()).unwrap()
    }

    #[test]
    fn a_plain_message_is_opened() {
        let opened = open(
            "From: Alice <Alice@Example.org>\r\nMessage-ID: <a@b>\r\nReferences: <x@y> <z@y>\r\nSubject: Re: Your turn\r\n\r\nplay 9C\r\n",
        );
        assert_eq!(opened.from.as_deref(), Some("alice@example.org"));
        assert_eq!(opened.message_id.as_deref(), Some("a@b"));
        assert_eq!(opened.references, ["x@y", "z@y"]);
        assert_eq!(opened.automatic, None);
        assert_eq!(opened.text.trim(), "play 9C");
    }

    #[test]
    fn names_that_could_not_stand_in_our_headers_are_left_out() {
        let opened =
            open("Message-ID: <a b@c>\r\nReferences: <x@y>\r\n <\u{e9}@y>\r\nFrom: a@b.example\r\n\r\nskip\r\n");
        assert_eq!(opened.references, ["x@y"]);
        assert!(opened.message_id.is_none_or(|name| name.chars().all(|sign| sign.is_ascii_graphic())));
    }

    #[test]
    fn a_message_from_several_or_nobody_is_from_nobody() {
        for from in [
            "",
            "From: a@b.example, c@d.example\n",
            "From: a@b.example\nFrom: c@d.example\n",
            "From: us: a@b.example;\n",
        ] {
            assert_eq!(open(&format!("{from}Subject: x\n\nskip\n")).from, None, "{from}");
        }
    }

    #[test]
    fn what_a_machine_wrote_is_known_for_it() {
        for header in [
            "Auto-Submitted: auto-replied (vacation)",
            "Auto-Submitted: auto-generated",
            "Precedence: bulk",
            "Precedence: Auto_Reply",
            "List-Id: <games.example.org>",
            "Return-Path: <>",
            "X-Autoreply: yes",
            "Content-Type: multipart/report; boundary=x; report-type=delivery-status",
        ] {
            assert!(open(&format!("{header}\nFrom: a@b.example\n\nskip\n")).automatic.is_some(), "{header}");
        }
        for header in
            ["Auto-Submitted: no", "Auto-Submitted: No; x=y", "Precedence: first-class", "Return-Path: <a@b.example>"]
        {
            assert_eq!(open(&format!("{header}\nFrom: a@b.example\n\nskip\n")).automatic, None, "{header}");
        }
    }

    #[test]
    fn whoever_is_away_is_told_from_other_machines() {
        for header in ["Auto-Submitted: auto-replied (vacation)", "Precedence: Auto_Reply", "X-Autoreply: yes"] {
            assert!(open(&format!("{header}\nFrom: a@b.example\n\nI am away.\n")).is_away, "{header}");
        }
        for header in ["Auto-Submitted: auto-generated", "Precedence: bulk", "List-Id: <x>", "Auto-Submitted: no"] {
            assert!(!open(&format!("{header}\nFrom: a@b.example\n\nskip\n")).is_away, "{header}");
        }
    }

    #[test]
    fn flowing_lines_are_put_together() {
        let text = "chat This is a sentence that goes on for so long that it is \nbroken.\n-- \nAlice \n> quoted \n> text\n stuffed";
        let whole = "chat This is a sentence that goes on for so long that it is broken.\n-- \nAlice \n> quoted \n> text\nstuffed\n";
        assert_eq!(unflow(text, false), whole);
        let long = "x".repeat(70);
        assert_eq!(unflow(&format!("{long} \nay"), true), format!("{long}ay\n"));
    }

    #[test]
    fn a_short_line_that_ends_in_a_space_ends_there() {
        assert_eq!(unflow("end \nThanks, Alice \n\n> x", false), "end \nThanks, Alice \n\n> x\n");
    }

    #[test]
    fn nested_messages_do_not_break_the_reader() {
        let nested = "Content-Type: message/rfc822\n\n".repeat(30_000);
        assert_eq!(Desk::default().open(nested.as_bytes()), Err(Unreadable::TooManyParts));
        let encoded = data_encoding::BASE64_MIME.encode(nested.as_bytes());
        for kind in ["message/rfc822", "Message/Global", "multipart/digest; boundary=x"] {
            let header = format!("MIME-Version: 1.0\nContent-Type:\n {kind}\nContent-Transfer-Encoding: base64\n\n");
            assert!(Desk::default().open(format!("{header}{encoded}").as_bytes()).is_ok());
            let parts = format!("Content-Type: multipart/mixed; boundary=y\n\n--y\n{header}--x\n\n{encoded}\n--y--\n");
            assert_eq!(Desk::default().open(parts.as_bytes()).unwrap().text.trim(), "");
        }
    }

    #[test]
    fn many_parts_within_parts_are_too_many() {
        let nested: String =
            (0..300).map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n")).collect();
        assert_eq!(Desk::default().open(nested.as_bytes()), Err(Unreadable::TooManyParts));
    }
}
