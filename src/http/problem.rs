//! What went wrong, as a page that says what to do next.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderName, HeaderValue, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use askama::Template;

use crate::db::StoreError;
use crate::http::middleware::access_log;
use crate::http::pages::frame::{Frame, frame_from_memory};
use crate::http::render::html;
use crate::players::{AccountError, BadAddress, Suspension};
use crate::tables::lifecycle::daily::DayError;
use crate::tables::lifecycle::rematch::RematchError;
use crate::tables::{MoveError, NoTableId, OpenError, ReadError, SitError};
use wonderpost_rules::Refusal;

/// When it is worth asking again after the database did not answer.
pub const RETRY_SECONDS: &str = "2";

/// When it is worth asking again after asking too often.
const AN_HOUR: u64 = 3600;

/// Why a request is answered with a page of its own.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("There is no such page.")]
    NoPage,
    #[error("There is no such table.")]
    NoTable,
    #[error("This game has no such move.")]
    NoMove,
    #[error("Somebody moved first, so nothing was done. This is the table as it is now.")]
    MovedOn,
    #[error("The database went back in time; this is the table as it is now.")]
    WentBack,
    #[error("You do not sit at this table, so you cannot move here.")]
    NotSeated,
    #[error("{0}")]
    Suspended(Suspension),
    #[error("This request came from another site, so nothing was done.")]
    CrossOrigin,
    #[error(
        "This form was opened too long ago, or before you signed in or out, so nothing was done. Go back, load the page \
         again, and send it once more."
    )]
    StaleForm,
    #[error("Too many people have come in from your network within the hour. Wait a while, or sign in.")]
    TooMany,
    /// Too much at a time, or too often; and when to come back.
    #[error("{sentence}")]
    Throttled { sentence: &'static str, retry_seconds: u64 },
    #[error("The request took too long to arrive, so nothing was done. Send it once more.")]
    TooSlow,
    #[error(
        "You signed in more than a day ago, so please confirm first that it is you: ask for a letter at /api/v1/me/confirm, \
         follow its link or send its code, and try again."
    )]
    Unconfirmed,
    #[error("The same request is still being carried out. Ask again in a moment.")]
    InProgress,
    #[error(
        "This was done already. A token is shown once and nowhere kept: revoke it and make another if it was lost."
    )]
    ShownOnce,
    #[error("{0}")]
    NotForYou(&'static str),
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
    #[error("We cannot reach our database just now. Nothing was lost; try again in a moment.")]
    Unavailable(String),
    #[error("Something went wrong in the house. What was acknowledged is safe.")]
    Internal(String),
}

