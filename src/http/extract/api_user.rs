//! Whoever calls the API: the holder of a token, or nobody.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::api::ApiProblem;
use crate::http::extract::session::check_suspension;
use crate::http::pages::account::me::TOKEN_PREFIX;
use crate::http::problem::Problem;
use crate::players::sign_in::Token;
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

    /// Whose token the request's `Authorization` holds.
    pub(crate) async fn authenticate(app: &AppState, request: &HttpRequest) -> Result<ApiUser, ApiProblem> {
        let header = request.headers().get(AUTHORIZATION);
        let Some(header) = header.map(|value| value.to_str().unwrap_or_default()) else { return Ok(ApiUser(None)) };
        let token = header.strip_prefix("Bearer ").and_then(|text| text.trim().strip_prefix(TOKEN_PREFIX));
        let token_digest = token.and_then(Token::parse).ok_or(Problem::NoToken)?.digest();
        app.api_rate.admit(&token_digest).map_err(|wait| Problem::Throttled {
            sentence: "This token asks too often. Wait as long as Retry-After says.",
            retry_seconds: wait.as_secs() + 1,
        })?;
        let holder = retry_transient(|| app.tables.store.player_of_api_token(&token_digest)).await?;
        let holder = holder.ok_or(Problem::NoToken)?;
        check_suspension(request, holder.suspension.as_ref())?;
        Ok(ApiUser(Some(Credentials { player: PlayerId(holder.player), token_digest })))
    }
}

impl FromRequest for ApiUser {
    type Error = ApiProblem;
    type Future = Ready<Result<ApiUser, ApiProblem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.extensions().get::<ApiUser>().cloned().unwrap_or(ApiUser(None))))
    }
}
