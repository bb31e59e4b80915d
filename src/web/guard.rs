//! Headers that tell browsers to trust nothing but ourselves, and a look at where forms come from.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use actix_web::middleware::Next;
use actix_web::{ResponseError, web};

use super::problem::Problem;
use super::{House, csrf, session};

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

/// Middleware: refuses forms that were not made here, and adds the headers.
pub async fn guard(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let Some(house) = request.app_data::<web::Data<House>>().cloned() else {
        return Err(Problem::Internal("the house is not there".into()).into());
    };
    let looking = session::Looking::new(request.request(), house.clone());
    // An answer, not an error: an error would leave this middleware and those around it behind, with all that they add.
    let answer = looking.during(async move {
        match check(&mut request, &house).await {
            Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
            Err(problem) => Ok(request.into_response(problem.error_response()).map_into_right_body()),
        }
    });
    let mut answer = answer.await?;
    for (name, value) in HEADERS {
        // What a page says itself is stricter.
        if !answer.headers().contains_key(name) {
            answer.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
    }
    if let Some(cookie) = csrf::new_visit(answer.request()) {
        answer.response_mut().add_cookie(&cookie)?;
    }
    Ok(answer)
}

async fn check(request: &mut ServiceRequest, house: &House) -> Result<(), Problem> {
    if request.method().is_safe() {
        return Ok(());
    }
    if !comes_from_here(request.headers()) && !request.path().starts_with(csrf::UNSUBSCRIBE) {
        return Err(Problem::Elsewhere);
    }
    csrf::check(request, house).await
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
