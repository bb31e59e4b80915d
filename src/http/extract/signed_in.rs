//! A player who has a session; everybody else is sent to sign in first.

use std::fmt;
use std::ops::Deref;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, HttpResponse, ResponseError};

use crate::http::extract::request_user::RequestUser;
use crate::http::problem::Problem;
use crate::http::render::see;
use crate::tables::{Credentials, PlayerId};

/// Pages that one comes back to after signing in; from all others it is one's own page.
const COMES_BACK_TO: [&str; 2] = ["/me/letters", "/next"];

/// A player who has a session. Use it for pages that make no sense without one.
pub struct SignedIn {
    user: RequestUser,
    credentials: Credentials,
}

impl SignedIn {
    pub fn player(&self) -> PlayerId {
        self.credentials.player
    }

    pub fn credentials(&self) -> &Credentials {
        &self.credentials
    }
}

impl Deref for SignedIn {
    type Target = RequestUser;

    fn deref(&self) -> &RequestUser {
        &self.user
    }
}

/// Why there is no signed-in player.
#[derive(Debug)]
pub enum NotSignedIn {
    /// Nobody has this session: they sign in, and come back to this page.
    SignInFirst {
        page: &'static str,
    },
    Problem(Problem),
}

impl fmt::Display for NotSignedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotSignedIn::SignInFirst { .. } => f.write_str("Sign in first."),
            NotSignedIn::Problem(problem) => problem.fmt(f),
        }
    }
}

impl ResponseError for NotSignedIn {
    fn status_code(&self) -> StatusCode {
        match self {
            NotSignedIn::SignInFirst { .. } => StatusCode::SEE_OTHER,
            NotSignedIn::Problem(problem) => problem.status_code(),
        }
    }

    fn error_response(&self) -> HttpResponse {
        match self {
            NotSignedIn::SignInFirst { page } => see(format!("/sign-in?to={page}")),
            NotSignedIn::Problem(problem) => problem.error_response(),
        }
    }
}

impl FromRequest for SignedIn {
    type Error = NotSignedIn;
    type Future = Pin<Box<dyn Future<Output = Result<SignedIn, NotSignedIn>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let page = COMES_BACK_TO.into_iter().find(|page| *page == request.path()).unwrap_or("/me");
        let user = RequestUser::from_request(request, payload);
        Box::pin(async move {
            let user = user.await.map_err(NotSignedIn::Problem)?;
            let credentials = user.credentials.clone().ok_or(NotSignedIn::SignInFirst { page })?;
            Ok(SignedIn { user, credentials })
        })
    }
}
