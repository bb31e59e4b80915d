//! What the page of a table shows, as plain values.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use askama::filters::{Html, escape};
use chrono::{DateTime, Utc};

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::next;
use crate::http::pages::table::history::{Viewpoint, viewpoints};
use crate::http::pages::table::plans;
use crate::http::pages::table::plans::OfferField;
use crate::http::pages::table::talk::{Note, Talk};
use crate::http::pages::table::time::TimeBox;
use crate::http::pages::table::viewpoint::Place;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, in_words};
use crate::tables::state::live::short;
use crate::tables::state::record::Ending;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{
    CachedTable, HistoryView, Holder, LoggedMove, PlayerId, Preview, TableId, name_of, with_names, with_written_names,
};
use wonderpost_rules::{Scene, Seat, Viewer};

#[derive(Template)]
#[template(path = "pages/table.html")]
struct TablePage {
    frame: Frame,
    url: String,
    title: String,
    /// Where it stands, in a few words.
    standing: String,
    /// Whether the viewer is asked for a move.
    my_turn: bool,
    over: bool,
    seats: Vec<SeatLine>,
    /// What was wrong with a move.
    error: Option<String>,
    /// What became of several lines.
    notice: Option<String>,
    /// What happened since the viewer last looked or moved.
    meanwhile: Vec<LogEntry>,
    /// A move to be said for good.
    question: Option<Question>,
    board: String,
    log: Vec<LogEntry>,
    moves: u32,
    /// Tells this state of the table from others, for live updates.
    mark: String,
    moved: Moment,
    promise: String,
    cuts: Vec<String>,
    is_daily: bool,
    /// What the viewer may answer in advance.
    answers: Vec<OfferField>,
    /// Whether something among it wants to be seen.
    answers_open: bool,
    /// What a seated player can do besides moving.
    leave: Option<Leave>,
    may_rematch: bool,
    /// How others' views can be looked at once the game is over.
    viewpoints: Vec<Viewpoint>,
    pace: String,
    slug: &'static str,
    talk: Option<Talk>,
    note: Option<Note>,
    time: Option<TimeBox>,
    /// Where the next table is found, for players.
    next: Option<String>,
}

/// A move that is shown before it is said.
struct Question {
    say: String,
    step: String,
    words: Vec<String>,
    /// Whether chance or hidden knowledge is involved, so that nothing can be shown.
    in_the_dark: bool,
}

/// Ways out of a game that is being played.
struct Leave {
    i_agreed: bool,
    /// The names of those who want to end it.
    agreed: Vec<String>,
    ends_at_once: bool,
}

/// A seat in the strip at the top.
struct SeatLine {
    number: u8,
    name: String,
    is_me: bool,
    score: Option<i64>,
    won: bool,
    resigned: bool,
    /// Until when the holder has days off.
    away: Option<Moment>,
    /// A bot keeps the seat until its owner returns.
    kept: bool,
    /// Since when and until when the seat is awaited.
    awaited: Option<Awaited>,
}

struct Awaited {
    since: Option<Moment>,
    until: Option<(Moment, String)>,
}

/// A move in the log.
#[derive(Clone)]
pub(crate) struct LogEntry {
    pub number: u32,
    pub url: String,
    pub at: Moment,
    pub lines: Vec<String>,
    pub is_now: bool,
}

/// What is said on a table's page besides the table.
#[derive(Default)]
pub struct Remarks {
    pub status: Option<StatusCode>,
    pub error: Option<String>,
    pub notice: Option<String>,
    pub begun: Option<String>,
    /// Lines that were not made, to be mended.
    pub draft: String,
    /// Lines to be said for good, and what they would come to.
    pub question: Option<(String, Option<Preview>)>,
    /// Tables that the viewer skipped on the way here.
    pub skipped: Vec<TableId>,
}

/// Puts names into a board, so that a name is never more than text.
pub(crate) fn board_with_names(board: &str, holders: &[Holder]) -> String {
    with_written_names(board, holders, |name| match escape(name, Html) {
        Ok(name) => name.to_string(),
        Err(never) => match never {},
    })
}

