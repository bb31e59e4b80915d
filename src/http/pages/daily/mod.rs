//! The garden of the day and its results.

pub mod former;
mod habit;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{Days, NaiveDate};
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
pub(crate) use crate::http::pages::daily::habit::best_of;
use crate::http::pages::daily::habit::{BestGame, MyDay, MyResult, my_days};
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::tables::lifecycle::daily::DayResult;
use wonderpost_rules::{DailyGame, RankingNumber};

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
    /// The numbers that each result shows.
    columns: Vec<Column>,
    /// How results compare.
    order: &'static str,
    /// Whether the user may look at the games of others.
    open_to_me: bool,
    day_before: Option<NaiveDate>,
    /// The best game of the day before, on today's page.
    best_before: Option<BestGame>,
    my_result: Option<MyResult>,
    my_days: Vec<MyDay>,
    garden: String,
}

/// A number by which the games of a day are compared, and its place in their ranking keys.
pub(crate) struct Column {
    pub number: &'static RankingNumber,
    place: usize,
}

impl Column {
    pub fn count(&self, ranking_key: &[i64]) -> i64 {
        self.number.count(self.in_key(ranking_key))
    }

    pub fn words(&self, ranking_key: &[i64]) -> String {
        self.number.words(self.in_key(ranking_key))
    }

    pub fn words_of_most(&self, ranking_key: &[i64]) -> String {
        self.number.words_of_most(self.in_key(ranking_key))
    }

    fn in_key(&self, ranking_key: &[i64]) -> i64 {
        ranking_key.get(self.place).copied().unwrap_or(0)
    }
}

/// The numbers of a game that lists of results show.
pub(crate) fn columns_of(daily: Option<&'static DailyGame>) -> Vec<Column> {
    let numbers = daily.map_or(&[][..], |daily| daily.numbers).iter().enumerate();
    numbers.filter(|(_, number)| number.in_list).map(|(place, number)| Column { number, place }).collect()
}

/// The user's own game of the day.
enum Mine {
    None,
    Running(String),
    Over(String),
}

/// The address of a drawing of a day's garden.
pub(crate) fn garden_url(day: NaiveDate) -> String {
    format!("/daily/{day}/garden.svg")
}

pub(crate) fn words(day: &NaiveDate) -> String {
    day.format("%-d %B %Y").to_string()
}

/// `GET /daily`
pub async fn show(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    page(&app, &user, app.tables.today()).await
}

/// `GET /daily/{day}`
pub async fn show_day(
    app: web::Data<AppState>,
    day: web::Path<NaiveDate>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    page(&app, &user, day.into_inner()).await
}

/// What is published about the chance of a day.
pub(crate) struct Promises {
    pub promise: String,
    /// The promise of the day after, while the day lasts.
    pub next: Option<String>,
    /// In hexadecimal, once the day is over.
    pub secret: Option<String>,
}

/// The promises of today, or of a day that is over and had a garden.
pub(crate) async fn promises_of(app: &AppState, day: NaiveDate) -> Result<Promises, Problem> {
    let tables = &app.tables;
    if let Some(secret) = tables.published_secret(day).await? {
        let promise = secret.promise().to_string();
        return Ok(Promises { promise, next: None, secret: Some(data_encoding::HEXLOWER.encode(secret.bytes())) });
    }
    if day != tables.today() {
        return Err(Problem::NoPage);
    }
    let (promise, next) = tables.promises(day).await?;
    Ok(Promises { promise: promise.to_string(), next: Some(next.to_string()), secret: None })
}

async fn page(app: &AppState, user: &RequestUser, day: NaiveDate) -> Result<HttpResponse, Problem> {
    let tables = &app.tables;
    let is_today = day == app.tables.today();
    let Promises { promise, next, secret } = promises_of(app, day).await?;
    let mine = match user.player() {
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
    let best_before = match day_before.filter(|_| is_today) {
        Some(before) => best_of(app, before).await?,
        None => None,
    };
    let results = tables.results_of_day(day, user.player()).await?;
    let my_result = MyResult::new(app, day, &results).await?;
    let my_days = match user.player().filter(|_| is_today) {
        Some(player) => my_days(app, player).await?,
        None => Vec::new(),
    };
    let page = DailyPage {
        frame: Frame { preview: Some(app.preview_of_garden(day)), ..user.frame() },
        day,
        is_today,
        promise,
        next_promise: next,
        secret,
        open_to_me: !is_today || matches!(mine, Mine::Over(_)),
        columns: columns_of(tables.daily_game()),
        order: tables.daily_game().map_or("", |daily| daily.order),
        results,
        mine,
        day_before,
        best_before,
        my_result,
        my_days,
        garden: garden_url(day),
    };
    Ok(html(StatusCode::OK, &page)?)
}

#[derive(Deserialize)]
pub struct PlayForm {
    zone: Option<String>,
}

/// `POST /daily`: lays out today's garden, or goes back to it.
pub async fn play(
    app: web::Data<AppState>,
    form: web::Form<PlayForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let ensured = app.ensure_player(&user, form.zone.as_deref()).await?;
    let table = app.tables.play_today(ensured.player).await?;
    app.answer_ensured(ensured, see(format!("/t/{table}")))
}
