//! What the page of a table shows, as plain values.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use askama::filters::{Html, escape};
use chrono::{DateTime, Utc};

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::assets::with_symbols;
use crate::http::pages::frame::Frame;
use crate::http::pages::table::ending::EndingPanel;
use crate::http::pages::table::help::{Offers, explained, first_steps};
use crate::http::pages::table::history::{Viewpoint, viewpoints};
use crate::http::pages::table::plans;
use crate::http::pages::table::plans::OfferField;
use crate::http::pages::table::seats::{SeatLine, seat_lines, state_words};
use crate::http::pages::table::talk::{Note, Talk};
use crate::http::pages::table::time::TimeBox;
use crate::http::pages::table::undo::{TakingBack, UndoBox};
use crate::http::pages::table::viewpoint::Place;
use crate::http::pages::table::way_on::WayOn;
use crate::http::pages::{next, rules};
use crate::http::problem::Problem;
use crate::http::render::{Moment, html};
use crate::tables::state::glance::Glance;
use crate::tables::state::live::short;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{
    CachedTable, HistoryView, Holder, LoggedMove, PlayerId, Preview, TableId, name_of, with_names, with_written_names,
};
use wonderpost_rules::{Board, Scene, Seat, Viewer, Word};

#[derive(Template)]
#[template(path = "pages/table.html")]
struct TablePage {
    frame: Frame,
    url: String,
    title: String,
    /// Whose turn it is, in a few words.
    state: String,
    /// Whether the viewer is asked for a move.
    my_turn: bool,
    over: bool,
    seats: Vec<SeatLine>,
    /// What was wrong with a move.
    error: Option<String>,
    /// What could be done instead.
    offers: Option<Offers>,
    /// What became of several lines.
    notice: Option<String>,
    /// What happened since the viewer last looked or moved.
    meanwhile: Vec<LogEntry>,
    /// A move to be said for good.
    question: Option<Question>,
    /// What the viewer may take back, or is asked about.
    undo: Option<UndoBox>,
    board: Board,
    /// The words of the game that the board explains.
    words: Vec<&'static Word>,
    /// For somebody who plays the game for the first time.
    first_steps: Option<&'static [&'static str; 3]>,
    ending: Option<EndingPanel>,
    log: Vec<LogEntry>,
    moves: u32,
    /// Tells this state of the table from others, for live updates.
    mark: String,
    moved: Moment,
    promise: String,
    cuts: Vec<String>,
    is_daily: bool,
    /// The step of a finished game from which this one goes on: its address and its number.
    played_on: Option<(String, u32)>,
    /// What the viewer may answer in advance.
    answers: Vec<OfferField>,
    /// Whether something among it wants to be seen.
    answers_open: bool,
    /// What a seated player can do besides moving.
    leave: Option<Leave>,
    /// What comes after the game.
    way_on: Option<WayOn>,
    /// How others' views can be looked at once the game is over.
    viewpoints: Vec<Viewpoint>,
    pace: String,
    slug: &'static str,
    /// Where the rules tell of what the viewer is asked for.
    rules: String,
    talk: Option<Talk>,
    note: Option<Note>,
    time: Option<TimeBox>,
    /// Where the next table is found, for players.
    next: Option<String>,
}

impl TablePage {
    /// How much of the talk is new to the viewer.
    fn unread(&self) -> usize {
        self.talk.as_ref().map_or(0, |talk| talk.unread)
    }
}

/// A move that is shown before it is said.
struct Question {
    /// The move as an offer: “Attack slot 2 with Q♦?”
    title: String,
    say: String,
    step: String,
    /// What would come of it.
    words: Vec<String>,
    /// Whether something follows that cannot be foreseen.
    is_partial: bool,
}

