//! The garden of the day and its results.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{Days, NaiveDate};

use super::House;
use super::frame::Frame;
use super::page::{html, see};
use super::problem::Problem;
use super::session::Visitor;
use crate::tables::daily::DayResult;

#[derive(Template)]
#[template(path = "pages/daily.html")]
struct DailyPage {
    frame: Frame,
    day: NaiveDate,
    is_today: bool,
    promise: String,
    /// The promise of tomorrow's garden, on today's page.
    next_promise: Option<String>,
    /// The secret, once the day is over.
    secret: Option<String>,
    mine: Mine,
    results: Vec<DayResult>,
    /// Whether the visitor may look at the games of others.
    open_to_me: bool,
    day_before: Option<NaiveDate>,
}

/// The visitor's own game of the day.
enum Mine {
    None,
    Running(String),
    Over(String),
}

fn words(day: &NaiveDate) -> String {
    day.format("%-d %B %Y").to_string()
}

/// `GET /daily`
pub async fn show(house: web::Data<House>, visitor: Visitor) -> Result<HttpResponse, Problem> {
    page(&house, &visitor, house.tables.today()).await
}

/// `GET /daily/{day}`
pub async fn show_day(
    house: web::Data<House>,
    day: web::Path<NaiveDate>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    page(&house, &visitor, day.into_inner()).await
}

async fn page(house: &House, visitor: &Visitor, day: NaiveDate) -> Result<HttpResponse, Problem> {
    let tables = &house.tables;
    let is_today = day == house.tables.today();
    let published = tables.published_secret(day).await?;
    let (promise, next_promise) = match (&published, is_today) {
        (Some(secret), _) => (secret.promise().to_string(), None),
        (None, true) => {
            let (promise, next) = tables.promises(day).await?;
            (promise.to_string(), Some(next.to_string()))
        }
        (None, false) => return Err(Problem::NoPage),
    };
    let mine = match visitor.player() {
        Some(player) => match tables.game_of_day(player, day).await? {
            Some((table, true)) => Mine::Over(format!("/t/{table}")),
            Some((table, false)) => Mine::Running(format!("/t/{table}")),
            None => Mine::None,
        },
        None => Mine::None,
    };
    let before = day.checked_sub_days(Days::new(1));
    let day_before = match before {
        Some(before) => tables.published_secret(before).await?.map(|_| before),
        None => None,
    };
    let page = DailyPage {
        frame: visitor.frame(),
        day,
        is_today,
        promise,
        next_promise,
        secret: published.map(|secret| data_encoding::HEXLOWER.encode(secret.bytes())),
        open_to_me: !is_today || matches!(mine, Mine::Over(_)),
        results: tables.results_of_day(day, visitor.player()).await?,
        mine,
        day_before,
    };
    Ok(html(StatusCode::OK, &page)?)
}

/// `POST /daily`: lays out today's garden, or goes back to it.
pub async fn play(house: web::Data<House>, visitor: Visitor) -> Result<HttpResponse, Problem> {
    let welcome = house.welcome(&visitor).await?;
    let table = house.tables.play_today(welcome.player).await?;
    welcome.give_cookie(see(format!("/t/{table}")))
}
