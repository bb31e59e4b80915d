//! Tables, as lists and their players see them, and what comes of a move.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::one_of;
use super::time::{Bank, WhenLate};
use super::undo::TakingBack;
use crate::tables::audit::check;
use crate::tables::state::table_state::Status;
use wonderpost_rules::Level;

#[derive(Serialize, JsonSchema)]
pub struct Tables {
    pub tables: Vec<TableRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16")]
    pub page: Option<u16>,
}

#[derive(Serialize, JsonSchema)]
pub struct TableRow {
    pub id: String,
    pub game: String,
    #[schemars(schema_with = "status")]
    pub status: &'static str,
    pub seats: i16,
    pub private: bool,
    pub moves: i32,
    pub names: Vec<String>,
    pub awaited: Vec<String>,
    pub waits_for_me: bool,
    pub deadline: Option<DateTime<Utc>>,
    /// Such as “in 2 days”
    pub deadline_in: Option<String>,
    pub opened_at: DateTime<Utc>,
    pub moved_at: DateTime<Utc>,
    pub day: Option<NaiveDate>,
}

fn status(_: &mut SchemaGenerator) -> Schema {
    one_of([Status::Open, Status::Playing, Status::Over].map(Status::name))
}

/// How well a bot plays; `decent` is the strongest, which pages call strong
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BotLevel {
    Easy,
    Middle,
    Decent,
}

