//! Red Queen: a short siege with a bluff inside it. One reigns behind a guard of face-down cards, the others want her dead.
//!
//! `RQ-14` and its like are the numbers of the rules.

mod board;
mod bot;
pub mod card_set;
pub mod combat;
pub mod coterie;
mod decide;
pub mod event;
mod fold;
mod help;
mod log;
pub mod moves;
pub mod options;
mod plans;
mod resample;
pub mod role;
pub mod round;
#[cfg(test)]
mod tests;
mod text;
mod turn;
pub mod view;
mod words;

use serde::{Deserialize, Serialize};

use self::card_set::CardSet;
use self::combat::Fight;
use self::coterie::Coterie;
use self::event::Event;
use self::moves::Move;
use self::options::{First, Options};
use self::round::Round;
use self::view::{Attack, PrivateView, PublicView};
use wonderpost_rules::{
    Board, Card, Catalogued, GameInfo, GameResult, Level, Picture, PlannedPrompt, Recorder, Refusal, Rules, Scene,
    Seat, SeatSet, Showpiece, View, Viewer,
};

const SEATS: usize = Seat::MOST as usize;

/// A table of this game. What there is one of for each seat is in seat order; the entries beyond the last seat stay empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedQueen {
    options: Options,
    seats: u8,
    phase: Phase,
    round: u16,
    queen: Seat,
    /// Whose turn it is.
    turn: Seat,
    /// Turns finished in this round.
    turns: u16,
    /// Actions left in this turn.
    actions: u8,
    /// RQ-23: idle turns in a row.
    idle: u16,
    /// Whether a card was drawn or discarded in this turn: else it is idle so far.
    stirred: bool,
    /// The draw pile, top last.
    pile: Vec<Card>,
    /// The discard pile, top last.
    discard: Vec<Card>,
    hands: [CardSet; SEATS],
    /// RQ-31: what everybody knows to be in each hand.
    seen: [CardSet; SEATS],
    coterie: Coterie,
    last_attack: Option<Attack>,
    reigns: [u16; SEATS],
    felled: [u16; SEATS],
    scores: [i64; SEATS],
    history: Vec<Round>,
}

/// What is to be decided.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Nothing yet: no cards are dealt.
    Dealing,
    Act,
    Discard,
    Over(SeatSet),
}

impl From<Phase> for &'static str {
    fn from(phase: Phase) -> &'static str {
        match phase {
            Phase::Dealing | Phase::Act => "act",
            Phase::Discard => "discard",
            Phase::Over(_) => "over",
        }
    }
}

impl Rules for RedQueen {
    const GAME: GameInfo = GameInfo {
        slug: "red-queen",
        title: "Red Queen",
        // RQ-1
        seats: (2, 4),
        minutes: 30,
        blurb: "One of you is the Red Queen, behind a guard of three face-down cards. The others dig for the four cards that \
                can kill her, probe her guard and strike when it is gone. All want her dead, but only one lands the blow. Then \
                the crown moves on.",
        credits: "An anonymous house game.",
    };

    type Options = Options;
    type Move = Move;
    type Phase = Phase;
    type Event = Event;
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn begin(options: Options, seats: u8) -> Result<RedQueen, Refusal> {
        let first = match options.first {
            First::Seat(seat) if seat.number() > seats => {
                return Err(Refusal::new(format!("Seat {seat} cannot reign first: there are {seats} seats.")));
            }
            First::Seat(seat) => seat,
            // Until chance picks one.
            First::Chance(_) => const { Seat::new(1).unwrap() },
        };
        Ok(RedQueen {
            options,
            seats,
            phase: Phase::Dealing,
            round: 0,
            queen: first,
            turn: first,
            turns: 0,
            actions: 0,
            idle: 0,
            stirred: false,
            pile: vec![],
            discard: vec![],
            hands: Default::default(),
            seen: Default::default(),
            coterie: Coterie::default(),
            last_attack: None,
            reigns: [0; SEATS],
            felled: [0; SEATS],
            scores: [0; SEATS],
            history: vec![],
        })
    }

    fn set_up(record: &mut Recorder<Self>) -> Result<(), Refusal> {
        decide::set_up(record)
    }

    fn decide(record: &mut Recorder<Self>, seat: Seat, mv: Move) -> Result<(), Refusal> {
        decide::decide(record, seat, mv)
    }

    fn apply(&mut self, event: &Event) {
        self.fold(event);
    }

    fn phase(&self) -> Phase {
        self.phase
    }

    fn awaiting(&self) -> SeatSet {
        match self.phase {
            Phase::Act | Phase::Discard => SeatSet::one(self.turn),
            Phase::Dealing | Phase::Over(_) => SeatSet::EMPTY,
        }
    }

    fn legal_moves(&self, seat: Seat) -> Vec<Move> {
        match self.phase {
            Phase::Act => self.actions_of(seat),
            Phase::Discard => self.hand(seat).iter().map(|card| Move::Discard { card }).collect(),
            Phase::Dealing | Phase::Over(_) => vec![],
        }
    }

