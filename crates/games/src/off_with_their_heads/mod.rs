//! Off With Their Heads: secret cards, a walking Queen, and a sheet to be painted by everybody at the same time.
//!
//! `OWH-16` and its like are the numbers of the rules.

mod board;
mod bot;
pub mod brings;
pub mod cards;
pub mod chain;
mod decide;
pub mod event;
mod fold;
pub mod guest;
mod help;
pub mod layout;
mod log;
pub mod moves;
pub mod names;
pub mod options;
pub mod plans;
pub mod points;
pub mod poker;
mod resample;
pub mod sheet;
pub mod space;
pub mod task;
#[cfg(test)]
mod tests;
mod text;
pub mod view;
pub mod wonderland;

use serde::{Deserialize, Serialize};

use self::cards::CardSet;
use self::chain::Chain;
use self::event::{Event, Ranked, Shown};
use self::moves::Move;
use self::options::Options;
use self::sheet::Sheet;
use self::space::Zone;
use self::view::{Last, PrivateView, PublicView};
use self::wonderland::{Queen, ZONES};
use wonderpost_rules::{
    Board, Card, Catalogued, GameInfo, GameResult, Level, Picture, PlannedPrompt, Recorder, Refusal, Rules, Scene,
    Seat, SeatSet, Showpiece, View, Viewer,
};

/// OWH-32: the bouts of a round.
pub const BOUTS: u8 = 7;
/// OWH-34: the cards set aside in a whole game, however many rounds it has.
pub const ASIDE: u8 = 6;

/// A table of this game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffWithTheirHeads {
    rounds: u8,
    round: u8,
    bout: u8,
    queen: Queen,
    phase: Phase,
    /// Undealt cards, the top first.
    deck: Vec<Card>,
    face_up: Option<Card>,
    face_down: Option<Card>,
    /// The revealed cards of this bout, highest first; empty before the reveal.
    ranking: Vec<Ranked>,
    /// Of this round, oldest first.
    discard: Vec<Card>,
    /// The discards of the rounds before: nobody has set those aside.
    discarded: Vec<CardSet>,
    players: Vec<Player>,
    last: Option<Last>,
    ending: Option<Ending>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Player {
    hand: CardSet,
    /// Set aside, one set a finished round.
    aside: Vec<CardSet>,
    chosen: Option<Card>,
    /// The sheet as everybody sees it: as it was when the bout's marking began.
    shown: Sheet,
    /// The sheet as it is, and what is still to be marked.
    chain: Chain,
}

impl Player {
    fn all_aside(&self) -> CardSet {
        self.aside.iter().fold(CardSet::EMPTY, |all, some| all.with(*some))
    }
}

/// Where the game stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Within a move, between two rounds.
    Between,
    Choose,
    Mark,
    Over,
}

impl From<Phase> for &'static str {
    fn from(phase: Phase) -> &'static str {
        match phase {
            Phase::Between | Phase::Choose => "choose",
            Phase::Mark => "mark",
            Phase::Over => "over",
        }
    }
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Ending {
    showdown: Vec<Shown>,
    totals: Vec<i64>,
    winner: Seat,
}

impl OffWithTheirHeads {
    fn seats(&self) -> u8 {
        self.players.len() as u8
    }

    /// OWH-32: how many cards each player sets aside a round.
    fn aside_a_round(&self) -> u8 {
        ASIDE / self.rounds.max(1)
    }

    /// OWH-4
    fn hand_size(&self) -> u8 {
        BOUTS + self.aside_a_round()
    }

    /// OWH-9: the revealed cards with their zones.
    fn zones(&self) -> impl Iterator<Item = (Ranked, Zone)> {
        self.ranking.iter().copied().zip(ZONES)
    }

    fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.get(seat.index())
    }
}

impl Rules for OffWithTheirHeads {
    const GAME: GameInfo = GameInfo {
        slug: "off-with-their-heads",
        title: "Off With Their Heads",
        seats: (2, 4),
        minutes: 60,
        blurb: "Everybody secretly picks a card, and everybody paints at once: the highest card in the Meadow, the lowest in \
                the Keep, the others in the Woods. But the Queen walks from suit to suit, and a winner of this bout is a loser of the next.",
        credits: "Designed by JB Howell and Michael Mihealsick. Illustration by Manny Trembley, graphic design by Matt Paquette & Co., \
                  rules editing by Jonathan Cox.",
    };

    type Options = Options;
    type Move = Move;
    type Phase = Phase;
    type Event = Event;
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn begin(options: Options, seats: u8) -> Result<OffWithTheirHeads, Refusal> {
        Ok(OffWithTheirHeads {
            rounds: options.rounds,
            round: 0,
            bout: 1,
            // OWH-3
            queen: Queen::OnHearts,
            phase: Phase::Between,
            deck: vec![],
            face_up: None,
            face_down: None,
            ranking: vec![],
            discard: vec![],
            discarded: vec![],
            players: vec![Player::default(); usize::from(seats)],
            last: None,
            ending: None,
        })
    }

