//! Announcements: made, listed, ended.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use serde::Deserialize;

use crate::db::host::announcements::AnnouncementRow;
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, see};

/// The most characters that an announcement may have, how long it may be shown, and how many may be shown or to come at a time.
const LONGEST: usize = 500;
const LONGEST_DAYS: i64 = 366;
const MOST: usize = 5;

/// How many past ones are listed.
const LISTED_PAST: i64 = 20;

/// As browsers write a moment in a form.
const FORM_TIME: &str = "%Y-%m-%dT%H:%M";

#[derive(Template)]
#[template(path = "host/announcements.html")]
struct AnnouncementsPage {
    frame: Frame,
    notice: Option<&'static str>,
    error: Option<String>,
    draft: Draft,
    current: Vec<AnnouncementBox>,
    past: Vec<AnnouncementBox>,
    longest: usize,
}

struct AnnouncementBox {
    id: i64,
    words: String,
    from: Moment,
    until: Moment,
    is_shown: bool,
}

impl AnnouncementBox {
    fn new(row: AnnouncementRow, now: DateTime<Utc>) -> AnnouncementBox {
        AnnouncementBox {
            id: row.id,
            is_shown: row.from_at <= now && now < row.until_at,
            words: row.words,
            from: row.from_at.into(),
            until: row.until_at.into(),
        }
    }
}

/// What is in the form.
#[derive(Clone, Default, Deserialize)]
pub struct Draft {
    #[serde(default)]
    words: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    until: String,
}

impl Draft {
    /// The words, from when and until when; or what is wrong with it.
    fn read(&self, now: DateTime<Utc>) -> Result<(String, DateTime<Utc>, DateTime<Utc>), String> {
        let words = self.words.replace("\r\n", "\n");
        let words = words.trim();
        if words.is_empty() {
            return Err("Write what there is to announce.".to_owned());
        }
        if words.chars().count() > LONGEST {
            return Err(format!("An announcement has at most {LONGEST} characters."));
        }
        if words.chars().any(|letter| letter.is_control() && letter != '\n') {
            return Err("There are characters in it that cannot be shown.".to_owned());
        }
        let time = |text: &str| {
            let text = text.trim();
            let parsed = NaiveDateTime::parse_from_str(text, FORM_TIME)
                .or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S"));
            parsed.map(|time| time.and_utc()).map_err(|_| "Write a time like 2026-11-20T18:00.".to_owned())
        };
        let from = if self.from.trim().is_empty() { now } else { time(&self.from)? };
        let until = time(&self.until)?;
        if until <= from || until <= now {
            return Err("An announcement must end after it begins, and not in the past.".to_owned());
        }
        if until - from > TimeDelta::days(LONGEST_DAYS) {
            return Err("An announcement is shown for a year at most.".to_owned());
        }
        Ok((words.to_owned(), from, until))
    }
}

async fn page(
    app: &AppState,
    user: &RequestUser,
    notice: Option<&'static str>,
    error: Option<String>,
    draft: Draft,
) -> Result<HttpResponse, Problem> {
    let (store, now) = (&app.tables.store, app.tables.now());
    let boxes = |rows: Vec<AnnouncementRow>| rows.into_iter().map(|row| AnnouncementBox::new(row, now)).collect();
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = AnnouncementsPage {
        frame: user.frame(),
        notice,
        error,
        draft,
        current: boxes(retry_transient(|| store.announcements()).await?),
        past: boxes(retry_transient(|| store.past_announcements(LISTED_PAST)).await?),
        longest: LONGEST,
    };
    Ok(html(status, &page)?)
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /host/announcements`
pub async fn show(
    app: web::Data<AppState>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let notice = match query.done.as_deref() {
        Some("announced") => Some("Announced. It appears on every page within seconds of its start."),
        Some("ended") => Some("It is no longer shown."),
        _ => None,
    };
    let now = app.tables.now();
    let draft = Draft { until: (now + TimeDelta::days(1)).format(FORM_TIME).to_string(), ..Draft::default() };
    page(&app, &user, notice, None, draft).await
}

/// `POST /host/announcements`
pub async fn announce(
    app: web::Data<AppState>,
    form: web::Form<Draft>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let host = user.player().ok_or(Problem::NoPage)?;
    let (words, from, until) = match form.read(app.tables.now()) {
        Ok(read) => read,
        Err(error) => return page(&app, &user, None, Some(error), form.into_inner()).await,
    };
    let current = retry_transient(|| app.tables.store.announcements()).await?;
    // A form that was sent twice announces once.
    if !current.iter().any(|row| row.words == words && row.until_at == until) {
        if current.len() >= MOST {
            let error = format!("There are {MOST} announcements already. End one of them first.");
            return page(&app, &user, None, Some(error), form.into_inner()).await;
        }
        app.tables.store.announce(host, &words, from, until).await?;
    }
    app.announcements.forget();
    Ok(see("/host/announcements?done=announced"))
}

/// `POST /host/announcements/{announcement}/end`
pub async fn end(app: web::Data<AppState>, id: web::Path<i64>, user: RequestUser) -> Result<HttpResponse, Problem> {
    let host = user.player().ok_or(Problem::NoPage)?;
    let ended = app.tables.store.end_announcement(host, *id).await?;
    app.announcements.forget();
    if !ended {
        let error = Some("That announcement is over already.".to_owned());
        return page(&app, &user, None, error, Draft::default()).await;
    }
    Ok(see("/host/announcements?done=ended"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_announcement_has_words_and_a_time_to_come() {
        let now: DateTime<Utc> = "2026-11-20T12:00:00Z".parse().unwrap();
        let read = |words: &str, from: &str, until: &str| {
            Draft { words: words.into(), from: from.into(), until: until.into() }.read(now)
        };
        let (words, from, until) = read(" Tea\r\nat six ", "", "2026-11-20T18:00").unwrap();
        assert_eq!((words.as_str(), from, until), ("Tea\nat six", now, "2026-11-20T18:00:00Z".parse().unwrap()));
        assert!(read("Tea", "2026-11-21T08:00", "2026-11-21T09:00:30").is_ok());
        for (words, from, until) in [
            ("", "", "2026-11-20T18:00"),
            ("Tea", "", "2026-11-20T11:00"),
            ("Tea", "2026-11-21T10:00", "2026-11-21T09:00"),
            ("Tea", "soon", "2026-11-21T09:00"),
            ("Tea", "", ""),
            ("Tea", "", "2036-11-21T09:00"),
            ("a\u{7}b", "", "2026-11-20T18:00"),
        ] {
            assert!(read(words, from, until).is_err(), "{words} {from} {until}");
        }
        assert!(read(&"x".repeat(LONGEST + 1), "", "2026-11-20T18:00").is_err());
    }
}
