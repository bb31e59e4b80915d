//! Letters are signed so that other mail servers find the signature good.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Instant;

use mail_auth::common::parse::TxtRecordParser;
use mail_auth::common::verify::DomainKey;
use mail_auth::{AuthenticatedMessage, DkimResult, MessageAuthenticator, Parameters, ResolverCache, Txt};

use crate::harness::sink::Sink;
use crate::harness::timed_house::{TimedHouse, post_settings};

/// The key that RFC 8463 has for an example, and what is published of it.
const KEY: &str = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=";
const RECORD: &str = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

/// A DNS with one record.
struct Published(Arc<DomainKey>);

impl ResolverCache<Box<str>, Txt> for Published {
    fn get<Q>(&self, _: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        Some(Txt::DomainKey(self.0.clone()))
    }

    fn remove<Q>(&self, _: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        None
    }

    fn insert(&self, _: Box<str>, _: Txt, _: Instant) {}
}

async fn is_good(message: &str) -> bool {
    let message = message.replace('\n', "\r\n");
    let message = AuthenticatedMessage::parse(message.as_bytes()).expect("a message");
    let published = Published(Arc::new(DomainKey::parse(RECORD.as_bytes()).expect("a record")));
    let verifier = MessageAuthenticator::new_cloudflare().expect("a verifier");
    let results = verifier.verify_dkim(Parameters::new(&message).with_txt_cache(&published)).await;
    results.len() == 1 && results.iter().all(|result| *result.result() == DkimResult::Pass)
}

#[actix_web::test]
async fn a_letter_is_signed_with_all_that_matters() {
    let house = TimedHouse::new("2026-11-16T12:00:00Z");
    let sink = Sink::start([]).await;
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("dkim.key");
    std::fs::write(&key, format!("{KEY}\n")).unwrap();
    let mut settings = post_settings(Some(&sink));
    settings.dkim.dkim_selector = Some("post".into());
    settings.dkim.dkim_key = Some(key);
    let (alice, hatter) = (house.person("Alice").await, house.person("Zoë Hatter").await);
    house.wish(&alice, r#"{"when":"at-once"}"#).await;
    house.wish(&hatter, r#"{"when":"at-once"}"#).await;
    house.begin("red-queen", &[&alice, &hatter], None).await;
    let post = house.start_post(&settings);
    house.settled().await;
    let received = sink.received();
    let letter = received.iter().find(|letter| letter.to == alice.address).or(received.first()).expect("a letter");
    let signature = letter.header("DKIM-Signature");
    for part in ["d=house.example", "s=post", "List-Unsubscribe:", "List-Unsubscribe-Post", "References", "Message-ID"]
    {
        assert!(signature.to_lowercase().contains(&part.to_lowercase()), "{part} in {signature}");
    }
    assert!(is_good(&letter.data).await, "{}", letter.data);
    for (was, is) in [
        ("List-Unsubscribe: <https://house.example/", "List-Unsubscribe: <https://elsewhere.example/"),
        ("List-Unsubscribe=One-Click", "List-Unsubscribe=Two-Clicks"),
        ("Auto-Submitted: auto-generated", "Auto-Submitted: no"),
        ("Red Queen", "Red King"),
    ] {
        let changed = letter.data.replace(was, is);
        assert_ne!(changed, letter.data, "{was}");
        assert!(!is_good(&changed).await, "{was}");
    }
    post.stop().await;
}
