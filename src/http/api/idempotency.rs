//! `Idempotency-Key`: a post of the API that is sent twice is carried out once, by whichever process, and answered alike.

use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpMessage, HttpRequest, HttpResponse, ResponseError, web};
use chrono::TimeDelta;
use sha2::{Digest, Sha256};
use tracing::Instrument;

use crate::db::idempotency::{Claim, KeptAnswer, KeyedRequest};
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::api::problem::ApiProblem;
use crate::http::extract::api_user::ApiUser;
use crate::http::middleware::access_log;
use crate::http::problem::Problem;
use crate::tables::TableId;

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Tells that an answer was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

pub const LONGEST_KEY: usize = 255;

/// After this time a request without an answer broke off with its process.
const LEASE: TimeDelta = TimeDelta::seconds(60);

/// How often, and how many times, a request that another one carries out is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const LOOKS: usize = 50;

/// Answers with a secret, which is nowhere kept.
const WITH_SECRET: [&str; 2] = ["/api/v1/me/feeds", "/api/v1/me/tokens"];

/// The id of the table that a request opens: the same each time a request with a key is tried, else a fresh one.
pub struct NewTableId(pub TableId);

impl FromRequest for NewTableId {
    type Error = ApiProblem;
    type Future = std::future::Ready<Result<NewTableId, ApiProblem>>;

    fn from_request(request: &HttpRequest, _: &mut actix_web::dev::Payload) -> Self::Future {
        let of_key = request.extensions().get::<TableId>().copied();
        std::future::ready(Ok(NewTableId(of_key.unwrap_or_else(TableId::fresh))))
    }
}

/// Middleware of the API: sees to posts with a key; others pass.
pub async fn once(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    match known(&mut request).await {
        Ok(Known::Pass) => Ok(next.call(request).await?.map_into_boxed_body()),
        Ok(Known::Answered(answer)) => Ok(request.into_response(replay(answer))),
        Ok(Known::New { app, hmac_sha256 }) => {
            // Carried out to its end though whoever asked may hang up.
            let work = access_log::in_same_request(carry_out(app, hmac_sha256, request, next));
            let done = actix_web::rt::spawn(work.in_current_span()).await;
            done.map_err(|error| Problem::Internal(error.to_string()))?
        }
        Err(problem) => Ok(request.into_response(problem.error_response())),
    }
}

/// What is to be done with a request.
enum Known {
    /// It has no key, or nobody's.
    Pass,
    Answered(KeptAnswer),
    New {
        app: web::Data<AppState>,
        hmac_sha256: KeyedRequest,
    },
}

async fn known(request: &mut ServiceRequest) -> Result<Known, ApiProblem> {
    let Some(key) = request.headers().get(IDEMPOTENCY_KEY).cloned() else { return Ok(Known::Pass) };
    if request.method() != Method::POST {
        return Ok(Known::Pass);
    }
    let is_readable = (1..=LONGEST_KEY).contains(&key.len()) && key.as_bytes().iter().all(u8::is_ascii_graphic);
    if !is_readable {
        let sentence = format!("An Idempotency-Key has up to {LONGEST_KEY} letters, digits and signs, without spaces.");
        return Err(Problem::Refused(sentence).into());
    }
    let Some(app) = request.app_data::<web::Data<AppState>>().cloned() else { return Ok(Known::Pass) };
    // Who has no token is told so by the address itself.
    let Some(caller) = request.extract::<ApiUser>().await?.0 else { return Ok(Known::Pass) };
    let body = request.extract::<Bytes>().await.map_err(|_| Problem::Unreadable)?;
    let hmac_sha256 = KeyedRequest {
        player: caller.player,
        key_digest: Sha256::digest(key.as_bytes()).into(),
        request_digest: digest(request, &body),
    };
    request.set_payload(body.into());
    for _ in 0..LOOKS {
        match retry_transient(|| app.tables.store.claim_request(&hmac_sha256, LEASE)).await? {
            Claim::Ours => {
                let table = app.stamp_key().await?.new_table(caller.player, &hmac_sha256.key_digest);
                request.extensions_mut().insert(table);
                return Ok(Known::New { app, hmac_sha256 });
            }
            Claim::Answered(answer) => return Ok(Known::Answered(answer)),
            Claim::OtherRequest => {
                let sentence = "This Idempotency-Key was used for another request. Take a new one for each.";
                return Err(Problem::Refused(sentence.into()).into());
            }
            Claim::InProgress => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
    Err(Problem::InProgress.into())
}

fn digest(request: &ServiceRequest, body: &[u8]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in [request.method().as_str().as_bytes(), request.uri().to_string().as_bytes(), body] {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

/// Carries a request out and keeps its answer; one that may come out otherwise the next time is not kept.
async fn carry_out(
    app: web::Data<AppState>,
    hmac_sha256: KeyedRequest,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let has_secret = WITH_SECRET.contains(&request.path());
    let store = &app.tables.store;
    let answer = match next.call(request).await {
        Ok(answer) => answer,
        Err(error) => {
            let _ = retry_transient(|| store.release_request(&hmac_sha256)).await;
            return Err(error);
        }
    };
    let (request, answer) = answer.into_parts();
    let (head, body) = answer.into_parts();
    let body = to_bytes(body).await.map_err(|error| Problem::Internal(error.into().to_string()))?;
    let kept = if is_final(head.status()) {
        let content_type = head.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).map(str::to_owned);
        let body = (!has_secret || !head.status().is_success()).then(|| body.to_vec());
        let answer = KeptAnswer { status: head.status().as_u16() as i16, content_type, body };
        retry_transient(|| store.keep_request_answer(&hmac_sha256, &answer)).await
    } else {
        retry_transient(|| store.release_request(&hmac_sha256)).await
    };
    if let Err(error) = kept {
        tracing::warn!(%error, "an answer was not kept for a repeated request");
    }
    Ok(ServiceResponse::new(request, head.set_body(body).map_into_boxed_body()))
}

/// Whether the same request would be answered the same at any time.
fn is_final(status: StatusCode) -> bool {
    let passing =
        [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
    !status.is_server_error() && !passing.contains(&status)
}

fn replay(answer: KeptAnswer) -> HttpResponse {
    let Some(body) = answer.body else { return ApiProblem(Problem::ShownOnce).error_response() };
    let status = u16::try_from(answer.status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    let mut response = HttpResponse::build(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    if let Some(kind) = answer.content_type {
        response.insert_header((CONTENT_TYPE, kind));
    }
    response.insert_header((CACHE_CONTROL, "no-store"));
    response.insert_header((REPLAYED, HeaderValue::from_static("true"))).body(body)
}
