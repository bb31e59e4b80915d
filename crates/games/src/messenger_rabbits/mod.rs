//! Messenger Rabbits: win three royals over in their own suits and carry the trio home to the Citadel.
//!
//! `MR-14` and its like are the numbers of the rules. `steps` holds a file for each kind of decision (`lottery`, `journey`,
//! `visit` …).

mod bends;
mod board;
mod bot;
pub mod cards;
pub mod event;
mod fold;
mod help;
pub mod hexagon;
pub mod land;
mod log;
pub mod moves;
pub mod nets;
mod objective;
pub mod options;
mod payment;
pub mod phase;
pub mod plans;
mod resample;
pub mod roads;
pub mod site;
mod steps;
pub mod suits;
pub mod survey;
#[cfg(test)]
mod tests;
mod text;
pub mod tile;
mod transfer;
pub mod values;
pub mod view;

use serde::{Deserialize, Serialize};

use self::cards::Cards;
use self::event::Event;
use self::hexagon::{Hexagon, House, Place};
use self::land::Layout;
use self::moves::Move;
use self::options::Options;
use self::phase::{Action, Contest, Fight, Flight, Offer, Phase};
use self::roads::Land;
use self::steps::visit::claim;
use self::suits::Suits;
use self::survey::Survey;
use self::view::{PrivateView, PublicView};
use wonderpost_rules::{
    Board, Card, Catalogued, GameInfo, GameResult, Level, Picture, PlannedPrompt, Recorder, Refusal, Rules, Scene,
    Seat, SeatSet, Showpiece, Stepwise, View, Viewer, decide_step,
};

type Record<'a> = Recorder<'a, MessengerRabbits>;

/// The most seats of this game.
const SEATS: usize = 4;

/// A table of this game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessengerRabbits {
    options: Options,
    seats: u8,
    /// MR-62: the suits in play.
    suits: Suits,
    land: Land,
    /// MR-75: while the players build.
    survey: Option<Box<Survey>>,
    phase: Phase,
    round: u16,
    /// Whose turn it is.
    active: Seat,
    dice: Option<[u8; 2]>,
    rabbits: [Place; SEATS],
    hands: [Cards; SEATS],
    /// MR-64: the ace laid before each seat.
    capital: [Option<Card>; SEATS],
    court: Cards,
    /// The top last.
    pile: Vec<Card>,
    spent: Cards,
    /// Shown this turn, whether or not spent since.
    shown: Cards,
    /// MR-16: what the active seat has done in this visit.
    attacked: bool,
    bought: bool,
    offered: bool,
    flight: Option<Flight>,
    contest: Option<Box<Contest>>,
    fight: Option<Box<Fight>>,
    offer: Option<Offer>,
    due: Option<Action>,
    winner: Option<Seat>,
    /// Of each seat, and last of a spectator: hidden cards in others' hands that they have seen there.
    seen: [Cards; SEATS + 1],
}

impl MessengerRabbits {
    fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat.index()]
    }

    fn rabbit(&self, seat: Seat) -> Place {
        self.rabbits[seat.index()]
    }

    /// The hand of the seat whose turn it is.
    fn active_hand(&self) -> Cards {
        self.hand(self.active)
    }

    /// The hexagon of the map on which the active rabbit is.
    fn active_hexagon(&self) -> Option<Hexagon> {
        self.rabbit(self.active).hexagon()
    }

    fn royals(&self, seat: Seat) -> Cards {
        self.hand(seat) & Cards::ROYALS
    }

    fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<> {
        Seat::all(self.seats)
    }

    /// All seats but this one, in order.
    fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> {
        self.seats().filter(move |other| *other != seat)
    }

    /// MR-12: the sum of the dice.
    fn price(&self) -> u16 {
        self.dice.map_or(0, |dice| dice.iter().map(|die| u16::from(*die)).sum())
    }

    /// MR-65: whether payments at places of this house's or tile's suit count one more.
    fn has_capital_in(&self, suit: wonderpost_rules::Suit) -> bool {
        self.options.additional_capital
            && self.capital[self.active.index()].is_some_and(|ace| suits::suit_of(ace) == Some(suit))
    }

    fn is_standard(&self) -> bool {
        self.options.level == options::Level::Standard
    }
}

impl Rules for MessengerRabbits {
    const GAME: GameInfo = GameInfo {
        slug: "messenger-rabbits",
        title: "Messenger Rabbits",
        seats: (2, 4),
        minutes: 60,
        blurb: "A race over a patchwork land. Every card in your hand is money, ticket and weapon at once: win three royals over \
                by paying in their own suit, and carry the trio home to the Citadel. Fly, brawl, bar doors and haggle on the way.",
        credits: "“The board game for playing cards on a land of wooden shards”, told in a letter of the White Herald; its author is unknown.",
    };

