//! Whoever calls the API: the holder of a token, or nobody.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use crate::http::AppState;
use crate::http::api::{ApiProblem, IDEMPOTENCY_KEY};
use crate::http::extract::network::Network;
use crate::http::extract::session::check_suspension;
use crate::http::problem::Problem;
use crate::players::{Origin, digest_of_api_token};
use crate::tables::{Credentials, PlayerId};

/// Whoever calls the API. An unknown token is refused rather than taken for nobody's.
#[derive(Clone)]
pub struct ApiUser(pub Option<Credentials>);

impl ApiUser {
    pub fn player(&self) -> Option<PlayerId> {
        self.0.as_ref().map(|credentials| credentials.player)
    }

    /// Who it is, where a token is needed.
    pub fn credentials(&self) -> Result<&Credentials, ApiProblem> {
        self.0.as_ref().ok_or(ApiProblem(Problem::NoToken))
    }

    /// Where a request of a player's program comes from: limits count all programs of a player as one.
    pub fn origin(&self, app: &AppState, request: &HttpRequest) -> Result<Origin, ApiProblem> {
        let network = Network::of(request, app.behind_proxy).to_string();
        Ok(Origin { network, browser: self.credentials()?.player.to_string() })
    }

    /// Whose token the request's `Authorization` holds.
    pub(crate) async fn authenticate(app: &AppState, request: &HttpRequest) -> Result<ApiUser, ApiProblem> {
        let header = request.headers().get(AUTHORIZATION);
        let Some(header) = header.map(|value| value.to_str().unwrap_or_default()) else { return Ok(ApiUser(None)) };
        let token = header.strip_prefix("Bearer ").and_then(|text| digest_of_api_token(text.trim()));
        let token_digest = token.ok_or(Problem::NoToken)?;
        app.api_rate.admit(&token_digest).map_err(|wait| Problem::Throttled {
            sentence: "This token asks too often. Wait as long as Retry-After says.",
            retry_seconds: wait.as_secs() + 1,
        })?;
        if is_checked_with_the_move(request)
            && let Some(credentials) = app.players.cached_holder_of_token(&token_digest)
        {
            return Ok(ApiUser(Some(credentials)));
        }
        ApiUser::of_token(app, request, token_digest).await
    }

    async fn of_token(app: &AppState, request: &HttpRequest, token_digest: [u8; 32]) -> Result<ApiUser, ApiProblem> {
        let holder = app.players.holder_of_token(token_digest).await?;
        let (credentials, suspension) = holder.ok_or(Problem::NoToken)?;
        check_suspension(request, suspension.as_ref())?;
        Ok(ApiUser(Some(credentials)))
    }

    /// Asks the database whether it is still them.
    pub async fn confirm(&self, app: &AppState, request: &HttpRequest) -> Result<(), ApiProblem> {
        if let Some(credentials) = &self.0 {
            ApiUser::of_token(app, request, credentials.token_digest).await?;
        }
        Ok(())
    }
}

/// A move: the statement that stores it checks whose token it is, so that memory will do until then.
fn is_checked_with_the_move(request: &HttpRequest) -> bool {
    request.method() == Method::POST
        && request.path().ends_with("/say")
        && !request.headers().contains_key(IDEMPOTENCY_KEY)
}

impl FromRequest for ApiUser {
    type Error = ApiProblem;
    type Future = Ready<Result<ApiUser, ApiProblem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.extensions().get::<ApiUser>().cloned().unwrap_or(ApiUser(None))))
    }
}
