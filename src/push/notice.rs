//! What a device, or a webhook, is told.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::tables::TableId;

/// Where a notice is to go.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NoticeTo {
    /// To all devices of the player.
    Devices,
    Webhook(Uuid),
}

/// A notice that is to go to all devices of a player, or to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNotice {
    pub to: NoticeTo,
    /// The kind of letter that would tell it.
    pub kind: &'static str,
    /// The table that it tells of; `None` if there are several.
    pub table: Option<TableId>,
    /// Whether it says that the player is to move: no news any more once they have.
    pub of_turn: bool,
    pub is_urgent: bool,
    pub title: String,
    pub body: String,
    /// When time runs out for the player, if it says that they are to move.
    pub deadline: Option<DateTime<Utc>>,
    /// When it is no news any more.
    pub expires_at: DateTime<Utc>,
}

/// The words as the browser gets them (`static/service-worker.js`).
#[derive(Serialize)]
struct Words<'a> {
    title: &'a str,
    body: &'a str,
    /// The page to open. A newer notice with the same page replaces an older one.
    path: &'a str,
}

/// The page that a notice leads to.
pub fn path(table: Option<TableId>) -> String {
    table.map_or_else(|| "/".to_owned(), |table| format!("/t/{table}"))
}

/// What is encrypted.
pub fn payload(table: Option<TableId>, title: &str, body: &str) -> Vec<u8> {
    let path = path(table);
    serde_json::to_vec(&Words { title, body, path: &path }).unwrap_or_default()
}

/// A name by which a push service knows that two messages to one device are about the same, and not about what.
pub fn topic(device: Uuid, table: Option<TableId>) -> String {
    let digest = Sha256::digest(format!("wonderpost topic {device} {}", path(table)));
    data_encoding::BASE64URL_NOPAD.encode(&digest[..18])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_the_same_for_one_table_and_tells_nothing_of_it() {
        let (device, table) = (Uuid::from_u128(7), TableId(Uuid::from_u128(9)));
        let topic_of = |device| topic(device, Some(table));
        assert_eq!(topic_of(device), topic_of(device));
        assert_ne!(topic_of(device), topic_of(Uuid::from_u128(8)));
        assert_ne!(topic_of(device), topic(device, None));
        // RFC 8030, section 5.4.
        assert!(topic_of(device).len() <= 32);
    }
}