impl Problem {
    pub fn title(&self) -> &'static str {
        match self {
            Problem::NoPage | Problem::NoTable | Problem::NoMove => "Nothing here",
            Problem::MovedOn => "Somebody moved first",
            Problem::WentBack => "Back in time",
            Problem::NotSeated => "Not your seat",
            Problem::Suspended(_) => "You are suspended",
            Problem::CrossOrigin => "Not from here",
            Problem::StaleForm => "An old form",
            Problem::TooMany => "A full house",
            Problem::Throttled { .. } => "Not so fast",
            Problem::TooSlow => "Too slow",
            Problem::Unconfirmed => "Is it you?",
            Problem::InProgress => "One moment",
            Problem::ShownOnce => "Done already",
            Problem::NotForYou(_) => "Not for you",
            Problem::NoToken => "Who asks?",
            Problem::Refused(_) | Problem::Unreadable => "That cannot be done",
            Problem::TooLarge => "Too much at once",
            Problem::NoMethod(_) => "Not that way",
            Problem::Unavailable(_) => "One moment",
            Problem::Internal(_) => "Off with our heads",
        }
    }

    /// What clients are told beside the status, on pages and by the API.
    pub fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        match self {
            Problem::TooMany => Some((RETRY_AFTER, HeaderValue::from_static("3600"))),
            Problem::Unavailable(_) | Problem::InProgress => {
                Some((RETRY_AFTER, HeaderValue::from_static(RETRY_SECONDS)))
            }
            Problem::Throttled { retry_seconds, .. } => Some((RETRY_AFTER, (*retry_seconds).into())),
            Problem::NoMethod(takes) => HeaderValue::from_str(takes).ok().map(|takes| (ALLOW, takes)),
            _ => None,
        }
    }

    /// What programs know it by, for ever.
    pub const fn code(&self) -> &'static str {
        match self {
            Problem::NoPage => "no-page",
            Problem::NoTable => "no-table",
            Problem::NoMove => "no-move",
            Problem::MovedOn => "moved-first",
            Problem::WentBack => "went-back",
            Problem::NotSeated => "not-seated",
            Problem::Suspended(_) => "suspended",
            Problem::CrossOrigin => "other-site",
            Problem::StaleForm => "stale-form",
            Problem::TooMany => "too-many",
            Problem::Throttled { .. } => "throttled",
            Problem::Unconfirmed => "unconfirmed",
            Problem::TooSlow => "too-slow",
            Problem::InProgress => "in-progress",
            Problem::ShownOnce => "shown-once",
            Problem::NotForYou(_) => "not-for-you",
            Problem::NoToken => "no-token",
            Problem::Refused(_) => "refused",
            Problem::TooLarge => "too-large",
            Problem::Unreadable => "unreadable",
            Problem::NoMethod(_) => "no-method",
            Problem::Unavailable(_) => "unavailable",
            Problem::Internal(_) => "internal",
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
            Problem::MovedOn | Problem::WentBack | Problem::InProgress | Problem::ShownOnce => StatusCode::CONFLICT,
            Problem::NotForYou(_)
            | Problem::NotSeated
            | Problem::Suspended(_)
            | Problem::CrossOrigin
            | Problem::StaleForm
            | Problem::Unconfirmed => StatusCode::FORBIDDEN,
            Problem::NoToken => StatusCode::UNAUTHORIZED,
            Problem::Refused(_) | Problem::Unreadable => StatusCode::UNPROCESSABLE_ENTITY,
            Problem::TooMany | Problem::Throttled { .. } => StatusCode::TOO_MANY_REQUESTS,
            Problem::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Problem::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Problem::NoMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
            Problem::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Problem::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        self.log();
        let mut frame = frame_from_memory();
        if let Problem::Suspended(_) = self {
            // The page itself says it.
            frame.suspension = None;
        }
        let page = ProblemPage {
            frame,
            title: self.title(),
            sentence: self.to_string(),
            request_id: access_log::request_id(),
        };
        let mut answer = html(self.status_code(), &page).unwrap_or_else(|_| HttpResponse::new(self.status_code()));
        if let Some((name, value)) = self.header() {
            answer.headers_mut().insert(name, value);
        }
        answer
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        if error.is_transient() {
            Problem::Unavailable(error.to_string())
        } else {
            Problem::Internal(error.to_string())
        }
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

impl From<MoveError> for Problem {
    fn from(error: MoveError) -> Problem {
        match error {
            MoveError::NotSeated => Problem::NotSeated,
            MoveError::Refused { refusal, .. } => Problem::Refused(refusal.to_string()),
            MoveError::MovedOn => Problem::MovedOn,
            MoveError::WentBack => Problem::WentBack,
            MoveError::Busy => Problem::Unavailable("too many moves at once at one table".into()),
            MoveError::Read(error) => error.into(),
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

impl From<RematchError> for Problem {
    fn from(error: RematchError) -> Problem {
        match error {
            RematchError::Open(error) => error.into(),
            RematchError::Sit(SitError::Taken) => Problem::Refused("The rematch has begun without you.".into()),
            RematchError::Sit(error) => error.into(),
        }
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Problem {
        match error {
            AccountError::Refused(sentence) => Problem::Refused(sentence),
            AccountError::TooOften(sentence) => Problem::Throttled { sentence, retry_seconds: AN_HOUR },
            AccountError::TooManyGuests => Problem::TooMany,
            AccountError::Unconfirmed => Problem::Unconfirmed,
            AccountError::NotSeated => Problem::NotSeated,
            AccountError::NoAccount => Problem::NoPage,
            AccountError::NoNameLeft => Problem::Internal(error.to_string()),
            AccountError::Move(error) => error.into(),
            AccountError::Open(error) => error.into(),
            AccountError::Sit(error) => error.into(),
            AccountError::Read(error) => error.into(),
            AccountError::Store(error) => error.into(),
        }
    }
}

impl From<BadAddress> for Problem {
    fn from(error: BadAddress) -> Problem {
        Problem::Refused(error.to_string())
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        Problem::Refused(refusal.to_string())
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
