//! What is shown without a network: the service worker, the copy of the desk that it keeps, and a page for all else.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpResponse, web};
use askama::Template;
use sha2::{Digest, Sha256};

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::assets;
use crate::http::pages::desk::{DeskTable, LISTED_TABLES};
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};
use crate::tables::state::table_state::Status;

/// The worker with the names of all assets. Whenever one of them changes, so does it, and browsers take the new one.
static WORKER: LazyLock<String> = LazyLock::new(|| {
    let assets: Vec<&str> = assets::urls().collect();
    let list = serde_json::to_string(&assets).unwrap_or_default();
    let source = include_str!("../../../static/service-worker.js");
    let version = Sha256::digest(format!("{source}{list}"));
    let version = data_encoding::HEXLOWER.encode(&version[..8]);
    source
        .replace("{version}", &version)
        .replace("[/* assets */]", &list)
        .replace("{icon}", assets::url("icon-192.png"))
});

/// `GET /service-worker.js`
pub async fn worker() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/javascript; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .body(WORKER.as_str())
}

#[derive(Template)]
#[template(path = "pages/offline.html")]
struct OfflinePage {
    frame: Frame,
}

/// `GET /offline`: the same for everybody, because it is kept.
pub async fn show() -> Result<HttpResponse, Problem> {
    Ok(html(StatusCode::OK, &OfflinePage { frame: Frame::default() })?)
}

#[derive(Template)]
#[template(path = "pages/desk_offline.html")]
struct DeskPage {
    frame: Frame,
    at: Moment,
    my_move: Vec<DeskTable>,
    others_move: Vec<DeskTable>,
    not_begun: Vec<DeskTable>,
}

impl DeskPage {
    /// The tables by what they waited for.
    fn parts(&self) -> [(&'static str, &[DeskTable]); 3] {
        [
            ("Your move", &self.my_move),
            ("Waiting for others", &self.others_move),
            ("Waiting for players", &self.not_begun),
        ]
    }
}

/// `GET /desk/offline`: the desk as a browser may keep it. Which games, with whom, who is to move and until when; no forms, no links to tables, and
/// nothing that a player's own view of a game would show. Empty for whoever has no session, so that the browser drops what it has.
pub async fn desk(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    let Some(player) = user.player() else {
        return Ok(HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish());
    };
    let frame = user.frame();
    let own_name = frame.name.clone().unwrap_or_default();
    let mut page = DeskPage {
        frame: Frame {
            name: frame.name,
            is_signed_in: frame.is_signed_in,
            theme: frame.theme,
            four_colour_suits: frame.four_colour_suits,
            ..Frame::default()
        },
        at: app.tables.now().into(),
        my_move: Vec::new(),
        others_move: Vec::new(),
        not_begun: Vec::new(),
    };
    for row in retry_transient(|| app.tables.store.tables_of_player(player, LISTED_TABLES)).await? {
        let list = match row.status {
            Status::Over | Status::Gone => continue,
            Status::Open => &mut page.not_begun,
            Status::Playing if row.waits_for_me => &mut page.my_move,
            Status::Playing => &mut page.others_move,
        };
        list.push(app.desk_table(row, &own_name, None, &HashMap::new()));
    }
    Ok(html(StatusCode::OK, &page)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worker_has_its_blanks_filled_in() {
        assert!(!WORKER.contains("{version}") && !WORKER.contains("{icon}") && !WORKER.contains("/* assets */"));
        assert!(assets::urls().all(|url| WORKER.contains(url)));
    }
}
