//! Munchkin Wonderland: a walk round the clock-face of Wonderland, six monsters, and the fullest purse.
//!
//! `MW-16` and its like are the numbers of the rules.

mod board;
mod bot;
pub mod event;
mod fold;
mod help;
mod letters;
mod log;
pub mod monster;
pub mod moves;
mod named;
mod odds;
pub mod options;
mod path;
pub mod phase;
pub mod place;
pub mod plans;
mod player;
mod resample;
pub mod room;
mod steps;
mod tables;
#[cfg(test)]
mod tests;
mod text;
pub mod treasure;
pub mod view;
mod words;

use serde::{Deserialize, Serialize};

use self::event::{Draw, Event};
use self::monster::Monster;
use self::moves::Move;
use self::options::Options;
use self::phase::{Phase, Step};
use self::place::Place;
use self::player::Player;
use self::treasure::Treasure;
use self::view::{PrivateView, PublicView};
use wonderpost_rules::{
    Board, CallToAction, Catalogued, GameInfo, GameResult, Level, Picture, PlannedPrompt, Recorder, Refusal, Rules,
    Scene, Seat, SeatSet, Showpiece, Stepwise, View, Viewer, decide_step,
};

type Record<'a> = Recorder<'a, MunchkinWonderland>;

/// A table of this game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MunchkinWonderland {
    short: bool,
    round: u8,
    turn: Seat,
    first: Seat,
    players: Vec<Player>,
    /// Top last.
    monster_deck: Vec<Monster>,
    /// Oldest first.
    monster_discard: Vec<Monster>,
    /// Top last.
    treasure_deck: Vec<Treasure>,
    /// Oldest first.
    treasure_discard: Vec<Treasure>,
    /// MW-3: put aside unseen in a short game.
    aside: Vec<Treasure>,
    /// MW-46: the last card of the Treasure deck has been drawn.
    last_drawn: bool,
    /// MW-47: the Treasure deck is what is left of the shuffled discards.
    reshuffled: bool,
    phase: Phase,
}

impl MunchkinWonderland {
    fn seats(&self) -> u8 {
        self.players.len() as u8
    }

    fn seats_in_order(&self) -> impl DoubleEndedIterator<Item = Seat> + use<> {
        Seat::all(self.seats())
    }

    fn player(&self, seat: Seat) -> &Player {
        // A seat beyond the table can only come from an event that was tampered with.
        &self.players[seat.index().min(self.players.len() - 1)]
    }

    /// MW-46: whether a draw takes the last card of the deck.
    fn is_last(&self, draw: &Draw) -> bool {
        draw.cards.len() >= self.treasure_deck.len()
    }
}

impl Rules for MunchkinWonderland {
    const GAME: GameInfo = GameInfo {
        slug: "munchkin-wonderland",
        title: "Munchkin Wonderland",
        // MW-1
        seats: (2, 6),
        minutes: 45,
        blurb: "Wander round a clock-face of a Wonderland with a die and a handful of Treasures. Six Rooms hold six \
                monsters, and every fight asks whether its prize is worth the thing in your hand that would win it. A rival six \
                spaces away would gladly lend a hand, for the best Treasure on the floor.",
        credits: "The rules are those of Munchkin Wonderland by Steve Jackson Games; Munchkin is a trademark of Steve Jackson \
                  Games. The board, the cards and their texts here are our own, with people and things from Lewis Carroll's two \
                  Alice books. Wonderpost is neither made nor endorsed by Steve Jackson Games.",
    };

    type Options = Options;
    type Move = Move;
    type Phase = Step;
    type Event = Event;
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn begin(options: Options, seats: u8) -> Result<MunchkinWonderland, Refusal> {
        Ok(MunchkinWonderland {
            short: options.short,
            round: 1,
            turn: Seat::FIRST,
            first: Seat::FIRST,
            players: vec![Player::new(Place::entrance()); seats.into()],
            monster_deck: vec![],
            monster_discard: vec![],
            treasure_deck: vec![],
            treasure_discard: vec![],
            aside: vec![],
            last_drawn: false,
            reshuffled: false,
            phase: Phase::Between,
        })
    }

    fn set_up(record: &mut Recorder<Self>) -> Result<(), Refusal> {
        steps::set_up(record)
    }

    fn decide(record: &mut Recorder<Self>, seat: Seat, mv: Move) -> Result<(), Refusal> {
        decide_step(record, seat, mv)
    }

    fn apply(&mut self, event: &Event) {
        self.fold(event);
    }

    fn phase(&self) -> Step {
        self.phase.step()
    }

    fn awaiting(&self) -> SeatSet {
        self.step().awaiting(self)
    }

    fn legal_moves(&self, seat: Seat) -> Vec<Move> {
        self.step().moves(self, seat)
    }

    fn default_move(&self, seat: Seat) -> Option<Move> {
        self.step().default_move(self, seat)
    }

    fn scores(&self) -> Vec<Option<i64>> {
        let over = self.phase == Phase::Over;
        self.players.iter().map(|player| over.then(|| i64::from(player.gold()))).collect()
    }

