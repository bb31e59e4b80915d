//! A search through the rules of all games, paragraph by paragraph.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::address;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::mail::letters::answer::plain;
use wonderpost_rules::{Catalogue, Game, HowToPlay};

/// Longer questions are cut off.
const LONGEST: usize = 100;

#[derive(Deserialize)]
pub struct Wanted {
    q: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/rules_search.html")]
struct SearchPage {
    frame: Frame,
    asked: String,
    longest: usize,
    /// The address and the title of each game's rules.
    games: Vec<(String, &'static str)>,
    found: Vec<Found>,
}

/// A paragraph in which all words were found.
#[derive(Debug, PartialEq)]
struct Found {
    url: String,
    game: &'static str,
    section: &'static str,
    paragraph: String,
}

/// `GET /rules`, with `q`: the paragraphs in which all of these words stand.
pub async fn search(
    app: web::Data<AppState>,
    wanted: web::Query<Wanted>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let asked: String = wanted.into_inner().q.unwrap_or_default().trim().chars().take(LONGEST).collect();
    let page = SearchPage {
        frame: user.frame(),
        longest: LONGEST,
        games: app.tables.catalogue.iter().map(|game| (address(game), game.info().title)).collect(),
        found: find(&app.tables.catalogue, &asked),
        asked,
    };
    Ok(html(StatusCode::OK, &page)?)
}

fn find(catalogue: &Catalogue, asked: &str) -> Vec<Found> {
    let asked = asked.to_lowercase();
    let words: Vec<&str> = asked.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    catalogue.iter().flat_map(|game| find_in(game, &words)).collect()
}

fn find_in(game: &dyn Game, words: &[&str]) -> Vec<Found> {
    let mut found = Vec::new();
    for section in HowToPlay::new(game.how_to_play()).sections {
        let text = plain(section.body);
        let heading = section.title.to_lowercase();
        let hits = text.split("\n\n").filter(|paragraph| {
            let paragraph = paragraph.to_lowercase();
            words.iter().all(|word| paragraph.contains(word) || heading.contains(word))
        });
        found.extend(hits.map(|paragraph| Found {
            url: format!("{}#{}", address(game), section.anchor),
            game: game.info().title,
            section: section.title,
            paragraph: paragraph.to_owned(),
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_found_by_all_of_its_words_in_any_order_and_case() {
        let catalogue = wonderpost_games::catalogue();
        let found = find(&catalogue, "WAKE jabberwock");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].url, "/games/off-with-their-heads/rules#zones");
        assert!(found[0].paragraph.contains("Jabberwock"));
        assert_eq!(find(&catalogue, "jabberwock lottery"), []);
        assert_eq!(find(&catalogue, "  "), []);
    }
}
