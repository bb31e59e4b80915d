//! The rules of the games: a page for each, with examples drawn from positions of the game, and a search through all of them.

mod examples;
mod search;

pub use examples::picture;
pub use search::search;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;

use self::examples::{Example, example};
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::html;
use wonderpost_rules::{Game, HowToPlay, Position, Seat};

#[derive(Template)]
#[template(path = "pages/rules.html")]
struct RulesPage {
    frame: Frame,
    slug: &'static str,
    title: &'static str,
    credits: &'static str,
    intro: &'static str,
    sections: Vec<Section>,
}

struct Section {
    anchor: &'static str,
    title: &'static str,
    body: &'static str,
    example: Option<&'static Example>,
}

/// Where the rules of a game are.
pub fn address(game: &dyn Game) -> String {
    format!("/games/{}/rules", game.info().slug)
}

/// Where the rules tell of what a seat is asked for; the rules as a whole if it is asked for nothing.
pub fn address_for(game: &dyn Game, position: &dyn Position, seat: Option<Seat>) -> String {
    let prompt = seat.and_then(|seat| position.prompt(seat));
    let page = HowToPlay::new(game.how_to_play());
    match prompt.and_then(|prompt| page.section_on(prompt)) {
        Some(section) => format!("{}#{}", address(game), section.anchor),
        None => address(game),
    }
}

/// `GET /games/{slug}/rules`
pub async fn show(
    app: web::Data<AppState>,
    slug: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let game = app.tables.catalogue.find(&slug).ok_or(Problem::NoPage)?;
    let info = game.info();
    let HowToPlay { intro, sections } = HowToPlay::new(game.how_to_play());
    let section = |section: wonderpost_rules::RulesSection| Section {
        anchor: section.anchor,
        title: section.title,
        body: section.body,
        example: section.example.and_then(|name| example(info.slug, name)),
    };
    let page = RulesPage {
        frame: user.frame(),
        slug: info.slug,
        title: info.title,
        credits: info.credits,
        intro,
        sections: sections.into_iter().map(section).collect(),
    };
    Ok(html(StatusCode::OK, &page)?)
}