/// Ways out of a game that is being played.
struct Leave {
    i_agreed: bool,
    /// The names of those who want to end it.
    agreed: Vec<String>,
    ends_at_once: bool,
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

/// Lines that are asked for once more.
pub struct Asked {
    /// In words.
    pub title: String,
    pub say: String,
    /// What they would come to, as far as that can be known.
    pub preview: Option<Preview>,
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
    pub question: Option<Asked>,
    /// Tables that the viewer skipped on the way here.
    pub skipped: Vec<TableId>,
}

/// Puts names into a board of a game, so that a name is never more than text, and lets it find its drawings.
pub(crate) fn finished_board(board: Board, slug: &str, holders: &[Holder]) -> Board {
    board.map(|part| {
        // Names come last: what somebody is called refers to nothing.
        with_written_names(&with_symbols(slug, part), holders, |name| match escape(name, Html) {
            Ok(name) => name.to_string(),
            Err(never) => match never {},
        })
    })
}

pub(crate) fn entries(url: &str, query: &str, log: &[LoggedMove], now: u32, holders: &[Holder]) -> Vec<LogEntry> {
    log.iter()
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
    match (folded.opened.day, folded.opened.former_garden()) {
        (Some(day), _) => format!("{title}, the garden of {}", day.format("%-d %B %Y")),
        (None, Some(day)) => format!("{title}, the former garden of {}", day.format("%-d %B %Y")),
        (None, None) => title.to_owned(),
    }
}

/// A table that this user may see. One that they may not see is as if it did not exist.
pub async fn visible(app: &AppState, id: &str, player: Option<PlayerId>) -> Result<Arc<CachedTable>, Problem> {
    let cached = app.tables.load_fresh(id.parse()?).await?;
    check_visible(app, &cached, player).await?;
    Ok(cached)
}

/// The same with what stands beside its board.
pub async fn glance(app: &AppState, id: &str, player: Option<PlayerId>) -> Result<Glance, Problem> {
    let glance = app.tables.glance(id.parse()?, player).await?;
    check_visible(app, &glance.table, player).await?;
    Ok(glance)
}

async fn check_visible(app: &AppState, cached: &CachedTable, player: Option<PlayerId>) -> Result<(), Problem> {
    let is_visible = app.tables.may_see(cached, player).await? && cached.now.status() != Status::Gone;
    if is_visible { Ok(()) } else { Err(Problem::NoTable) }
}

/// The page of a table that has begun.
pub async fn show(
    app: &AppState,
    mut glance: Glance,
    user: &RequestUser,
    remarks: Remarks,
) -> Result<HttpResponse, Problem> {
    let cached = &*glance.table.clone();
    let url = format!("/t/{}", cached.id);
    let (player, frame) = (user.player(), user.frame());
    let holders = std::mem::take(&mut glance.holders);
    let mine = cached.seat_of(player);
    let viewer = mine.map_or(Viewer::Public, Viewer::Seat);
    let view = app.tables.table_now(cached, viewer).await?;
    let HistoryView { now, log, .. } = &*view;
    let numbering = now.numbering(viewer);
    let moves = numbering.shown(now.moves);
    let my_turn = mine.is_some_and(|seat| now.awaiting().contains(seat) && !now.resigned.contains(seat));
    let look = last_look(app, &glance, now, mine);
    // Without script the answer is shown where the board is.
    let post_to = format!("{url}/say#board");
    let step = cached.step(viewer).to_string();
    let answers = plans::fields(&glance, mine);
    let scene = Scene {
        post_to: (my_turn && remarks.question.is_none()).then_some(post_to),
        step: step.clone(),
        begun: remarks.begun,
        draft: remarks.draft,
        csrf: frame.csrf.clone(),
        ended_early: now.ended.is_some(),
        planned: answers.iter().filter(|offer| offer.is_set).map(|offer| (offer.prompt, offer.words.clone())).collect(),
    };
    let may_undo = remarks.question.is_none();
    let (question, board) = drawn(&view, viewer, remarks.question, &scene, &holders);
    let (board, words) = explained(finished_board(board, now.game.info().slug, &holders), now.game);
    let at = app.tables.now();
    let over = now.status() == Status::Over;
    let after: Vec<TableId> = remarks.skipped.into_iter().chain([cached.id]).collect();
    let ending = EndingPanel::new(app, cached, log, &holders, mine).await?;
    let log = entries(&url, "", log, moves, &holders);
    let preview = app.preview_of_table(cached, &holders);
    let page = TablePage {
        frame: Frame { preview, ..frame },
        title: title(now),
        state: state_words(now, &holders, mine, at),
        my_turn,
        over,
        seats: seat_lines(now, &holders, mine, &board.seats, at),
        ending,
        offers: Offers::new(now, mine.filter(|_| my_turn && remarks.error.is_some()), &scene, &holders),
        error: remarks.error,
        notice: remarks.notice,
        meanwhile: Vec::new(),
        question,
        undo: UndoBox::new(&view, &step, &holders, mine).filter(|_| may_undo),
        board,
        words,
        first_steps: first_steps(app, user, now, mine).await?,
        moves,
        mark: app.stamp_key().await?.mark(cached.id, short(now.head_for(viewer))),
        moved: now.moved_at.into(),
        promise: now.opened.promise.clone(),
        cuts: now.cuts.iter().map(|cut| cut.word.clone()).collect(),
        is_daily: now.opened.day.is_some(),
        played_on: now
            .opened
            .played_on
            .as_ref()
            .map(|from| (format!("/t/{}/at/{}", from.table, from.move_no), from.move_no)),
        answers_open: answers.iter().any(|offer| offer.trouble.is_some()),
        answers,
        leave: leave(now, &holders, mine),
        way_on: app.way_on(cached, player).await?,
        viewpoints: viewpoints(cached, &holders, Place::Of(viewer), |place| format!("{url}/at/{moves}?as={place}")),
        pace: now.opened.pace.words(),
        slug: now.game.info().slug,
        rules: rules::address_for(now.game, &*now.position, mine.filter(|_| my_turn)),
        talk: Talk::new(&mut glance, player, look.talk_since),
        note: Note::new(&mut glance, player),
        time: mine.and_then(|seat| TimeBox::new(now, &holders, seat)),
        next: mine.filter(|_| cached.now.opened.seats > 1).map(|_| next::link(&after)),
        log,
        url,
    };
    let page = TablePage { meanwhile: meanwhile(&page.log, look.moves, mine, now), ..page };
    Ok(html(remarks.status.unwrap_or(StatusCode::OK), &page)?)
}

/// The board, and what is asked before lines are said for good.
fn drawn(
    view: &HistoryView,
    viewer: Viewer,
    question: Option<Asked>,
    scene: &Scene,
    holders: &[Holder],
) -> (Option<Question>, Board) {
    let (now, step) = (&view.now.position, scene.step.clone());
    let before = view.before.as_ref().map(|before| &*before.position);
    let Some(Asked { title, say, preview }) = question else { return (None, now.board(before, viewer, scene)) };
    let Some(preview) = preview else {
        let question = Question { title, say, step, words: Vec::new(), is_partial: true };
        return (Some(question), now.board(before, viewer, scene));
    };
    let words = preview.log.iter().map(|line| with_names(line, holders)).collect();
    let board = preview.then.board(Some(&**now), viewer, scene);
    (Some(Question { title, say, step, words, is_partial: !preview.is_whole }), board)
}

/// What a viewer knew of a table before.
struct Look {
    /// The last move that they knew of when this visit began, as they count.
    moves: u32,
    /// From when on talk is new to them; `None` where all is old.
    talk_since: Option<DateTime<Utc>>,
}

/// Notes that somebody looks at a table.
fn last_look(app: &AppState, glance: &Glance, now: &TableState, mine: Option<Seat>) -> Look {
    let viewer = mine.map_or(Viewer::Public, Viewer::Seat);
    let Some(seat) = mine.filter(|_| now.opened.seats > 1) else {
        return Look { moves: now.moves_for(viewer), talk_since: None };
    };
    let looked = app.tables.store.note_look(glance.table.id, seat, glance.look, now.moves as i32);
    let known = looked.moves.unsigned_abs().max(now.clocks[seat.index()].last_move);
    Look { moves: now.numbering(viewer).shown(known), talk_since: Some(looked.at.unwrap_or(now.opened_at)) }
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
