//! The form that opens a table: what it shows, filled in as somebody left it, and what it wishes for.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::tables::clock::pace::{MISSES, Pace, WhenLate};
use crate::tables::{OpeningBot, TableOptions};
use wonderpost_rules::{Choices, Game, Level, OptionSpec, Preset, Seat};

/// A form as it was sent, field by field.
pub type Sent = HashMap<String, String>;

/// What the form is filled in with.
#[derive(Copy, Clone)]
pub enum Filled<'a> {
    Defaults,
    Preset(&'static Preset),
    Sent(&'a Sent),
}

pub struct OpeningForm {
    /// The seats besides the opener's.
    pub others: Vec<OtherSeat>,
    /// Times for each move, and banks.
    pub a_move: Vec<ChoiceField>,
    pub banks: Vec<ChoiceField>,
    pub nights_off: bool,
    /// Whether a bot keeps the seat of whoever is late.
    pub bot_when_late: bool,
    /// How many moves in a row may be missed.
    pub misses: u8,
    /// What preset answers mean, if the game has any, and whether they are wished for.
    pub preset_answers: Option<(&'static str, bool)>,
    /// Whether the opener takes a seat at once.
    pub sits: bool,
    pub by_lot: bool,
    pub private: bool,
    /// Whether what most leave as it is has something to show.
    pub more_open: bool,
    pub presets: Vec<PresetLink>,
    pub groups: Vec<FieldGroup>,
}

pub struct OtherSeat {
    pub number: u8,
    /// Whether the game needs it.
    pub needed: bool,
    pub choices: Vec<ChoiceField>,
}

pub struct PresetLink {
    pub name: &'static str,
    pub title: &'static str,
    pub help: &'static str,
    pub chosen: bool,
    /// What each field of the form becomes, as JSON.
    pub fills: String,
}

pub struct FieldGroup {
    /// Options of a game without groups stand under no title.
    pub title: Option<&'static str>,
    pub help: &'static str,
    /// Whether it can be folded away, and is not.
    pub folds: bool,
    pub open: bool,
    pub fields: Vec<OptionField>,
}

/// An option as a field of a form.
pub struct OptionField {
    pub name: String,
    pub title: &'static str,
    pub help: &'static str,
    pub field: Field,
}

pub enum Field {
    Flag { checked: bool },
    Number { from: i64, to: i64, step: i64, value: String },
    One { choices: Vec<ChoiceField> },
    Text { value: String },
}

pub struct ChoiceField {
    pub value: String,
    pub title: Cow<'static, str>,
    pub chosen: bool,
}

fn field_name(spec: &OptionSpec) -> String {
    format!("option-{}", spec.key)
}

/// A value as a form says it.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Filled<'_> {
    /// What the form says for an option, whether or not that can be.
    fn option(&self, spec: &OptionSpec, default: &Value) -> String {
        match self {
            Filled::Defaults => words(default),
            Filled::Preset(preset) => {
                let differs = preset.differs.iter().find(|(key, _)| *key == spec.key);
                differs.map_or_else(|| words(default), |(_, value)| value.to_string())
            }
            Filled::Sent(sent) => match (sent.get(&field_name(spec)), &spec.choices) {
                (Some(field), _) => field.clone(),
                // A box that is not ticked is not sent.
                (None, Choices::Flag) if sent.contains_key("options") => false.to_string(),
                (None, _) => words(default),
            },
        }
    }

    fn sent(&self, name: &str) -> Option<&str> {
        match self {
            Filled::Sent(sent) => sent.get(name).map(String::as_str),
            Filled::Defaults | Filled::Preset(_) => None,
        }
    }
}

impl OptionField {
    fn new(spec: &OptionSpec, value: String) -> OptionField {
        let field = match &spec.choices {
            Choices::Flag => Field::Flag { checked: value == true.to_string() },
            Choices::Number { from, to, step } => Field::Number { from: *from, to: *to, step: *step, value },
            Choices::One(choices) => Field::One {
                choices: choices
                    .iter()
                    .map(|choice| ChoiceField {
                        value: choice.value.to_string(),
                        title: choice.title.into(),
                        chosen: choice.value.to_string() == value,
                    })
                    .collect(),
            },
            Choices::Text => Field::Text { value },
        };
        OptionField { name: field_name(spec), title: spec.title, help: spec.help, field }
    }
}

impl OpeningForm {
    pub fn new(game: &dyn Game, filled: Filled) -> OpeningForm {
        let (fewest, most) = game.info().seats;
        let offer = |paces: &[Pace]| {
            let pace = |pace: &Pace| ChoiceField {
                chosen: filled.sent("pace") == Some(pace.code().as_str()),
                value: pace.code(),
                title: pace.time_in_words().into(),
            };
            paces.iter().map(pace).collect()
        };
        // A box that is not ticked is not sent.
        let is_sent = matches!(filled, Filled::Sent(_));
        let preset_answers = |words| (words, !is_sent || filled.sent("preset-answers").is_some());
        OpeningForm {
            others: (2..=most).map(|number| other_seat(number, number <= fewest, filled)).collect(),
            a_move: offer(&Pace::A_MOVE),
            banks: offer(&Pace::BANKS),
            nights_off: filled.sent("nights").is_some(),
            bot_when_late: filled.sent("late") == Some("bot"),
            misses: MISSES,
            preset_answers: game.preset_plans().map(preset_answers),
            sits: !is_sent || filled.sent("sit").is_some(),
            by_lot: filled.sent("lot").is_some(),
            private: filled.sent("private").is_some(),
            more_open: !matches!(filled, Filled::Defaults),
            presets: game.presets().iter().map(|preset| preset_link(game, preset, filled)).collect(),
            groups: groups(game, filled),
        }
    }
}

fn other_seat(number: u8, needed: bool, filled: Filled) -> OtherSeat {
    let name = format!("seat-{number}");
    let chosen = filled.sent(&name).unwrap_or(if needed { "person" } else { "nobody" });
    let bots = Level::ALL.map(|level| (level.name(), level.some_bot()));
    let choices = [("person", "a friend, or whoever joins")]
        .into_iter()
        .chain(bots)
        .chain([("nobody", "nobody")])
        .filter(|(value, _)| !needed || *value != "nobody")
        .map(|(value, title)| ChoiceField { value: value.to_owned(), title: title.into(), chosen: value == chosen })
        .collect();
    OtherSeat { number, needed, choices }
}

fn preset_link(game: &dyn Game, preset: &'static Preset, filled: Filled) -> PresetLink {
    let defaults = game.default_options();
    let fills: Map<String, Value> = game
        .options()
        .iter()
        .map(|spec| (field_name(spec), Filled::Preset(preset).option(spec, &defaults[spec.key]).into()))
        .collect();
    let chosen = game.options().iter().all(|spec| {
        let default = &defaults[spec.key];
        filled.option(spec, default) == Filled::Preset(preset).option(spec, default)
    });
    PresetLink {
        name: preset.name,
        title: preset.title,
        help: preset.help,
        chosen,
        fills: Value::Object(fills).to_string(),
    }
}

fn groups(game: &dyn Game, filled: Filled) -> Vec<FieldGroup> {
    let defaults = game.default_options();
    let specs = game.options();
    let field = |spec: &OptionSpec| OptionField::new(spec, filled.option(spec, &defaults[spec.key]));
    if game.option_groups().is_empty() {
        let fields = specs.iter().map(field).collect();
        return vec![FieldGroup { title: None, help: "", folds: false, open: true, fields }];
    }
    let group = |(place, group): (usize, &wonderpost_rules::OptionGroup)| {
        let specs: Vec<&OptionSpec> =
            group.keys.iter().filter_map(|key| specs.iter().find(|spec| spec.key == *key)).collect();
        let differs = specs.iter().any(|spec| filled.option(spec, &defaults[spec.key]) != words(&defaults[spec.key]));
        FieldGroup {
            title: Some(group.title),
            help: group.help,
            // What comes first is what most look for.
            folds: place > 0,
            open: differs,
            fields: specs.into_iter().map(field).collect(),
        }
    };
    game.option_groups().iter().enumerate().map(group).collect()
}

/// What a form that was sent wishes for.
pub fn read_wishes(game: &'static dyn Game, sent: &Sent) -> Result<TableOptions, String> {
    let mut options = Map::new();
    let defaults = game.default_options();
    for spec in game.options() {
        let field = Filled::Sent(sent).option(spec, &defaults[spec.key]);
        options.insert(spec.key.to_owned(), spec.read_field(&field).map_err(|refusal| refusal.to_string())?);
    }
    let (mut seats, mut bots) = (1, Vec::new());
    // One choice for all the seats that the game needs: to play at once.
    let against = |number| sent.get("against").filter(|_| number <= game.info().seats.0);
    for number in 2..=game.info().seats.1 {
        match sent.get(&format!("seat-{number}")).or_else(|| against(number)).map_or("", String::as_str) {
            "" | "nobody" => {}
            "person" => seats += 1,
            bot => {
                seats += 1;
                let level = bot.parse::<Level>().map_err(|refusal| refusal.to_string())?;
                bots.push(OpeningBot { seat: Seat::new(seats), level });
            }
        }
    }
    let pace = match sent.get("pace") {
        Some(code) => Pace::from_code(code).ok_or("There is no such pace.")?,
        None => Pace::default(),
    };
    let when_late = match sent.get("late").map(String::as_str) {
        Some("bot") => WhenLate::Bot,
        _ => WhenLate::DefaultMove,
    };
    Ok(TableOptions {
        game,
        seats,
        options: Value::Object(options),
        pace: Pace { nights_off: sent.contains_key("nights"), when_late, ..pace },
        private: sent.contains_key("private"),
        by_lot: sent.contains_key("lot"),
        preset_answers: sent.contains_key("preset-answers"),
        bots,
    })
}
