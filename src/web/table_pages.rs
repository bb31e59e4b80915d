//! A table: sit down, look, move, leaf through its history.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::House;
use super::frame::Frame;
use super::page::{Moment, html, see};
use super::problem::Problem;
use super::session::{Mover, Visitor};
use crate::rules::{Scene, Viewer};
use crate::tables::daily::Sight;
use crate::tables::folded::{Folded, Status};
use crate::tables::{Kept, Leaf, LoggedMove, PlayerId, Said, SayError, TableId};

/// A choice begun on the board has at most so many characters.
const LONGEST_BEGUN: usize = 80;

#[derive(Template)]
#[template(path = "pages/open_table.html")]
struct OpenTablePage {
    frame: Frame,
    url: String,
    title: &'static str,
    promise: String,
    longest_cut: usize,
}

#[derive(Template)]
#[template(path = "pages/hidden_table.html")]
struct HiddenTablePage {
    frame: Frame,
    over: bool,
    roses: i64,
    turns: i64,
}

#[derive(Template)]
#[template(path = "pages/table.html")]
struct TablePage {
    frame: Frame,
    url: String,
    title: String,
    standing: &'static str,
    is_mine: bool,
    over: bool,
    /// What was wrong with a move.
    error: Option<String>,
    /// What became of several lines.
    notice: Option<String>,
    board: String,
    log: Vec<LogEntry>,
    moves: u32,
    moved: Moment,
    promise: String,
    cuts: Vec<String>,
    is_daily: bool,
}

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
    board: String,
    log: Vec<LogEntry>,
}

struct LogEntry {
    number: u32,
    url: String,
    at: Moment,
    lines: Vec<String>,
    is_now: bool,
}

fn entries(url: &str, log: Vec<LoggedMove>, now: u32) -> Vec<LogEntry> {
    log.into_iter()
        .map(|entry| LogEntry {
            number: entry.number,
            url: format!("{url}/at/{}", entry.number),
            at: entry.at.into(),
            lines: entry.lines,
            is_now: entry.number == now,
        })
        .collect()
}

fn title(folded: &Folded) -> String {
    let title = folded.game.info().title;
    match folded.opened.day {
        Some(day) => format!("{title}, the garden of {}", day.format("%-d %B %Y")),
        None => title.to_owned(),
    }
}

/// A table that this visitor may see whole, or the page that is shown instead.
pub(super) async fn see_whole(
    house: &House,
    id: &str,
    visitor: &Visitor,
) -> Result<Result<Arc<Kept>, HttpResponse>, Problem> {
    let id: TableId = id.parse()?;
    let kept = house.tables.read(id).await?;
    if house.tables.sight(&kept, visitor.player()).await? == Sight::Whole {
        return Ok(Ok(kept));
    }
    let standing = kept.now.position.standing();
    let number = |place: usize| standing.get(place).copied().unwrap_or(0);
    let over = kept.now.status() == Status::Over;
    let page = HiddenTablePage { frame: visitor.frame(), over, roses: number(0), turns: -number(2) };
    Ok(Err(html(StatusCode::OK, &page)?))
}

#[derive(Deserialize)]
pub struct Look {
    begun: Option<String>,
}

/// `GET /t/{id}`
pub async fn show(
    house: web::Data<House>,
    id: web::Path<String>,
    query: web::Query<Look>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let kept = match see_whole(&house, &id, &visitor).await? {
        Ok(kept) => kept,
        Err(instead) => return Ok(instead),
    };
    let begun = query.into_inner().begun.filter(|begun| begun.chars().count() <= LONGEST_BEGUN);
    show_table(&house, &kept, visitor.player(), visitor.frame(), Remarks { begun, ..Remarks::default() }).await
}

/// What is said on a table's page besides the table.
#[derive(Default)]
struct Remarks {
    status: Option<StatusCode>,
    error: Option<String>,
    notice: Option<String>,
    begun: Option<String>,
    /// Lines that were not made, to be mended.
    draft: String,
}

async fn show_table(
    house: &House,
    kept: &Kept,
    player: Option<PlayerId>,
    frame: Frame,
    remarks: Remarks,
) -> Result<HttpResponse, Problem> {
    let url = format!("/t/{}", kept.id);
    if kept.now.status() == Status::Open {
        let page = OpenTablePage {
            frame,
            url,
            title: kept.now.game.info().title,
            promise: kept.now.opened.promise.clone(),
            longest_cut: crate::tables::LONGEST_CUT,
        };
        return Ok(html(StatusCode::OK, &page)?);
    }
    let viewer = kept.viewer(player);
    let Leaf { now, before, log } = house.tables.leaf(kept, kept.now.moves, viewer).await?;
    let to_move = viewer.seat().is_some_and(|seat| now.awaiting().contains(seat));
    let scene = Scene {
        post_to: to_move.then(|| format!("{url}/say")),
        step: now.moves,
        begun: remarks.begun,
        draft: remarks.draft,
        csrf: frame.csrf.clone(),
    };
    let over = now.status() == Status::Over;
    let page = TablePage {
        frame,
        title: title(&now),
        standing: match (over, to_move) {
            (true, _) => "The game is over",
            (false, true) => "It is your move",
            (false, false) => "The player is to move",
        },
        is_mine: viewer != Viewer::Public,
        over,
        error: remarks.error,
        notice: remarks.notice,
        board: now.position.board(before.as_ref().map(|before| &*before.position), viewer, &scene),
        log: entries(&url, log, now.moves),
        moves: now.moves,
        moved: now.moved_at.into(),
        promise: now.opened.promise.clone(),
        cuts: now.cuts.iter().map(|cut| cut.word.clone()).collect(),
        is_daily: now.opened.day.is_some(),
        url,
    };
    Ok(html(remarks.status.unwrap_or(StatusCode::OK), &page)?)
}

