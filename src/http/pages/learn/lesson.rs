//! A lesson: the board, the voice, and what comes of a move. Where the learner is stands in the address and nowhere else.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::learn::progress::Progress;
use crate::http::pages::learn::{Course, FirstGame, find, progress, url};
use crate::http::pages::table::actions::{LONGEST_BEGUN, said};
use crate::http::pages::table::help::{explained, found_in};
use crate::http::pages::table::page::finished_board;
use crate::http::pages::table::seats::SeatLine;
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::tables::{Holder, given_name, name_of};
use wonderpost_games::lessons::{self, NamedLesson};
use wonderpost_rules::lesson::{Answer, Played};
use wonderpost_rules::{Board, Game, Scene, Seat, Viewer, Word};

/// The place of a lesson that has not begun, in its address.
const START: &str = "0";

/// The most lines that a form may say at once.
const MOST_LINES: usize = 20;

#[derive(Template)]
#[template(path = "pages/lesson.html")]
struct LessonPage {
    frame: Frame,
    slug: &'static str,
    game: &'static str,
    title: &'static str,
    /// Where the lesson begins.
    start: String,
    /// Where the learner is.
    here: String,
    /// The step before this one.
    back: Option<String>,
    /// How many steps are done, and how many there are.
    done: usize,
    steps: usize,
    voice: &'static str,
    /// What the voice says of what the others have just done.
    remarks: Vec<&'static str>,
    /// Why the last move does not lead on.
    wrong: Option<String>,
    /// Whether there is only something to look at.
    looks: bool,
    seats: Vec<SeatLine>,
    board: Board,
    /// The words of the game that the board explains.
    words: Vec<&'static Word>,
    /// Once the lesson is over.
    over: Option<Over>,
}

