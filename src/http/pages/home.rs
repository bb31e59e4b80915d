//! The front page: for a newcomer what there is, for a player the desk with all their tables.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;

use crate::db::retry_transient;
use crate::db::tables::lists::TableRow;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, in_words};
use crate::tables::{TableId, awaited_in_list, names_in_list};

/// The most of one's own tables that the front page lists.
const LISTED_TABLES: i64 = 100;

/// The most finished games that the front page lists; the archive has the rest.
const LISTED_FINISHED: usize = 10;

/// The most open tables of others that the front page lists.
const LISTED_OPEN: i64 = 20;

#[derive(Template)]
#[template(path = "pages/home.html")]
struct HomePage {
    frame: Frame,
    is_newcomer: bool,
    /// Whether letters to the player came back, so that none are sent.
    mail_off: bool,
    games: Vec<GameLine>,
    waiting_for_me: Vec<TableLine>,
    waiting_for_others: Vec<TableLine>,
    not_started: Vec<TableLine>,
    invitations: Vec<InvitationLine>,
    finished: Vec<TableLine>,
    open: Vec<TableLine>,
    day: DayLine,
}

struct GameLine {
    slug: &'static str,
    title: &'static str,
    blurb: &'static str,
    seats: String,
    minutes: u16,
}

/// A table as lists show it.
pub(crate) struct TableLine {
    pub url: String,
    pub title: String,
    /// With whom.
    pub names: String,
    pub awaited: String,
    pub words: String,
    pub moved: Moment,
    /// When time runs out, and in how long.
    pub left: Option<(Moment, String)>,
    /// Whether a bot plays for the user, who was late too long.
    pub kept_for_me: bool,
}

struct InvitationLine {
    url: String,
    title: String,
    from: String,
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
        let awaited = awaited_in_list(&row);
        let free = usize::try_from(row.seats).unwrap_or(0).saturating_sub(names.len());
        let words = match (row.status.as_str(), row.moves) {
            ("open", _) if free == 1 => "one seat is free".to_owned(),
            ("open", _) => format!("{free} seats are free"),
            (_, 0) => "not a move made yet".to_owned(),
            (_, 1) => "1 move".to_owned(),
            (_, moves) => format!("{moves} moves"),
        };
        // A solitaire has one score, which says how it went.
        let words = match row.standing.first() {
            Some(score) if row.seats == 1 && row.status == "over" => format!("{words}, score {score}"),
            _ => words,
        };
        TableLine {
            url: format!("/t/{}", TableId(row.id)),
            title,
            names: if row.seats > 1 { names.join(", ") } else { String::new() },
            awaited: awaited.join(", "),
            words,
            moved: row.moved_at.into(),
            left: row.deadline.map(|deadline| (deadline.into(), in_words(deadline - app.tables.now()))),
            kept_for_me: row.kept_for_me,
        }
    }
}

/// `GET /`
pub async fn show(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    let mut page = HomePage {
        frame: user.frame(),
        is_newcomer: true,
        mail_off: false,
        games: Vec::new(),
        waiting_for_me: Vec::new(),
        waiting_for_others: Vec::new(),
        not_started: Vec::new(),
        invitations: Vec::new(),
        finished: Vec::new(),
        open: Vec::new(),
        day: DayLine::Fresh,
    };
    if let Some(player) = user.player() {
        page.mail_off = retry_transient(|| app.tables.store.mail_is_off(player.0)).await?;
        for row in retry_transient(|| app.tables.store.tables_of_player(player.0, LISTED_TABLES)).await? {
            page.is_newcomer = false;
            let list = match row.status.as_str() {
                "over" => &mut page.finished,
                "open" => &mut page.not_started,
                _ if row.waits_for_me => &mut page.waiting_for_me,
                _ => &mut page.waiting_for_others,
            };
            list.push(TableLine::new(&app, row));
        }
        page.finished.truncate(LISTED_FINISHED);
        for row in retry_transient(|| app.tables.store.invitations_of_player(player.0)).await? {
            page.invitations.push(InvitationLine {
                url: format!("/i/{}", row.token),
                title: game_title(&app, &row.game),
                from: row.from.unwrap_or_else(|| "a former player".to_owned()),
            });
        }
        page.day = match app.tables.game_of_day(player, app.tables.today()).await? {
            None => DayLine::Fresh,
            Some((table, false)) => DayLine::Begun { url: format!("/t/{table}") },
            Some((_, true)) => DayLine::Done,
        };
    }
    for row in retry_transient(|| app.tables.store.open_tables(LISTED_OPEN)).await? {
        page.open.push(TableLine::new(&app, row));
    }
    page.games = app
        .tables
        .catalogue
        .iter()
        .map(|game| {
            let info = game.info();
            GameLine {
                slug: info.slug,
                title: info.title,
                blurb: info.blurb,
                seats: seats_in_words(info.seats),
                minutes: info.minutes,
            }
        })
        .collect();
    Ok(html(StatusCode::OK, &page)?)
}