/// `GET /t/{id}/at/{move}`
pub async fn history(
    house: web::Data<House>,
    path: web::Path<(String, u32)>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let kept = match see_whole(&house, &id, &visitor).await? {
        Ok(kept) => kept,
        Err(instead) => return Ok(instead),
    };
    if kept.now.status() == Status::Open {
        return Err(Problem::NoMove);
    }
    let viewer = kept.viewer(visitor.player());
    let leaf = house.tables.leaf(&kept, number, viewer).await?;
    let url = format!("/t/{}", kept.id);
    let before = leaf.before.as_ref().map(|before| &*before.position);
    let page = HistoryPage {
        frame: visitor.frame(),
        title: title(&leaf.now),
        number,
        last: kept.now.moves,
        at: leaf.now.moved_at.into(),
        changed: leaf
            .log
            .last()
            .filter(|entry| entry.number == number)
            .map(|entry| entry.lines.clone())
            .unwrap_or_default(),
        board: leaf.now.position.board(before, viewer, &Scene { step: number, ..Scene::default() }),
        log: entries(&url, leaf.log, number),
        url,
    };
    Ok(html(StatusCode::OK, &page)?)
}

#[derive(Deserialize)]
pub struct SitForm {
    #[serde(default)]
    cut: String,
}

/// `POST /t/{id}/sit`
pub async fn sit(
    house: web::Data<House>,
    id: web::Path<String>,
    form: web::Form<SitForm>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let id: TableId = id.parse()?;
    house.tables.read(id).await?;
    let welcome = house.welcome(&visitor).await?;
    house.tables.sit(welcome.player, id, &form.cut).await?;
    welcome.give_cookie(see(format!("/t/{id}")))
}

#[derive(Deserialize)]
pub struct SayForm {
    step: u32,
    say: String,
}

/// `POST /t/{id}/say`: a move, or several, a line each.
pub async fn say(
    house: web::Data<House>,
    id: web::Path<String>,
    form: web::Form<SayForm>,
    mover: Mover,
) -> Result<HttpResponse, Problem> {
    let id: TableId = id.parse()?;
    let SayForm { step, say } = form.into_inner();
    let remarks = match house.tables.say(&mover.caller, id, step, &say).await {
        Ok(Said { refused: None, dropped, .. }) if dropped.is_empty() => return Ok(see(format!("/t/{id}"))),
        Ok(said) => Remarks { notice: Some(tell_said(&said)), ..Remarks::default() },
        Err(SayError::Refused { line, refusal }) => {
            let error = match line {
                Some(line) => format!("“{line}”: {refusal} None of your lines was made."),
                None => refusal.to_string(),
            };
            let status = Some(StatusCode::UNPROCESSABLE_ENTITY);
            Remarks { status, error: Some(error), draft: say, ..Remarks::default() }
        }
        Err(SayError::MovedOn) => {
            let error = Problem::MovedOn.to_string();
            Remarks { status: Some(StatusCode::CONFLICT), error: Some(error), ..Remarks::default() }
        }
        Err(error) => return Err(error.into()),
    };
    let kept = house.tables.read(id).await?;
    show_table(&house, &kept, Some(mover.caller.player), mover.frame(), remarks).await
}

/// `GET /t/{id}/say`: a link on the page that answered a refused move, or that page fetched again.
pub async fn after_saying(id: web::Path<String>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let id: TableId = id.parse()?;
    Ok(see(match request.query_string() {
        "" => format!("/t/{id}"),
        query => format!("/t/{id}?{query}"),
    }))
}

/// What became of several lines of which not all were made.
fn tell_said(said: &Said) -> String {
    let made = match said.made {
        1 => "The first line was made.".to_owned(),
        made => format!("The first {made} lines were made."),
    };
    let stopped = match &said.refused {
        Some((line, refusal)) => format!(" Then something new came up, and “{line}” could not follow: {refusal}"),
        None => String::new(),
    };
    let dropped = match said.dropped.as_slice() {
        [] => String::new(),
        lines => format!(" Nobody asked for the rest any more: {}.", lines.join(", ")),
    };
    made + &stopped + &dropped
}
