//! What a turn-based game is.
//!
//! A game implements [`Rules`]: it decides what a move brings about, as events, and folds events into a state. It knows nothing of
//! databases, pages, mail or clocks, and its only randomness is [`Chance`]. [`Catalogued`] adds what is shown of it: a page, a text, a
//! picture, bots. [`Game`] and [`Position`] are the same without the types, for code that handles any game.
//!
//! A complete game: two players take one to three matches in turn, and whoever takes the last one wins.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use wonderpost_rules::*;
//!
//! #[derive(Clone, Serialize, Deserialize)]
//! struct Matches { left: u8, turn: Seat }
//!
//! #[derive(Clone, PartialEq)]
//! struct Take(u8);
//!
//! impl std::str::FromStr for Take {
//!     type Err = Refusal;
//!     fn from_str(line: &str) -> Result<Take, Refusal> {
//!         let count = line.strip_prefix("take ").and_then(|count| count.parse().ok());
//!         count.map(Take).ok_or_else(|| Refusal::new("Say “take 2”, for example."))
//!     }
//! }
//!
//! impl std::fmt::Display for Take {
//!     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "take {}", self.0) }
//! }
//!
//! #[derive(Serialize, Deserialize)]
//! enum Event { Taken { count: u8 } }
//!
//! impl Rules for Matches {
//!     const GAME: GameInfo = GameInfo {
//!         slug: "matches", title: "Matches", seats: (2, 2), minutes: 2, blurb: "Take the last one.", credits: "Traditional.",
//!     };
//!     type Options = NoOptions;
//!     type Move = Take;
//!     type Phase = &'static str;
//!     type Event = Event;
//!     type PublicView = u8;
//!     type PrivateView = ();
//!
//!     fn begin(_: NoOptions, _seats: u8) -> Result<Matches, Refusal> { Ok(Matches { left: 15, turn: Seat::FIRST }) }
//!     fn set_up(_: &mut Recorder<Matches>) -> Result<(), Refusal> { Ok(()) }
//!     fn decide(record: &mut Recorder<Matches>, seat: Seat, mv: Take) -> Result<(), Refusal> {
//!         if !record.legal_moves(seat).contains(&mv) {
//!             return Err(Refusal::new("Take one, two or three of those that are left."));
//!         }
//!         record.record(Event::Taken { count: mv.0 });
//!         Ok(())
//!     }
//!     fn apply(&mut self, Event::Taken { count }: &Event) {
//!         self.left -= count;
//!         self.turn = self.turn.next(2);
//!     }
//!
//!     fn phase(&self) -> &'static str { if self.left > 0 { "take" } else { "over" } }
//!     fn awaiting(&self) -> SeatSet { if self.left > 0 { SeatSet::one(self.turn) } else { SeatSet::EMPTY } }
//!     fn legal_moves(&self, _: Seat) -> Vec<Take> { (1..=self.left.min(3)).map(Take).collect() }
//!     fn default_move(&self, _: Seat) -> Option<Take> { Some(Take(1)) }
//!     fn scores(&self) -> Vec<Option<i64>> { vec![None; 2] }
//!     fn result(&self) -> Option<GameResult> {
//!         (self.left == 0).then(|| GameResult { winners: SeatSet::one(self.turn.next(2)) })
//!     }
//!     fn public_view(&self, _: Viewer) -> u8 { self.left }
//!     fn private_view(&self, _: Seat) {}
//!     fn describe_event(&self, Event::Taken { count }: &Event, _: Viewer) -> Option<String> {
//!         Some(format!("{} takes {count}.", self.turn.mark()))
//!     }
//!     fn reveals(&self, _: &Event) -> bool { false }
//!     fn resample_hidden(&self, _: Viewer, _: &mut dyn rand::Rng) -> Matches { self.clone() }
//! }
//!
//! impl Catalogued for Matches {
//!     const HOW_TO_PLAY: &'static str = "<p>Take one to three matches. Whoever takes the last one wins.</p>";
//!     fn text(view: &View<Matches>) -> String { format!("{} matches are left.", view.table) }
//! }
//!
//! // What the house does with it, knowing none of its types:
//! static MATCHES: Entry<Matches> = Entry::new();
//! let game = Catalogue::new(vec![&MATCHES]).find("matches").unwrap();
//! let mut chance = seed::Seed::of_number(1).chance(0);
//! let table = game.begin(&game.default_options(), 2)?.set_up(&mut chance)?.position;
//! assert_eq!(table.legal_moves(Seat::FIRST), ["take 1", "take 2", "take 3"]);
//! let table = table.decide_line(Seat::FIRST, "Take 3", &mut chance)?.position;
//! assert_eq!(table.text(Viewer::Public), "12 matches are left.");
//! assert_eq!(table.view(Viewer::Public)["table"], 12);
//! # Ok::<(), Refusal>(())
//! ```

