//! A notice as a webhook takes it: JSON of our own, signed as the Standard Webhooks say, or in the form that a chat takes.

use std::str::FromStr;

use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::{BASE64, HEXLOWER};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wonderpost_rules::hmac::{Mac, hmac_sha256};

use crate::db::column_types::text_column;
use crate::db::notices::ClaimedNotice;
use crate::db::webhooks::WebhookTarget;
use crate::push::client::{ClientError, Message};
use crate::push::notice::path;

/// The kind of the first message to a webhook, and its words.
pub const HELLO: &str = "hello";
pub const HELLO_TITLE: &str = "Wonderpost: this address works";
pub const HELLO_BODY: &str = "Here you will be told when it is your move.";

/// For how long a message is news if no deadline says otherwise. It is given up earlier.
pub const NEWS_FOR: TimeDelta = TimeDelta::days(7);

/// How many bytes a secret has.
pub const SECRET_BYTES: usize = 24;

/// What secrets begin with, so that they are known for what they are.
const SECRET_PREFIX: &str = "whsec_";

const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// How a message is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WebhookForm {
    /// For programs of one's own.
    Json,
    Discord,
    /// Mattermost and Rocket.Chat take it as well.
    Slack,
    /// For a bridge such as Hookshot.
    Matrix,
}

impl WebhookForm {
    pub const ALL: [WebhookForm; 4] =
        [WebhookForm::Json, WebhookForm::Discord, WebhookForm::Slack, WebhookForm::Matrix];

    /// Its name in the database, in forms and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            WebhookForm::Json => "json",
            WebhookForm::Discord => "discord",
            WebhookForm::Slack => "slack",
            WebhookForm::Matrix => "matrix",
        }
    }

    /// What it is for, in words.
    pub const fn words(self) -> &'static str {
        match self {
            WebhookForm::Json => "A program of mine (signed JSON)",
            WebhookForm::Discord => "Discord",
            WebhookForm::Slack => "Slack, Mattermost or Rocket.Chat",
            WebhookForm::Matrix => "Matrix (with a bridge such as Hookshot)",
        }
    }

    /// What is posted.
    fn body(self, words: &Words<'_>) -> Value {
        match self {
            WebhookForm::Json => words.data(),
            // Nobody is called, whatever a name looks like.
            WebhookForm::Discord => json!({
                "username": "Wonderpost",
                "content": words.lines(|text| text.replace('\\', "\\\\").replace('_', "\\_").replace('*', "\\*")),
                "allowed_mentions": {"parse": []},
            }),
            WebhookForm::Slack => json!({"text": words.lines(escaped), "mrkdwn": false}),
            WebhookForm::Matrix => json!({
                "username": "Wonderpost",
                "text": words.lines(str::to_owned),
                "html": words.lines(escaped).replace('\n', "<br>"),
            }),
        }
    }
}

/// There is no such form.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no form of webhooks that we know. Say json, discord, slack or matrix.")]
pub struct NoForm(String);

impl FromStr for WebhookForm {
    type Err = NoForm;

    fn from_str(name: &str) -> Result<WebhookForm, NoForm> {
        WebhookForm::ALL.into_iter().find(|form| form.name() == name).ok_or_else(|| NoForm(name.to_owned()))
    }
}

text_column!(WebhookForm);

/// As chats that read marks want them.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A secret as it is shown to its player.
pub fn reveal_secret(secret: &[u8]) -> String {
    format!("{SECRET_PREFIX}{}", BASE64.encode(secret))
}

/// What a message says.
struct Words<'a> {
    notice: &'a ClaimedNotice,
    player: &'a str,
    url: String,
}

impl Words<'_> {
    /// For people: “Red Queen: your move (Alice)”, “With the Hatter”, and where.
    fn lines(&self, write: impl Fn(&str) -> String) -> String {
        let first = match self.notice.kind.as_str() {
            HELLO => self.notice.title.clone(),
            _ => format!("{} ({})", self.notice.title, self.player),
        };
        let lines = [write(&first), write(&self.notice.body), self.url.clone()];
        lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// For programs.
    fn data(&self) -> Value {
        json!({
            "type": self.notice.kind,
            "timestamp": self.notice.written_at,
            "data": {
                "player": self.player,
                "title": self.notice.title,
                "text": self.notice.body,
                "url": self.url,
                "table": self.notice.table_id.map(|table| table.to_string()),
                "game": self.notice.game,
                "deadline": self.notice.deadline,
            },
        })
    }
}

