//! What an analysis found, as it is stored and shown.

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Level, Seat};

/// The curve of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    pub measure: Measure,
    /// How well the bots play that played the game on.
    pub level: Level,
    /// How many games were played on in all.
    pub playouts: u32,
    /// How much processor time they took.
    pub milliseconds: u32,
    /// In the order of moves. Long games have fewer points than moves.
    pub points: Vec<Point>,
    /// In the order of moves.
    pub turning_points: Vec<TurningPoint>,
}

/// What a curve shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Each seat's chance to win.
    Chances,
    /// The best result that was still found, for a game for one.
    BestResult,
}

/// The table after a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub move_no: u32,
    /// Each seat's chance with everything as it truly was, in the order of seats. Empty for a game for one.
    pub chances: Vec<Estimate>,
    /// The same as far as each seat could know: what was hidden from it is dealt anew each time. Bots have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Option<Estimate>>,
    /// The best result found from here, in a game for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<i64>,
}

/// A chance, and how sure it is.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub chance: f32,
    /// The true share lies this near with 95 %.
    pub margin: f32,
}

impl Estimate {
    /// What is certain.
    pub fn exact(chance: f32) -> Estimate {
        Estimate { chance, margin: 0.0 }
    }
}

/// A move after which the game stood otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurningPoint {
    pub move_no: u32,
    /// Whose move it was.
    pub mover: Option<Seat>,
    /// Whose chance changed.
    pub seat: Seat,
    /// The chance before and after; the best result of a game for one.
    pub from: f32,
    pub to: f32,
    /// What would have done better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better: Option<Better>,
}

/// A move that would have done better than the one that was made, judged by what its mover could know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Better {
    /// As it is said.
    pub line: String,
    /// As an offer, with marks for names.
    pub words: String,
    /// The mover's chance with it, and with the move that was made.
    pub chance: f32,
    pub made: f32,
}
