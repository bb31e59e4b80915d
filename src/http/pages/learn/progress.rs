//! Which lessons somebody has finished: kept with a player, and for somebody who is none as yet in a cookie.

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::{HttpRequest, HttpResponse};

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::problem::Problem;
use wonderpost_games::lessons;

const COOKIE: &str = "wonderpost-lessons";
const COOKIE_DAYS: i64 = 366;

/// The lessons that somebody has finished, as “game/lesson”.
pub struct Progress(Vec<String>);

impl Progress {
    pub fn of(request: &HttpRequest, user: &RequestUser) -> Progress {
        Progress(user.settings().lessons_done.into_iter().chain(in_cookie(request)).collect())
    }

    pub fn has_done(&self, slug: &str, name: &str) -> bool {
        self.0.iter().any(|done| *done == key(slug, name))
    }
}

fn key(slug: &str, name: &str) -> String {
    format!("{slug}/{name}")
}

/// What the cookie says, as far as there are such lessons: it may be anybody's.
fn in_cookie(request: &HttpRequest) -> Vec<String> {
    let cookie = request.cookie(COOKIE);
    let value = cookie.as_ref().map_or("", Cookie::value);
    let all = lessons::files().map(|(slug, name, _)| key(slug, name));
    all.filter(|lesson| value.split('.').any(|done| done == lesson)).collect()
}

/// Remembers that a lesson was finished. Somebody who has no session does not get one for that.
pub async fn finish(
    app: &AppState,
    request: &HttpRequest,
    user: &RequestUser,
    (slug, name): (&str, &str),
    mut answer: HttpResponse,
) -> Result<HttpResponse, Problem> {
    let done = in_cookie(request).into_iter().chain([key(slug, name)]);
    if let Some(player) = user.player() {
        app.players.finish_lessons(player, done).await?;
        return Ok(answer);
    }
    let cookie = Cookie::build(COOKIE, done.collect::<Vec<_>>().join("."))
        .path("/learn")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(app.https)
        .max_age(time::Duration::days(COOKIE_DAYS))
        .finish();
    answer.add_cookie(&cookie).map_err(|error| Problem::Internal(error.to_string()))?;
    Ok(answer)
}
