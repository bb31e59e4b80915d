//! What a game says and shows of itself beyond its rules. Nearly all of it has a default.

use rand::seq::IndexedRandom;

use crate::{
    Board, CallToAction, DailyGame, Help, Level, Picture, PlannedPrompt, Rules, Scene, Seat, Showpiece, View, plain,
};

/// What a game needs beyond its rules to be in the catalogue.
pub trait Catalogued: Rules {
    /// How the game is played, as HTML in our own words.
    const HOW_TO_PLAY: &'static str;
    /// The examples that sections of it show, each with its name: positions, scripted as case files.
    const EXAMPLES: &'static [(&'static str, &'static str)] = &[];
    /// The rules of the stylesheet that its board needs.
    const STYLESHEET: &'static str = "";

    /// What it says to newcomers.
    const HELP: Option<Help> = None;

    /// The drawings that boards refer to (`<use href="#id">`), as sheets of SVG symbols. Browsers load them as one file, and keep it.
    fn symbols() -> Vec<&'static str> {
        Vec::new()
    }

    /// What the results of a day say, if everybody may play this game on the same deal each day.
    const DAILY: Option<DailyGame> = None;

    /// The board as plain text, with the moves that can be made.
    fn text(view: &View<Self>) -> String;
    /// The board as plain text without the moves: letters list those themselves. Until a game tells the two apart, all of its text.
    fn table_in_words(view: &View<Self>) -> String {
        Self::text(view)
    }
    /// What the viewer is asked for, in a sentence or two: “Two actions left.” Nothing where it is only that they are to move.
    fn question(_view: &View<Self>) -> String {
        String::new()
    }
    /// What a move brings or risks that its line does not say, in a few words: “closes a circle of 8 VP”. Often nothing.
    fn brings(_view: &View<Self>, _mv: &Self::Move) -> String {
        String::new()
    }
    /// The board and all that goes with it. `before` is the view one move earlier, for showing what changed. Until a game draws one,
    /// its text and a button for each legal move.
    fn board(view: &View<Self>, _before: Option<&View<Self>>, scene: &Scene) -> Board {
        let moves = view.moves.iter().map(|mv| (mv.to_string(), Self::describe_move(view, mv)));
        plain::board(&Self::text(view), moves, scene)
    }
    /// A move in words, as an offer to whoever could make it: “Paint 11 in the Two-Sides”. Until a game has them, the line itself.
    fn describe_move(_view: &View<Self>, mv: &Self::Move) -> String {
        mv.to_string()
    }
    /// Whether a move is asked for once more before it is made, where its player has not said otherwise: one click makes it, it cannot
    /// be taken back, and few would make it without a thought.
    fn asks_first(_view: &View<Self>, _mv: &Self::Move) -> bool {
        false
    }
    /// The board as a picture that stands by itself, for letters. Until a game draws one, its text.
    fn picture(view: &View<Self>) -> Picture {
        plain::picture(&Self::text(view))
    }
    /// The board alone, wider than high: what lists, previews and the front page show. Until a game draws one, its picture.
    fn showpiece(view: &View<Self>) -> Picture {
        Self::picture(view)
    }
    /// A fine moment to show of the game. Until one is chosen, a deal.
    const SHOWPIECE: Showpiece = Showpiece::deal(Self::GAME.seats.0);
    /// What a bot does at this view: moves to make one after the other as long as nothing new comes up. Until a game has one, it
    /// makes any legal move.
    fn bot(_level: Level, view: &View<Self>, mut rng: &mut dyn rand::Rng) -> Vec<Self::Move> {
        view.moves.choose(&mut rng).cloned().into_iter().collect()
    }

    /// What it means if everybody begins with the preset answers of the game, as the form says it; `None` where there are none.
    const PRESET_PLANS: Option<&'static str> = None;

    /// Whether players call each other in the middle of a turn; only then the next two have anything to say.
    const CALLS: bool = false;

    /// What an awaited seat is asked for, told by what it sees.
    fn call_to_action(_view: &View<Self>) -> CallToAction {
        CallToAction::Turn(None)
    }
    /// What an event brings to an end that a seat had a part in, in words that this seat may know. The seat need not be asked for
    /// anything; `self` is the state before the event.
    fn aftermath(&self, _event: &Self::Event, _seat: Seat) -> Option<String> {
        None
    }

    /// The decisions that a seat may answer in advance.
    fn plannable_prompts(&self, _seat: Seat) -> Vec<PlannedPrompt> {
        Vec::new()
    }
    /// Whether a move can ever be an answer to such a decision.
    fn can_answer(_prompt: &str, _mv: &Self::Move) -> bool {
        false
    }
    /// The decision that a line is an answer to although it does not say so, after these lines of the same form or letter.
    fn implied_prompt(_mv: &Self::Move, _before: &[Self::Move]) -> Option<&'static str> {
        None
    }
}
