//! What other sites show of a link to us: a title, a sentence, and a picture that holds nothing but what everybody may know.

use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{HttpResponse, web};
use chrono::NaiveDate;

use crate::http::AppState;
use crate::http::extract::whole_table::WholeTable;
use crate::http::pages::daily::words as day_in_words;
use crate::http::pages::home::seats_in_words;
use crate::http::pages::table::page::title as table_title;
use crate::http::problem::Problem;
use crate::mail::letters::picture::{draw_aside, name_in_drawing};
use crate::tables::state::glance::Glance;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, Holder, name_of};
use wonderpost_rules::{GameInfo, Picture, Seat, Viewer};

/// The size that most sites show.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;

/// How many letters of a title, and of the words below it, fit into a line.
const TITLE_LINE: usize = 15;
const WORDS_LINE: usize = 27;

/// For pictures that hardly ever change, and for those of games under way.
const FOR_A_DAY: &str = "public, max-age=86400";
const FOR_A_MOMENT: &str = "public, max-age=60";

/// What the head of a page says of it to other sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    pub title: String,
    pub description: String,
    /// The one address of the page.
    pub url: String,
    pub image: String,
}

impl AppState {
    fn preview(&self, title: &str, description: String, path: &str, image: &str) -> Preview {
        Preview { title: title.to_owned(), description, url: self.link(path), image: self.link(image) }
    }

    pub(crate) fn preview_of_home(&self) -> Preview {
        let description = "Five Wonderland games by post: make a move when it suits you, by page or by letter.";
        let image = format!("/daily/{}/preview.png", self.tables.today());
        self.preview("Wonderpost", description.to_owned(), "/", &image)
    }

    pub(crate) fn preview_of_game(&self, info: &GameInfo) -> Preview {
        let path = format!("/games/{}", info.slug);
        self.preview(info.title, info.blurb.to_owned(), &path, &format!("{path}/preview.png"))
    }

    pub(crate) fn preview_of_garden(&self, day: NaiveDate) -> Preview {
        let title = format!("The garden of {}", day_in_words(&day));
        let description = "One garden, the same for everybody. How many roses will you bring the Queen?".to_owned();
        self.preview(&title, description, &format!("/daily/{day}"), &format!("/daily/{day}/preview.png"))
    }

    /// None for tables that not everybody may look at.
    pub(crate) fn preview_of_table(&self, cached: &CachedTable, holders: &[Holder]) -> Option<Preview> {
        let now = &cached.now;
        let hidden_today = now.opened.day.is_some_and(|day| day >= self.tables.today());
        if now.opened.private || hidden_today || !now.started() {
            return None;
        }
        let path = format!("/t/{}", cached.id);
        let description = format!("{} {}.", names(now, holders, |_, name| name.to_owned()), state(now));
        Some(self.preview(&table_title(now), description, &path, &format!("{path}/preview.png")))
    }
}

fn names(now: &TableState, holders: &[Holder], write: impl Fn(Seat, &str) -> String) -> String {
    let names: Vec<String> = Seat::all(now.opened.seats).map(|seat| write(seat, &name_of(holders, seat))).collect();
    format!("{}.", names.join(", "))
}

fn state(now: &TableState) -> String {
    let moves = now.numbering(Viewer::Public).shown(now.moves);
    match (now.status(), moves) {
        (Status::Over, 1) => "Over after one move".to_owned(),
        (Status::Over, moves) => format!("Over after {moves} moves"),
        (_, 1) => "One move so far".to_owned(),
        (_, moves) => format!("{moves} moves so far"),
    }
}

