//! The options of a game: typed, documented, and good for making a form.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Refusal;

/// What may be chosen for one option.
#[derive(Clone, Debug, PartialEq)]
pub enum Choices {
    /// Yes or no.
    Flag,
    /// A whole number within bounds, in steps.
    Number {
        /// The least.
        from: i64,
        /// The most.
        to: i64,
        /// From one to the next.
        step: i64,
    },
    /// One of a few values, each with words for the player.
    One(&'static [Choice]),
    /// Words that the game itself reads.
    Text,
}

/// One of the values of an option.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// As it is stored.
    pub value: Plain,
    /// As the form shows it.
    pub title: &'static str,
}

/// A value that can be written in a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plain {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A word.
    Text(&'static str),
}

impl Plain {
    /// As JSON.
    pub fn to_json(self) -> Value {
        match self {
            Plain::Flag(flag) => flag.into(),
            Plain::Number(number) => number.into(),
            Plain::Text(text) => text.into(),
        }
    }
}

impl std::fmt::Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Plain::Flag(flag) => flag.fmt(f),
            Plain::Number(number) => number.fmt(f),
            Plain::Text(text) => text.fmt(f),
        }
    }
}

/// One option as a form needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionSpec {
    /// Its name in JSON.
    pub key: &'static str,
    /// Its name on the form.
    pub title: &'static str,
    /// What it changes, in a sentence.
    pub help: &'static str,
    /// The values that it can have.
    pub choices: Choices,
}

impl OptionSpec {
    fn allows(&self, value: &Value) -> bool {
        match &self.choices {
            Choices::Flag => value.is_boolean(),
            Choices::Number { from, to, step } => {
                value.as_i64().is_some_and(|number| (*from..=*to).contains(&number) && (number - from) % step == 0)
            }
            Choices::One(choices) => choices.iter().any(|choice| choice.value.to_json() == *value),
            Choices::Text => value.is_string(),
        }
    }

    /// Reads what a form field says for this option.
    pub fn read_field(&self, field: &str) -> Result<Value, Refusal> {
        let value = match &self.choices {
            Choices::Flag => matches!(field, "true" | "on" | "yes").into(),
            Choices::Number { .. } => field.trim().parse::<i64>().map_or(Value::Null, Value::from),
            Choices::One(choices) => choices
                .iter()
                .find(|choice| choice.value.to_string() == field)
                .map_or(Value::Null, |choice| choice.value.to_json()),
            Choices::Text => field.trim().into(),
        };
        if self.allows(&value) { Ok(value) } else { Err(self.refuse(field)) }
    }

    fn refuse(&self, given: impl std::fmt::Display) -> Refusal {
        Refusal::new(format!("“{}” cannot be {given}.", self.title))
    }
}

/// Options that stand together in a form.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionGroup {
    /// The heading of the group.
    pub title: &'static str,
    /// What the group is about, in a sentence.
    pub help: &'static str,
    /// The options in it, by key.
    pub keys: &'static [&'static str],
}

/// Options that make a good game together, to begin with.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// Its name in forms.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is like, in a sentence.
    pub help: &'static str,
    /// What differs from the defaults.
    pub differs: &'static [(&'static str, Plain)],
}

impl Preset {
    /// The options as a table is opened with them.
    pub fn options(&self) -> Value {
        self.differs.iter().map(|(key, value)| ((*key).to_owned(), value.to_json())).collect::<Map<_, _>>().into()
    }
}

/// The typed options of a game. Every field has a default.
pub trait GameOptions: Default + Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// All options, in the order of the form.
    const SPECS: &'static [OptionSpec];
    /// How a form groups them; without groups they stand one after the other.
    const GROUPS: &'static [OptionGroup] = &[];
    /// Ready-made sets of options.
    const PRESETS: &'static [Preset] = &[];
}

/// A game without options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, serde::Deserialize)]
pub struct NoOptions {}

impl GameOptions for NoOptions {
    const SPECS: &'static [OptionSpec] = &[];
}

/// Reads options given as an object that lists what differs from the defaults.
pub fn read_options<O: GameOptions>(given: &Value) -> Result<O, Refusal> {
    let Value::Object(given) = given else { return Err(Refusal::new("Options are an object of names and values.")) };
    let mut all = match serde_json::to_value(O::default()) {
        Ok(Value::Object(all)) => all,
        _ => Map::new(),
    };
    for (key, value) in given {
        let spec = O::SPECS.iter().find(|spec| spec.key == key);
        let spec = spec.ok_or_else(|| Refusal::new(format!("This game has no option “{key}”.")))?;
        if !spec.allows(value) {
            return Err(spec.refuse(value));
        }
        all.insert(key.clone(), value.clone());
    }
    serde_json::from_value(Value::Object(all)).map_err(|_| Refusal::new("These options do not go together."))
}
