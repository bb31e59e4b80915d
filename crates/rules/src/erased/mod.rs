//! Games without their types: what the house works with.

mod entry;
mod typed_position;

use std::any::Any;

use serde_json::Value;
use serde_json::value::RawValue;

pub use self::entry::Entry;
use crate::{
    AnyMove, Board, CallToAction, Chance, DailyGame, Draw, GameInfo, GameResult, Help, Level, Line, MoveOffer,
    OptionGroup, OptionSpec, Picture, PlannedPrompt, Playout, PlayoutPlan, Preset, Refusal, Scene, Seat, SeatSet,
    Viewer,
};

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name of its variant.
    pub kind: String,
    /// JSON, to be kept to the letter.
    pub body: String,
}

impl Fact {
    /// Writes an event; its kind is the name of its variant.
    pub fn new(event: &impl serde::Serialize) -> Fact {
        let body = serde_json::to_string(event).expect("events are plain data");
        let kind =
            body.trim_start_matches('{').trim_start_matches('"').split('"').next().unwrap_or_default().to_owned();
        Fact { kind, body }
    }
}

/// What a decision came to, ready to be stored.
pub struct Decided {
    /// The table after all facts.
    pub position: Box<dyn Position>,
    /// What happened, in order.
    pub facts: Vec<Fact>,
    /// Who was awaited after each fact.
    pub awaiting: Vec<SeatSet>,
    /// The chance that was drawn, in order.
    pub draws: Vec<Draw>,
    /// Chance was drawn or hidden knowledge came up for whoever decided: it could not be foreseen.
    pub revealing: bool,
    /// How many facts come before that.
    pub foreseeable: usize,
    /// Nobody learnt anything hidden by it, and no chance was drawn: it can be undone.
    pub reversible: bool,
}

