//! A game of the catalogue: what it is, how it is played, and the form that opens a table.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde_json::{Map, Value};

use super::House;
use super::frame::Frame;
use super::home::seats_in_words;
use super::page::{html, see};
use super::problem::Problem;
use super::session::Visitor;
use crate::rules::{Choices, Game, Level, OptionSpec};
use crate::tables::Wishes;
use crate::tables::pace::{MISSES, Pace, WhenLate};

#[derive(Template)]
#[template(path = "pages/game.html")]
struct GamePage {
    frame: Frame,
    slug: &'static str,
    title: &'static str,
    blurb: &'static str,
    credits: &'static str,
    seats: String,
    minutes: u16,
    how_to_play: &'static str,
    is_solitaire: bool,
    /// The seats besides the opener's: whether the game needs them.
    others: Vec<OtherSeat>,
    /// Times for each move, and banks: as the form names them, and in words.
    a_move: Vec<(String, String)>,
    banks: Vec<(String, String)>,
    misses: u8,
    options: Vec<OptionField>,
    error: Option<String>,
}

struct OtherSeat {
    number: u8,
    needed: bool,
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

fn find(house: &House, slug: &str) -> Result<&'static dyn Game, Problem> {
    house.tables.catalogue.find(slug).ok_or(Problem::NoPage)
}

/// `GET /games/{slug}`
pub async fn show(house: web::Data<House>, slug: web::Path<String>, visitor: Visitor) -> Result<HttpResponse, Problem> {
    page(find(&house, &slug)?, &visitor, StatusCode::OK, None)
}

fn page(
    game: &'static dyn Game,
    visitor: &Visitor,
    status: StatusCode,
    error: Option<String>,
) -> Result<HttpResponse, Problem> {
    let info = game.info();
    let defaults = game.default_options();
    let (fewest, most) = info.seats;
    let offer = |paces: &[Pace]| paces.iter().map(|pace| (pace.code(), pace.time_in_words())).collect();
    let page = GamePage {
        frame: visitor.frame(),
        slug: info.slug,
        title: info.title,
        blurb: info.blurb,
        credits: info.credits,
        seats: seats_in_words(info.seats),
        minutes: info.minutes,
        how_to_play: game.how_to_play(),
        is_solitaire: most == 1,
        others: (2..=most).map(|number| OtherSeat { number, needed: number <= fewest }).collect(),
        a_move: offer(&Pace::A_MOVE),
        banks: offer(&Pace::BANKS),
        misses: MISSES,
        options: game.options().iter().map(|spec| OptionField::new(spec, &defaults[spec.key])).collect(),
        error,
    };
    Ok(html(status, &page)?)
}

/// `POST /tables`: opens a table as the form says. The opener then cuts the deck like everybody else.
pub async fn open(
    house: web::Data<House>,
    form: web::Form<HashMap<String, String>>,
    visitor: Visitor,
) -> Result<HttpResponse, Problem> {
    let slug = form.get("game").ok_or(Problem::Unreadable)?;
    let unknown = || Problem::Refused("The house does not have that game.".into());
    let game = house.tables.catalogue.find(slug).ok_or_else(unknown)?;
    let refuse = |error: String| page(game, &visitor, StatusCode::UNPROCESSABLE_ENTITY, Some(error));
    let wishes = match read_wishes(game, &form) {
        Ok(wishes) => wishes,
        Err(error) => return refuse(error),
    };
    let welcome = house.welcome(&visitor).await?;
    match house.tables.open(&wishes, Some(welcome.player)).await {
        Ok(table) => welcome.give_cookie(see(format!("/t/{table}"))),
        Err(crate::tables::OpenError::Refused(refusal)) => refuse(refusal.to_string()),
        Err(error) => Err(error.into()),
    }
}

fn read_wishes(game: &'static dyn Game, form: &HashMap<String, String>) -> Result<Wishes, String> {
    let mut options = Map::new();
    for spec in game.options() {
        // A box that is not ticked is not sent.
        let field = match (form.get(&field_name(spec)), &spec.choices) {
            (Some(field), _) => field.as_str(),
            (None, Choices::Flag) if form.contains_key("options") => "false",
            (None, _) => continue,
        };
        options.insert(spec.key.to_owned(), spec.read_field(field).map_err(|refusal| refusal.to_string())?);
    }
    let (mut seats, mut bots) = (1, Vec::new());
    for number in 2..=game.info().seats.1 {
        match form.get(&format!("seat-{number}")).map_or("", String::as_str) {
            "" | "nobody" => {}
            "person" => seats += 1,
            bot => {
                bots.push(bot.parse::<Level>().map_err(|refusal| refusal.to_string())?);
                seats += 1;
            }
        }
    }
    let pace = match form.get("pace") {
        Some(code) => Pace::from_code(code).ok_or("There is no such pace.")?,
        None => Pace::default(),
    };
    let when_late = match form.get("late").map(String::as_str) {
        Some("bot") => WhenLate::Bot,
        _ => WhenLate::DefaultMove,
    };
    Ok(Wishes {
        game,
        seats,
        options: Value::Object(options),
        pace: Pace { nights_off: form.contains_key("nights"), when_late, ..pace },
        private: form.contains_key("private"),
        by_lot: form.contains_key("lot"),
        bots,
    })
}
