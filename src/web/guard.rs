//! Headers that tell browsers to trust nothing but ourselves, and a look at where forms come from.

use actix_web::ResponseError;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use actix_web::middleware::Next;

use super::problem::Problem;

/// Sent with every answer.
const HEADERS: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
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

/// Middleware: refuses forms sent from other sites, and adds the headers.
pub async fn guard(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    // An answer, not an error: an error would leave this middleware and those around it behind, with all that they add.
    let mut answer = if request.method().is_safe() || comes_from_here(request.headers()) {
        next.call(request).await?.map_into_left_body()
    } else {
        request.into_response(Problem::Elsewhere.error_response()).map_into_right_body()
    };
    for (name, value) in HEADERS {
        answer.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    Ok(answer)
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
