//! The front page: my games, and opening a new one.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde_json::{Map, Value};

use super::House;
use super::frame::Frame;
use super::page::{Moment, html, see};
use super::problem::Problem;
use super::session::Visitor;
use crate::rules::{Choices, Game, OptionSpec};
use crate::store::patiently;
use crate::store::tables::TableRow;
use crate::tables::TableId;
use crate::tables::daily::today;

/// So many of one's games the front page lists.
const LISTED_GAMES: i64 = 30;

#[derive(Template)]
#[template(path = "pages/home.html")]
struct HomePage {
    frame: Frame,
    games: Vec<GameBox>,
    running: Vec<TableLine>,
    finished: Vec<TableLine>,
    day: DayLine,
}

/// A game that can be opened.
struct GameBox {
    slug: &'static str,
    title: &'static str,
    blurb: &'static str,
    credits: &'static str,
    minutes: u16,
    options: Vec<OptionField>,
}

/// An option as a field of a form.
struct OptionField {
    name: String,
    title: &'static str,
    help: &'static str,
    field: Field,
}

enum Field {
    Flag { checked: bool },
    Number { from: i64, to: i64, step: i64, value: String },
    One { choices: Vec<ChoiceField> },
    Text { value: String },
}

struct ChoiceField {
    value: String,
    title: &'static str,
    chosen: bool,
}

struct TableLine {
    url: String,
    title: String,
    words: String,
    moved: Moment,
}

/// Where the visitor stands with today's garden.
enum DayLine {
    Fresh,
    Begun { url: String },
    Done,
}

impl OptionField {
    fn new(spec: &OptionSpec, default: &Value) -> OptionField {
        let text = match default {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let field = match &spec.choices {
            Choices::Flag => Field::Flag { checked: default == true },
            Choices::Number { from, to, step } => Field::Number { from: *from, to: *to, step: *step, value: text },
            Choices::One(choices) => Field::One {
                choices: choices
                    .iter()
                    .map(|choice| ChoiceField {
                        value: choice.value.to_string(),
                        title: choice.title,
                        chosen: choice.value.to_json() == *default,
                    })
                    .collect(),
            },
            Choices::Text => Field::Text { value: text },
        };
        OptionField { name: field_name(spec), title: spec.title, help: spec.help, field }
    }
}

fn field_name(spec: &OptionSpec) -> String {
    format!("option-{}", spec.key)
}

impl GameBox {
    fn new(game: &'static dyn Game) -> GameBox {
        let info = game.info();
        let defaults = game.default_options();
        GameBox {
            slug: info.slug,
            title: info.title,
            blurb: info.blurb,
            credits: info.credits,
            minutes: info.minutes,
            options: game.options().iter().map(|spec| OptionField::new(spec, &defaults[spec.key])).collect(),
        }
    }
}

impl TableLine {
    fn new(house: &House, row: TableRow) -> TableLine {
        let title =
            house.tables.catalogue.find(&row.game).map_or(row.game.clone(), |game| game.info().title.to_owned());
        let title = match row.day {
            Some(day) => format!("{title}, the garden of {}", day.format("%-d %B")),
            None => title,
        };
        let score = row.standing.first().copied().unwrap_or(0);
        let points = if score == 1 { "point" } else { "points" };
        let words = match row.moves {
            0 => "not a move made yet".to_owned(),
            1 => format!("1 move, {score} {points}"),
            moves => format!("{moves} moves, {score} {points}"),
        };
        TableLine { url: format!("/t/{}", TableId(row.id)), title, words, moved: row.moved_at.into() }
    }
}

/// `GET /`
pub async fn show(house: web::Data<House>, visitor: Visitor) -> Result<HttpResponse, Problem> {
    let (mut running, mut finished, mut day) = (Vec::new(), Vec::new(), DayLine::Fresh);
    if let Some(player) = visitor.player() {
        let rows = patiently(|| house.tables.store.tables_of_player(player.0, LISTED_GAMES)).await?;
        for row in rows {
            let list = if row.status == "over" { &mut finished } else { &mut running };
            list.push(TableLine::new(&house, row));
        }
        day = match house.tables.game_of_day(player, today()).await? {
            None => DayLine::Fresh,
            Some((table, false)) => DayLine::Begun { url: format!("/t/{table}") },
            Some((_, true)) => DayLine::Done,
        };
    }
    let games = house.tables.catalogue.iter().map(GameBox::new).collect();
    Ok(html(StatusCode::OK, &HomePage { frame: visitor.frame(), games, running, finished, day })?)
}

/// `POST /tables`: opens a table with the options of the form.
pub async fn open(house: web::Data<House>, form: web::Form<HashMap<String, String>>) -> Result<HttpResponse, Problem> {
    let slug = form.get("game").ok_or(Problem::Unreadable)?;
    let game = house
        .tables
        .catalogue
        .find(slug)
        .ok_or_else(|| Problem::Refused("The house does not have that game.".into()))?;
    let mut options = Map::new();
    for spec in game.options() {
        // A box that is not ticked is not sent.
        let field = match (form.get(&field_name(spec)), &spec.choices) {
            (Some(field), _) => field.as_str(),
            (None, Choices::Flag) => "false",
            (None, _) => continue,
        };
        let value = spec.read_field(field).map_err(|refusal| Problem::Refused(refusal.to_string()))?;
        options.insert(spec.key.to_owned(), value);
    }
    let seats = game.info().seats.0;
    let table = house.tables.open(game, seats, &Value::Object(options)).await?;
    Ok(see(format!("/t/{table}")))
}
