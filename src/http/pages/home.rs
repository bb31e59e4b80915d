//! The front page: for a newcomer what there is, for a player the desk with all their tables.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::retry_transient;
use crate::db::tables::lists::TableRow;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::assets;
use crate::http::pages::daily::garden_url;
use crate::http::pages::desk::Desk;
use crate::http::pages::frame::Frame;
use crate::http::pages::welcome::Welcome;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};
use crate::players::PlayerName;
use crate::tables::names_in_list;
use crate::tables::state::table_state::Status;
use wonderpost_rules::{GameInfo, Level};

/// The most open tables of others that the front page lists.
const LISTED_OPEN: i64 = 20;

#[derive(Template)]
#[template(path = "pages/home.html")]
struct HomePage {
    frame: Frame,
    is_newcomer: bool,
    /// What has just been done.
    notice: Option<&'static str>,
    /// Whether letters to the player came back, so that none are sent.
    mail_off: bool,
    /// Whether their mail program says that they are away.
    seems_away: bool,
    /// The name that was given to somebody who has an address now and was never asked.
    given_name: Option<String>,
    desk: Desk,
    games: Vec<GameCard>,
    open: Vec<TableLine>,
    day: DayLine,
    /// The address of a drawing of today's garden.
    garden: String,
    welcome: Welcome,
}

struct GameCard {
    slug: &'static str,
    title: &'static str,
    blurb: &'static str,
    /// How many may play, short (“2–4”) and in words.
    players: String,
    seats: String,
    minutes: u16,
    picture: &'static str,
    is_solitaire: bool,
    /// Whether it takes more than one bot to play at once.
    against_several: bool,
    /// The bot that suits a beginner.
    bot: Level,
}

/// A table as lists show it.
pub(crate) struct TableLine {
    pub url: String,
    pub title: String,
    /// With whom.
    pub names: String,
    pub words: String,
    pub moved: Moment,
}

/// Where the user stands with today's garden.
enum DayLine {
    Fresh,
    Begun { url: String },
    Done,
}

pub(crate) fn game_title(app: &AppState, slug: &str) -> String {
    app.tables.catalogue.find(slug).map_or_else(|| slug.to_owned(), |game| game.info().title.to_owned())
}

/// How many may play, in words.
pub(crate) fn seats_in_words((fewest, most): (u8, u8)) -> String {
    match (fewest, most) {
        (1, 1) => "for one".to_owned(),
        (fewest, most) if fewest == most => format!("for {fewest}"),
        (fewest, most) => format!("for {fewest} to {most}"),
    }
}

impl TableLine {
    pub fn new(app: &AppState, row: TableRow) -> TableLine {
        let mut title = game_title(app, &row.game);
        if let Some(day) = row.day {
            title = format!("{title}, the garden of {}", day.format("%-d %B"));
        }
        let names: Vec<String> = names_in_list(&row).into_iter().map(|(_, name)| name).collect();
        let free = usize::try_from(row.seats).unwrap_or(0).saturating_sub(names.len());
        let words = match (row.status, row.moves) {
            (Status::Open, _) if free == 1 => "one seat is free".to_owned(),
            (Status::Open, _) => format!("{free} seats are free"),
            (_, 0) => "not a move made yet".to_owned(),
            (_, 1) => "1 move".to_owned(),
            (_, moves) => format!("{moves} moves"),
        };
        // A solitaire has one score, which says how it went.
        let words = match row.standing.first() {
            Some(score) if row.seats == 1 && row.status == Status::Over => format!("{words}, score {score}"),
            _ => words,
        };
        TableLine {
            url: format!("/t/{}", row.id),
            title,
            names: if row.seats > 1 { names.join(", ") } else { String::new() },
            words,
            moved: row.moved_at.into(),
        }
    }
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /`
pub async fn show(
    app: web::Data<AppState>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let mut page = HomePage {
        frame: Frame { preview: Some(app.preview_of_home()), ..user.frame() },
        is_newcomer: true,
        notice: match query.done.as_deref() {
            Some("declined") => Some("You said no. Whoever invited you will see that."),
            Some("deleted") => Some("Your account is deleted. Thank you for playing, and goodbye."),
            Some("name") => Some("That is your name now."),
            _ => None,
        },
        mail_off: false,
        seems_away: false,
        given_name: None,
        desk: Desk::default(),
        games: app.tables.catalogue.iter().map(|game| GameCard::new(game.info())).collect(),
        open: Vec::new(),
        day: DayLine::Fresh,
        garden: garden_url(app.tables.today()),
        welcome: Welcome::default(),
    };
    if let Some(player) = user.player() {
        let name = page.frame.name.clone().unwrap_or_default();
        page.mail_off = app.players.mail_is_off(player).await?;
        page.seems_away = app.players.seems_away(player).await?;
        page.desk = app.desk(player, &name).await?;
        page.is_newcomer = page.desk.is_quiet() && page.desk.finished.is_empty();
        page.day = match app.tables.game_of_day(player, app.tables.today()).await? {
            None => DayLine::Fresh,
            Some((table, false)) => DayLine::Begun { url: format!("/t/{table}") },
            Some((_, true)) => DayLine::Done,
        };
        let is_asked = user.has_address() && !user.settings().name_asked && PlayerName::is_given(&name);
        page.given_name = is_asked.then_some(name);
    }
    let open = retry_transient(|| app.tables.store.open_tables(LISTED_OPEN)).await?;
    let is_mine = |url: &str| page.desk.not_begun.iter().any(|mine| mine.url == url);
    let others = open.into_iter().map(|row| TableLine::new(&app, row)).filter(|line| !is_mine(&line.url));
    page.open = others.collect();
    if page.is_newcomer {
        page.welcome = Welcome::new(&app, user.player()).await?;
    }
    Ok(html(StatusCode::OK, &page)?)
}

impl GameCard {
    fn new(info: &'static GameInfo) -> GameCard {
        let (fewest, most) = info.seats;
        GameCard {
            slug: info.slug,
            title: info.title,
            blurb: info.blurb,
            players: if fewest == most { fewest.to_string() } else { format!("{fewest}–{most}") },
            seats: seats_in_words(info.seats),
            minutes: info.minutes,
            picture: assets::picture_of(info.slug),
            is_solitaire: most == 1,
            against_several: fewest > 2,
            bot: Level::Easy,
        }
    }
}
