//! A table as it was after a move: while the game runs from one's own place, afterwards from any, or with all revealed.
//!
//! Everything comes from the views of seats, so nothing is shown that nobody at the table knew. What a Red Queen's shuffle did is known to
//! herself alone: no page, log, letter or answer of the API tells it to anybody else before the game is over. Then one may look from her
//! place, too; and the file of a finished game holds every event, because it could not be checked without them.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use super::House;
use super::frame::Frame;
use super::page::{Moment, html};
use super::problem::Problem;
use super::session::Visitor;
use super::table_page::{LogEntry, board_with_names, entries, name_of, title};
use crate::rules::{Scene, Seat, Viewer};
use crate::tables::folded::Status;
use crate::tables::{Holder, Kept, Leaf, LoggedMove};

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

/// From whose place one looks at a finished game.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Place {
    Of(Viewer),
    All,
}

impl Place {
    pub fn read(text: &str) -> Option<Place> {
        match text {
            "public" => Some(Place::Of(Viewer::Public)),
            "all" => Some(Place::All),
            seat => Some(Place::Of(Viewer::Seat(Seat::new(seat.parse().ok()?)?))),
        }
    }

    pub fn name(self) -> String {
        match self {
            Place::All => "all".to_owned(),
            Place::Of(Viewer::Public) => "public".to_owned(),
            Place::Of(Viewer::Seat(seat)) => seat.to_string(),
        }
    }
}

/// A place to look from, as a link.
pub struct Viewpoint {
    pub words: String,
    pub url: String,
    pub is_now: bool,
}

/// The places from which a finished game can be looked at.
pub fn viewpoints(kept: &Kept, holders: &[Holder], here: Place, url: impl Fn(&str) -> String) -> Vec<Viewpoint> {
    if kept.now.status() != Status::Over || kept.now.opened.seats == 1 {
        return Vec::new();
    }
    let seats = Seat::all(kept.now.opened.seats).map(|seat| (Place::Of(Viewer::Seat(seat)), name_of(holders, seat)));
    [(Place::Of(Viewer::Public), "a spectator".to_owned())]
        .into_iter()
        .chain(seats)
        .chain([(Place::All, "all revealed".to_owned())])
        .map(|(place, words)| Viewpoint { words, url: url(&place.name()), is_now: place == here })
        .collect()
}

/// The page of a table as it was after a move.
pub async fn show(
    house: &House,
    kept: &Kept,
    visitor: &Visitor,
    number: u32,
    place: Option<Place>,
) -> Result<HttpResponse, Problem> {
    let own = kept.viewer(visitor.player());
    // While the game runs everybody looks from their own place.
    let place = place.filter(|_| kept.now.status() == Status::Over).unwrap_or(Place::Of(own));
    let seats = kept.now.opened.seats;
    let viewers: Vec<Viewer> = match place {
        Place::Of(viewer) if viewer.seat().is_some_and(|seat| seat.number() > seats) => return Err(Problem::NoPage),
        Place::Of(viewer) => vec![viewer],
        Place::All => Seat::all(seats).map(Viewer::Seat).collect(),
    };
    let holders = house.tables.holders(kept.id).await?;
    let mut leaf =
        house.tables.leaf(kept, number, if place == Place::All { Viewer::Public } else { viewers[0] }).await?;
    if place == Place::All {
        for viewer in &viewers {
            let known = house.tables.leaf(kept, number, *viewer).await?.log;
            add_private_lines(&mut leaf.log, known, *viewer);
        }
    }
    let url = format!("/t/{}", kept.id);
    let query = if place == Place::Of(own) { String::new() } else { format!("?as={}", place.name()) };
    let boards = boards(&leaf, number, &viewers, &holders);
    let log = entries(&url, &query, leaf.log, number, &holders);
    let page = HistoryPage {
        frame: visitor.frame(),
        title: title(&leaf.now),
        number,
        last: kept.now.moves,
        at: leaf.now.moved_at.into(),
        changed: log.last().filter(|entry| entry.number == number).map(|entry| entry.lines.clone()).unwrap_or_default(),
        boards,
        log,
        viewpoints: viewpoints(kept, &holders, place, |place| format!("{url}/at/{number}?as={place}")),
        query,
        url,
    };
    Ok(html(StatusCode::OK, &page)?)
}

/// Adds to the public log what a seat was told besides.
fn add_private_lines(log: &mut [LoggedMove], known: Vec<LoggedMove>, viewer: Viewer) {
    let Some(seat) = viewer.seat() else { return };
    for (entry, known) in log.iter_mut().zip(known) {
        let news: Vec<String> = known
            .lines
            .into_iter()
            .filter(|line| !entry.lines.contains(line))
            .map(|line| format!("{} was told: {line}", seat.mark()))
            .collect();
        entry.lines.extend(news);
    }
}

/// The boards of these viewers, one below the other.
fn boards(leaf: &Leaf, number: u32, viewers: &[Viewer], holders: &[Holder]) -> Vec<BoardOf> {
    let before = leaf.before.as_ref().map(|before| &*before.position);
    let scene = Scene { step: number, ..Scene::default() };
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
