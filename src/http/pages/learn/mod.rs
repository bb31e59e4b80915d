//! Lessons: the courses, and a lesson played on the real board. Nothing of it is a table: it leaves no trace but the learner's progress.

pub mod lesson;
mod progress;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::pages::learn::progress::Progress;
use crate::http::problem::Problem;
use crate::http::render::html;
use wonderpost_games::lessons;
use wonderpost_rules::Game;

#[derive(Template)]
#[template(path = "pages/learn.html")]
struct LearnPage {
    frame: Frame,
    courses: Vec<Course>,
}

#[derive(Template)]
#[template(path = "pages/course.html")]
struct CoursePage {
    frame: Frame,
    course: Course,
    first_game: FirstGame,
}

/// The course of a game, and how far somebody has come in it.
struct Course {
    slug: &'static str,
    title: &'static str,
    blurb: &'static str,
    lessons: Vec<LessonLine>,
}

struct LessonLine {
    url: String,
    title: &'static str,
    about: &'static str,
    done: bool,
}

impl Course {
    fn new(game: &dyn Game, progress: &Progress) -> Course {
        let info = game.info();
        let lines = lessons::course(info.slug).map(|named| LessonLine {
            url: url(info.slug, named.name),
            title: &named.lesson.title,
            about: &named.lesson.about,
            done: progress.has_done(info.slug, named.name),
        });
        Course { slug: info.slug, title: info.title, blurb: info.blurb, lessons: lines.collect() }
    }

    fn done(&self) -> usize {
        self.lessons.iter().filter(|lesson| lesson.done).count()
    }

    fn is_finished(&self) -> bool {
        self.done() == self.lessons.len()
    }

    /// The first lesson that is not done yet.
    fn next(&self) -> Option<&LessonLine> {
        self.lessons.iter().find(|lesson| !lesson.done)
    }
}

/// What the form sends that opens a table to try it on: against easy bots, or alone.
pub(crate) struct FirstGame {
    slug: &'static str,
    /// The seats that bots take.
    bots: Vec<u8>,
}

impl FirstGame {
    fn new(game: &dyn Game) -> FirstGame {
        let info = game.info();
        FirstGame { slug: info.slug, bots: (2..=info.seats.0).collect() }
    }

    fn words(&self) -> &'static str {
        match self.bots.len() {
            0 => "Play a game",
            1 => "Play against an easy bot",
            _ => "Play against easy bots",
        }
    }
}

fn url(slug: &str, name: &str) -> String {
    format!("/learn/{slug}/{name}")
}

fn find(app: &AppState, slug: &str) -> Result<&'static dyn Game, Problem> {
    let game = app.tables.catalogue.find(slug).ok_or(Problem::NoPage)?;
    lessons::course(slug).next().map(|_| game).ok_or(Problem::NoPage)
}

/// `GET /learn`
pub async fn show(app: web::Data<AppState>, request: HttpRequest, user: RequestUser) -> Result<HttpResponse, Problem> {
    let progress = Progress::of(&request, &user);
    let courses = app.tables.catalogue.iter().map(|game| Course::new(game, &progress));
    let courses = courses.filter(|course| !course.lessons.is_empty()).collect();
    Ok(html(StatusCode::OK, &LearnPage { frame: user.frame(), courses })?)
}

/// `GET /learn/{slug}`
pub async fn show_course(
    app: web::Data<AppState>,
    slug: web::Path<String>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let game = find(&app, &slug)?;
    let course = Course::new(game, &Progress::of(&request, &user));
    let page = CoursePage { frame: user.frame(), course, first_game: FirstGame::new(game) };
    Ok(html(StatusCode::OK, &page)?)
}
