//! Talk at a table, and one's own notes.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TalkList {
    pub talk: Vec<Talk>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Talk {
    pub id: i64,
    pub seat: i16,
    pub name: String,
    pub at: DateTime<Utc>,
    /// After which move it was written
    #[serde(rename = "move")]
    pub move_no: i32,
    pub words: String,
    /// The host removed it, and there are no words
    pub removed: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mutes {
    pub mutes: Vec<Mute>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Mute {
    pub id: Uuid,
    pub name: String,
    pub since: DateTime<Utc>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Note {
    pub words: String,
}
