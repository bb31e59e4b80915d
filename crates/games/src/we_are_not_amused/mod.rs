//! We Are Not Amused: a solitaire. Red roses for a Queen who sits in the middle of a garden of cards.
//!
//! `WNA-16` and its like are the numbers of the rules.

mod board;
mod bot;
pub mod card;
pub mod cell;
mod decide;
pub mod deck;
pub mod event;
mod fold;
pub mod garden;
mod help;
mod log;
pub mod moves;
pub mod options;
pub mod phase;
mod plans;
mod planting;
mod play;
mod resample;
#[cfg(test)]
mod tests;
mod text;
mod turn;
pub mod view;
mod words;

use serde::{Deserialize, Serialize};

use self::card::DeckCard;
use self::deck::{Deck, Pile};
use self::event::Event;
use self::garden::{Garden, letters};
use self::moves::Move;
use self::options::Options;
use self::phase::{Ended, Phase};
use self::view::{Aside, PrivateView, PublicView};
use wonderpost_rules::{
    Board, Catalogued, DailyGame, GameInfo, GameResult, Level, Picture, PlannedPrompt, RankingNumber, Recorder,
    Refusal, Rules, Scene, Seat, SeatSet, Showpiece, View, Viewer,
};

/// A solitaire has one seat.
const PLAYER: Seat = Seat::new(1).unwrap();

/// A table of this game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeAreNotAmused {
    #[serde(with = "letters")]
    garden: Garden,
    deck: Deck,
    /// The discard pile, top last.
    discard: Pile,
    aside: Aside,
    collected: u8,
    delivered: u8,
    shuffles_left: u8,
    cycle: u16,
    turns: u16,
    /// Whether a card was played in this cycle: else it is idle so far.
    played: bool,
    /// Whether a revealed card could be played at any time in this cycle.
    playable: bool,
    /// Whether the cycle before was idle, in the same deck.
    idle_before: bool,
    phase: Phase,
}

impl WeAreNotAmused {
    /// The card to be decided on.
    fn revealed(&self) -> Option<DeckCard> {
        match self.phase {
            Phase::Play | Phase::Plant => self.deck.last(),
            Phase::Turning | Phase::Stuck | Phase::Over(_) => None,
        }
    }

    fn ended(&self) -> Option<Ended> {
        match self.phase {
            Phase::Over(why) => Some(why),
            Phase::Turning | Phase::Play | Phase::Plant | Phase::Stuck => None,
        }
    }

    /// The cycle before was idle and this one is so far: if it stays so, the player is stuck.
    fn last_chance(&self) -> bool {
        self.idle_before && !self.played
    }

    /// WNA-41: the roses delivered; nothing if the Queen is walled in.
    fn score(&self) -> u8 {
        if self.ended() == Some(Ended::Surrounded) { 0 } else { self.delivered }
    }
}

impl Rules for WeAreNotAmused {
    const GAME: GameInfo = GameInfo {
        slug: "we-are-not-amused",
        title: "We Are Not Amused",
        seats: (1, 1),
        minutes: 30,
        blurb: "A solitaire. Cut, paint and pick your way through a garden of cards that guards its own roses, and lay \
                them before the Queen in red. The deck comes round in the same order again and again: what you leave alone decides \
                what turns up.",
        credits: "Designed by Lisa Smedman. Playtested by Dawson Inkster, Winson Lim, Kit Maloney, Kyle Taylor-Smedman and \
                  Maurice Grela.",
    };

    type Options = Options;
    type Move = Move;
    type Phase = Phase;
    type Event = Event;
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn begin(options: Options, _seats: u8) -> Result<WeAreNotAmused, Refusal> {
        Ok(WeAreNotAmused {
            garden: Garden::default(),
            deck: Deck::default(),
            discard: Pile::EMPTY,
            aside: Aside::default(),
            collected: 0,
            delivered: 0,
            shuffles_left: options.shuffles,
            cycle: 1,
            turns: 0,
            played: false,
            playable: false,
            idle_before: false,
            phase: Phase::Turning,
        })
    }

    fn set_up(record: &mut Recorder<Self>) -> Result<(), Refusal> {
        decide::set_up(record)
    }

    fn decide(record: &mut Recorder<Self>, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        decide::decide(record, mv)
    }

    fn apply(&mut self, event: &Event) {
        self.fold(event);
    }

    fn phase(&self) -> Phase {
        self.phase
    }

    fn awaiting(&self) -> SeatSet {
        match self.phase {
            Phase::Play | Phase::Plant | Phase::Stuck => SeatSet::one(PLAYER),
            Phase::Turning | Phase::Over(_) => SeatSet::EMPTY,
        }
    }

    fn legal_moves(&self, _seat: Seat) -> Vec<Move> {
        match self.phase {
            Phase::Play => {
                let mut moves = Vec::with_capacity(16);
                if let Some(card) = self.revealed() {
                    self.list_plays(card, &mut moves);
                }
                moves.extend([Move::Pass, Move::PassAll, Move::End]);
                // WNA-34
                moves.extend((self.shuffles_left > 0).then_some(Move::Shuffle));
                moves
            }
            Phase::Plant => self.garden.gaps().iter().map(|at| Move::Plant { at }).collect(),
            Phase::Stuck => vec![Move::Shuffle, Move::End],
            Phase::Turning | Phase::Over(_) => vec![],
        }
    }

