//! Refusing letters from a link in one of them. Looking at the page changes nothing; its buttons, and the button of a mail program
//! (RFC 8058), do.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::mail::unsubscribe::{Reader, Unsubscribe};
use crate::players::LetterWish;

#[derive(Template)]
#[template(path = "pages/unsubscribe.html")]
struct UnsubscribePage {
    frame: Frame,
    /// What such letters tell.
    kind: &'static str,
    /// Whether the letter was about one table.
    has_table: bool,
    /// Whether the reader has an account.
    is_player: bool,
    done: Option<Done>,
}

/// What has just been done.
struct Done {
    notice: &'static str,
    /// What would undo it.
    undo: Option<&'static str>,
}

async fn link(app: &AppState, token: &str) -> Result<Unsubscribe, Problem> {
    app.players.unsubscribe_link(token).await?.ok_or(Problem::NoPage)
}

fn page(user: &RequestUser, link: &Unsubscribe, done: Option<Done>) -> Result<HttpResponse, Problem> {
    let page = UnsubscribePage {
        frame: user.frame(),
        kind: link.kind.words(),
        has_table: link.table.is_some(),
        is_player: matches!(link.reader, Reader::Player(_)),
        done,
    };
    Ok(html(StatusCode::OK, &page)?)
}

/// `GET /unsubscribe/{token}`
pub async fn show(
    app: web::Data<AppState>,
    token: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    page(&user, &link(&app, &token).await?, None)
}

#[derive(Deserialize)]
pub struct Wanted {
    /// What mail programs send along; their readers want no more such letters.
    #[serde(rename = "List-Unsubscribe")]
    one_click: Option<String>,
    what: Option<String>,
}

impl Wanted {
    fn wish(&self) -> Option<LetterWish> {
        match self.what.as_deref() {
            None => self.one_click.as_ref().map(|_| LetterWish::NoneOfThisKind),
            Some("kind") => Some(LetterWish::NoneOfThisKind),
            Some("kind-again") => Some(LetterWish::ThisKindAgain),
            Some("all") => Some(LetterWish::None),
            Some("all-again") => Some(LetterWish::AllAgain),
            Some("table") => Some(LetterWish::NoneOfThisTable),
            Some("table-again") => Some(LetterWish::ThisTableAgain),
            Some(_) => None,
        }
    }
}

impl Done {
    fn new(wish: LetterWish, reader: Reader) -> Done {
        let (notice, undo) = match (wish, reader) {
            (LetterWish::NoneOfThisKind, Reader::Player(_)) => ("You get no more such letters.", Some("kind-again")),
            (LetterWish::NoneOfThisKind, Reader::Address(_)) => ("We won't write to you again.", Some("kind-again")),
            (LetterWish::ThisKindAgain, Reader::Player(_)) => ("You get such letters again.", None),
            (LetterWish::ThisKindAgain, Reader::Address(_)) => ("People here can invite you again.", None),
            (LetterWish::None, _) => ("You get no more letters, except those to sign in with.", Some("all-again")),
            (LetterWish::AllAgain, _) => ("You get letters again.", None),
            (LetterWish::NoneOfThisTable, _) => ("You get no more letters about this table.", Some("table-again")),
            (LetterWish::ThisTableAgain, _) => ("You get letters about this table again.", None),
        };
        Done { notice, undo }
    }
}

/// `POST /unsubscribe/{token}`: without cookie or password.
pub async fn act(
    app: web::Data<AppState>,
    token: web::Path<String>,
    form: web::Form<Wanted>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let link = link(&app, &token).await?;
    let wish = form.wish().ok_or(Problem::Unreadable)?;
    app.players.change_letters(&link, wish).await?;
    page(&user, &link, Some(Done::new(wish, link.reader)))
}
