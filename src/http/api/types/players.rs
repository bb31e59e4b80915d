//! How somebody plays.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
pub struct Player {
    pub id: String,
    pub name: String,
    pub games: Vec<Played>,
    pub ratings: Vec<Rating>,
    pub pace: Option<Pace>,
    pub opponents: Vec<Opponent>,
}

/// How often they played a game with so many seats, and won
#[derive(Serialize, JsonSchema)]
pub struct Played {
    pub game: String,
    pub seats: i16,
    pub games: i64,
    pub won: i64,
}

#[derive(Serialize, JsonSchema)]
pub struct Rating {
    pub game: String,
    /// 1000 for a newcomer
    pub rating: i64,
    /// How far the truth may well be from it
    pub margin: i64,
    /// How many games it comes from
    pub games: i32,
}

/// How fast they move
#[derive(Serialize, JsonSchema)]
pub struct Pace {
    /// The middle one of the times that moves took, while the clock ran
    pub median_seconds: i32,
    pub missed: usize,
    /// Of how many decisions, the last ones
    pub of: usize,
}

#[derive(Serialize, JsonSchema)]
pub struct Opponent {
    pub name: String,
    pub games: i64,
    /// How often the player won
    pub won: i64,
    /// How often the opponent won
    pub lost: i64,
}
