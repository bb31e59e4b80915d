//! Turning what a page needs into an answer.

use std::fmt;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, ContentType, LOCATION};
use askama::Template;
use askama::filters::HtmlSafe;
use chrono::{DateTime, Utc};

pub use crate::app::clock::in_words;

/// A page. Pages show what their viewer alone may know, so nobody keeps them.
pub fn html(status: StatusCode, page: &impl Template) -> askama::Result<HttpResponse> {
    Ok(HttpResponse::build(status)
        .content_type(ContentType::html())
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(page.render()?))
}

/// After a form: look there.
pub fn see(place: impl AsRef<str>) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((LOCATION, place.as_ref()))
        .insert_header((CACHE_CONTROL, "no-store"))
        .finish()
}

/// A moment as pages show it: for machines, and in words (script puts it into the reader's own zone).
#[derive(Clone)]
pub struct Moment {
    pub machine: String,
    pub words: String,
}

/// As the element that pages show it with.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<time datetime=\"{}\">{}</time>", self.machine, self.words)
    }
}

/// Digits, signs and names of months are all there is in it.
impl HtmlSafe for Moment {}

impl From<DateTime<Utc>> for Moment {
    fn from(at: DateTime<Utc>) -> Moment {
        Moment {
            machine: at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            words: at.format("%-d %B %Y, %H:%M UTC").to_string(),
        }
    }
}