    fn result(&self) -> Option<GameResult> {
        if self.phase != Phase::Over {
            return None;
        }
        // MW-49: all who share the highest score win together.
        let most = self.players.iter().map(Player::gold).max();
        let winners = self.seats_in_order().filter(|seat| Some(self.player(*seat).gold()) == most).collect();
        Some(GameResult { winners })
    }

    fn public_view(&self, _viewer: Viewer) -> PublicView {
        PublicView::of(self)
    }

    // MW-50: the hand is shown to its owner alone.
    fn private_view(&self, seat: Seat) -> PrivateView {
        PrivateView::of(self, seat)
    }

    fn describe_event(&self, event: &Event, viewer: Viewer) -> Option<String> {
        self.describe(event, viewer)
    }

    fn reveals(&self, event: &Event) -> bool {
        match event {
            // Rolls, draws, and answers or hands that come to light.
            Event::Dealt { .. }
            | Event::Turn { .. }
            | Event::RolledAgain { .. }
            | Event::Drew { .. }
            | Event::Entered { .. }
            | Event::Threw { .. }
            | Event::Met { .. }
            | Event::Joined { .. }
            | Event::Unaided
            | Event::Won { .. }
            | Event::Ran { .. }
            | Event::Over { .. } => true,
            // A Watch rolls; whoever uses or loses a card of their own learns nothing by it.
            Event::Went { .. }
            | Event::Played { .. }
            | Event::Changed { .. }
            | Event::Boosted { .. }
            | Event::Escaped { .. }
            | Event::Recovered { .. }
            | Event::Asked { .. }
            | Event::Done
            | Event::Took { .. }
            | Event::Hid { .. }
            | Event::Lost { .. } => false,
            Event::Answered { seat, .. } => self.brings_up_an_answer(*seat),
        }
    }

    fn discloses(&self, event: &Event) -> bool {
        match event {
            // A card of the hand is laid open.
            Event::Played { .. }
            | Event::Changed { .. }
            | Event::Boosted { .. }
            | Event::Threw { .. }
            | Event::Escaped { .. }
            | Event::Recovered { .. }
            | Event::Lost { .. } => true,
            Event::Dealt { .. }
            | Event::Turn { .. }
            | Event::Went { .. }
            | Event::RolledAgain { .. }
            | Event::Drew { .. }
            | Event::Entered { .. }
            | Event::Met { .. }
            | Event::Asked { .. }
            | Event::Answered { .. }
            | Event::Joined { .. }
            | Event::Unaided
            | Event::Done
            | Event::Won { .. }
            | Event::Took { .. }
            | Event::Ran { .. }
            | Event::Hid { .. }
            | Event::Over { .. } => false,
        }
    }

    fn resample_hidden(&self, viewer: Viewer, rng: &mut dyn rand::Rng) -> MunchkinWonderland {
        self.resampled_for(viewer, rng)
    }
}

impl Catalogued for MunchkinWonderland {
    const HOW_TO_PLAY: &'static str = include_str!("../../templates/munchkin-wonderland/rules.html");
    const HELP: Option<wonderpost_rules::Help> = Some(help::HELP);
    const EXAMPLES: &'static [(&'static str, &'static str)] = &[
        ("board", include_str!("../../rules/munchkin-wonderland/board.json")),
        ("fight", include_str!("../../rules/munchkin-wonderland/fight.json")),
    ];
    const STYLESHEET: &'static str = include_str!("../../styles/munchkin-wonderland.css");

    fn symbols() -> Vec<&'static str> {
        board::symbols()
    }

    fn board(view: &View<Self>, before: Option<&View<Self>>, scene: &Scene) -> Board {
        board::board(view, before, scene)
    }

    fn text(view: &View<Self>) -> String {
        text::text(view)
    }

    fn table_in_words(view: &View<Self>) -> String {
        text::table_in_words(view)
    }

    fn question(view: &View<Self>) -> String {
        board::question(view)
    }

    fn brings(view: &View<Self>, mv: &Move) -> String {
        text::brings(view, mv)
    }

    fn describe_move(view: &View<Self>, mv: &Move) -> String {
        words::describe_move(view, mv)
    }

    fn asks_first(view: &View<Self>, mv: &Move) -> bool {
        words::asks_first(view, mv)
    }

    fn picture(view: &View<Self>) -> Picture {
        board::picture(view)
    }

    const SHOWPIECE: Showpiece = Showpiece { seats: 4, deal: 3, moves: include_str!("showpiece.txt") };

    fn showpiece(view: &View<Self>) -> Picture {
        board::showpiece(view)
    }

    fn bot(level: Level, view: &View<Self>, rng: &mut dyn rand::Rng) -> Vec<Move> {
        bot::bot(level, view, rng)
    }

    const CALLS: bool = true;

    fn call_to_action(view: &View<Self>) -> CallToAction {
        letters::call_to_action(view)
    }

    fn aftermath(&self, event: &Event, seat: Seat) -> Option<String> {
        self.sequel_for(event, seat)
    }

    fn plannable_prompts(&self, _seat: Seat) -> Vec<PlannedPrompt> {
        plans::prompts()
    }

    fn can_answer(prompt: &str, mv: &Move) -> bool {
        plans::fits(prompt, mv)
    }
}
