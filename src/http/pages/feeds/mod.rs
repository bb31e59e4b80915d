//! Feeds: finished games and gardens for everybody (Atom); a player's tables (Atom) and deadlines (iCalendar) at addresses that nobody guesses.

mod atom;
mod calendar;
mod mine;

use actix_web::http::header::{CACHE_CONTROL, ETAG, EntityTag, Header, IfNoneMatch};
use actix_web::{HttpRequest, HttpResponse, web};
use chrono::{Days, NaiveTime};
use sha2::{Digest, Sha256};

pub use mine::{my_deadlines, my_tables};

use crate::db::retry_transient;
use crate::db::tables::lists::{ArchiveSearch, TableRow};
use crate::http::AppState;
use crate::http::pages::daily::{best_of, words};
use crate::http::pages::feeds::atom::{Entry, Feed};
use crate::http::pages::home::TableLine;
use crate::http::problem::Problem;

/// How many finished games, and how many gardens, are told of.
const FINISHED: i64 = 50;
const GARDENS: i64 = 14;

const ATOM: &str = "application/atom+xml; charset=utf-8";
const CALENDAR: &str = "text/calendar; charset=utf-8";

const FOR_EVERYBODY: &str = "public, max-age=600";
/// Nobody in between keeps it, and whoever has it asks whether it is still true.
const FOR_ITS_READER: &str = "private, no-cache";

/// A feed, or a word that it has not changed since the reader last asked.
fn answer(request: &HttpRequest, kind: &'static str, caching: &'static str, body: String) -> HttpResponse {
    let digest = Sha256::digest(&body);
    // Weak: on the wire it may be compressed.
    let tag = EntityTag::new_weak(data_encoding::HEXLOWER.encode(&digest[..16]));
    let is_known = match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Items(items)) => items.iter().any(|item| item.weak_eq(&tag)),
        Ok(IfNoneMatch::Any) | Err(_) => false,
    };
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((CACHE_CONTROL, caching)).insert_header((ETAG, tag));
    if is_known { response.finish() } else { response.content_type(kind).body(body) }
}

/// `GET /feeds/finished.atom`: what the archive shows to everybody.
pub async fn finished(app: web::Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let search = ArchiveSearch { limit: FINISHED, ..ArchiveSearch::default() };
    let rows = app.tables.finished_tables(&search).await?;
    of_games(&app, &request, rows, "/feeds/finished.atom", "/archive")
}

/// A feed of finished games, at this path, of which this page shows more.
pub fn of_games(
    app: &AppState,
    request: &HttpRequest,
    rows: Vec<TableRow>,
    path: &str,
    page: &str,
) -> Result<HttpResponse, Problem> {
    let entries = rows.into_iter().map(|row| {
        let (id, at) = (row.id, row.moved_at);
        let line = TableLine::new(app, row);
        let link = app.link(&line.url);
        Entry {
            id: Entry::urn(id),
            title: if line.names.is_empty() { line.title } else { format!("{}: {}", line.title, line.names) },
            updated: at,
            summary: format!("The game is over: {}.", line.words),
            link,
        }
    });
    let feed = Feed::new(app, "Wonderpost: finished games", path, page, entries.collect());
    Ok(answer(request, ATOM, FOR_EVERYBODY, feed.write()?))
}

/// `GET /feeds/gardens.atom`: the results of gardens whose day is over.
pub async fn gardens(app: web::Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let today = app.tables.today();
    let days = retry_transient(|| app.tables.store.days_before(today, GARDENS)).await?;
    let mut entries = Vec::new();
    for day in days {
        let played = app.tables.results_of_day(day, None).await?.iter().filter(|result| result.over).count();
        let summary = match (played, best_of(&app, day).await?) {
            (0, _) | (_, None) => "Nobody played it to the end.".to_owned(),
            (1, Some(best)) => format!("One player played it to the end: {}.", best.words),
            (played, Some(best)) => format!("{played} players played it to the end. The best: {}.", best.words),
        };
        let link = app.link(&format!("/daily/{day}"));
        entries.push(Entry {
            id: link.clone(),
            title: format!("The garden of {}", words(&day)),
            // The results of a day are there when it is over.
            updated: day.checked_add_days(Days::new(1)).unwrap_or(day).and_time(NaiveTime::MIN).and_utc(),
            summary,
            link,
        });
    }
    let feed = Feed::new(&app, "Wonderpost: gardens of the day", "/feeds/gardens.atom", "/daily", entries);
    Ok(answer(&request, ATOM, FOR_EVERYBODY, feed.write()?))
}
