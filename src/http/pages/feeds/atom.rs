//! Atom (RFC 4287).

use askama::Template;
use chrono::{DateTime, SecondsFormat, Utc};

use crate::http::AppState;
use crate::tables::TableId;

/// A feed.
#[derive(Template)]
#[template(path = "feeds/feed.xml")]
pub struct Feed {
    title: &'static str,
    /// The one address of the feed, by which it is known.
    id: String,
    /// The page that shows the same; and where the feed is, unless that is a secret.
    page: String,
    own_address: Option<String>,
    updated: DateTime<Utc>,
    entries: Vec<Entry>,
}

/// What a feed tells of one thing.
pub struct Entry {
    /// The same as long as it is the same thing.
    pub id: String,
    pub title: String,
    pub updated: DateTime<Utc>,
    pub summary: String,
    pub link: String,
}

impl Entry {
    /// The name of a table that stays the same wherever the house moves.
    pub fn urn(table: TableId) -> String {
        format!("urn:uuid:{}", table.0.hyphenated())
    }
}

impl Feed {
    /// A feed for everybody, at this path.
    pub fn new(app: &AppState, title: &'static str, path: &str, page: &str, entries: Vec<Entry>) -> Feed {
        let own_address = Some(app.link(path));
        Feed { own_address, ..Feed::private(title, app.link(path), app.link(page), entries) }
    }

    /// A feed whose address is its reader's secret.
    pub fn private(title: &'static str, id: String, page: String, entries: Vec<Entry>) -> Feed {
        // As old as the newest of what it tells, so that it is the same until something happens.
        let updated = entries.iter().map(|entry| entry.updated).max().unwrap_or(DateTime::UNIX_EPOCH);
        Feed { title, id, page, own_address: None, updated, entries }
    }

    /// The feed as it is sent.
    pub fn write(&self) -> askama::Result<String> {
        self.render()
    }
}

/// A moment as RFC 3339 has it.
fn moment(at: &DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
