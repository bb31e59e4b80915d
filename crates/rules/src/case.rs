//! Case files: scripted games with checks, the yardstick of an engine.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::{Catalogue, Game, Outcome, Position, Scripted, Seat, Viewer};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    game: String,
    #[serde(default)]
    title: String,
    seats: u8,
    #[serde(default = "no_options")]
    options: Value,
    #[serde(default)]
    chance: Vec<Outcome>,
    #[serde(default)]
    chance_left: bool,
    #[serde(default)]
    refused: bool,
    #[serde(default)]
    steps: Vec<Step>,
}

/// Nothing that differs from the defaults.
pub(super) fn no_options() -> Value {
    Value::Object(Default::default())
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Step {
    Check { check: Check },
    Say(Say),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    viewer: Value,
    view: Value,
}

impl Check {
    fn viewer(&self) -> Result<Viewer, String> {
        match &self.viewer {
            Value::String(text) if text == "public" => Ok(Viewer::Public),
            other => serde_json::from_value::<Seat>(other.clone())
                .map(Viewer::Seat)
                .map_err(|error| format!("viewer: {error}")),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Say {
    seat: u8,
    say: String,
    #[serde(default)]
    rejected: bool,
}

/// Runs the text of a case file. An error says at which step it failed, what was expected and what was there.
pub fn run(catalogue: &Catalogue, text: &str) -> Result<(), String> {
    let case: Case = serde_json::from_str(text).map_err(|error| format!("not a case file: {error}"))?;
    let game = catalogue.find(&case.game).ok_or_else(|| format!("no game “{}” in the catalogue", case.game))?;
    let mut chance = Scripted::new(case.chance);
    if case.refused {
        return match game.begin(&case.options, case.seats) {
            Err(_) => Ok(()),
            Ok(_) => Err("set-up: expected a refusal, and it was accepted".into()),
        };
    }
    let mut table = deal(game, &case.options, case.seats, &mut chance)?;
    for (number, step) in case.steps.iter().enumerate() {
        run_step(&mut table, step, &mut chance).map_err(|failure| format!("step {}: {failure}", number + 1))?;
    }
    if chance.left() > 0 && !case.chance_left {
        return Err(format!("at the end: {} entries of chance are left over", chance.left()));
    }
    Ok(())
}

/// The table after a scripted deal.
pub(super) fn deal(
    game: &dyn Game,
    options: &Value,
    seats: u8,
    chance: &mut Scripted,
) -> Result<Box<dyn Position>, String> {
    let dealt = game.begin(options, seats).and_then(|table| table.set_up(chance));
    Ok(dealt.map_err(|refusal| format!("set-up: {refusal}"))?.position)
}

fn run_step(table: &mut Box<dyn Position>, step: &Step, chance: &mut Scripted) -> Result<(), String> {
    match step {
        Step::Check { check } => contains(&table.view(check.viewer()?), &check.view, "view")
            .map_err(|failure| format!("viewer {}: {failure}", check.viewer)),
        Step::Say(Say { seat, say, rejected }) => {
            let seat = Seat::try_from(*seat)?;
            match (table.decide_line(seat, say, chance), rejected) {
                (Err(refusal), _) if refusal.is_fault() => Err(format!("seat {seat} says “{say}”: {refusal}")),
                (Ok(decided), false) => {
                    *table = decided.position;
                    Ok(())
                }
                (Err(_), true) => Ok(()),
                (Ok(_), true) => Err(format!("seat {seat} says “{say}”: expected a refusal, and it was accepted")),
                (Err(refusal), false) => {
                    Err(format!("seat {seat} says “{say}”: expected to be accepted, refused with “{refusal}”"))
                }
            }
        }
    }
}

/// What a case file comes to, as an example to be drawn.
pub struct LastPosition {
    /// What the file is called.
    pub title: String,
    /// The table after all steps.
    pub position: Box<dyn Position>,
    /// Whom the last check is about.
    pub viewer: Viewer,
}

/// Plays the text of a case file to its end.
pub fn last_position(game: &dyn Game, text: &str) -> Result<LastPosition, String> {
    let case: Case = serde_json::from_str(text).map_err(|error| format!("not a case file: {error}"))?;
    let mut chance = Scripted::new(case.chance);
    let dealt = game.begin(&case.options, case.seats).and_then(|table| table.set_up(&mut chance));
    let mut position = dealt.map_err(|refusal| format!("set-up: {refusal}"))?.position;
    let mut viewer = Viewer::Public;
    for step in &case.steps {
        run_step(&mut position, step, &mut chance)?;
        if let Step::Check { check } = step {
            viewer = check.viewer()?;
        }
    }
    Ok(LastPosition { title: case.title, position, viewer })
}

/// Whether a view holds what a check asks for.
fn contains(there: &Value, expected: &Value, path: &str) -> Result<(), String> {
    match (there, expected) {
        (Value::Object(there), Value::Object(expected)) => {
            for (key, wanted) in expected {
                let path = format!("{path}.{key}");
                match there.get(key) {
                    Some(value) => contains(value, wanted, &path)?,
                    None => return Err(format!("{path}: expected {wanted}, there is no such field")),
                }
            }
            Ok(())
        }
        (Value::Array(items), Value::Object(count)) if count.len() == 1 && count.contains_key("count") => {
            if count["count"] == items.len() {
                Ok(())
            } else {
                Err(format!("{path}: expected {} elements, there are {}", count["count"], items.len()))
            }
        }
        _ if equal(there, expected) => Ok(()),
        _ => Err(format!("{path}: expected {expected}, there is {there}")),
    }
}

/// Equal as JSON means it: 3 and 3.0 are the same number.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        _ => left == right,
    }
}

/// The case files at these paths: files as they are, folders with all that is below them, in order of name.
pub fn files(paths: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        collect(path, true, &mut found)?;
    }
    Ok(found)
}

fn collect(path: &Path, named: bool, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries =
            std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
        entries.sort();
        for entry in entries {
            collect(&entry, false, found)?;
        }
    } else if named || path.extension().is_some_and(|extension| extension == "json") {
        found.push(path.to_owned());
    }
    Ok(())
}