#![warn(missing_docs)]

mod any_move;
mod cards;
pub mod case;
mod catalogue;
mod catalogued;
mod chance;
mod daily;
mod erased;
pub mod lesson;
mod level;
mod options;
mod person;
mod plain;
mod plans;
mod playout;
mod presentation;
pub mod random_games;
mod recorder;
mod refusal;
mod seat;
mod step;
mod view;

use std::fmt::Display;
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use any_move::AnyMove;
pub use cards::{Card, Rank, Suit};
pub use catalogue::Catalogue;
pub use catalogued::Catalogued;
pub use chance::{Chance, Draw, Labels, Outcome, Scripted, hmac, seed};
pub use daily::{DailyGame, RankingNumber};
pub use erased::{Decided, Entry, Fact, FoldError, Game, Position};
pub use level::Level;
pub use options::{Choice, Choices, GameOptions, NoOptions, OptionGroup, OptionSpec, Plain, Preset, read_options};
pub use person::Person;
pub use plans::{AfterUse, Line, PlannedPrompt, Suggestion, Term};
pub use playout::{Playout, PlayoutPlan};
pub use presentation::{
    Board, CallToAction, Help, HowToPlay, MoveOffer, Picture, RulesSection, Scene, Showpiece, Word,
};
pub use recorder::{Decision, Recorder};
pub use refusal::Refusal;
pub use seat::{Seat, SeatSet, Viewer};
pub use step::{ByItself, Step, Stepwise, Unasked, decide_step, run_steps};
pub use view::View;

/// What the catalogue says of a game.
#[derive(Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// What it is called in addresses, case files and the database.
    pub slug: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// About how many minutes a game takes at one sitting.
    pub minutes: u16,
    /// What it is like, in a sentence or two.
    pub blurb: &'static str,
    /// Who made it.
    pub credits: &'static str,
}

/// How a finished game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Nobody, if all have lost.
    pub winners: SeatSet,
}

