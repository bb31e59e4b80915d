//! Random games of every game in which players undo and take back what they can: what comes of it is what was before, for everybody.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::tables::CachedTable;
use crate::tables::audit::check::check;
use crate::tables::clock::pace::{Bank, Pace};
use crate::tables::play::deciding::Deciding;
use crate::tables::play::plans::Answers;
use crate::tables::play::test_table::dealt;
use crate::tables::state::open_moves::MOST_UNDONE;
use crate::tables::state::record::{By, Record, TableFact, TakeBackWord};
use crate::tables::state::table_state::TableState;
use wonderpost_games::catalogue;
use wonderpost_rules::{AnyMove, Game, Seat, Viewer};

/// A game in the middle of being played.
struct Playing {
    cached: CachedTable,
    records: Vec<Record>,
    at: DateTime<Utc>,
}

fn noon() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2027-02-01T12:00:00Z").unwrap().with_timezone(&Utc)
}

impl Playing {
    fn begin(game: &dyn Game, seats: u8, pace: Pace, number: u8) -> Playing {
        let (cached, records) = dealt(game, seats, pace, number, noon());
        Playing { cached, records, at: noon() }
    }

    fn now(&self) -> &TableState {
        &self.cached.now
    }

    fn make(&mut self, seat: Seat, mv: &AnyMove) {
        let seed = self.cached.seed.clone().unwrap();
        let mut deciding = Deciding::new(&self.cached, &seed, Answers::default(), self.at);
        deciding.make(seat, mv, "", By::Holder).unwrap();
        let (now, chain) = (deciding.now, deciding.chain);
        self.records.extend(chain.records);
        self.cached.now = now;
    }

    fn record(&mut self, move_no: u32, seat: Seat, fact: &TableFact) {
        let mut chain = self.cached.now.chain(self.cached.id, self.at);
        self.cached.now.record(&mut chain, move_no, Some(seat), fact).unwrap();
        self.records.extend(chain.records);
    }

    fn undo(&mut self, seat: Seat) {
        let fact = self.now().undoing(seat, "").unwrap();
        self.record(self.now().moves + 1, seat, &fact);
    }

    /// Everybody agrees.
    fn take_back(&mut self, seat: Seat) {
        let of = self.now().may_be_taken_back(seat)[0];
        self.record(self.now().moves, seat, &TableFact::TakeBack { seat, of, word: TakeBackWord::Ask });
        for other in self.now().asked_for_consent(seat).iter() {
            assert!(self.now().taking_back().is_none(), "somebody was not asked");
            let word = TableFact::TakeBack { seat: other, of, word: TakeBackWord::Grant };
            self.record(self.now().moves, other, &word);
        }
        let (by, fact) = self.now().taking_back().unwrap();
        assert_eq!(by, seat);
        self.record(self.now().moves + 1, seat, &fact);
        assert!(self.now().take_back.is_none());
    }

    fn seen(&self) -> Vec<Value> {
        let viewers = Seat::all(self.now().opened.seats).map(Viewer::Seat).chain([Viewer::Public]);
        viewers.map(|viewer| self.now().position.view(viewer)).collect()
    }

    fn assert_sound(&self, name: &str) {
        let folded = TableState::from_records(&catalogue(), &self.records).unwrap();
        assert_eq!(folded.write(), self.now().write(), "{name}: folding gives another table");
        assert_eq!(folded.projection(), self.now().projection(), "{name}");
        let read = TableState::read(&catalogue(), &self.now().write()).unwrap();
        assert_eq!(read.write(), self.now().write(), "{name}: a snapshot reads back as something else");
        let report = check(&catalogue(), self.cached.id, &self.records, None);
        assert!(!report.fails(), "{name}: {report}");
    }
}

/// What was taken back in random games of a game: the first words of moves, alone and by consent.
#[derive(Default)]
struct Tally {
    undone: BTreeSet<String>,
    taken_back: BTreeSet<String>,
}