/// A stored event that does not fold: the database was tampered with, or an old kind was forgotten.
#[derive(Debug, thiserror::Error)]
#[error("an event does not fold: {0}")]
pub struct FoldError(#[from] serde_json::Error);

/// A game of the catalogue.
pub trait Game: Send + Sync {
    /// What the catalogue says of it.
    fn info(&self) -> &'static GameInfo;
    /// How it is played, as HTML.
    fn how_to_play(&self) -> &'static str;
    /// The examples of how it is played: names, and case files.
    fn examples(&self) -> &'static [(&'static str, &'static str)];
    /// The part of the stylesheet for its board.
    fn stylesheet(&self) -> &'static str;
    /// What it says to newcomers.
    fn help(&self) -> Option<&'static Help>;
    /// The drawings that its boards refer to, as sheets of SVG symbols.
    fn symbols(&self) -> Vec<&'static str>;
    /// What preset answers mean, if the game has any.
    fn preset_plans(&self) -> Option<&'static str>;
    /// What the results of a day say, if it is a game for every day.
    fn daily(&self) -> Option<&'static DailyGame>;
    /// What can be chosen when a table is opened.
    fn options(&self) -> &'static [OptionSpec];
    /// How the form groups the options.
    fn option_groups(&self) -> &'static [OptionGroup];
    /// Ready-made sets of options.
    fn presets(&self) -> &'static [Preset];
    /// Whether players call each other in the middle of a turn.
    fn has_calls(&self) -> bool;
    /// All options as they are if nothing is chosen.
    fn default_options(&self) -> Value;
    /// Checks options that list what differs from the defaults, and gives them back complete.
    fn complete_options(&self, given: &Value) -> Result<Value, Refusal>;
    /// The table before anything is dealt.
    fn begin(&self, options: &Value, seats: u8) -> Result<Box<dyn Position>, Refusal>;
    /// A fine moment of a game that is nobody's.
    fn example(&self) -> Result<Box<dyn Position>, Refusal>;
    /// Reads back [`Position::snapshot`]; `None` if it was written by another shape of the game.
    fn restore(&self, snapshot: &str) -> Option<Box<dyn Position>>;
}

/// The state of a table of any game.
pub trait Position: Send + Sync + Any {
    /// A copy of the table.
    fn boxed_clone(&self) -> Box<dyn Position>;
    /// Deals.
    fn set_up(&self, chance: &mut dyn Chance) -> Result<Decided, Refusal>;
    /// Decides a move that a seat makes. A refusal changes nothing.
    fn decide_move(&self, seat: Seat, mv: &AnyMove, chance: &mut dyn Chance) -> Result<Decided, Refusal>;
    /// Reads a line and decides it.
    fn decide_line(&self, seat: Seat, line: &str, chance: &mut dyn Chance) -> Result<Decided, Refusal>;
    /// Reads a line as a move; says nothing of whether it is legal.
    fn read_line(&self, line: &str) -> Result<AnyMove, Refusal>;
    /// Reads the lines of a form or a letter: moves, and answers in advance, which name their decision (“contest: pass”) or imply it.
    /// An error tells which line it is about.
    fn read_lines(&self, seat: Seat, lines: &[&str]) -> Result<Vec<Line>, (usize, Refusal)>;
    /// The name of the decision that a seat is asked for.
    fn prompt(&self, seat: Seat) -> Option<&'static str>;
    /// What an awaited seat is asked for, as the letters to it begin.
    fn call_to_action(&self, seat: Seat) -> CallToAction;
    /// The decisions that a seat may answer in advance.
    fn plannable_prompts(&self, seat: Seat) -> Vec<PlannedPrompt>;
    /// Whether a move can ever be an answer to a decision.
    fn can_answer(&self, prompt: &str, mv: &AnyMove) -> bool;
    /// Folds a stored event.
    fn fold(&mut self, body: &RawValue) -> Result<(), FoldError>;
    /// The log line of an event, the next to be folded, for a viewer.
    fn describe_event(&self, body: &RawValue, viewer: Viewer) -> Result<Option<String>, FoldError>;
    /// What an event, the next to be folded, brings to an end that a seat had a part in.
    fn aftermath(&self, body: &RawValue, seat: Seat) -> Result<Option<String>, FoldError>;
    /// Who is to move.
    fn awaiting(&self) -> SeatSet;
    /// How many of a seat's moves nobody else may notice as yet.
    fn concealed_moves(&self, seat: Seat) -> usize;
    /// `None` until the game is over.
    fn result(&self) -> Option<GameResult>;
    /// One entry a seat: the number that is public now.
    fn scores(&self) -> Vec<Option<i64>>;
    /// Numbers that compare games played on the same deal: higher is better, the first number first.
    fn ranking_key(&self) -> Vec<i64>;
    /// The listed moves of a seat, none if it is not awaited.
    fn legal_moves(&self, seat: Seat) -> Vec<String>;
    /// The move made for a seat if time runs out, `None` if it is not awaited.
    fn default_move(&self, seat: Seat) -> Option<AnyMove>;
    /// What a viewer sees, as JSON.
    fn view(&self, viewer: Viewer) -> Value;
    /// The parts of the board; `before` is the table one move earlier.
    fn board(&self, before: Option<&dyn Position>, viewer: Viewer, scene: &Scene) -> Board;
    /// A move in words, as an offer to a seat that could make it.
    fn describe_move(&self, seat: Seat, mv: &AnyMove) -> String;
    /// Whether a move of a seat is asked for once more before it is made.
    fn asks_first(&self, seat: Seat, mv: &AnyMove) -> bool;
    /// The board as plain text, with the moves that can be made.
    fn text(&self, viewer: Viewer) -> String;
    /// The board as plain text without the moves.
    fn table_in_words(&self, viewer: Viewer) -> String;
    /// What a seat is asked for, in a sentence or two; nothing if it is not awaited.
    fn question(&self, seat: Seat) -> String;
    /// The listed moves of a seat with what each brings, in the order of the board; none if it is not awaited.
    fn offers(&self, seat: Seat) -> Vec<MoveOffer>;
    /// The board as a picture, for letters.
    fn picture(&self, viewer: Viewer) -> Picture;
    /// The board alone, wider than high, for lists and previews.
    fn showpiece(&self, viewer: Viewer) -> Picture;
    /// What a bot does: moves to make one after the other as long as nothing new comes up.
    fn bot(&self, level: Level, seat: Seat, rng: &mut dyn rand::Rng) -> Vec<AnyMove>;
    /// A table that this viewer could not tell from this one.
    fn resample_hidden(&self, viewer: Viewer, rng: &mut dyn rand::Rng) -> Box<dyn Position>;
    /// Plays the table on to its end among bots. Nothing comes of it if there is no end in time.
    fn play_out(&self, plan: &PlayoutPlan) -> Option<Playout>;
    /// The same, with a move of a seat made first; nothing if that is refused.
    fn play_out_after(&self, seat: Seat, mv: &AnyMove, plan: &PlayoutPlan) -> Option<Playout>;
    /// The state as text, for [`Game::restore`].
    fn snapshot(&self) -> String;
    /// For going back to the types.
    fn as_any(&self) -> &dyn Any;
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Box<dyn Position> {
        (**self).boxed_clone()
    }
}
