//! Headers that tell browsers to trust nothing but ourselves, and a look at where forms come from.

use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::http::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, STRICT_TRANSPORT_SECURITY};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, ResponseError, web};

use crate::http::AppState;
use crate::http::api::ApiProblem;
use crate::http::extract::{csrf, session};
use crate::http::pages::frame::FrameContext;
use crate::http::pages::letters::webhook;
use crate::http::problem::Problem;
use crate::http::server::MOST_FORM_BYTES;
use crate::mail::inbox::LARGEST_BY_WEBHOOK as LARGEST_MAIL;

/// Sent with every answer.
const HEADERS: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("x-permitted-cross-domain-policies", "none"),
];

/// Whole messages are posted here.
const MAIL_HOOK: &str = "/in/mail";

/// A year. Other hosts of the domain are none of our business.
const STAY_WITH_HTTPS: &str = "max-age=31536000";

/// Middleware: refuses forms that were not made here, and adds the headers.
pub async fn guard(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let Some(app) = request.app_data::<web::Data<AppState>>().cloned() else {
        return Err(Problem::Internal("the application state is missing".into()).into());
    };
    let https = app.https;
    let context = FrameContext::new(request.request(), app.clone());
    // An answer, not an error: an error would leave this middleware and those around it behind, with all that they add.
    let answer = context.during(async move {
        match check(&mut request, &app).await {
            Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
            Err(problem) => {
                let answer = refusal(problem, request.path());
                Ok(request.into_response(answer).map_into_right_body())
            }
        }
    });
    let mut answer = answer.await?;
    for (name, value) in HEADERS {
        // What a page says itself is stricter.
        if !answer.headers().contains_key(name) {
            answer.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
    }
    if https {
        answer.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(STAY_WITH_HTTPS));
    }
    if let Some(cookie) = csrf::new_visit(answer.request()) {
        answer.response_mut().add_cookie(&cookie)?;
    }
    // Who signs in or out gets another cookie, or none, instead.
    if let Some(cookie) = session::renewed_cookie(answer.request())
        && !answer.response().cookies().any(|other| other.name() == session::COOKIE)
    {
        answer.response_mut().add_cookie(&cookie)?;
    }
    Ok(answer)
}

async fn check(request: &mut ServiceRequest, app: &AppState) -> Result<(), Problem> {
    if request.method().is_safe() {
        return Ok(());
    }
    if !comes_from_here(request.headers()) && !request.path().starts_with(csrf::UNSUBSCRIBE) {
        return Err(Problem::CrossOrigin);
    }
    let payload = request.extract::<web::Payload>().await.map_err(|_| Problem::Unreadable)?;
    let most = if request.path() == MAIL_HOOK && app.intake.is_some() { LARGEST_MAIL } else { MOST_FORM_BYTES };
    let body = read_body(payload, most, app.timeouts.body).await?;
    csrf::check(request, &body, app).await?;
    request.set_payload(body.into());
    Ok(())
}

/// The whole body of a request, if it is not too large and does not take too long.
async fn read_body(payload: web::Payload, most: usize, time: Duration) -> Result<Bytes, Problem> {
    let body = tokio::time::timeout(time, payload.to_bytes_limited(most)).await.map_err(|_| Problem::TooSlow)?;
    body.map_err(|_| Problem::TooLarge)?.map_err(|_| Problem::Unreadable)
}

/// What was refused, as whoever asked can read it.
fn refusal(problem: Problem, path: &str) -> HttpResponse {
    // The rest of a body that comes too slowly is not waited for.
    let closes = matches!(problem, Problem::TooSlow);
    let mut answer = match path {
        MAIL_HOOK => webhook::answer(problem.status_code(), &problem.to_string()),
        _ if path.starts_with("/api/") => ApiProblem(problem).error_response(),
        _ => problem.error_response(),
    };
    if closes {
        answer.head_mut().set_connection_type(ConnectionType::Close);
    }
    answer
}

/// Browsers say where a form comes from; programs that are no browsers carry no one else's cookie and may leave it out.
fn comes_from_here(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    match text(ORIGIN) {
        None => true,
        Some(origin) => {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            authority.is_some() && authority == text(HOST)
        }
    }
}
