//! What went wrong, as a page that says what to do next.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use askama::Template;

use super::frame::Frame;
use super::observe;
use super::page::html;
use super::session::frame_from_memory;
use crate::store::StoreError;
use crate::tables::daily::DayError;
use crate::tables::{NoTableId, OpenError, ReadError, SayError, SitError};

/// Why a request is answered with a page of its own.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("There is no such page.")]
    NoPage,
    #[error("There is no such table.")]
    NoTable,
    #[error("This game has no such move.")]
    NoMove,
    #[error("The table has moved on since this page was shown, so nothing was done. Look at it as it is now.")]
    MovedOn,
    #[error("You do not sit at this table, so you cannot move here.")]
    NotSeated,
    #[error("This request came from another site, so nothing was done.")]
    Elsewhere,
    #[error(
        "This form was opened too long ago, or before you signed in or out, so nothing was done. Go back, load the page \
         again, and send it once more."
    )]
    StaleForm,
    #[error("Too many people have come in from your network within the hour. Wait a while, or sign in.")]
    TooMany,
    #[error("This needs a token, and there is none, or it is not known here. Make one on your page.")]
    NoToken,
    #[error("{0}")]
    Refused(String),
    #[error("That was more than this page takes.")]
    TooLarge,
    #[error("The form was not filled in as this page expects.")]
    Unreadable,
    /// The kinds that are taken.
    #[error("This address does not take that kind of request.")]
    NoMethod(String),
    #[error("The house cannot reach its books just now. Nothing was lost; try again in a moment.")]
    Unavailable(String),
    #[error("Something went wrong in the house. What was acknowledged is safe.")]
    Internal(String),
}

impl Problem {
    pub fn title(&self) -> &'static str {
        match self {
            Problem::NoPage | Problem::NoTable | Problem::NoMove => "Nothing here",
            Problem::MovedOn => "The table has moved on",
            Problem::NotSeated => "Not your seat",
            Problem::Elsewhere => "Not from here",
            Problem::StaleForm => "An old form",
            Problem::TooMany => "A full house",
            Problem::NoToken => "Who asks?",
            Problem::Refused(_) | Problem::Unreadable => "That cannot be done",
            Problem::TooLarge => "Too much at once",
            Problem::NoMethod(_) => "Not that way",
            Problem::Unavailable(_) => "One moment",
            Problem::Internal(_) => "Off with our heads",
        }
    }

    /// Leaves a line in the log if it is our own fault.
    pub fn log(&self) {
        if let Some(cause) = self.cause() {
            tracing::error!(cause, "a request failed");
        }
    }

    /// What went wrong within, for the log alone.
    fn cause(&self) -> Option<&str> {
        match self {
            Problem::Unavailable(cause) | Problem::Internal(cause) => Some(cause),
            _ => None,
        }
    }
}

#[derive(Template)]
#[template(path = "pages/problem.html")]
struct ProblemPage {
    frame: Frame,
    title: &'static str,
    sentence: String,
    request_id: String,
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        match self {
            Problem::NoPage | Problem::NoTable | Problem::NoMove => StatusCode::NOT_FOUND,
            Problem::MovedOn => StatusCode::CONFLICT,
            Problem::NotSeated | Problem::Elsewhere | Problem::StaleForm => StatusCode::FORBIDDEN,
            Problem::NoToken => StatusCode::UNAUTHORIZED,
            Problem::Refused(_) | Problem::Unreadable => StatusCode::UNPROCESSABLE_ENTITY,
            Problem::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Problem::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Problem::NoMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
            Problem::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Problem::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        self.log();
        let page = ProblemPage {
            frame: frame_from_memory(),
            title: self.title(),
            sentence: self.to_string(),
            request_id: observe::request_id(),
        };
        let mut answer = html(self.status_code(), &page).unwrap_or_else(|_| HttpResponse::new(self.status_code()));
        let more = match self {
            Problem::Unavailable(_) => Some((RETRY_AFTER, HeaderValue::from_static("2"))),
            Problem::NoMethod(takes) => HeaderValue::from_str(takes).ok().map(|takes| (ALLOW, takes)),
            _ => None,
        };
        if let Some((name, value)) = more {
            answer.headers_mut().insert(name, value);
        }
        answer
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        if error.is_passing() { Problem::Unavailable(error.to_string()) } else { Problem::Internal(error.to_string()) }
    }
}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Problem {
        match error {
            ReadError::NoTable => Problem::NoTable,
            ReadError::NoMove => Problem::NoMove,
            ReadError::Store(error) => error.into(),
            ReadError::Unfoldable(error) => Problem::Internal(error.to_string()),
        }
    }
}

impl From<SayError> for Problem {
    fn from(error: SayError) -> Problem {
        match error {
            SayError::NotSeated => Problem::NotSeated,
            SayError::Refused { refusal, .. } => Problem::Refused(refusal.to_string()),
            SayError::MovedOn => Problem::MovedOn,
            SayError::Busy => Problem::Unavailable("too many moves at once at one table".into()),
            SayError::Read(error) => error.into(),
        }
    }
}

impl From<OpenError> for Problem {
    fn from(error: OpenError) -> Problem {
        match error {
            OpenError::Refused(refusal) => Problem::Refused(refusal.to_string()),
            OpenError::Store(error) => error.into(),
            OpenError::Unfoldable(error) => Problem::Internal(error.to_string()),
        }
    }
}

impl From<SitError> for Problem {
    fn from(error: SitError) -> Problem {
        match error {
            SitError::Taken => Problem::Refused("All seats of this table are taken.".into()),
            SitError::Refused(refusal) => Problem::Refused(refusal.to_string()),
            SitError::Read(error) => error.into(),
        }
    }
}

impl From<DayError> for Problem {
    fn from(error: DayError) -> Problem {
        match error {
            DayError::Open(error) => error.into(),
            DayError::Sit(error) => error.into(),
        }
    }
}

impl From<NoTableId> for Problem {
    fn from(_: NoTableId) -> Problem {
        Problem::NoTable
    }
}

impl From<askama::Error> for Problem {
    fn from(error: askama::Error) -> Problem {
        Problem::Internal(error.to_string())
    }
}