fn play(game: &dyn Game, seats: u8, number: u8, tally: &mut Tally) {
    let mut rng = SmallRng::seed_from_u64(number.into());
    let mut playing = Playing::begin(game, seats, Pace::default(), number);
    // What everybody saw before each move.
    let mut before: BTreeMap<u32, (Vec<Value>, String)> = BTreeMap::new();
    for step in 0..120 {
        let name = format!("{} for {seats}, game {number}, step {step}", game.info().slug);
        playing.at += TimeDelta::minutes(1);
        let awaited: Vec<Seat> = playing.now().awaiting().iter().collect();
        let Some(seat) = awaited.choose(&mut rng) else { break };
        let lines = playing.now().position.legal_moves(*seat);
        let mv = playing.now().position.read_line(lines.choose(&mut rng).unwrap()).unwrap();
        before.insert(playing.now().moves + 1, (playing.seen(), playing.now().position.snapshot()));
        playing.make(*seat, &mv);
        let seat = Seat::all(seats).collect::<Vec<_>>().choose(&mut rng).copied().unwrap();
        let verb = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
        if rng.random_ratio(1, 2)
            && let Some(mv) = playing.now().undoable(seat)
        {
            let (move_no, last, line, concealed) = (mv.move_no, playing.now().moves, mv.line.clone(), mv.concealed);
            let (others, public) = (playing.seen(), playing.now().moves_for(Viewer::Public));
            playing.undo(seat);
            tally.undone.insert(verb(&line));
            if move_no == last {
                let now = (playing.seen(), playing.now().position.snapshot());
                assert_eq!(before[&move_no], now, "{name}: after “{line}” was undone");
            }
            assert!(playing.now().awaiting().contains(seat), "{name}: “{line}” is to be said again");
            if concealed {
                let seen = playing.seen();
                let same = (0..others.len()).all(|place| place == seat.index() || seen[place] == others[place]);
                assert!(same, "{name}: others notice that “{line}” was undone");
                assert_eq!(playing.now().moves_for(Viewer::Public), public, "{name}");
            }
            playing.assert_sound(&name);
        } else if rng.random_ratio(1, 4)
            && let Some(first) = playing.now().may_be_taken_back(seat).first().copied()
        {
            tally.taken_back.insert(verb(&playing.now().open_moves.find(first).unwrap().line));
            playing.take_back(seat);
            let now = (playing.seen(), playing.now().position.snapshot());
            assert_eq!(before[&first], now, "{name}: after move {first} was taken back");
            playing.assert_sound(&name);
        }
    }
    playing.assert_sound(&format!("{} for {seats}, game {number}", game.info().slug));
}

#[test]
fn what_is_undone_is_as_if_it_had_not_been_done() {
    for game in catalogue().iter() {
        let mut tally = Tally::default();
        let (fewest, most) = game.info().seats;
        for number in 0..16 {
            play(game, fewest + number % (most - fewest + 1), number, &mut tally);
        }
        println!("{}: undone {:?}, taken back {:?}", game.info().slug, tally.undone, tally.taken_back);
        assert!(!tally.undone.is_empty(), "nothing was undone in {}", game.info().slug);
    }
}

const ONE: Seat = Seat::new(1).unwrap();
const TWO: Seat = Seat::new(2).unwrap();

/// A table of Red Queen for two at which seat 1 begins and may place a card.
fn red_queen(pace: Pace) -> Playing {
    let games = (0..=u8::MAX).map(|number| Playing::begin(catalogue().find("red-queen").unwrap(), 2, pace, number));
    let mut games = games.filter(|playing| playing.now().awaiting().contains(ONE));
    games.find(|playing| playing.now().position.legal_moves(ONE).iter().any(|line| line.starts_with("place"))).unwrap()
}

fn say(playing: &mut Playing, seat: Seat, verb: &str) {
    let lines = playing.now().position.legal_moves(seat);
    let line = lines.iter().find(|line| line.starts_with(verb)).unwrap_or_else(|| panic!("{verb} among {lines:?}"));
    let mv = playing.now().position.read_line(line).unwrap();
    playing.make(seat, &mv);
}

