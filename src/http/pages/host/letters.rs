//! The outbox: what waits, and what was given up. Never what letters say.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::host::letters::QueuedLetter;
use crate::db::mail::outbox::DeadLetter;
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::letters::dead::{LetterLine, without_addresses};
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, in_words, see};
use crate::players::masked_address;

/// How many letters that wait are listed, and how many dead ones.
const LISTED_WAITING: i64 = 50;
const LISTED_DEAD: i64 = 200;

#[derive(Template)]
#[template(path = "host/letters.html")]
struct LettersPage {
    frame: Frame,
    notice: Option<&'static str>,
    waiting: i64,
    due: i64,
    tried: i64,
    oldest: Option<Moment>,
    dead_count: i64,
    queue: Vec<QueueLine>,
    dead: Vec<LetterLine>,
}

struct QueueLine {
    id: i64,
    kind: String,
    reader: String,
    written: Moment,
    tries: i32,
    next_try: Moment,
    /// When that is, from now.
    next_in: String,
    trouble: Option<String>,
}

impl QueueLine {
    fn new(letter: QueuedLetter, now: chrono::DateTime<chrono::Utc>) -> QueueLine {
        let is_due = letter.next_try <= now;
        QueueLine {
            id: letter.id,
            kind: letter.kind.name().to_owned(),
            reader: reader(&letter.reader),
            written: letter.written_at.into(),
            tries: letter.tries,
            next_try: letter.next_try.into(),
            next_in: if is_due { "now".to_owned() } else { in_words(letter.next_try - now) },
            trouble: letter.trouble.as_deref().map(without_addresses),
        }
    }
}

/// A player's name, or enough of an address to know it by.
fn reader(reader: &str) -> String {
    if reader.contains('@') { masked_address(reader) } else { reader.to_owned() }
}

fn dead_line(letter: DeadLetter) -> LetterLine {
    let reader = reader(&letter.reader);
    LetterLine { reader, ..LetterLine::from(letter) }
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /host/letters`
pub async fn show(
    app: web::Data<AppState>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (store, now) = (&app.tables.store, app.tables.now());
    let figures = retry_transient(|| store.queue_figures()).await?;
    let queue = retry_transient(|| store.next_letters(LISTED_WAITING)).await?;
    let dead = retry_transient(|| store.dead_letters(LISTED_DEAD)).await?;
    let page = LettersPage {
        frame: user.frame(),
        notice: query.done.as_ref().map(|_| "The letter will be tried again."),
        waiting: figures.waiting,
        due: figures.due,
        tried: figures.tried,
        oldest: figures.oldest.map(Moment::from),
        dead_count: figures.dead,
        queue: queue.into_iter().map(|letter| QueueLine::new(letter, now)).collect(),
        dead: dead.into_iter().map(dead_line).collect(),
    };
    Ok(html(StatusCode::OK, &page)?)
}

#[derive(Deserialize)]
pub struct Again {
    letter: i64,
}

/// `POST /host/letters`: tries a dead letter again.
pub async fn try_again(
    app: web::Data<AppState>,
    form: web::Form<Again>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let host = user.player().ok_or(Problem::NoPage)?;
    if !app.tables.store.retry_letter(host, form.letter).await? {
        return Err(Problem::Refused("There is no such letter, or what it had to say is gone.".into()));
    }
    Ok(see("/host/letters?done=again"))
}
