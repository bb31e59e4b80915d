//! A reply that is held: its player looks at it and says that it was theirs.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};
use crate::players::sign_in::Token;
use crate::tables::TableId;

#[derive(Template)]
#[template(path = "pages/held.html")]
struct HeldPage {
    frame: Frame,
    held: Held,
}

enum Held {
    Waiting { token: String, title: &'static str, lines: String, received: Moment },
    Confirmed { table: TableId },
    Void,
}

/// `GET /held/{token}`: programs that read mail fetch links, so looking changes nothing; the button does.
pub async fn show(
    app: web::Data<AppState>,
    token: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let held = match Token::parse(&token).map(|token| token.digest()) {
        Some(digest) => retry_transient(|| app.tables.store.held_reply(&digest)).await?,
        None => None,
    };
    let Some(held) = held else { return void(&user) };
    let cached = app.tables.load_fresh(held.table_id).await?;
    let held = Held::Waiting {
        token: token.into_inner(),
        title: cached.now.game.info().title,
        lines: held.lines,
        received: held.received_at.into(),
    };
    Ok(html(StatusCode::OK, &HeldPage { frame: user.frame(), held })?)
}

/// `POST /held/{token}`
pub async fn confirm(
    app: web::Data<AppState>,
    token: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let Some(digest) = Token::parse(&token).map(|token| token.digest()) else { return void(&user) };
    match app.tables.store.confirm_held_reply(&digest).await? {
        Some(table) => {
            let held = Held::Confirmed { table };
            Ok(html(StatusCode::OK, &HeldPage { frame: user.frame(), held })?)
        }
        None => void(&user),
    }
}

fn void(user: &RequestUser) -> Result<HttpResponse, Problem> {
    Ok(html(StatusCode::GONE, &HeldPage { frame: user.frame(), held: Held::Void })?)
}
