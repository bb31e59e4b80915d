//! A table as it was after a move: while the game runs from one's own place, afterwards from any, or with all revealed.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::page::{LogEntry, entries, finished_board, title};
use crate::http::pages::table::play_on::PlayOnForm;
use crate::http::pages::table::viewpoint::{LookBack, Place};
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};
use crate::tables::state::glance::Glance;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, HistoryView, Holder, name_of};
use wonderpost_rules::{Board, Scene, Seat, Viewer};

#[derive(Template)]
#[template(path = "pages/history.html")]
struct HistoryPage {
    frame: Frame,
    url: String,
    title: String,
    number: u32,
    last: u32,
    at: Moment,
    /// What this move brought about.
    changed: Vec<String>,
    slug: &'static str,
    board: Board,
    /// What each seat held, where all is revealed.
    hands: Vec<HandOf>,
    log: Vec<LogEntry>,
    viewpoints: Vec<Viewpoint>,
    /// How to play on from here, once the game is over.
    play_on: Option<PlayOnForm>,
    /// Kept in the links: from whose place one looks.
    query: String,
}

/// What a seat held.
struct HandOf {
    name: String,
    hand: String,
}

/// A place to look from, as a link.
pub struct Viewpoint {
    pub words: String,
    pub url: String,
    pub is_now: bool,
}

/// The places from which a finished game can be looked at.
pub fn viewpoints(
    cached: &CachedTable,
    holders: &[Holder],
    here: Place,
    url: impl Fn(&str) -> String,
) -> Vec<Viewpoint> {
    if cached.now.status() != Status::Over || cached.now.opened.seats == 1 {
        return Vec::new();
    }
    let seats = Seat::all(cached.now.opened.seats).map(|seat| (Place::Of(Viewer::Seat(seat)), name_of(holders, seat)));
    [(Place::Of(Viewer::Public), "a spectator".to_owned())]
        .into_iter()
        .chain(seats)
        .chain([(Place::All, "all revealed".to_owned())])
        .map(|(place, words)| Viewpoint { words, url: url(&place.name()), is_now: place == here })
        .collect()
}

/// The page of a table as it was after a move.
pub async fn show(
    app: &AppState,
    Glance { table: cached, holders, .. }: &Glance,
    user: &RequestUser,
    number: u32,
    place: Option<Place>,
) -> Result<HttpResponse, Problem> {
    let own = cached.viewer(user.player());
    let LookBack { place, viewers, leaf } = LookBack::at(&app.tables, cached, number, place, own).await?;
    let url = format!("/t/{}", cached.id);
    let query = if place == Place::Of(own) { String::new() } else { format!("?as={}", place.name()) };
    let (board, hands) = drawn(&leaf, number, &viewers, holders);
    let log = entries(&url, &query, &leaf.log, number, holders);
    let page = HistoryPage {
        frame: user.frame(),
        title: title(&leaf.now),
        number,
        last: cached.now.moves_for(own),
        at: leaf.at.into(),
        changed: log.last().filter(|entry| entry.number == number).map(|entry| entry.lines.clone()).unwrap_or_default(),
        slug: leaf.now.game.info().slug,
        board,
        hands,
        play_on: PlayOnForm::new(cached, &leaf, holders, own.seat()),
        log,
        viewpoints: viewpoints(cached, holders, place, |place| format!("{url}/at/{number}?as={place}")),
        query,
        url,
    };
    Ok(html(StatusCode::OK, &page)?)
}

/// The board of one viewer, or the public one with the hands of all.
fn drawn(leaf: &HistoryView, number: u32, viewers: &[Viewer], holders: &[Holder]) -> (Board, Vec<HandOf>) {
    let before = leaf.before.as_ref().map(|before| &*before.position);
    let scene = Scene { step: number.to_string(), ended_early: leaf.now.ended.is_some(), ..Scene::default() };
    let slug = leaf.now.game.info().slug;
    let board_of = |viewer| finished_board(leaf.now.position.board(before, viewer, &scene), slug, holders);
    if let [viewer] = viewers {
        return (board_of(*viewer), Vec::new());
    }
    let seats = viewers.iter().filter_map(|viewer| viewer.seat());
    let hands = seats.map(|seat| HandOf { name: name_of(holders, seat), hand: board_of(Viewer::Seat(seat)).hand });
    (board_of(Viewer::Public), hands.filter(|hand| !hand.hand.is_empty()).collect())
}