/// The rules of a game: its state is a value that only [`Rules::apply`] changes.
///
/// The state can be written and read back (a snapshot); that is a cache, the events are the truth.
pub trait Rules: Clone + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// What the catalogue says of it.
    const GAME: GameInfo;
    /// What can be chosen when a table is opened; [`NoOptions`] if nothing.
    type Options: GameOptions;
    /// One line of text. Reading gets the line trimmed, folded and in lower case; writing gives the canonical form.
    type Move: FromStr<Err = Refusal> + Display + Clone + PartialEq + Send + Sync + 'static;
    /// What is being decided. Its name is what views say.
    type Phase: Copy + PartialEq + Into<&'static str>;
    /// A fact. Written as `{"kind": {…}}` or `"kind"`. A kind, once released, keeps its meaning for ever.
    type Event: Serialize + DeserializeOwned + Send + Sync;
    /// What everybody (or, where the rulebook says so, this viewer) sees of the table.
    type PublicView: Serialize;
    /// What a seat alone sees.
    type PrivateView: Serialize;

    /// The table before anything is dealt, for a number of seats that can play. Draws no chance.
    fn begin(options: Self::Options, seats: u8) -> Result<Self, Refusal>;
    /// Deals: records all that happens before the first decision.
    fn set_up(record: &mut Recorder<Self>) -> Result<(), Refusal>;
    /// Records what a move brings about, up to the next decision. The seat is awaited. A refusal changes nothing.
    fn decide(record: &mut Recorder<Self>, seat: Seat, mv: Self::Move) -> Result<(), Refusal>;
    /// Folds an event. Total: no error, no chance, no clock.
    fn apply(&mut self, event: &Self::Event);

    /// What is being decided now.
    fn phase(&self) -> Self::Phase;
    /// Who is to move. Nobody once the game is over.
    fn awaiting(&self) -> SeatSet;
    /// The name of the decision that a seat is asked for, `None` if it is not awaited: that of the phase, where all decide the same.
    fn prompt(&self, seat: Seat) -> Option<&'static str> {
        self.awaiting().contains(seat).then(|| self.phase().into())
    }
    /// All moves that are listed for an awaited seat, in any order.
    fn legal_moves(&self, seat: Seat) -> Vec<Self::Move>;
    /// The move made for an awaited seat if time runs out.
    fn default_move(&self, seat: Seat) -> Option<Self::Move>;
    /// One entry a seat: the number that is public now.
    fn scores(&self) -> Vec<Option<i64>>;
    /// `None` until the game is over.
    fn result(&self) -> Option<GameResult>;
    /// Numbers that compare games played on the same deal: higher is better, the first number first.
    fn ranking_key(&self) -> Vec<i64> {
        self.scores().into_iter().flatten().collect()
    }
    /// What this viewer sees of the table.
    fn public_view(&self, viewer: Viewer) -> Self::PublicView;
    /// What this seat sees beyond that.
    fn private_view(&self, seat: Seat) -> Self::PrivateView;

    /// The log line of an event for a viewer, with [`Seat::mark`] for names; `self` is the state before the event.
    fn describe_event(&self, event: &Self::Event, viewer: Viewer) -> Option<String>;
    /// Whether an event tells anybody something that was hidden from them, also by what it does not bring about; `self` is the
    /// state before the event. Where it says no, whoever moves could foresee all that comes of the move, and may take it back.
    fn reveals(&self, _event: &Self::Event) -> bool {
        true
    }
    /// Whether an event shows others what its mover knew before and they did not, such as a card of a hand. The mover foresees it, but
    /// what was shown cannot be unseen: such a move is not undone. `self` is the state before the event.
    fn discloses(&self, _event: &Self::Event) -> bool {
        false
    }
    /// How many of a seat's moves nobody else may notice as yet, not even that they were made. Such a move leaves its seat awaited, draws
    /// no chance and reveals nothing; the count goes up by one with it, and down to none when the moves are shown.
    fn concealed_moves(&self, _seat: Seat) -> usize {
        0
    }
    /// A table that this viewer could not tell from this one: all that is hidden from the viewer is dealt anew. Two tables that the
    /// viewer cannot tell apart give the same one with the same random numbers.
    fn resample_hidden(&self, viewer: Viewer, rng: &mut dyn rand::Rng) -> Self;
}

/// A line as the rules read it: trimmed, inner white space folded, in lower case.
pub fn fold_line(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Decides a line that a seat says.
pub fn decide_line<R: Rules>(
    state: &R,
    seat: Seat,
    line: &str,
    chance: &mut dyn Chance,
) -> Result<Decision<R>, Refusal> {
    if state.result().is_some() {
        return Err(Refusal::new("The game is over."));
    }
    decide_move(state, seat, fold_line(line).parse()?, chance)
}

/// Decides a move of a seat.
pub fn decide_move<R: Rules>(
    state: &R,
    seat: Seat,
    mv: R::Move,
    chance: &mut dyn Chance,
) -> Result<Decision<R>, Refusal> {
    if state.result().is_some() {
        return Err(Refusal::new("The game is over."));
    }
    if !state.awaiting().contains(seat) {
        return Err(Refusal::new("It is not your turn."));
    }
    let mut record = Recorder::new(state.clone(), chance);
    R::decide(&mut record, seat, mv)?;
    Ok(record.finish())
}

/// The table before anything is dealt; refused if so many cannot play.
pub fn begin<R: Rules>(options: R::Options, seats: u8) -> Result<R, Refusal> {
    let (fewest, most) = R::GAME.seats;
    if !(fewest..=most).contains(&seats) {
        let players = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
        return Err(Refusal::new(format!("{} is a game for {players}, not for {seats}.", R::GAME.title)));
    }
    R::begin(options, seats)
}

/// Lays out a table: the state before the deal, and what the deal came to.
pub fn deal<R: Rules>(options: R::Options, seats: u8, chance: &mut dyn Chance) -> Result<Decision<R>, Refusal> {
    let mut record = Recorder::new(begin::<R>(options, seats)?, chance);
    R::set_up(&mut record)?;
    Ok(record.finish())
}
