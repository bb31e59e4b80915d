//! Who asks: the holder of a token, or nobody.

use std::future::{Ready, ready};

use actix_web::body::MessageBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::AUTHORIZATION;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpMessage, HttpRequest, ResponseError, web};

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::api::problem::ApiProblem;
use crate::http::extract::session::check_suspension;
use crate::http::pages::account::me::TOKEN_PREFIX;
use crate::http::problem::Problem;
use crate::players::sign_in::Token;
use crate::tables::{Caller, PlayerId};

/// Whoever asks. A token that is not known is refused rather than taken for nobody's.
#[derive(Clone)]
pub struct Asker(pub Option<Caller>);

impl Asker {
    pub fn player(&self) -> Option<PlayerId> {
        self.0.as_ref().map(|caller| caller.player)
    }

    /// The caller, where a token is needed.
    pub fn caller(&self) -> Result<&Caller, ApiProblem> {
        self.0.as_ref().ok_or(ApiProblem(Problem::NoToken))
    }
}

impl Asker {
    /// Who asks with the request's `Authorization`.
    async fn of(app: &AppState, request: &HttpRequest) -> Result<Asker, ApiProblem> {
        let header = request.headers().get(AUTHORIZATION);
        let Some(header) = header.map(|value| value.to_str().unwrap_or_default()) else { return Ok(Asker(None)) };
        let token = header.strip_prefix("Bearer ").and_then(|text| text.trim().strip_prefix(TOKEN_PREFIX));
        let token_digest = token.and_then(Token::parse).ok_or(Problem::NoToken)?.digest();
        app.api_rate.admit(&token_digest).map_err(|wait| Problem::Throttled {
            sentence: "This token asks too often. Wait as long as Retry-After says.",
            retry_seconds: wait.as_secs() + 1,
        })?;
        let holder = retry_transient(|| app.tables.store.player_of_api_token(&token_digest)).await?;
        let holder = holder.ok_or(Problem::NoToken)?;
        check_suspension(request, holder.suspension.as_ref())?;
        Ok(Asker(Some(Caller { player: PlayerId(holder.player), token_digest })))
    }
}

/// Middleware of the API: finds out who asks before anything else is looked at.
pub async fn admit(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    match identify(&mut request).await {
        Ok(asker) => {
            request.extensions_mut().insert(asker);
            Ok(next.call(request).await?.map_into_left_body())
        }
        Err(problem) => Ok(request.into_response(problem.error_response()).map_into_right_body()),
    }
}

async fn identify(request: &mut ServiceRequest) -> Result<Asker, ApiProblem> {
    let app = request.app_data::<web::Data<AppState>>().cloned();
    let app = app.ok_or_else(|| Problem::Internal("the house is not there".into()))?;
    let asker = Asker::of(&app, request.request()).await?;
    if asker.0.is_some() && !request.method().is_safe() {
        let body = request.extract::<Bytes>().await.map_err(|_| Problem::Unreadable)?;
        // A list would be taken for the values of an object, in their order.
        if body.trim_ascii_start().starts_with(b"[") {
            return Err(Problem::Refused("The body has to be a JSON object, and is a list.".into()).into());
        }
        request.set_payload(body.into());
    }
    Ok(asker)
}

impl FromRequest for Asker {
    type Error = ApiProblem;
    type Future = Ready<Result<Asker, ApiProblem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(request.extensions().get::<Asker>().cloned().unwrap_or(Asker(None))))
    }
}
