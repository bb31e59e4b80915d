//! The session cookie: a random token, of which only the digest is stored.

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use crate::http::AppState;
use crate::http::problem::Problem;
use crate::players::{IDLE_DAYS, NewSession, Suspension, end_of_session};

/// The name of the cookie.
pub const COOKIE: &str = "wonderpost";
/// A session whose end was moved on within this time is left as it is, so that not every page writes.
const RENEWED_EVERY: TimeDelta = TimeDelta::days(1);

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// The digest of the session cookie; whether it belongs to anybody is not known yet.
pub(crate) fn token_digest(request: &HttpRequest) -> Option<[u8; 32]> {
    let cookie = request.cookie(COOKIE)?;
    let token = BASE64URL_NOPAD.decode(cookie.value().as_bytes()).ok()?;
    (token.len() == 32).then(|| Sha256::digest(&token).into())
}

pub(crate) fn app(request: &HttpRequest) -> Result<web::Data<AppState>, Problem> {
    let app = request.app_data::<web::Data<AppState>>().cloned();
    app.ok_or_else(|| Problem::Internal("the application state is missing".into()))
}

/// What somebody may do who is suspended, besides looking: leave, and refuse letters.
const WHILE_SUSPENDED: [&str; 5] = ["/sign-in", "/sign-out", "/me/delete", "/me/letters", "/unsubscribe/"];

/// Refuses whatever changes something to those who are suspended.
pub(crate) fn check_suspension(request: &HttpRequest, suspension: Option<&Suspension>) -> Result<(), Problem> {
    let Some(suspension) = suspension else { return Ok(()) };
    let (method, path) = (request.method(), request.path());
    let is_api = path.starts_with("/api/");
    let allowed = method.is_safe()
        || (is_api && method == Method::DELETE && (path == "/api/v1/me" || path.starts_with("/api/v1/me/")))
        || (!is_api && WHILE_SUSPENDED.iter().any(|start| path.starts_with(start)));
    if allowed { Ok(()) } else { Err(Problem::Suspended(suspension.clone())) }
}

/// A cookie that the answer is to set again, because its session ends later now.
struct Renewed(Cookie<'static>);

/// The session's cookie, if the answer to this request is to set it again.
pub(crate) fn renewed_cookie(request: &HttpRequest) -> Option<Cookie<'static>> {
    request.extensions_mut().remove::<Renewed>().map(|renewed| renewed.0)
}

impl AppState {
    fn session_cookie(&self, value: String) -> Cookie<'static> {
        Cookie::build(COOKIE, value)
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.https)
            .max_age(time::Duration::days(IDLE_DAYS))
            .finish()
    }

    /// Gives a browser the cookie of its new session.
    pub(crate) fn give_cookie(&self, session: &NewSession, mut answer: HttpResponse) -> Result<HttpResponse, Problem> {
        let cookie = self.session_cookie(session.token.reveal());
        answer.add_cookie(&cookie).map_err(|error| Problem::Internal(error.to_string()))?;
        Ok(answer)
    }

    /// Extends a session while it is used, once a day.
    pub(crate) async fn renew_session(
        &self,
        request: &HttpRequest,
        token_digest: &[u8; 32],
        expires_at: DateTime<Utc>,
    ) {
        let later = end_of_session();
        let Some(cookie) = request.cookie(COOKIE).filter(|_| later - expires_at >= RENEWED_EVERY) else { return };
        match self.players.renew_session(token_digest).await {
            Ok(()) => {
                request.extensions_mut().insert(Renewed(self.session_cookie(cookie.value().to_owned())));
            }
            // The page can be shown all the same; the next one tries again.
            Err(error) => tracing::warn!(%error, "a session could not be renewed"),
        }
    }

    /// Takes the session's cookie back.
    pub(crate) fn take_cookie(&self, mut answer: HttpResponse) -> Result<HttpResponse, Problem> {
        let mut cookie =
            Cookie::build(COOKIE, "").path("/").http_only(true).same_site(SameSite::Lax).secure(self.https).finish();
        cookie.make_removal();
        answer.add_cookie(&cookie).map_err(|error| Problem::Internal(error.to_string()))?;
        // With the session ends what the browser keeps of it: the copy of the desk, and notices.
        answer.headers_mut().insert(CLEAR_SITE_DATA, HeaderValue::from_static("\"storage\""));
        Ok(answer)
    }
}
