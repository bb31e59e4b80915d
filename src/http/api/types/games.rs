//! Games, and the garden of the day.

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

use wonderpost_rules::Choices;

#[derive(Serialize, JsonSchema)]
pub struct Games {
    pub games: Vec<Game>,
}

#[derive(Serialize, JsonSchema)]
pub struct Game {
    pub slug: &'static str,
    pub title: &'static str,
    pub fewest_seats: u8,
    pub most_seats: u8,
    /// About how many minutes a game takes at one sitting
    pub minutes: u16,
    pub blurb: &'static str,
    pub credits: &'static str,
    pub options: Vec<GameOption>,
    /// How a form groups the options
    pub option_groups: Vec<OptionGroup>,
    /// Options that make a good game together
    pub presets: Vec<Preset>,
    /// Only where one game is asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub how_to_play: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Option")]
pub struct GameOption {
    pub key: &'static str,
    pub title: &'static str,
    pub help: &'static str,
    pub values: OptionValues,
    pub default: Value,
}

/// Which values an option may have
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum OptionValues {
    /// Yes or no
    Flag,
    /// A whole number within bounds, in steps
    Number { from: i64, to: i64, step: i64 },
    /// One of a few values
    One { of: Vec<OptionValue> },
    /// Words that the game itself reads
    Text,
}

#[derive(Serialize, JsonSchema)]
pub struct OptionValue {
    pub value: Value,
    pub title: &'static str,
}

impl From<&Choices> for OptionValues {
    fn from(choices: &Choices) -> OptionValues {
        match choices {
            Choices::Flag => OptionValues::Flag,
            Choices::Number { from, to, step } => OptionValues::Number { from: *from, to: *to, step: *step },
            Choices::One(choices) => {
                let value = |choice: &wonderpost_rules::Choice| OptionValue {
                    value: choice.value.to_json(),
                    title: choice.title,
                };
                OptionValues::One { of: choices.iter().map(value).collect() }
            }
            Choices::Text => OptionValues::Text,
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct OptionGroup {
    pub title: &'static str,
    pub help: &'static str,
    pub keys: &'static [&'static str],
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Preset {
    pub name: &'static str,
    pub title: &'static str,
    pub help: &'static str,
    #[schemars(with = "Map<String, Value>")]
    pub options: Value,
}

#[derive(Serialize, JsonSchema)]
pub struct Daily {
    pub day: NaiveDate,
    /// SHA-256 of the day's secret, in hexadecimal
    pub promise: String,
    /// The promise of the day after, while the day lasts
    pub next_promise: Option<String>,
    /// In hexadecimal, once the day is over
    pub secret: Option<String>,
    /// The table at which the holder of the token plays this garden
    pub table: Option<String>,
    pub results: Vec<DayResult>,
}

#[derive(Serialize, JsonSchema)]
pub struct DayResult {
    /// Equal games share a place
    pub place: usize,
    pub mine: bool,
    pub over: bool,
    /// What games of the day are compared by, under the names that the game gives: roses and turns
    #[serde(flatten)]
    pub numbers: BTreeMap<&'static str, i64>,
}
