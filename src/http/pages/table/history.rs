//! A table as it was after a move: while the game runs from one's own place, afterwards from any, or with all revealed.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::page::{LogEntry, board_with_names, entries, title};
use crate::http::pages::table::viewpoint::{LookBack, Place};
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, HistoryView, Holder, name_of};
use wonderpost_rules::{Scene, Seat, Viewer};

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
    boards: Vec<BoardOf>,
    log: Vec<LogEntry>,
    viewpoints: Vec<Viewpoint>,
    /// Kept in the links: from whose place one looks.
    query: String,
}

/// A board, and whose it is where there are several.
struct BoardOf {
    name: Option<String>,
    board: String,
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
    cached: &CachedTable,
    user: &RequestUser,
    number: u32,
    place: Option<Place>,
) -> Result<HttpResponse, Problem> {
    let own = cached.viewer(user.player());
    let LookBack { place, viewers, leaf } = LookBack::at(&app.tables, cached, number, place, own).await?;
    let holders = app.tables.holders(cached.id).await?;
    let url = format!("/t/{}", cached.id);
    let query = if place == Place::Of(own) { String::new() } else { format!("?as={}", place.name()) };
    let boards = boards(&leaf, number, &viewers, &holders);
    let log = entries(&url, &query, leaf.log, number, &holders);
    let page = HistoryPage {
        frame: user.frame(),
        title: title(&leaf.now),
        number,
        last: cached.now.moves_for(own),
        at: leaf.at.into(),
        changed: log.last().filter(|entry| entry.number == number).map(|entry| entry.lines.clone()).unwrap_or_default(),
        boards,
        log,
        viewpoints: viewpoints(cached, &holders, place, |place| format!("{url}/at/{number}?as={place}")),
        query,
        url,
    };
    Ok(html(StatusCode::OK, &page)?)
}

/// The boards of these viewers, one below the other.
fn boards(leaf: &HistoryView, number: u32, viewers: &[Viewer], holders: &[Holder]) -> Vec<BoardOf> {
    let before = leaf.before.as_ref().map(|before| &*before.position);
    let scene = Scene { step: number.to_string(), ..Scene::default() };
    let mut boards: Vec<BoardOf> = Vec::new();
    for viewer in viewers {
        let board = board_with_names(&leaf.now.position.board(before, *viewer, &scene), holders);
        let board = if boards.is_empty() { board } else { without_names_of_parts(&board) };
        let name = viewer.seat().filter(|_| viewers.len() > 1).map(|seat| name_of(holders, seat));
        boards.push(BoardOf { name, board });
    }
    boards
}

/// A further board on a page: the drawings that it refers to are in the first, and no part of a page is called like another.
fn without_names_of_parts(board: &str) -> String {
    let mut pieces = board.split("<svg class=\"emblems\"");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    pieces.for_each(|piece| plain.push_str(piece.split_once("</svg>").map_or("", |(_, rest)| rest)));
    let mut pieces = plain.split(" id=\"");
    let mut nameless = pieces.next().unwrap_or_default().to_owned();
    pieces.for_each(|piece| nameless.push_str(piece.split_once('"').map_or("", |(_, rest)| rest)));
    nameless
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_further_board_names_nothing_a_second_time() {
        let board = r#"<svg class="emblems" width="0"><symbol id="pip"/></svg><section class="a" id="board"><p>b</p></section>"#;
        assert_eq!(without_names_of_parts(board), r#"<section class="a"><p>b</p></section>"#);
    }
}
