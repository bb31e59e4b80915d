//! Refusing letters from a link in one of them. Looking at the page changes nothing; its buttons, and the button of a mail program
//! (RFC 8058), do.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::mail::Kind;
use crate::mail::unsubscribe::{Reader, Unsubscribe, refuse_kinds, silence_table, want_kinds_again};

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

async fn what(app: &AppState, token: &str) -> Result<Unsubscribe, Problem> {
    let what = app.unsubscribing.read(&app.tables.store, token).await?;
    what.filter(|what| !what.kind.refused_with().is_empty()).ok_or(Problem::NoPage)
}

fn page(user: &RequestUser, what: &Unsubscribe, done: Option<Done>) -> Result<HttpResponse, Problem> {
    let page = UnsubscribePage {
        frame: user.frame(),
        kind: what.kind.words(),
        has_table: what.table.is_some(),
        is_player: matches!(what.reader, Reader::Player(_)),
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
    page(&user, &what(&app, &token).await?, None)
}

#[derive(Deserialize)]
pub struct Wanted {
    /// What mail programs send along; their readers want no more such letters.
    #[serde(rename = "List-Unsubscribe")]
    one_click: Option<String>,
    what: Option<String>,
}

/// `POST /unsubscribe/{token}`: without cookie or password.
pub async fn act(
    app: web::Data<AppState>,
    token: web::Path<String>,
    form: web::Form<Wanted>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let what = what(&app, &token).await?;
    let (store, kinds) = (&app.tables.store, what.kind.refused_with());
    let wanted = form.what.as_deref().or(form.one_click.as_ref().map(|_| "kind"));
    let (notice, undo) = match (wanted, &what.reader, what.table) {
        (Some("kind"), reader, _) => {
            what.refuse(store).await?;
            let notice = match reader {
                Reader::Player(_) => "You get no more such letters.",
                Reader::Address(_) => "We do not write to you any more.",
            };
            (notice, Some("kind-again"))
        }
        (Some("kind-again"), Reader::Player(player), _) => {
            want_kinds_again(store, *player, kinds).await?;
            ("You get such letters again.", None)
        }
        (Some("all"), Reader::Player(player), _) => {
            refuse_kinds(store, *player, &Kind::CHOICES).await?;
            ("You get no more letters but those to sign in with.", Some("all-again"))
        }
        (Some("all-again"), Reader::Player(player), _) => {
            want_kinds_again(store, *player, &Kind::CHOICES).await?;
            ("You get letters again.", None)
        }
        (Some("table"), Reader::Player(player), Some(table)) => {
            silence_table(store, *player, table, true).await?;
            ("You get no more letters about this table.", Some("table-again"))
        }
        (Some("table-again"), Reader::Player(player), Some(table)) => {
            silence_table(store, *player, table, false).await?;
            ("You get letters about this table again.", None)
        }
        (Some("kind-again"), Reader::Address(digest), _) => {
            retry_transient(|| app.tables.store.silence_address(digest, false)).await?;
            ("You can be written to again.", None)
        }
        _ => return Err(Problem::Unreadable),
    };
    page(&user, &what, Some(Done { notice, undo }))
}