/// What comes after a lesson.
struct Over {
    course_done: bool,
    next: Option<(String, &'static str)>,
    first_game: FirstGame,
}

type Path = web::Path<(String, String, String)>;

#[derive(Deserialize)]
pub struct Look {
    begun: Option<String>,
}

/// A lesson at some place, as an address names it.
fn at(app: &AppState, slug: &str, name: &str, place: &str) -> Result<(&'static NamedLesson, Played<'static>), Problem> {
    let named = lessons::lesson(slug, name).ok_or(Problem::NoPage)?;
    let done = if place == START { "" } else { place };
    let played = named.lesson.replay(&app.tables.catalogue, done).ok_or(Problem::NoPage)?;
    Ok((named, played))
}

fn place(played: &Played) -> String {
    if played.done().is_empty() { START.to_owned() } else { played.done().to_owned() }
}

/// `GET /learn/{slug}/{lesson}`
pub async fn begin(
    app: web::Data<AppState>,
    path: web::Path<(String, String)>,
    look: web::Query<Look>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (slug, name) = path.into_inner();
    page(&app, &request, &user, at(&app, &slug, &name, START)?, look.into_inner().begun, None)
}

/// `GET /learn/{slug}/{lesson}/{place}`
pub async fn show(
    app: web::Data<AppState>,
    path: Path,
    look: web::Query<Look>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (slug, name, place) = path.into_inner();
    page(&app, &request, &user, at(&app, &slug, &name, &place)?, look.into_inner().begun, None)
}

/// `GET /learn/{slug}/{lesson}/{place}/say`: a link on the page that answered a wrong move, or that page fetched again.
pub async fn after_saying(path: Path, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let (slug, name, place) = path.into_inner();
    let named = lessons::lesson(&slug, &name).ok_or(Problem::NoPage)?;
    let is_place = place == START || place.bytes().all(|letter| letter.is_ascii_lowercase());
    let here = format!("{}/{}", url(&slug, named.name), if is_place { &place } else { START });
    Ok(see(match request.query_string() {
        "" => here,
        query => format!("{here}?{query}"),
    }))
}

/// `POST /learn/{slug}/{lesson}/{place}/say`: a move, or several; or that one has looked.
pub async fn say(
    app: web::Data<AppState>,
    path: Path,
    form: web::Form<Vec<(String, String)>>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let (slug, name, from) = path.into_inner();
    let (named, mut played) = at(&app, &slug, &name, &from)?;
    let mut wrong = None;
    if form.iter().any(|(field, _)| field == "looked") {
        if played.step().is_some_and(|step| step.accept.is_empty()) {
            played = played.look_on();
        }
    } else {
        let said = said(&form).ok_or(Problem::Unreadable)?;
        for line in said.lines().filter(|line| !line.trim().is_empty()).take(MOST_LINES) {
            match played.say(line).map_err(Problem::Internal)? {
                Answer::Right(next) => played = *next,
                Answer::Wrong(words) => {
                    wrong = Some(words);
                    break;
                }
            }
            if played.step().is_none_or(|step| step.accept.is_empty()) {
                break;
            }
        }
    }
    if wrong.is_some() {
        return page(&app, &request, &user, (named, played), None, wrong);
    }
    let is_over = played.step().is_none();
    let answer = see(format!("{}/{}", url(&slug, named.name), place(&played)));
    match is_over {
        true => progress::finish(&app, &request, &user, (&slug, named.name), answer).await,
        false => Ok(answer),
    }
}

fn page(
    app: &AppState,
    request: &HttpRequest,
    user: &RequestUser,
    (named, played): (&'static NamedLesson, Played<'static>),
    begun: Option<String>,
    wrong: Option<String>,
) -> Result<HttpResponse, Problem> {
    let lesson = &named.lesson;
    let game = find(app, &lesson.game)?;
    let frame = user.frame();
    let start = url(game.info().slug, named.name);
    let here = format!("{start}/{}", place(&played));
    let looks = played.step().is_some_and(|step| step.accept.is_empty());
    let scene = Scene {
        post_to: (played.step().is_some() && !looks).then(|| format!("{here}/say#table")),
        step: START.to_owned(),
        begun: begun.filter(|begun| begun.chars().count() <= LONGEST_BEGUN),
        csrf: frame.csrf.clone(),
        ..Scene::default()
    };
    let holders = holders(lesson.seats, lesson.seat, frame.name.as_deref());
    let board = played.position.board(played.before.as_deref(), Viewer::Seat(lesson.seat), &scene);
    let board = played.light(board, scene.begun.as_deref());
    let (board, words) = explained(finished_board(board, game.info().slug, &holders), game);
    let page = LessonPage {
        slug: game.info().slug,
        game: game.info().title,
        title: &lesson.title,
        back: played.done().char_indices().next_back().map(|(at, _)| match &played.done()[..at] {
            "" => start.clone(),
            before => format!("{start}/{before}"),
        }),
        done: played.steps_done(),
        steps: lesson.steps.len(),
        voice: played.step().map_or(&lesson.end, |step| &step.voice),
        remarks: if wrong.is_none() { played.remarks.clone() } else { Vec::new() },
        wrong,
        looks,
        seats: seats(game, &played, &holders, &board),
        words,
        over: played.step().is_none().then(|| {
            let course = Course::new(game, &Progress::of(request, user));
            let mut later = course.lessons.iter().skip_while(|line| line.url != start).skip(1);
            Over {
                course_done: course.is_finished(),
                next: later.find(|line| !line.done).or(course.next()).map(|line| (line.url.clone(), line.title)),
                first_game: FirstGame::new(game),
            }
        }),
        board,
        start,
        here,
        frame,
    };
    Ok(html(StatusCode::OK, &page)?)
}

/// Those who sit at the table of a lesson.
fn holders(seats: u8, learner: Seat, name: Option<&str>) -> Vec<Holder> {
    let named = |seat| match name {
        Some(name) if seat == learner => name.to_owned(),
        None if seat == learner => "You".to_owned(),
        _ => given_name(seat).to_owned(),
    };
    Seat::all(seats).map(|seat| Holder { seat, player: None, name: named(seat) }).collect()
}

fn seats(game: &dyn Game, played: &Played, holders: &[Holder], board: &Board) -> Vec<SeatLine> {
    let scores = played.position.scores();
    let winners = played.position.result().map(|result| result.winners);
    let line = |seat: Seat| SeatLine {
        number: seat.number(),
        name: name_of(holders, seat),
        page: None,
        is_me: seat == played.lesson().seat,
        score: scores.get(seat.index()).copied().flatten(),
        words: board.seats.get(seat.index()).cloned().unwrap_or_default(),
        explained: board.seats.get(seat.index()).map_or(Vec::new(), |words| found_in(words, game)),
        won: winners.is_some_and(|winners| winners.contains(seat)),
        resigned: false,
        away: None,
        kept: false,
        awaited: None,
    };
    Seat::all(played.lesson().seats).map(line).collect()
}