pub(crate) fn entries(url: &str, query: &str, log: Vec<LoggedMove>, now: u32, holders: &[Holder]) -> Vec<LogEntry> {
    log.into_iter()
        .map(|entry| LogEntry {
            number: entry.number,
            url: format!("{url}/at/{}{query}", entry.number),
            at: entry.at.into(),
            lines: entry.lines.iter().map(|line| with_names(line, holders)).collect(),
            is_now: entry.number == now,
        })
        .collect()
}

pub fn title(folded: &TableState) -> String {
    let title = folded.game.info().title;
    match folded.opened.day {
        Some(day) => format!("{title}, the garden of {}", day.format("%-d %B %Y")),
        None => title.to_owned(),
    }
}

/// A table that this user may see. One that they may not see is as if it did not exist.
pub async fn visible(app: &AppState, id: &str, player: Option<PlayerId>) -> Result<Arc<CachedTable>, Problem> {
    let id: TableId = id.parse()?;
    let cached = app.tables.load_fresh(id).await?;
    if !app.tables.may_see(&cached, player).await? || cached.now.status() == Status::Gone {
        return Err(Problem::NoTable);
    }
    Ok(cached)
}

fn seat_lines(now: &TableState, holders: &[Holder], mine: Option<Seat>, at: DateTime<Utc>) -> Vec<SeatLine> {
    let scores = now.position.scores();
    let awaiting = now.awaiting();
    let winners = now.winners();
    Seat::all(now.opened.seats)
        .map(|seat| SeatLine {
            number: seat.number(),
            name: name_of(holders, seat),
            is_me: mine == Some(seat),
            score: scores.get(seat.index()).copied().flatten(),
            won: now.status() == Status::Over && winners.contains(seat),
            resigned: now.resigned.contains(seat),
            away: now.times.away_at(seat, at).filter(|_| now.status() == Status::Playing).map(|away| away.until.into()),
            kept: now.times.kept.contains(seat) && now.status() == Status::Playing,
            awaited: awaiting.contains(seat).then(|| Awaited {
                since: now.clocks[seat.index()].since.map(Moment::from),
                until: now.deadline_of(seat).map(|until| (until.into(), in_words(until - at))),
            }),
        })
        .collect()
}

fn standing(now: &TableState, holders: &[Holder], mine: Option<Seat>) -> String {
    match (now.status(), now.ended) {
        (Status::Over, Some(Ending::Agreed)) => return "Ended by agreement".to_owned(),
        (Status::Over, Some(Ending::Resigned)) => return "Ended by resignation".to_owned(),
        (Status::Over, Some(Ending::Abandoned)) => return "Closed, because nobody played any more".to_owned(),
        (Status::Over, Some(Ending::ClosedByHost)) => return "Closed by the host".to_owned(),
        (Status::Over, _) => return "The game is over".to_owned(),
        (Status::Open, _) => return "Waiting for players".to_owned(),
        (Status::Playing | Status::Gone, _) => {}
    }
    let awaiting = now.awaiting();
    if mine.is_some_and(|seat| awaiting.contains(seat)) {
        return "It is your move".to_owned();
    }
    if now.times.paused {
        return "Paused".to_owned();
    }
    let names: Vec<String> = awaiting.iter().map(|seat| name_of(holders, seat)).collect();
    match names.len() {
        0 => "One moment".to_owned(),
        1 => format!("{} is to move", names[0]),
        _ => format!("{} are to move", names.join(", ")),
    }
}

