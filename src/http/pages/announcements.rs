//! Announcements of the host on every page, until a user dismisses them.

use std::sync::Arc;
use std::time::Duration;

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::{HttpRequest, HttpResponse, web};
use chrono::{DateTime, Utc};

use crate::db::Store;
use crate::db::host::announcements::AnnouncementRow;
use crate::http::AppState;
use crate::http::extract::local_path::LocalPath;
use crate::http::problem::Problem;
use crate::http::refreshed::Refreshed;
use crate::http::render::see;

/// How long a process trusts what it last read: no page pays a query for announcements.
const FRESH_FOR: Duration = Duration::from_secs(10);

/// Holds the numbers of the announcements that a browser has dismissed.
const COOKIE: &str = "wonderpost-dismissed";
const COOKIE_DAYS: i64 = 366;

/// An announcement as pages show it.
#[derive(Clone, Debug)]
pub struct Announcement {
    pub id: i64,
    pub words: String,
}

/// The announcements as this process last read them.
pub struct Announcements(Refreshed<Vec<AnnouncementRow>>);

impl Default for Announcements {
    fn default() -> Announcements {
        Announcements(Refreshed::every(FRESH_FOR))
    }
}

impl Announcements {
    /// Reads them again if that was too long ago.
    pub async fn refresh(&self, store: &Store) {
        self.0.get(async || store.announcements().await).await;
    }

    /// They have changed: the next page reads them again.
    pub fn forget(&self) {
        self.0.forget();
    }

    fn rows(&self) -> Arc<Vec<AnnouncementRow>> {
        self.0.last()
    }

    /// Those that are shown now to somebody who has dismissed these.
    pub fn shown(&self, now: DateTime<Utc>, dismissed: &[i64]) -> Vec<Announcement> {
        let rows = self.rows();
        let shown = rows.iter().filter(|row| row.from_at <= now && now < row.until_at && !dismissed.contains(&row.id));
        shown.map(|row| Announcement { id: row.id, words: row.words.clone() }).collect()
    }
}

/// The announcements that a browser has dismissed.
pub fn dismissed(request: &HttpRequest) -> Vec<i64> {
    let cookie = request.cookie(COOKIE);
    cookie
        .map(|cookie| cookie.value().split('.').filter_map(|id| id.parse().ok()).take(100).collect())
        .unwrap_or_default()
}

/// `POST /announcements/{announcement}/dismiss`
pub async fn dismiss(
    app: web::Data<AppState>,
    id: web::Path<i64>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let mut ids = dismissed(&request);
    ids.push(*id);
    // Those that are over need not be remembered.
    let rows = app.announcements.rows();
    let ids: Vec<String> = rows.iter().filter(|row| ids.contains(&row.id)).map(|row| row.id.to_string()).collect();
    let cookie = Cookie::build(COOKIE, ids.join("."))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(app.https)
        .max_age(time::Duration::days(COOKIE_DAYS))
        .finish();
    let mut answer = see(LocalPath::before(&request).as_ref().map_or("/", LocalPath::as_str));
    answer.add_cookie(&cookie).map_err(|error| Problem::Internal(error.to_string()))?;
    Ok(answer)
}
