//! Feeds and webhooks.

use chrono::{DateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::one_of;
use crate::push::webhook::WebhookForm;

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Feeds {
    /// Since when my feeds have their addresses; null if they have none
    pub since: Option<DateTime<Utc>>,
}

/// Shown this once
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NewFeeds {
    /// My tables, as Atom
    pub tables: String,
    /// My deadlines, as iCalendar
    pub deadlines: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Webhooks {
    pub webhooks: Vec<Webhook>,
}

/// An address to which what letters tell is posted
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Webhook {
    pub id: Uuid,
    /// The table that it tells of; null: all that have none of their own
    pub table: Option<String>,
    #[schemars(schema_with = "form")]
    pub form: WebhookForm,
    pub url: String,
    pub created_at: DateTime<Utc>,
    /// When a message last went there
    pub sent_at: Option<DateTime<Utc>>,
    /// Why the last try failed, if it did
    pub trouble: Option<String>,
    /// Since when nothing is sent any more, because too many messages were given up
    pub off_since: Option<DateTime<Utc>>,
    /// How many messages were given up
    pub given_up: i64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookBody {
    #[schemars(schema_with = "form")]
    pub form: WebhookForm,
    /// An https address on the Internet
    pub url: String,
}

/// Shown this once
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NewWebhook {
    /// Messages are signed with it, as the Standard Webhooks say
    pub secret: String,
}

fn form(_: &mut SchemaGenerator) -> Schema {
    one_of(WebhookForm::ALL.map(WebhookForm::name))
}