    fn default_move(&self, _seat: Seat) -> Option<Move> {
        match self.phase {
            // Another idle cycle would leave the player stuck; the shuffle keeps the game alive.
            Phase::Play if self.last_chance() && self.shuffles_left > 0 => Some(Move::Shuffle),
            Phase::Play => Some(Move::Pass),
            Phase::Plant => self.default_planting().map(|at| Move::Plant { at }),
            Phase::Stuck => Some(Move::Shuffle),
            Phase::Turning | Phase::Over(_) => None,
        }
    }

    fn ranking_key(&self) -> Vec<i64> {
        let roses = self.scores().into_iter().flatten().next().unwrap_or(0);
        vec![roses, i64::from(self.shuffles_left), -i64::from(self.turns)]
    }

    fn scores(&self) -> Vec<Option<i64>> {
        vec![Some(i64::from(self.score()))]
    }

    fn result(&self) -> Option<GameResult> {
        self.ended()?;
        let winners = if self.score() > 0 { SeatSet::one(PLAYER) } else { SeatSet::EMPTY };
        Some(GameResult { winners })
    }

    fn public_view(&self, _viewer: Viewer) -> PublicView {
        PublicView::of(self)
    }

    fn private_view(&self, _seat: Seat) -> PrivateView {
        PrivateView {}
    }

    fn describe_event(&self, event: &Event, _viewer: Viewer) -> Option<String> {
        Some(self.describe(event))
    }

    fn reveals(&self, event: &Event) -> bool {
        match event {
            Event::WalledIn { .. } | Event::LaidOut { .. } | Event::Shuffled { .. } => true,
            Event::Turned { cards, .. } => cards.len() > self.deck.known_ahead(),
            // The cards ahead are shown when the game is over.
            Event::Over { .. } => self.deck.ahead().len() > self.deck.known_ahead(),
            Event::Passed { .. }
            | Event::PassedAll { .. }
            | Event::Attacked { .. }
            | Event::Painted { .. }
            | Event::Vanished { .. }
            | Event::Swapped { .. }
            | Event::Collected { .. }
            | Event::Planted { .. }
            | Event::Filled { .. }
            | Event::CameRound { .. }
            | Event::Stuck => false,
        }
    }

    fn resample_hidden(&self, _viewer: Viewer, rng: &mut dyn rand::Rng) -> WeAreNotAmused {
        self.resampled(rng)
    }
}

impl Catalogued for WeAreNotAmused {
    const HOW_TO_PLAY: &'static str = include_str!("../../templates/we-are-not-amused/rules.html");
    const HELP: Option<wonderpost_rules::Help> = Some(help::HELP);
    const EXAMPLES: &'static [(&'static str, &'static str)] = &[
        ("garden", include_str!("../../rules/we-are-not-amused/garden.json")),
        ("painted", include_str!("../../rules/we-are-not-amused/painted.json")),
        ("bramble", include_str!("../../rules/we-are-not-amused/bramble.json")),
        ("delivered", include_str!("../../rules/we-are-not-amused/delivered.json")),
    ];
    const STYLESHEET: &'static str = include_str!("../../styles/we-are-not-amused.css");
    const DAILY: Option<DailyGame> = Some(DailyGame {
        numbers: &[
            RankingNumber {
                key: "roses",
                one: "rose",
                several: "roses",
                in_list: true,
                fewer_is_better: false,
                most: Some(12),
            },
            RankingNumber {
                key: "shuffles_left",
                one: "shuffle left",
                several: "shuffles left",
                in_list: false,
                fewer_is_better: false,
                most: None,
            },
            RankingNumber {
                key: "turns",
                one: "turn",
                several: "turns",
                in_list: true,
                fewer_is_better: true,
                most: None,
            },
        ],
        order: "More roses count first, then more shuffles left, then fewer turns.",
    });

    fn symbols() -> Vec<&'static str> {
        board::symbols()
    }

    fn board(view: &View<Self>, before: Option<&View<Self>>, scene: &Scene) -> Board {
        board::board(view, before, scene)
    }

    fn describe_move(view: &View<Self>, mv: &Move) -> String {
        words::offer(&view.table, mv)
    }

    fn asks_first(view: &View<Self>, mv: &Move) -> bool {
        words::is_grave(&view.table, mv)
    }

    fn text(view: &View<Self>) -> String {
        text::text(view)
    }

    fn question(view: &View<Self>) -> String {
        board::question(view)
    }

    fn picture(view: &View<Self>) -> Picture {
        board::picture(view)
    }

    const SHOWPIECE: Showpiece = Showpiece { seats: 1, deal: 7, moves: include_str!("showpiece.txt") };

    fn showpiece(view: &View<Self>) -> Picture {
        board::showpiece(view)
    }

    fn bot(level: Level, view: &View<Self>, rng: &mut dyn rand::Rng) -> Vec<Move> {
        bot::bot(level, view, rng)
    }

    fn plannable_prompts(&self, _seat: Seat) -> Vec<PlannedPrompt> {
        plans::prompts()
    }

    fn can_answer(prompt: &str, mv: &Move) -> bool {
        plans::fits(prompt, mv)
    }
}