/// Words in lines of so many letters.
fn lines(words: &str, longest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= longest => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Words beside a board.
fn composed(board: Picture, title: &str, words: &str) -> Picture {
    let mut text = String::new();
    let mut y = 150;
    for (line, size, weight, step) in lines(title, TITLE_LINE)
        .into_iter()
        .map(|line| (line, 48, 700, 62))
        .chain([(String::new(), 10, 400, 16)])
        .chain(lines(words, WORDS_LINE).into_iter().take(6).map(|line| (line, 27, 400, 40)))
    {
        text += &format!(
            "<text x=\"48\" y=\"{y}\" font-family=\"DejaVu Serif Condensed\" font-size=\"{size}\" font-weight=\"{weight}\" \
             fill=\"#241d17\">{}</text>",
            escaped(&line)
        );
        y += step;
    }
    let seat = |seat: Seat| format!("Seat {seat}");
    let board = board.fill_marks(seat, seat);
    let whole =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\"", board.width, board.height);
    let inner = board.svg.replacen(&whole, "<svg x=\"470\" y=\"75\" width=\"698\" height=\"480\"", 1);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f6efe0\"/>{inner}{text}\
         <text x=\"48\" y=\"575\" font-family=\"DejaVu Serif Condensed\" font-size=\"30\" font-weight=\"700\" fill=\"#a0141e\">\
         Wonderpost</text></svg>"
    );
    Picture { svg, alt: title.to_owned(), width: WIDTH, height: HEIGHT }
}

async fn png(picture: Picture, caching: &'static str) -> Result<HttpResponse, Problem> {
    let drawn = draw_aside(picture).await.ok_or_else(|| Problem::Internal("no preview".into()))?;
    Ok(HttpResponse::Ok()
        .content_type("image/png")
        .insert_header((CACHE_CONTROL, HeaderValue::from_static(caching)))
        .body(drawn.png))
}

/// `GET /games/{slug}/preview.png`
pub async fn of_game(app: web::Data<AppState>, slug: web::Path<String>) -> Result<HttpResponse, Problem> {
    let game = app.tables.catalogue.find(&slug).ok_or(Problem::NoPage)?;
    let (info, example) = (game.info(), game.example()?);
    let words = format!("A Wonderland game {}, about {} minutes", seats_in_words(info.seats), info.minutes);
    png(composed(example.showpiece(Viewer::Public), info.title, &words), FOR_A_DAY).await
}

/// `GET /daily/{day}/preview.png`
pub async fn of_garden(app: web::Data<AppState>, day: web::Path<NaiveDate>) -> Result<HttpResponse, Problem> {
    let garden = app.tables.garden_of_day(*day).await?.ok_or(Problem::NoPage)?;
    let title = format!("The garden of {}", day_in_words(&day));
    let words = "One garden, the same for everybody. How many roses will you bring the Queen?";
    png(composed(garden.showpiece(Viewer::Public), &title, words), FOR_A_DAY).await
}

/// `GET /t/{id}/preview.png`: a table as those see it who only watch, whoever asks. Private tables have none.
pub async fn of_table(
    app: web::Data<AppState>,
    WholeTable { glance: Glance { table: cached, holders, .. }, .. }: WholeTable,
) -> Result<HttpResponse, Problem> {
    let preview = app.preview_of_table(&cached, &holders).ok_or(Problem::NoPage)?;
    let view = app.tables.table_now(&cached, Viewer::Public).await?;
    let words = format!("{} {}.", names(&cached.now, &holders, name_in_drawing), state(&cached.now));
    let caching = if cached.now.status() == Status::Over { FOR_A_DAY } else { FOR_A_MOMENT };
    png(composed(view.now.position.showpiece(Viewer::Public), &preview.title, &words), caching).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_broken_into_lines_that_fit() {
        assert_eq!(lines("Off With Their Heads", 15), ["Off With Their", "Heads"]);
        assert_eq!(lines("", 15), [""; 0]);
    }

    #[test]
    fn what_people_are_called_does_not_become_part_of_a_drawing() {
        let board = Picture {
            svg: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"6\" height=\"4\"></svg>".into(),
            alt: String::new(),
            width: 6,
            height: 4,
        };
        let picture = composed(board, "A <b> & C", "");
        assert!(picture.svg.contains("A &lt;b&gt; &amp; C") && picture.svg.contains("x=\"470\""), "{}", picture.svg);
    }
}