    type Options = Options;
    type Move = Move;
    type Phase = Phase;
    type Event = Event;
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    // MR-1: options that do not go together, or with so many seats, are refused.
    fn begin(options: Options, seats: u8) -> Result<MessengerRabbits, Refusal> {
        let suits = options.suits_in_play(seats)?;
        Ok(MessengerRabbits {
            options,
            seats,
            suits,
            land: Land::unturned(Layout::new(), suits),
            survey: None,
            phase: Phase::Setting,
            round: 0,
            active: FIRST,
            dice: None,
            rabbits: [Place::CITADEL; SEATS],
            hands: [Cards::EMPTY; SEATS],
            capital: [None; SEATS],
            court: House::of_suits(suits).map(House::royal).collect::<Cards>() | Cards::JOKERS,
            pile: vec![],
            spent: Cards::EMPTY,
            shown: Cards::EMPTY,
            attacked: false,
            bought: false,
            offered: false,
            flight: None,
            contest: None,
            fight: None,
            offer: None,
            due: None,
            winner: None,
            seen: [Cards::EMPTY; SEATS + 1],
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

    fn phase(&self) -> Phase {
        self.phase
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

    // MR-52: the royals held, for the table of results; they decide nothing.
    fn scores(&self) -> Vec<Option<i64>> {
        self.seats().map(|seat| Some(self.royals(seat).len() as i64)).collect()
    }

    fn result(&self) -> Option<GameResult> {
        self.winner.map(|winner| GameResult { winners: SeatSet::one(winner) })
    }

    fn public_view(&self, _viewer: Viewer) -> PublicView {
        PublicView::of(self)
    }

    fn private_view(&self, seat: Seat) -> PrivateView {
        PrivateView::of(self, seat)
    }

    fn describe_event(&self, event: &Event, viewer: Viewer) -> Option<String> {
        self.describe(event, viewer)
    }

    fn reveals(&self, event: &Event) -> bool {
        self.reveals_something(event)
    }

    fn discloses(&self, event: &Event) -> bool {
        match event {
            Event::Placed { .. } | Event::Passed | Event::Chosen { .. } | Event::Answered { .. } => false,
            // Cards are laid open, or what can be done next tells of the hand: where somebody arrives is no secret, but what they can
            // afford there is.
            Event::Surveyed { .. }
            | Event::Ordered { .. }
            | Event::Closed { .. }
            | Event::Filled { .. }
            | Event::Dealt { .. }
            | Event::Rolled { .. }
            | Event::Repiled { .. }
            | Event::Readied { .. }
            | Event::Seized { .. }
            | Event::Contested { .. }
            | Event::Stole { .. }
            | Event::Offered { .. }
            | Event::Gave { .. }
            | Event::Declined
            | Event::Won { .. }
            | Event::Conceded
            | Event::Shown { .. }
            | Event::Released { .. }
            | Event::Drew { .. }
            | Event::TookOff { .. }
            | Event::Discarded { .. }
            | Event::Proved { .. }
            | Event::Attacked { .. }
            | Event::Threw { .. }
            | Event::Travelled { .. }
            | Event::Landed { .. }
            | Event::Bought { .. }
            | Event::Claimed { .. }
            | Event::Fell
            | Event::Sank
            | Event::Yielded => true,
        }
    }

    fn resample_hidden(&self, viewer: Viewer, rng: &mut dyn rand::Rng) -> MessengerRabbits {
        self.resampled_for(viewer, rng)
    }
}

/// Turns go in order from this seat on.
const FIRST: Seat = Seat::new(1).unwrap();

impl Catalogued for MessengerRabbits {
    const HOW_TO_PLAY: &'static str = include_str!("../../templates/messenger-rabbits/rules.html");
    const HELP: Option<wonderpost_rules::Help> = Some(help::HELP);
    const EXAMPLES: &'static [(&'static str, &'static str)] = &[
        ("map", include_str!("../../rules/messenger-rabbits/map.json")),
        ("journey", include_str!("../../rules/messenger-rabbits/journey.json")),
        ("claim", include_str!("../../rules/messenger-rabbits/claim.json")),
    ];
    const STYLESHEET: &'static str = include_str!("../../styles/messenger-rabbits.css");

    fn symbols() -> Vec<&'static str> {
        board::symbols()
    }

    fn board(view: &View<Self>, before: Option<&View<Self>>, scene: &Scene) -> Board {
        board::board(view, before, scene)
    }

    fn describe_move(view: &View<Self>, mv: &Move) -> String {
        board::describe(view, mv)
    }

    fn asks_first(view: &View<Self>, mv: &Move) -> bool {
        board::asks_first(view, mv)
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
        board::contest_risk(view, mv)
    }

    fn picture(view: &View<Self>) -> Picture {
        board::picture(view)
    }

    const SHOWPIECE: Showpiece = Showpiece { seats: 3, deal: 2, moves: include_str!("showpiece.txt") };

    fn showpiece(view: &View<Self>) -> Picture {
        board::showpiece(view)
    }

    fn bot(level: Level, view: &View<Self>, rng: &mut dyn rand::Rng) -> Vec<Move> {
        bot::bot(level, view, rng)
    }

    const PRESET_PLANS: Option<&'static str> = Some(
        "Nobody contests unless they say so: most rounds then run without waiting, and everybody can change it for themselves",
    );

    fn plannable_prompts(&self, _seat: Seat) -> Vec<PlannedPrompt> {
        plans::prompts(&self.options, self.suits)
    }

    fn can_answer(prompt: &str, mv: &Move) -> bool {
        plans::fits(prompt, mv)
    }
}
