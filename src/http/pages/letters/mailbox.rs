//! The mailbox: letters of a house that has no mail server, for whoever sits at the machine itself. For all others it is not there: the
//! router asks `AppState::shows_mailbox` first.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue, X_FRAME_OPTIONS};
use actix_web::{HttpResponse, web};
use askama::Template;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};
use crate::mail::PICTURE_ID;

/// The most letters that are shown.
const MOST_LETTERS: i64 = 50;

/// The page may frame letters, and nothing else more than other pages may.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'; frame-src 'self'; \
                           form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A letter may colour itself, show its own picture and open its links, and nothing else: no script, no forms, nothing from elsewhere.
const LETTER_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; \
                             sandbox allow-popups allow-popups-to-escape-sandbox";

#[derive(Template)]
#[template(path = "pages/mailbox.html")]
struct MailboxPage {
    frame: Frame,
    letters: Vec<LetterBox>,
}

struct LetterBox {
    id: i64,
    to: String,
    subject: String,
    at: Moment,
    lines: Vec<Vec<Piece>>,
}

/// A piece of a line: words, or a link to our own pages.
enum Piece {
    Words(String),
    Link(String),
}

fn pieces(line: &str) -> Vec<Piece> {
    let is_link = line.starts_with("http://") || line.starts_with("https://");
    match line.split_once(": http") {
        _ if is_link && !line.contains(char::is_whitespace) => vec![Piece::Link(line.to_owned())],
        Some((words, link)) if !link.contains(char::is_whitespace) => {
            vec![Piece::Words(format!("{words}: ")), Piece::Link(format!("http{link}"))]
        }
        _ => vec![Piece::Words(line.to_owned())],
    }
}

/// `GET /mailbox`
pub async fn show(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    let letters = retry_transient(|| app.tables.store.kept_letters(MOST_LETTERS)).await?;
    let letters = letters
        .into_iter()
        .map(|letter| LetterBox {
            id: letter.id,
            to: letter.to,
            subject: letter.subject,
            at: letter.at.into(),
            lines: letter.text.lines().map(pieces).collect(),
        })
        .collect();
    let mut answer = html(StatusCode::OK, &MailboxPage { frame: user.frame(), letters })?;
    answer.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
    Ok(answer)
}

/// `GET /mailbox/{letter}`: a letter as mail programs show it.
pub async fn show_html(app: web::Data<AppState>, id: web::Path<i64>) -> Result<HttpResponse, Problem> {
    let page = retry_transient(|| app.tables.store.page_of_kept_letter(*id)).await?.ok_or(Problem::NoPage)?;
    let letter = match page.picture {
        // What a mail program finds in the letter itself a browser has to find in the page.
        Some(picture) => page.html.replace(
            &format!("src=\"cid:{PICTURE_ID}\""),
            &format!("src=\"data:image/png;base64,{}\"", data_encoding::BASE64.encode(&picture)),
        ),
        None => page.html,
    };
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_SECURITY_POLICY, LETTER_POLICY))
        .insert_header((X_FRAME_OPTIONS, "SAMEORIGIN"))
        .body(letter))
}
