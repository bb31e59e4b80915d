//! `wonderpost mail-check`: looks at the settings for mail, at the DNS as far as it can be asked, and at the doors for mail; sends a test
//! letter; and says what is wrong and how to mend it.

mod dns;

use std::cell::Cell;
use std::fmt;
use std::io;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;

use crate::app::settings::{PostSettings, ReceiveSettings};
use crate::mail::inbox::socket_path;
use crate::mail::outbox::transport::Carrier;
use dns::Kind;

/// What was found about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    Good(String),
    /// It could not be looked at.
    Unknown(String),
    /// What is wrong, and how to mend it.
    Wrong(String, String),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Good(what) => write!(f, "good     {what}"),
            Finding::Unknown(what) => write!(f, "unknown  {what}"),
            Finding::Wrong(what, how) => write!(f, "wrong    {what}\n         {how}"),
        }
    }
}

/// Looks records up in the DNS.
type LookUp<'a> = &'a dyn Fn(&str, Kind) -> io::Result<Vec<String>>;

/// Checks everything, prints what it finds, and sends a test letter if there is somebody to send it to. Says whether all is well.
pub async fn run(settings: &PostSettings, place: &str, to: Option<&str>) -> bool {
    // A resolver that does not answer is asked once.
    let silent = Cell::new(false);
    let look_up = |name: &str, kind: Kind| {
        if silent.get() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        dns::look_up(name, kind).inspect_err(|_| silent.set(true))
    };
    let mut findings = check_sending(settings, place, &look_up);
    findings.extend(check_receiving(&settings.receive, &look_up));
    if let Some(place) = settings.receive.lmtp_listen.as_deref() {
        findings.push(check_door(place));
    }
    if let Some(to) = to {
        findings.push(send_test_letter(settings, place, to).await);
    }
    findings.iter().for_each(|finding| println!("{finding}"));
    !findings.iter().any(|finding| matches!(finding, Finding::Wrong(..)))
}

fn wrong(what: impl Into<String>, how: impl Into<String>) -> Finding {
    Finding::Wrong(what.into(), how.into())
}

/// How letters go out, and what others find in the DNS about whom they are from.
fn check_sending(settings: &PostSettings, place: &str, look_up: LookUp) -> Vec<Finding> {
    if settings.smtp.is_none() {
        let how = "Name one with --smtp (WONDERPOST_SMTP), such as smtps://user:password@mail.example.org.";
        return vec![wrong("There is no mail server: letters are kept, and nobody gets any.", how)];
    }
    let carrier = match Carrier::new(settings, place) {
        Ok(carrier) => carrier,
        Err(error) => {
            let how = "See --smtp, --mail-from, --dkim-selector and --dkim-key in the handbook.";
            return vec![wrong(format!("{error:#}."), how)];
        }
    };
    let from = carrier.domain;
    let mut findings = vec![Finding::Good(format!("The settings for sending can be read; letters are from {from}."))];
    // Reports about letters come to the reply domain, so that is what servers check.
    let envelope = settings.receive.reply_domain.as_deref().unwrap_or(&from);
    let spf =
        format!("Publish one that names whoever sends for you: {envelope}. TXT \"v=spf1 a:mail.example.org -all\".");
    findings.push(check_record(look_up, envelope, "v=spf1", "SPF", &spf));
    let domain = settings.dkim.dkim_domain.as_deref().unwrap_or(&from);
    match &settings.dkim.dkim_selector {
        Some(selector) => {
            let name = format!("{selector}._domainkey.{domain}");
            let how = format!("Publish the public key: {name}. TXT \"v=DKIM1; k=rsa; p=…\".");
            findings.push(check_record(look_up, &name, "p=", "DKIM", &how));
        }
        None => findings.push(Finding::Unknown(
            "Letters are not signed here (--dkim-selector, --dkim-key). That is fine if your mail server signs them."
                .to_owned(),
        )),
    }
    let dmarc = format!("Publish one, to begin with: _dmarc.{from}. TXT \"v=DMARC1; p=none\".");
    findings.push(check_record(look_up, &format!("_dmarc.{from}"), "v=DMARC1", "DMARC", &dmarc));
    findings
}

/// Whether a name has a text record of a kind.
fn check_record(look_up: LookUp, name: &str, part: &str, title: &str, how: &str) -> Finding {
    match look_up(name, Kind::Txt) {
        Err(error) => Finding::Unknown(format!("The {title} record of {name} could not be looked up: {error}.")),
        Ok(records) => {
            let found: Vec<&String> = records.iter().filter(|record| record.contains(part)).collect();
            match found.as_slice() {
                [] => wrong(format!("{name} has no {title} record."), how),
                [_] => Finding::Good(format!("{name} has a {title} record.")),
                _ => wrong(format!("{name} has several {title} records, so none counts."), "Leave one of them."),
            }
        }
    }
}