    /// RQ-30
    fn default_move(&self, seat: Seat) -> Option<Move> {
        match self.phase {
            Phase::Act => Some(Move::End),
            Phase::Discard => {
                let card = self.hand(seat).iter().min_by_key(|card| combat::worth(*card))?;
                Some(Move::Discard { card })
            }
            Phase::Dealing | Phase::Over(_) => None,
        }
    }

    fn scores(&self) -> Vec<Option<i64>> {
        self.seats().map(|seat| Some(self.scores[seat.index()])).collect()
    }

    fn result(&self) -> Option<GameResult> {
        match self.phase {
            Phase::Over(winners) => Some(GameResult { winners }),
            Phase::Dealing | Phase::Act | Phase::Discard => None,
        }
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
        match event {
            Event::Dealt { .. } | Event::Drew { .. } => true,
            // A member that everybody knew tells nothing new; but whether the round goes on may.
            Event::Attacked { seat, slot, card, member, result, .. } => {
                let discarded: &[Card] = match result {
                    Fight::Win => &[*card, *member],
                    Fight::Lose => &[*card],
                    Fight::Draw => &[],
                };
                self.coterie.get(*slot).is_none_or(|member| !member.known)
                    || self.may_make_her_safe(*seat, discarded.iter().copied().collect())
            }
            Event::Discarded { seat, card, .. } => self.may_make_her_safe(*seat, CardSet::one(*card)),
            // The coterie is turned up.
            Event::RoundOver(_) => self.coterie.members().any(|(_, member)| !member.known),
            // The hands of the last round are shown.
            Event::Over { .. } => true,
            Event::Placed { .. }
            | Event::Swapped { .. }
            | Event::Shuffled { .. }
            | Event::Slew { .. }
            | Event::Ended { .. } => false,
        }
    }

    fn discloses(&self, event: &Event) -> bool {
        match event {
            // A card of the hand is laid open.
            Event::Attacked { .. } | Event::Slew { .. } | Event::Discarded { .. } => true,
            Event::Dealt { .. }
            | Event::Drew { .. }
            | Event::Placed { .. }
            | Event::Swapped { .. }
            | Event::Shuffled { .. }
            | Event::Ended { .. }
            | Event::RoundOver(_)
            | Event::Over { .. } => false,
        }
    }

    fn resample_hidden(&self, viewer: Viewer, rng: &mut dyn rand::Rng) -> RedQueen {
        self.resampled_for(viewer, rng)
    }
}

impl Catalogued for RedQueen {
    const HOW_TO_PLAY: &'static str = include_str!("../../templates/red-queen/rules.html");
    const HELP: Option<wonderpost_rules::Help> = Some(help::HELP);
    const EXAMPLES: &'static [(&'static str, &'static str)] = &[
        ("dealt", include_str!("../../rules/red-queen/dealt.json")),
        ("guarded", include_str!("../../rules/red-queen/guarded.json")),
        ("attack", include_str!("../../rules/red-queen/attack.json")),
        ("draw", include_str!("../../rules/red-queen/draw.json")),
    ];
    const STYLESHEET: &'static str = include_str!("../../styles/red-queen.css");

    fn symbols() -> Vec<&'static str> {
        board::symbols()
    }

    fn board(view: &View<Self>, before: Option<&View<Self>>, scene: &Scene) -> Board {
        board::board(view, before, scene)
    }

    fn describe_move(view: &View<Self>, mv: &Move) -> String {
        words::offer(view, mv)
    }

    fn asks_first(view: &View<Self>, mv: &Move) -> bool {
        match mv {
            // The round is lost with it.
            Move::Draw => view.table.pile == 1 && words::viewer(view) != Viewer::Seat(view.table.queen),
            // There are always actions left that it gives up.
            Move::End => true,
            Move::Place { .. }
            | Move::Swap { .. }
            | Move::Shuffle { .. }
            | Move::Attack { .. }
            | Move::AttackQueen { .. }
            | Move::Discard { .. } => false,
        }
    }

    fn text(view: &View<Self>) -> String {
        text::text(view)
    }

    fn table_in_words(view: &View<Self>) -> String {
        text::table_in_words(view, false).join("\n") + "\n"
    }

    fn question(view: &View<Self>) -> String {
        text::task(&view.table)
    }

    fn picture(view: &View<Self>) -> Picture {
        board::picture(view)
    }

    const SHOWPIECE: Showpiece = Showpiece { seats: 2, deal: 9, moves: include_str!("showpiece.txt") };

    fn showpiece(view: &View<Self>) -> Picture {
        board::showpiece(view)
    }

    fn bot(level: Level, view: &View<Self>, rng: &mut dyn rand::Rng) -> Vec<Move> {
        bot::bot(level, view, rng)
    }

    fn plannable_prompts(&self, _seat: Seat) -> Vec<PlannedPrompt> {
        self.prompts()
    }

    fn can_answer(prompt: &str, mv: &Move) -> bool {
        plans::fits(prompt, mv)
    }
}
