//! “Play next”: to the table that waits for me with the least time left. It acts on nothing.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::tables::TableId;

/// The most tables that can be skipped one after the other.
const MOST_SKIPPED: usize = 30;

/// Tables that were skipped, in one word: `?after=TABLE,TABLE`.
#[derive(Deserialize, Default)]
pub struct Skipped {
    after: Option<String>,
}

impl Skipped {
    /// Ids that are none are left out.
    pub fn tables(&self) -> Vec<TableId> {
        let words = self.after.as_deref().unwrap_or_default().split(',');
        words.filter_map(|word| word.parse().ok()).take(MOST_SKIPPED).collect()
    }
}

/// The link that skips these tables.
pub fn link(skipped: &[TableId]) -> String {
    format!("/next?after={}", words(skipped))
}

fn words(skipped: &[TableId]) -> String {
    skipped.iter().map(TableId::to_string).collect::<Vec<_>>().join(",")
}

#[derive(Template)]
#[template(path = "pages/next.html")]
struct NothingNext {
    frame: Frame,
    /// Whether some that wait were skipped.
    skipped: bool,
}

impl AppState {
    /// The table that waits for a player with the least time left.
    pub(crate) async fn next_for(
        &self,
        player: crate::tables::PlayerId,
        skipped: &[TableId],
    ) -> Result<Option<TableId>, Problem> {
        Ok(retry_transient(|| self.tables.store.next_table(player, skipped)).await?)
    }
}

/// `GET /next`
pub async fn show(
    app: web::Data<AppState>,
    query: web::Query<Skipped>,
    user: SignedIn,
) -> Result<HttpResponse, Problem> {
    let player = user.player();
    let skipped = query.tables();
    match app.next_for(player, &skipped).await? {
        // What was skipped is remembered in the link, so that skipping on goes on.
        Some(table) if skipped.is_empty() => Ok(see(format!("/t/{table}"))),
        Some(table) => Ok(see(format!("/t/{table}?after={}", words(&skipped)))),
        None => {
            let skipped = app.next_for(player, &[]).await?.is_some();
            Ok(html(StatusCode::OK, &NothingNext { frame: user.frame(), skipped })?)
        }
    }
}
