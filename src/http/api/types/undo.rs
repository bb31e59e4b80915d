//! Moves that can be taken back, and what is said about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tables::state::record::TakeBackWord;

/// What the holder of the token may take back, or is asked about
#[derive(Serialize, JsonSchema)]
pub struct TakingBack {
    /// What the log says of one's last move, if one may undo it by oneself
    pub undo: Option<String>,
    /// Whether the others can be asked to let one take back one's last move
    pub may_ask: bool,
    pub request: Option<Request>,
}

/// Somebody would like to take back their last move
#[derive(Serialize, JsonSchema)]
pub struct Request {
    /// The seat that asks
    pub seat: u8,
    /// The seats whose answer is awaited
    pub awaited: Vec<u8>,
}

#[derive(Serialize, JsonSchema)]
pub struct Undone {
    /// How many moves there are now: undoing is counted as one
    pub moves: u32,
}

/// What one says about taking a move back
#[derive(Copy, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    Ask,
    Withdraw,
    Grant,
    Refuse,
}

impl From<Word> for TakeBackWord {
    fn from(word: Word) -> TakeBackWord {
        match word {
            Word::Ask => TakeBackWord::Ask,
            Word::Withdraw => TakeBackWord::Withdraw,
            Word::Grant => TakeBackWord::Grant,
            Word::Refuse => TakeBackWord::Refuse,
        }
    }
}