impl From<BotLevel> for Level {
    fn from(level: BotLevel) -> Level {
        match level {
            BotLevel::Easy => Level::Easy,
            BotLevel::Middle => Level::Middle,
            BotLevel::Decent => Level::Decent,
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub struct TableId {
    pub table: String,
}

#[derive(Serialize, JsonSchema)]
pub struct Seated {
    pub table: String,
    pub seat: Option<u8>,
}

#[derive(Serialize, JsonSchema)]
pub struct Table {
    pub id: String,
    pub game: String,
    #[schemars(schema_with = "status")]
    pub status: &'static str,
    #[schemars(with = "Map<String, Value>")]
    pub options: Value,
    pub private: bool,
    pub seconds_a_move: Option<u32>,
    pub bank: Option<Bank>,
    pub nights_off: bool,
    pub when_late: WhenLate,
    pub paused: bool,
    pub pause_until: Option<DateTime<Utc>>,
    pub day: Option<NaiveDate>,
    /// SHA-256 of the table's secret, in hexadecimal
    pub promise: String,
    pub cuts: Vec<Cut>,
    pub opened_at: DateTime<Utc>,
    pub moved_at: DateTime<Utc>,
    pub moves: u32,
    /// Names this state of the table, to be sent along with a move. It is another word each time.
    pub state: Option<String>,
    pub seats: Vec<SeatLine>,
    pub my_seat: Option<u8>,
    #[serde(flatten)]
    pub play: Option<Play>,
}

/// What there is once the game has begun
#[derive(Serialize, JsonSchema)]
pub struct Play {
    pub view: View,
    pub text: String,
    pub log: Vec<LoggedMove>,
    pub winners: Vec<u8>,
    /// Null for those who do not sit there
    pub take_back: Option<TakingBack>,
}

/// A player's own word in the shuffle
#[derive(Serialize, JsonSchema)]
pub struct Cut {
    pub seat: u8,
    pub word: String,
}

#[derive(Serialize, JsonSchema)]
pub struct SeatLine {
    pub seat: u8,
    pub name: Option<String>,
    pub bot: bool,
    pub resigned: bool,
    pub agrees_to_end: bool,
    pub agrees_to_pause: bool,
    pub awaited_since: Option<DateTime<Utc>>,
    pub deadline: Option<DateTime<Utc>>,
    /// Such as “in 2 days”
    pub deadline_in: Option<String>,
    /// On days off until then
    pub away_until: Option<DateTime<Utc>>,
    pub kept_by_bot: bool,
    /// Moves missed in a row
    pub misses: u8,
}

/// A game as one viewer sees it. What lies on the table and what only the viewer knows are the game's own.
#[derive(Serialize)]
#[serde(transparent)]
pub struct View(pub Value);

impl JsonSchema for View {
    fn schema_name() -> Cow<'static, str> {
        "View".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ViewFields::json_schema(generator)
    }
}

/// A game as one viewer sees it
#[derive(JsonSchema)]
#[allow(dead_code, reason = "describes the fields that views of all games have")]
struct ViewFields {
    game: String,
    phase: String,
    awaiting: Vec<u8>,
    /// The decision that the viewer is asked for
    prompt: Option<String>,
    /// The viewer's legal moves
    moves: Vec<String>,
    /// The move that is made if time runs out
    default: Option<String>,
    over: bool,
    winners: Vec<u8>,
    scores: Vec<Option<i64>>,
    /// What everybody sees, in the game's own words
    table: Map<String, Value>,
    /// What only the viewer sees, in the game's own words
    #[serde(skip_serializing_if = "Map::is_empty")]
    mine: Map<String, Value>,
}

#[derive(Serialize, JsonSchema)]
pub struct LoggedMove {
    #[serde(rename = "move")]
    pub number: u32,
    pub seat: Option<u8>,
    pub at: DateTime<Utc>,
    pub lines: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
pub struct Step {
    #[serde(rename = "move")]
    pub number: u32,
    pub viewer: StepViewer,
    pub at: DateTime<Utc>,
    pub view: View,
    pub text: String,
    pub log: Vec<LoggedMove>,
    /// What each seat saw, if all was asked for
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<SeatView>")]
    pub views: Option<Vec<SeatView>>,
}

/// A seat, or “public” or “all”
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum StepViewer {
    Seat(u8),
    Other(#[schemars(schema_with = "public_or_all")] &'static str),
}

impl StepViewer {
    pub const PUBLIC: StepViewer = StepViewer::Other("public");
    pub const ALL: StepViewer = StepViewer::Other("all");
}

fn public_or_all(_: &mut SchemaGenerator) -> Schema {
    one_of(["public", "all"])
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SeatView {
    pub seat: u8,
    pub view: View,
    pub text: String,
}

/// What came of moves, or would come of them
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum SaidOrPreview {
    Said(Said),
    Preview(Preview),
}

#[derive(Serialize, JsonSchema)]
pub struct Said {
    /// How many of the lines were made, from the first
    pub made: usize,
    /// The first line that was refused, and why
    pub refused: Option<RefusedLine>,
    /// Lines that were kept as answers in advance
    pub kept: Vec<String>,
    /// Lines that nobody was asked for any more
    pub dropped: Vec<String>,
    pub moves: u32,
}

#[derive(Serialize, JsonSchema)]
pub struct RefusedLine {
    pub line: String,
    pub reason: String,
}

#[derive(Serialize, JsonSchema)]
pub struct Preview {
    /// Whether it can be told before chance or hidden knowledge comes up; without it there is nothing else
    pub foreseeable: bool,
    #[serde(flatten)]
    pub outcome: Option<Outcome>,
}

#[derive(Serialize, JsonSchema)]
pub struct Outcome {
    /// The moves in their canonical form
    pub say: Vec<String>,
    pub log: Vec<String>,
    pub view: View,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Answers {
    pub answers: Vec<AnswerInAdvance>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AnswerInAdvance {
    pub prompt: &'static str,
    pub title: &'static str,
    pub suggestions: Vec<Suggestion>,
    pub lines: Vec<String>,
    /// Whether that is what the table was opened with
    pub preset: bool,
    pub trouble: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Suggestion {
    pub title: &'static str,
    pub lines: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
pub struct Report {
    pub findings: Vec<Finding>,
}

#[derive(Serialize, JsonSchema)]
pub struct Finding {
    pub title: &'static str,
    pub verdict: Verdict,
    pub words: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Holds,
    Fails,
    NotYet,
}

impl From<check::Verdict> for Verdict {
    fn from(verdict: check::Verdict) -> Verdict {
        match verdict {
            check::Verdict::Holds => Verdict::Holds,
            check::Verdict::Fails => Verdict::Fails,
            check::Verdict::NotYet => Verdict::NotYet,
        }
    }
}