    fn set_up(record: &mut Recorder<Self>) -> Result<(), Refusal> {
        decide::deal(record)
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
        let waits = |seat: &Seat| match (self.phase, self.player(*seat)) {
            // OWH-6
            (Phase::Choose, Some(player)) => player.chosen.is_none(),
            // OWH-30
            (Phase::Mark, Some(player)) => !player.chain.is_done(),
            (Phase::Between | Phase::Over, _) | (_, None) => false,
        };
        Seat::all(self.seats()).filter(waits).collect()
    }

    fn prompt(&self, seat: Seat) -> Option<&'static str> {
        match self.phase {
            Phase::Choose => self.player(seat)?.chosen.is_none().then_some("choose"),
            Phase::Mark => Some(self.player(seat)?.chain.task()?.prompt()),
            Phase::Between | Phase::Over => None,
        }
    }

    fn legal_moves(&self, seat: Seat) -> Vec<Move> {
        match (self.phase, self.player(seat)) {
            (Phase::Choose, Some(player)) if player.chosen.is_none() => player.hand.iter().map(Move::Play).collect(),
            (Phase::Mark, Some(player)) => player.chain.legal_moves(),
            (Phase::Choose | Phase::Between | Phase::Over, _) | (Phase::Mark, None) => vec![],
        }
    }

    fn default_move(&self, seat: Seat) -> Option<Move> {
        let player = self.player(seat)?;
        match self.phase {
            Phase::Choose if player.chosen.is_none() => {
                // OWH-41: from the middle.
                let hand = self.queen.rank(player.hand);
                hand.get(hand.len() / 2).map(|card| Move::Play(*card))
            }
            Phase::Mark => player.chain.default_move(),
            Phase::Choose | Phase::Between | Phase::Over => None,
        }
    }

    fn scores(&self) -> Vec<Option<i64>> {
        match &self.ending {
            Some(ending) => ending.totals.iter().copied().map(Some).collect(),
            None => self.players.iter().map(|player| Some(player.shown.points().total)).collect(),
        }
    }

    fn result(&self) -> Option<GameResult> {
        let ending = self.ending.as_ref()?;
        Some(GameResult { winners: SeatSet::one(ending.winner) })
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
            Event::Dealt { .. } | Event::Turned { .. } | Event::Revealed { .. } | Event::Over { .. } => true,
            // The marks of the others.
            Event::BoutEnded => true,
            Event::Chose { .. }
            | Event::Marked { .. }
            | Event::Lost { .. }
            | Event::Skipped { .. }
            | Event::Lapsed { .. }
            | Event::RoundEnded => false,
        }
    }

    /// OWH-30: what a player marks is seen by nobody until the bout ends. That a chain is done is public, and its last move with it; the
    /// moves before would tell that there were bonus marks.
    fn concealed_moves(&self, seat: Seat) -> usize {
        let Some(player) = self.player(seat).filter(|_| self.phase == Phase::Mark) else { return 0 };
        let public = usize::from(player.chain.is_done());
        player.chain.decisions().saturating_sub(public)
    }

    fn resample_hidden(&self, viewer: Viewer, rng: &mut dyn rand::Rng) -> OffWithTheirHeads {
        self.resampled_for(viewer, rng)
    }
}

impl Catalogued for OffWithTheirHeads {
    const HOW_TO_PLAY: &'static str = include_str!("../../templates/off-with-their-heads/rules.html");
    const HELP: Option<wonderpost_rules::Help> = Some(help::HELP);
    const EXAMPLES: &'static [(&'static str, &'static str)] = &[
        ("sheet", include_str!("../../rules/off-with-their-heads/sheet.json")),
        ("ranked", include_str!("../../rules/off-with-their-heads/ranked.json")),
        ("painted", include_str!("../../rules/off-with-their-heads/painted.json")),
    ];
    const STYLESHEET: &'static str = include_str!("../../styles/off-with-their-heads.css");

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
        text::question(view)
    }

    fn brings(view: &View<Self>, mv: &Move) -> String {
        names::brings(view, mv)
    }

    fn describe_move(view: &View<Self>, mv: &Move) -> String {
        names::describe_move(view, mv)
    }

    fn asks_first(view: &View<Self>, mv: &Move) -> bool {
        names::asks_first(view, mv)
    }

    fn picture(view: &View<Self>) -> Picture {
        board::picture(view)
    }

    const SHOWPIECE: Showpiece = Showpiece { seats: 3, deal: 3, moves: include_str!("showpiece.txt") };

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

    fn implied_prompt(mv: &Move, before: &[Move]) -> Option<&'static str> {
        plans::implied(mv, before)
    }
}
