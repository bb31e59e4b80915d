//! What the API answers, and what requests and answers have in common. The description of the API is derived from these types:
//! their names, fields and comments are what its readers see.

pub mod curve;
pub mod games;
pub mod invitations;
pub mod letters;
pub mod me;
pub mod players;
pub mod tables;
pub mod talk;
pub mod time;
pub mod undo;
pub mod ways;

use schemars::{Schema, json_schema};

/// One of a list of words.
fn one_of(words: impl IntoIterator<Item = &'static str>) -> Schema {
    let words: Vec<&str> = words.into_iter().collect();
    json_schema!({"type": "string", "enum": words})
}