/// A message to a webhook, signed at this time. `place` is the address of the house.
pub fn message(
    notice: &ClaimedNotice,
    webhook: &WebhookTarget,
    place: &str,
    now: DateTime<Utc>,
) -> Result<Message, ClientError> {
    let words = Words {
        notice,
        player: webhook.player.as_deref().unwrap_or_default(),
        url: format!("{place}{}", path(notice.table_id)),
    };
    let body = webhook.form.body(&words).to_string();
    let (id, timestamp) = (message_id(&webhook.secret, notice.id), now.timestamp().to_string());
    let signature = sign(&webhook.secret, &id, &timestamp, &body);
    let headers = vec![
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (ID, HeaderValue::from_str(&id)?),
        (TIMESTAMP, HeaderValue::from_str(&timestamp)?),
        (SIGNATURE, HeaderValue::from_str(&signature)?),
    ];
    Ok(Message { headers, body: body.into_bytes() })
}

/// The same however often a message is tried, and no number by which one could count those of others.
fn message_id(secret: &[u8], notice: i64) -> String {
    let mut mac = hmac_sha256(secret);
    mac.update(format!("message {notice}").as_bytes());
    format!("msg_{}", HEXLOWER.encode(&mac.finalize().into_bytes()[..16]))
}

/// The signature of a message (Standard Webhooks).
fn sign(secret: &[u8], id: &str, timestamp: &str, body: &str) -> String {
    let mut mac = hmac_sha256(secret);
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::db::notices::Recipient;
    use crate::tables::TableId;

    fn target(form: WebhookForm) -> WebhookTarget {
        let url = "https://chat.example/hook".to_owned();
        WebhookTarget {
            id: Uuid::from_u128(1),
            url,
            form,
            secret: vec![7; SECRET_BYTES],
            player: Some("A_l & x".into()),
        }
    }

    fn body(form: WebhookForm) -> Value {
        let now = DateTime::UNIX_EPOCH;
        let notice = ClaimedNotice {
            id: 5,
            to: Recipient::Webhook(target(form)),
            table_id: Some(TableId(Uuid::from_u128(9))),
            game: Some("red-queen".into()),
            kind: "turn".into(),
            urgent: false,
            title: "Red Queen: your move".into(),
            body: "With the Hatter".into(),
            written_at: now,
            deadline: None,
            expires_at: now,
            tries: 1,
            is_stale: false,
        };
        let message = message(&notice, &target(form), "https://house.example", now).unwrap();
        serde_json::from_slice(&message.body).unwrap()
    }

    #[test]
    fn each_form_says_the_same_as_its_chat_takes_it() {
        let url = "https://house.example/t/00000000000000000000000000000009";
        let discord = body(WebhookForm::Discord);
        assert_eq!(discord["content"], format!("Red Queen: your move (A\\_l & x)\nWith the Hatter\n{url}"));
        assert_eq!(discord["allowed_mentions"]["parse"], json!([]));
        let slack = body(WebhookForm::Slack);
        assert_eq!(slack["text"], format!("Red Queen: your move (A_l &amp; x)\nWith the Hatter\n{url}"));
        let matrix = body(WebhookForm::Matrix);
        assert_eq!(matrix["text"], format!("Red Queen: your move (A_l & x)\nWith the Hatter\n{url}"));
        assert_eq!(matrix["html"], format!("Red Queen: your move (A_l &amp; x)<br>With the Hatter<br>{url}"));
        let own = body(WebhookForm::Json);
        assert_eq!((&own["type"], &own["data"]["url"]), (&json!("turn"), &json!(url)));
        assert_eq!(own["data"]["game"], "red-queen");
    }

    /// The example of the Standard Webhooks.
    #[test]
    fn messages_are_signed_as_everybodys_libraries_check_it() {
        let secret = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature = sign(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(reveal_secret(&secret), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }

    #[test]
    fn forms_are_known_by_their_names() {
        for form in WebhookForm::ALL {
            assert_eq!(form.name().parse(), Ok(form));
            assert_eq!(serde_json::to_value(form).unwrap(), form.name());
        }
        assert!("teams".parse::<WebhookForm>().is_err());
    }
}
