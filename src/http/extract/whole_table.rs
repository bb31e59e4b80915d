//! A table that whoever asks may see whole, and who asks.

use std::fmt;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, HttpResponse, ResponseError};
use askama::Template;

use crate::http::extract::request_user::RequestUser;
use crate::http::extract::session::app;
use crate::http::pages::daily::columns_of;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::page::glance;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::tables::lifecycle::daily::Sight;
use crate::tables::state::glance::Glance;
use crate::tables::state::table_state::Status;

/// The table `{id}` of the path. A game of today's garden is hidden from those who still play theirs: they get a page that says so.
pub struct WholeTable {
    pub glance: Glance,
    pub user: RequestUser,
}

#[derive(Debug, Template)]
#[template(path = "pages/hidden_table.html")]
pub struct HiddenTablePage {
    frame: Frame,
    over: bool,
    /// How it stands, such as “3 roses, 12 turns”.
    result: String,
}

/// Why there is no table to look at.
#[derive(Debug)]
pub enum NotWhole {
    Hidden(Box<HiddenTablePage>),
    Problem(Problem),
}

impl<T: Into<Problem>> From<T> for NotWhole {
    fn from(problem: T) -> NotWhole {
        NotWhole::Problem(problem.into())
    }
}

impl fmt::Display for NotWhole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWhole::Hidden(_) => f.write_str("A game of today's garden is hidden until you have finished yours."),
            NotWhole::Problem(problem) => problem.fmt(f),
        }
    }
}

impl ResponseError for NotWhole {
    fn status_code(&self) -> StatusCode {
        match self {
            NotWhole::Hidden(_) => StatusCode::OK,
            NotWhole::Problem(problem) => problem.status_code(),
        }
    }

    fn error_response(&self) -> HttpResponse {
        match self {
            NotWhole::Hidden(page) => {
                html(StatusCode::OK, &**page).unwrap_or_else(|error| Problem::from(error).error_response())
            }
            NotWhole::Problem(problem) => problem.error_response(),
        }
    }
}

impl FromRequest for WholeTable {
    type Error = NotWhole;
    type Future = Pin<Box<dyn Future<Output = Result<WholeTable, NotWhole>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let user = RequestUser::from_request(&request, payload);
        Box::pin(async move {
            let (app, user) = (app(&request)?, user.await?);
            let glance = glance(&app, request.match_info().query("id"), user.player()).await?;
            let table = &glance.table;
            if app.tables.sight(table, user.player()).await? == Sight::Whole {
                return Ok(WholeTable { glance, user });
            }
            let ranking_key = table.now.position.ranking_key();
            let columns = columns_of(table.now.game.daily());
            let result: Vec<String> = columns.iter().map(|column| column.words(&ranking_key)).collect();
            let over = table.now.status() == Status::Over;
            let page = HiddenTablePage { frame: user.frame(), over, result: result.join(", ") };
            Err(NotWhole::Hidden(Box::new(page)))
        })
    }
}
