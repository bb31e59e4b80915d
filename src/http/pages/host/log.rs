//! What the hosts did, the newest first.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::host::log::{Deed, LogRow};
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};
use crate::tables::FORMER_PLAYER;

/// How many deeds stand on a page.
const DEEDS_A_PAGE: i64 = 100;

#[derive(Template)]
#[template(path = "host/log.html")]
struct LogPage {
    frame: Frame,
    lines: Vec<LogLine>,
    /// From where on the next page goes, if there is one.
    next: Option<i64>,
}

/// A deed as the log shows it.
pub(crate) struct LogLine {
    pub at: Moment,
    pub host: String,
    pub words: String,
    pub reason: String,
}

impl LogLine {
    pub fn new(app: &AppState, row: LogRow) -> LogLine {
        LogLine {
            at: row.at.into(),
            words: words(app, &row),
            host: row.host.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
            reason: row.reason,
        }
    }
}

/// What was done, after the host's name.
fn words(app: &AppState, row: &LogRow) -> String {
    let player = row.player.as_deref().unwrap_or(FORMER_PLAYER);
    let number = |id: Option<i64>| id.map(|id| id.to_string()).unwrap_or_default();
    let table = || {
        let game = row.game.as_deref().and_then(|slug| app.tables.catalogue.find(slug));
        let title = game.map_or("a game", |game| game.info().title);
        format!("{title} ({})", row.table_id.map(|id| id.to_string()).unwrap_or_default())
    };
    match Deed::named(&row.deed) {
        Some(Deed::Suspended) => format!("suspended {player}"),
        Some(Deed::Lifted) => format!("lifted the suspension of {player}"),
        Some(Deed::Renamed) => match (&row.name_before, &row.name_after) {
            (Some(before), Some(after)) => format!("renamed {before} to {after}"),
            _ => format!("renamed {player}"),
        },
        Some(Deed::TableClosed) => format!("closed the table {}", table()),
        Some(Deed::TalkRemoved) => format!("removed a message of {player} at {}", table()),
        Some(Deed::ReportsDismissed) => format!("dismissed reports of a message of {player} at {}", table()),
        Some(Deed::LetterRetried) => format!("tried letter {} again", number(row.letter_id)),
        Some(Deed::Announced) => format!("made announcement {}", number(row.announcement_id)),
        Some(Deed::AnnouncementEnded) => format!("ended announcement {}", number(row.announcement_id)),
        None => row.deed.clone(),
    }
}

#[derive(Deserialize)]
pub struct Paging {
    before: Option<i64>,
}

/// `GET /host/log`
pub async fn show(
    app: web::Data<AppState>,
    query: web::Query<Paging>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let mut rows = retry_transient(|| app.tables.store.host_log(None, query.before, DEEDS_A_PAGE + 1)).await?;
    let more = rows.len() > DEEDS_A_PAGE as usize;
    rows.truncate(DEEDS_A_PAGE as usize);
    let next = rows.last().map(|row| row.id).filter(|_| more);
    let lines = rows.into_iter().map(|row| LogLine::new(&app, row)).collect();
    Ok(html(StatusCode::OK, &LogPage { frame: user.frame(), lines, next })?)
}