/// The page of a table that has begun.
pub async fn show(
    app: &AppState,
    cached: &CachedTable,
    user: &RequestUser,
    remarks: Remarks,
) -> Result<HttpResponse, Problem> {
    let url = format!("/t/{}", cached.id);
    let (player, frame) = (user.player(), user.frame());
    let holders = app.tables.holders(cached.id).await?;
    let mine = cached.seat_of(player);
    let viewer = mine.map_or(Viewer::Public, Viewer::Seat);
    let HistoryView { now, before, log, .. } = app.tables.table_now(cached, viewer).await?;
    let numbering = now.numbering(viewer);
    let moves = numbering.shown(now.moves);
    let my_turn = mine.is_some_and(|seat| now.awaiting().contains(seat) && !now.resigned.contains(seat));
    let looked = match mine {
        Some(seat) if now.opened.seats > 1 => {
            let number = i16::from(seat.number());
            let looked =
                retry_transient(|| app.tables.store.look_at_table(cached.id.0, number, now.moves as i32)).await?;
            numbering.shown(looked.unsigned_abs().max(now.clocks[seat.index()].last_move))
        }
        _ => moves,
    };
    let post_to = format!("{url}/say");
    let step = cached.step(viewer).to_string();
    let scene = Scene {
        post_to: (my_turn && remarks.question.is_none()).then_some(post_to),
        step: step.clone(),
        begun: remarks.begun,
        draft: remarks.draft,
        csrf: frame.csrf.clone(),
    };
    let before_position = before.as_ref().map(|before| &*before.position);
    let (question, board) = match remarks.question {
        None => (None, now.position.board(before_position, viewer, &scene)),
        Some((say, Some(preview))) => {
            let words = preview.log.iter().map(|line| with_names(line, &holders)).collect();
            let board = preview.then.board(Some(&*now.position), viewer, &scene);
            (Some(Question { say, step, words, in_the_dark: false }), board)
        }
        Some((say, None)) => {
            let board = now.position.board(before_position, viewer, &scene);
            (Some(Question { say, step, words: Vec::new(), in_the_dark: true }), board)
        }
    };
    let over = now.status() == Status::Over;
    let answers = plans::fields(app, cached, mine).await?;
    let after: Vec<TableId> = remarks.skipped.into_iter().chain([cached.id]).collect();
    let log = entries(&url, "", log, moves, &holders);
    let page = TablePage {
        frame,
        title: title(&now),
        standing: standing(&now, &holders, mine),
        my_turn,
        over,
        seats: seat_lines(&now, &holders, mine, app.tables.now()),
        error: remarks.error,
        notice: remarks.notice,
        meanwhile: Vec::new(),
        question,
        board: board_with_names(&board, &holders),
        moves,
        mark: app.stamp_key().await?.mark(cached.id, short(now.head_for(viewer))),
        moved: now.moved_at.into(),
        promise: now.opened.promise.clone(),
        cuts: now.cuts.iter().map(|cut| cut.word.clone()).collect(),
        is_daily: now.opened.day.is_some(),
        answers_open: answers.iter().any(|offer| offer.trouble.is_some()),
        answers,
        leave: leave(&now, &holders, mine),
        may_rematch: over && mine.is_some() && now.opened.seats > 1,
        viewpoints: viewpoints(cached, &holders, Place::Of(viewer), |place| format!("{url}/at/{moves}?as={place}")),
        pace: now.opened.pace.words(),
        slug: now.game.info().slug,
        talk: app.talk(cached, player).await?,
        note: app.note(cached, player).await?,
        time: mine.and_then(|seat| TimeBox::new(&now, &holders, seat)),
        next: mine.filter(|_| cached.now.opened.seats > 1).map(|_| next::link(&after)),
        log,
        url,
    };
    let page = TablePage { meanwhile: meanwhile(&page.log, looked, mine, &now), ..page };
    Ok(html(remarks.status.unwrap_or(StatusCode::OK), &page)?)
}

/// The moves of the log that came after the last that a seated viewer knew.
fn meanwhile(log: &[LogEntry], looked: u32, mine: Option<Seat>, now: &TableState) -> Vec<LogEntry> {
    if mine.is_none() || now.opened.seats == 1 {
        return Vec::new();
    }
    // What was done in secret has nothing to tell.
    log.iter().filter(|entry| entry.number > looked && !entry.lines.is_empty()).cloned().collect()
}

fn leave(now: &TableState, holders: &[Holder], mine: Option<Seat>) -> Option<Leave> {
    let seat = mine.filter(|seat| !now.resigned.contains(*seat))?;
    if now.status() != Status::Playing || now.opened.seats == 1 {
        return None;
    }
    let left = now.seated.iter().filter(|seat| !now.resigned.contains(*seat)).count();
    Some(Leave {
        i_agreed: now.agreed.contains(seat),
        agreed: now.agreed.iter().map(|seat| name_of(holders, seat)).collect(),
        ends_at_once: left <= 2 || now.people().len() <= 1,
    })
}