/// How replies come in.
fn check_receiving(settings: &ReceiveSettings, look_up: LookUp) -> Vec<Finding> {
    let Some(domain) = &settings.reply_domain else {
        return vec![Finding::Unknown("Letters cannot be answered: there is no --reply-domain.".to_owned())];
    };
    let mut findings = vec![match look_up(domain, Kind::Mx) {
        Err(error) => Finding::Unknown(format!("The MX record of {domain} could not be looked up: {error}.")),
        Ok(hosts) if hosts.is_empty() => wrong(
            format!("{domain} has no MX record, so replies do not find us."),
            format!("Publish one that names your mail server: {domain}. MX 10 mail.example.org."),
        ),
        Ok(hosts) => Finding::Good(format!("Mail for {domain} goes to {}.", hosts.join(", "))),
    }];
    if settings.lmtp_listen.is_none() && settings.webhook_secret.is_none() {
        findings.push(Finding::Unknown(
            "Neither --lmtp-listen nor --webhook-secret is set: mail comes in only if your mail server pipes it to “wonderpost deliver”."
                .to_owned(),
        ));
    }
    if settings.authserv_id.is_none() {
        findings.push(Finding::Unknown(
            "Nobody vouches for who wrote a reply (--authserv-id): whoever knows a player's reply address can move for them.".to_owned(),
        ));
    }
    findings
}

/// Whether the service takes mail.
fn check_door(place: &str) -> Finding {
    let reached = match socket_path(place) {
        Some(path) => UnixStream::connect(path).map(drop),
        None => TcpStream::connect(place).map(drop),
    };
    match reached {
        Ok(()) => Finding::Good(format!("The service takes mail at {place}.")),
        Err(error) => wrong(
            format!("Nothing takes mail at {place}: {error}."),
            "Start the service with the same --lmtp-listen and --reply-domain, and look into its log.",
        ),
    }
}

async fn send_test_letter(settings: &PostSettings, place: &str, to: &str) -> Finding {
    let how = "The mail server's own log says more. Check user, password, port, and whether it lets this machine send.";
    let Ok(address) = to.parse() else {
        return wrong(format!("“{to}” is no address."), "Write it like alice@example.org.");
    };
    let carrier = match Carrier::new(settings, place) {
        Ok(carrier) => carrier,
        Err(error) => return wrong(format!("{error:#}."), how),
    };
    match carrier.send_test(address).await {
        Ok(()) => Finding::Good(format!("A test letter went to {to}. Look whether it arrives, and not among spam.")),
        Err(error) => wrong(format!("The test letter was not taken: {error:#}."), how),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> PostSettings {
        PostSettings {
            smtp: Some("smtp://localhost".into()),
            mail_from: Some("Wonderpost <post@play.example.org>".into()),
            receive: ReceiveSettings {
                reply_domain: Some("in.play.example.org".into()),
                lmtp_listen: Some("127.0.0.1:2424".into()),
                authserv_id: Some("mail.example.org".into()),
                ..ReceiveSettings::default()
            },
            ..PostSettings::default()
        }
    }

    fn published(name: &str, kind: Kind) -> io::Result<Vec<String>> {
        Ok(match (name, kind) {
            ("in.play.example.org", Kind::Mx) => vec!["mail.example.org".into()],
            ("in.play.example.org", Kind::Txt) => vec!["v=spf1 a:mail.example.org -all".into(), "other".into()],
            ("_dmarc.play.example.org", Kind::Txt) => vec!["v=DMARC1; p=none".into()],
            _ => Vec::new(),
        })
    }

    fn wrongs(findings: &[Finding]) -> Vec<String> {
        findings.iter().filter(|it| matches!(it, Finding::Wrong(..))).map(ToString::to_string).collect()
    }

    #[tokio::test]
    async fn a_house_with_all_its_records_is_well() {
        let settings = settings();
        let mut findings = check_sending(&settings, "https://play.example.org", &published);
        findings.extend(check_receiving(&settings.receive, &published));
        assert_eq!(wrongs(&findings), Vec::<String>::new());
    }

    #[tokio::test]
    async fn what_is_missing_is_named_with_how_to_mend_it() {
        let (settings, nothing) = (settings(), |_: &str, _: Kind| Ok(Vec::new()));
        let mut findings = check_sending(&settings, "https://play.example.org", &nothing);
        findings.extend(check_receiving(&settings.receive, &nothing));
        let wrongs = wrongs(&findings);
        for (what, how) in [
            ("in.play.example.org has no SPF record", "in.play.example.org. TXT \"v=spf1"),
            ("_dmarc.play.example.org has no DMARC record", "TXT \"v=DMARC1; p=none\""),
            ("in.play.example.org has no MX record", "in.play.example.org. MX 10"),
        ] {
            assert!(wrongs.iter().any(|wrong| wrong.contains(what) && wrong.contains(how)), "{what} in {wrongs:?}");
        }
    }

    #[tokio::test]
    async fn settings_that_cannot_be_used_are_wrong_and_a_silent_dns_is_unknown() {
        let silent = |_: &str, _: Kind| Err(io::ErrorKind::TimedOut.into());
        assert_eq!(wrongs(&check_sending(&settings(), "https://play.example.org", &silent)), Vec::<String>::new());
        let without = PostSettings::default();
        assert_eq!(wrongs(&check_sending(&without, "http://localhost:8080", &silent)).len(), 1);
        let broken = PostSettings { mail_from: Some("nobody".into()), ..settings() };
        assert_eq!(wrongs(&check_sending(&broken, "https://play.example.org", &silent)).len(), 1);
    }
}
