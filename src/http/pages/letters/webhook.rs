//! Mail that somebody else's service hands in over HTTP, signed with a secret that both know.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use data_encoding::HEXLOWER_PERMISSIVE;

use crate::http::AppState;
use crate::mail::inbox::{LARGEST_BY_WEBHOOK, NotTaken, Way};
use wonderpost_rules::hmac::{Mac, hmac_sha256};

/// By how many seconds the time of a signature may differ from ours. A message that comes twice within it is recognised.
const WINDOW: i64 = 300;

pub(crate) fn answer(status: StatusCode, words: &str) -> HttpResponse {
    HttpResponse::build(status).content_type("text/plain; charset=utf-8").body(format!("{words}\n"))
}

/// `POST /in/mail`: the body is the message as it came. `X-Wonderpost-Recipient` names whom it is for, `X-Wonderpost-Sender` whom the
/// envelope names as its sender (nothing for reports), `X-Wonderpost-Timestamp` the second of signing, and `X-Wonderpost-Signature` is
/// HMAC-SHA-256, in hex, of these three and the body: time, sender and recipient, each with a line feed behind it.
pub async fn take(app: web::Data<AppState>, request: HttpRequest, body: web::Payload) -> HttpResponse {
    let (Some(intake), Some(secret)) = (&app.intake, &app.webhook_secret) else {
        return answer(StatusCode::NOT_FOUND, "There is no such page.");
    };
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let body = match body.to_bytes_limited(LARGEST_BY_WEBHOOK).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return answer(StatusCode::BAD_REQUEST, "The message broke off."),
        Err(_) => return answer(StatusCode::PAYLOAD_TOO_LARGE, "The message is too large."),
    };
    let (sender, recipient) = (header("x-wonderpost-sender"), header("x-wonderpost-recipient").unwrap_or_default());
    let timestamp = header("x-wonderpost-timestamp").unwrap_or_default();
    let signature = header("x-wonderpost-signature").unwrap_or_default();
    let mut mac = hmac_sha256(secret.as_bytes());
    for part in [timestamp, sender.unwrap_or_default(), recipient] {
        mac.update(part.as_bytes());
        mac.update(b"\n");
    }
    mac.update(&body);
    let signed = HEXLOWER_PERMISSIVE.decode(signature.as_bytes()).is_ok_and(|there| mac.verify_slice(&there).is_ok());
    let now = app.tables.now().timestamp();
    let fresh = timestamp.parse::<i64>().is_ok_and(|at| at.abs_diff(now) <= WINDOW.unsigned_abs());
    if !signed || !fresh {
        return answer(StatusCode::UNAUTHORIZED, "The signature is wrong, or too old.");
    }
    let null_sender = sender.is_some_and(|sender| sender.is_empty() || sender == "<>");
    match intake.take(Way::Webhook, null_sender, recipient, &body).await {
        Ok(()) => answer(StatusCode::OK, "Taken."),
        Err(error @ NotTaken::NoRecipient(_)) => answer(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
        Err(error @ NotTaken::Empty) => answer(StatusCode::BAD_REQUEST, &error.to_string()),
        Err(error @ NotTaken::TooLarge) => answer(StatusCode::PAYLOAD_TOO_LARGE, &error.to_string()),
        Err(NotTaken::Store(error)) => {
            tracing::warn!(%error, "a message could not be kept");
            answer(StatusCode::SERVICE_UNAVAILABLE, "The database is unavailable.")
        }
    }
}
