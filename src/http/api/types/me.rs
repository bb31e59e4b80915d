//! The holder of the token.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::one_of;
use crate::http::pages::next::Skipped;
use crate::players::{PlayerSettings, Theme};
use crate::tables::state::table_state::Status;

#[derive(Serialize, JsonSchema)]
pub struct Me {
    pub name: Option<String>,
    pub address: Option<String>,
    pub since: DateTime<Utc>,
    pub settings: Settings,
}

/// All of them at once: what is left out is as it was at first
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Every move that cannot be taken back is shown first and made with a second click; else only grave ones are
    pub confirm_moves: bool,
    /// The slugs of games whose moves are all made with one click
    pub never_ask: Vec<String>,
    pub four_colour_suits: bool,
    #[schemars(schema_with = "theme")]
    pub theme: Theme,
}

fn theme(_: &mut SchemaGenerator) -> Schema {
    one_of(["system", "light", "dark"])
}

impl Default for Settings {
    fn default() -> Settings {
        PlayerSettings::default().into()
    }
}

impl From<PlayerSettings> for Settings {
    fn from(settings: PlayerSettings) -> Settings {
        let PlayerSettings { confirm_moves, never_ask, four_colour_suits, theme, .. } = settings;
        Settings { confirm_moves, never_ask, four_colour_suits, theme }
    }
}

impl Settings {
    /// The player's settings with these in place of the former ones.
    pub fn replacing(&self, former: PlayerSettings) -> PlayerSettings {
        let Settings { confirm_moves, never_ask, four_colour_suits, theme } = self.clone();
        // A program has read what players are called.
        PlayerSettings { confirm_moves, never_ask, four_colour_suits, theme, name_asked: true, ..former }
    }
}

/// The query of “play next” as the pages read it.
impl JsonSchema for Skipped {
    fn schema_name() -> Cow<'static, str> {
        "Skipped".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {
            "after": {"type": "string", "description": "Tables to skip, separated by commas"},
        }})
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NextTable {
    pub table: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub struct Invitations {
    pub invitations: Vec<Invitation>,
}

#[derive(Serialize, JsonSchema)]
pub struct Invitation {
    pub token: String,
    pub game: String,
    pub from: Option<String>,
    /// What they wrote
    pub line: Option<String>,
    /// Whether it is to play a game again
    pub rematch: bool,
    pub invited_at: DateTime<Utc>,
}

#[derive(Serialize, JsonSchema)]
pub struct InvitedTo {
    /// Who invites
    pub from: Option<String>,
    /// What they wrote
    pub line: Option<String>,
    /// Whether it is to play a game again
    pub rematch: bool,
    pub game: String,
    pub seats: u8,
    pub seated: Vec<u8>,
    #[schemars(schema_with = "status")]
    pub status: &'static str,
}

fn status(_: &mut SchemaGenerator) -> Schema {
    one_of([Status::Open, Status::Playing, Status::Over, Status::Gone].map(Status::name))
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Asked {
    pub ask: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub struct Tokens {
    pub tokens: Vec<TokenLine>,
}

#[derive(Serialize, JsonSchema)]
pub struct TokenLine {
    pub id: Uuid,
    pub title: String,
    pub created_at: DateTime<Utc>,
    pub used_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, JsonSchema)]
pub struct Devices {
    pub devices: Vec<DeviceLine>,
}

/// A browser on which notices are on
#[derive(Serialize, JsonSchema)]
pub struct DeviceLine {
    pub id: Uuid,
    pub title: String,
    pub created_at: DateTime<Utc>,
    /// When a notice last went there
    pub sent_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, JsonSchema)]
pub struct NewToken {
    pub token: String,
}
