//! The curve of a finished game.

use schemars::JsonSchema;
use serde::Serialize;

/// How far the curve is, and the curve once it is made
#[derive(Serialize, JsonSchema)]
pub struct CurveState {
    pub state: Progress,
    /// From 0 to 1
    pub progress: f32,
    pub curve: Option<Curve>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Progress {
    NotAsked,
    Waiting,
    Done,
    Failed,
}

#[derive(Serialize, JsonSchema)]
pub struct Curve {
    /// The bots that played the game on
    pub bots: &'static str,
    /// How many games they played
    pub playouts: u32,
    pub points: Vec<Point>,
    pub turning_points: Vec<TurningPoint>,
}

/// The table after a move
#[derive(Serialize, JsonSchema)]
pub struct Point {
    #[serde(rename = "move")]
    pub move_no: u32,
    /// Each seat's chance to win with everything as it truly was, in the order of seats; empty for a game for one
    pub chances: Vec<Estimate>,
    /// What the holder of the token could have known of their own chance
    pub known: Option<Estimate>,
    /// The best result that was still found, in a game for one
    pub best: Option<i64>,
}

#[derive(Serialize, JsonSchema)]
pub struct Estimate {
    /// From 0 to 1
    pub chance: f32,
    /// The true share lies this near with 95 %
    pub margin: f32,
}

/// A move after which the game stood otherwise
#[derive(Serialize, JsonSchema)]
pub struct TurningPoint {
    #[serde(rename = "move")]
    pub move_no: u32,
    /// Whose move it was
    pub mover: Option<u8>,
    /// Whose chance changed
    pub seat: u8,
    /// The chance before it; the best result in a game for one
    pub from: f32,
    pub to: f32,
    pub better: Option<Better>,
}

/// A move that would have done better, by what its mover could know
#[derive(Serialize, JsonSchema)]
pub struct Better {
    pub say: String,
    pub words: String,
    pub chance: f32,
    /// The chance with the move that was made, judged in the same way
    pub made: f32,
}