#[test]
fn time_that_is_spent_stays_spent() {
    let pace = Pace { bank: Some(Bank { start: 3_600, refill: 3_600, most: 86_400 }), ..Pace::default() };
    let mut playing = red_queen(pace);
    let deadline = playing.now().deadline_of(ONE);
    assert_eq!(deadline, Some(noon() + TimeDelta::hours(1)));
    playing.at += TimeDelta::minutes(10);
    say(&mut playing, ONE, "place");
    assert_ne!(playing.now().deadline_of(ONE), deadline);
    playing.at += TimeDelta::minutes(10);
    playing.undo(ONE);
    assert_eq!(playing.now().deadline_of(ONE), deadline, "the clock runs as if nothing had happened");
    // The turn goes on to the other, who takes an hour.
    playing.at += TimeDelta::minutes(10);
    say(&mut playing, ONE, "end");
    assert!(playing.now().undoable(ONE).is_none(), "it concerns the other now");
    playing.at += TimeDelta::hours(1);
    playing.take_back(ONE);
    let left = playing.now().deadline_of(ONE).unwrap() - playing.at;
    assert_eq!(left, TimeDelta::minutes(30), "half an hour was spent, and nothing was gained");
    assert_eq!(playing.now().deadline_of(TWO), None);
    playing.assert_sound("red-queen");
}

#[test]
fn an_undoing_that_was_not_allowed_does_not_pass_the_check() {
    let mut playing = red_queen(Pace::default());
    say(&mut playing, ONE, "draw");
    assert!(playing.now().undoable(ONE).is_none(), "a card was drawn");
    assert!(playing.now().may_be_taken_back(ONE).is_empty(), "and nobody can agree that it was not");
    let undone = TableFact::Undone { moves: vec![1], form: String::new(), by_consent: true, concealed: false };
    let mut chain = playing.now().chain(playing.cached.id, playing.at);
    assert!(playing.cached.now.clone().record(&mut chain, 2, Some(ONE), &undone).is_err());
    let records: Vec<Record> = playing.records.iter().cloned().chain(chain.records).collect();
    assert!(check(&catalogue(), playing.cached.id, &records, None).fails());

    // Nor does one to which nobody agreed.
    let mut playing = red_queen(Pace::default());
    say(&mut playing, ONE, "end");
    let moves = playing.now().may_be_taken_back(ONE);
    let undone = TableFact::Undone { moves, form: String::new(), by_consent: true, concealed: false };
    playing.record(2, ONE, &undone);
    assert!(check(&catalogue(), playing.cached.id, &playing.records, None).fails());
}

#[test]
fn a_request_lapses_when_the_table_moves_on_for_good() {
    let mut playing = red_queen(Pace::default());
    say(&mut playing, ONE, "end");
    let of = playing.now().may_be_taken_back(ONE)[0];
    playing.record(1, ONE, &TableFact::TakeBack { seat: ONE, of, word: TakeBackWord::Ask });
    assert_eq!(playing.now().consent_awaited().iter().collect::<Vec<_>>(), [TWO]);
    say(&mut playing, TWO, "draw");
    assert!(playing.now().take_back.is_none() && playing.now().may_be_taken_back(ONE).is_empty());
    playing.assert_sound("red-queen");
}

#[test]
fn nobody_changes_their_mind_for_ever() {
    let mut playing = red_queen(Pace::default());
    for _ in 0..MOST_UNDONE {
        say(&mut playing, ONE, "place");
        playing.undo(ONE);
    }
    say(&mut playing, ONE, "place");
    assert!(playing.now().undoable(ONE).is_none());
    say(&mut playing, ONE, "draw");
    assert!(!playing.now().open_moves.is_fickle(ONE), "something new came up");
    playing.assert_sound("red-queen");
}
