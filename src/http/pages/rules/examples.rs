//! The examples of the rules: positions scripted like cases, drawn by the boards' own code.

use std::sync::LazyLock;

use actix_web::{HttpResponse, web};

use crate::http::pages::table::picture::png;
use crate::http::problem::Problem;
use crate::mail::letters::picture::draw_aside;
use crate::tables::given_name;
use wonderpost_rules::{Game, Picture, case};

/// An example as a page shows it.
pub struct Example {
    slug: &'static str,
    name: &'static str,
    pub url: String,
    pub caption: String,
    pub picture: Picture,
}

/// All of them: they are played once, and not for each page.
static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    let catalogue = wonderpost_games::catalogue();
    catalogue
        .iter()
        .flat_map(|game| game.examples().iter().filter_map(|(name, text)| played(game, name, text)))
        .collect()
});

/// `None` where the script does not fit the game, which a test rules out.
fn played(game: &'static dyn Game, name: &'static str, text: &str) -> Option<Example> {
    let slug = game.info().slug;
    let shown = case::last_position(game, text).inspect_err(|error| tracing::error!(slug, name, error)).ok()?;
    let seat_name = |seat| given_name(seat).to_owned();
    Some(Example {
        slug,
        name,
        url: format!("/games/{slug}/rules/{name}.png"),
        caption: shown.title,
        picture: shown.position.picture(shown.viewer).fill_marks(seat_name, seat_name),
    })
}

/// An example of a game.
pub fn example(slug: &str, name: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.slug == slug && example.name == name)
}

/// `GET /games/{slug}/rules/{example}.png`
pub async fn picture(path: web::Path<(String, String)>) -> Result<HttpResponse, Problem> {
    let (slug, name) = path.into_inner();
    let example = example(&slug, &name).ok_or(Problem::NoPage)?;
    let drawn = draw_aside(example.picture.clone()).await;
    drawn.map(|drawn| png(drawn, "public, max-age=86400")).ok_or_else(|| Problem::Internal("no picture".into()))
}
