//! What went wrong, as a problem document (RFC 9457).

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, WWW_AUTHENTICATE};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, ResponseError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::api::Answer;
use crate::http::extract::api_user::ApiUser;
use crate::http::middleware::access_log;
use crate::http::problem::Problem;

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct ProblemDocument {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    detail: String,
    /// What went wrong, in a word that stays: among others moved-first (somebody moved first) and went-back (the database went back in
    /// time; look at the table again).
    code: &'static str,
    /// Names the request in the log of the house
    request: String,
}

#[derive(Debug)]
pub struct ApiProblem(pub Problem);

impl std::fmt::Display for ApiProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> From<T> for ApiProblem
where
    Problem: From<T>,
{
    fn from(problem: T) -> ApiProblem {
        ApiProblem(problem.into())
    }
}

impl ResponseError for ApiProblem {
    fn status_code(&self) -> StatusCode {
        self.0.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        self.0.log();
        let status = self.status_code();
        let mut answer = HttpResponse::build(status);
        answer.insert_header((CACHE_CONTROL, "no-store")).content_type("application/problem+json");
        if status == StatusCode::UNAUTHORIZED {
            answer.insert_header((WWW_AUTHENTICATE, "Bearer"));
        }
        if let Some(header) = self.0.header() {
            answer.insert_header(header);
        }
        let document = ProblemDocument {
            kind: "about:blank",
            title: self.0.title(),
            status: status.as_u16(),
            detail: self.0.to_string(),
            code: self.0.code(),
            request: access_log::request_id(),
        };
        answer.body(serde_json::to_string(&document).expect("a problem is plain data"))
    }
}

pub async fn no_page() -> Answer {
    Err(ApiProblem(Problem::NoPage))
}

/// Whoever sends a body needs a token, and is told so before anything about the body.
pub fn unreadable(error: actix_web::error::JsonPayloadError, request: &HttpRequest) -> actix_web::Error {
    use actix_web::error::JsonPayloadError::{Overflow, OverflowKnownLength};
    if request.extensions().get::<ApiUser>().is_none_or(|user| user.0.is_none()) {
        return ApiProblem(Problem::NoToken).into();
    }
    ApiProblem(match error {
        Overflow { .. } | OverflowKnownLength { .. } => Problem::TooLarge,
        error => Problem::Refused(format!("The body is not what this address takes: {error}")),
    })
    .into()
}

pub fn unreadable_query(error: actix_web::error::QueryPayloadError, _: &HttpRequest) -> actix_web::Error {
    ApiProblem(Problem::Refused(format!("The query is not what this address takes: {error}"))).into()
}

pub fn no_path(_: actix_web::error::PathError, _: &HttpRequest) -> actix_web::Error {
    ApiProblem(Problem::NoPage).into()
}
