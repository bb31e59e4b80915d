//! What the case files do not show: whole games under all kinds of options.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::cards::Cards;
use super::event::Event;
use super::hexagon::{House, Place};
use super::phase::{Action, Phase};
use super::roads::Land;
use super::suits::Suits;
use super::survey::Survey;
use super::tile::{SquareTile, TriangleTile};
use super::{MessengerRabbits, Move};
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Card, Decision, Recorder, Rules, Seat, View, Viewer, deal, fold_line, read_options};

/// Seats and options of all kinds.
fn tables() -> Vec<(u8, Value)> {
    vec![
        (2, json!({})),
        (3, json!({"level": "intro", "board": "random"})),
        (4, json!({"board": "built", "objective": "diverse"})),
        (3, json!({"board": "built", "tight_suits": true, "objective": "monarchic"})),
        (2, json!({"board": "random", "tight_suits": true, "tight_drop": "HD", "special_flights": true})),
        (2, json!({"special_trades": true, "advanced_citadel": true, "special_access": true, "special_flights": true})),
        (4, json!({"special_trades": true, "windfall_lottery": true, "overtaxed_hands": true, "seized_surplus": true})),
        (
            3,
            json!({"capital_aces": true, "additional_capital": true, "windfall_lottery": true, "advanced_citadel": true}),
        ),
        (4, json!({"ambivalent_aces": true, "trailing_carrots": true, "objective": "tribal"})),
        (
            2,
            json!({"patriarchal_values": true, "windfall_lottery": true, "objective": "diverse-monarchic", "late_start": false}),
        ),
        (4, json!({"special_access": true, "capital_aces": true, "seized_surplus": true, "board": "random"})),
        (
            3,
            json!({"tight_suits": true, "tight_drop": "D", "trailing_carrots": true, "board": "random", "advanced_citadel": true}),
        ),
    ]
}

/// A table in play, with its facts folded into a second one.
struct Game {
    state: MessengerRabbits,
    folded: MessengerRabbits,
    seed: Seed,
    drawn: u64,
    rng: SmallRng,
}

impl Game {
    fn new(options: &Value, seats: u8, number: u64) -> Game {
        let options: super::Options = read_options(options).unwrap();
        let seed = Seed::of_number(number);
        let decision: Decision<MessengerRabbits> = deal(options.clone(), seats, &mut seed.chance(0)).unwrap();
        let folded = MessengerRabbits::begin(options, seats).unwrap();
        let state = folded.clone();
        let mut game = Game { state, folded, seed, drawn: 0, rng: SmallRng::seed_from_u64(number) };
        game.take(decision);
        game
    }

    fn take(&mut self, decision: Decision<MessengerRabbits>) {
        for event in &decision.events {
            let written = serde_json::to_string(event).unwrap();
            let event: Event = serde_json::from_str(&written).unwrap();
            self.folded.apply(&event);
        }
        assert_eq!(self.folded, decision.state, "the facts fold to the state");
        self.drawn += decision.draws.len() as u64;
        self.state = decision.state;
    }

    fn decide(&self, seat: Seat, mv: Move) -> Result<Decision<MessengerRabbits>, wonderpost_rules::Refusal> {
        let mut chance = self.seed.chance(self.drawn);
        let mut record = Recorder::new(self.state.clone(), &mut chance);
        MessengerRabbits::decide(&mut record, seat, mv)?;
        Ok(record.finish())
    }

    /// A move of somebody who is in no hurry, but claims what can be claimed and does not spend royals.
    fn choose(&mut self) -> Option<(Seat, Move)> {
        let awaited: Vec<Seat> = self.state.awaiting().iter().collect();
        let seat = *awaited.choose(&mut self.rng)?;
        let moves = self.state.legal_moves(seat);
        let claims: Vec<Move> =
            moves.iter().copied().filter(|mv| matches!(mv, Move::Act(Action::Claim(_), _))).collect();
        let thrifty = |mv: &&Move| !matches!(mv, Move::Act(_, Some(paid)) if !(*paid & Cards::ROYALS).is_empty());
        let some: Vec<Move> = moves.iter().filter(thrifty).copied().collect();
        let from = if self.rng.random_ratio(9, 10) && !claims.is_empty() { claims } else { some };
        Some((seat, *from.choose(&mut self.rng).or(moves.first()).expect("whoever is awaited has a move")))
    }
}

/// Rulebook, section 13.
fn check_invariants(state: &MessengerRabbits) {
    let mut pack: Vec<Card> = (state.court | state.spent).to_vec();
    assert!((state.court & state.spent).is_empty());
    pack.extend(&state.pile);
    state.seats().for_each(|seat| pack.extend(state.hand(seat).iter()));
    pack.extend(state.capital.iter().flatten());
    pack.sort();
    let dealt = state.phase != Phase::Build;
    let all = if dealt { state.suits.cards() | Cards::JOKERS } else { state.court };
    assert_eq!(pack, all.to_vec(), "every card is in one place");
    assert!((state.court & Cards::COMMON).is_empty() && Cards::COMMON.holds(state.spent));
    for seat in state.seats() {
        let most = if seat == state.active && matches!(state.phase, Phase::Release(_)) { 4 } else { 3 };
        assert!(state.royals(seat).len() <= most);
        assert!(seat == state.active || state.hand(seat).len() <= state.hand_limit(), "the hand limit");
        match state.rabbit(seat) {
            Place::On(hexagon) => assert!(state.land.hexagons.contains(hexagon)),
            Place::Underground | Place::Off => {}
        }
    }
    let awaited = state.awaiting().len();
    assert!(match state.phase {
        Phase::Over => awaited == 0,
        Phase::Contest => awaited >= 1,
        _ => awaited == 1,
    });
    if let Some(winner) = state.winner {
        assert_eq!(state.rabbit(winner), Place::CITADEL);
    }
}

fn check_prompts(game: &mut Game) {
    for seat in game.state.awaiting().iter() {
        let moves = game.state.legal_moves(seat);
        assert!(!moves.is_empty(), "whoever is awaited has a move");
        assert!(moves.len() <= 400, "a list of {}", moves.len());
        let default = game.state.default_move(seat);
        assert!(default.is_none_or(|default| moves.contains(&default)), "{default:?} is not among {moves:?}");
        assert!(default.is_some(), "whoever is awaited has a default");
        for mv in moves.sample(&mut game.rng, 3) {
            assert_eq!(fold_line(&mv.to_string()).parse::<Move>().as_ref(), Ok(mv));
            assert!(game.decide(seat, *mv).is_ok(), "{mv} is listed and refused");
        }
    }
}

fn check_secrets(game: &mut Game) {
    let viewers = game.state.seats().map(Viewer::Seat).chain([Viewer::Public]);
    for viewer in viewers {
        let resampled = game.state.resample_hidden(viewer, &mut game.rng);
        let seen = |state: &MessengerRabbits| serde_json::to_value(View::new(state, viewer)).unwrap();
        assert_eq!(seen(&resampled), seen(&game.state), "{viewer:?} sees what is hidden");
        check_invariants(&resampled);
    }
}

#[test]
fn games_of_all_kinds_keep_the_invariants_and_their_secrets() {
    let mut over = 0;
    for (place, (seats, options)) in tables().iter().enumerate() {
        for number in 0..5 {
            let mut game = Game::new(options, *seats, 100 * place as u64 + number);
            for step in 0..160 {
                check_invariants(&game.state);
                if step % 4 == 0 {
                    check_prompts(&mut game);
                    check_secrets(&mut game);
                }
                let Some((seat, mv)) = game.choose() else {
                    over += 1;
                    break;
                };
                let decision = game.decide(seat, mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
                game.take(decision);
            }
        }
    }
    assert!(over > 0, "some games come to an end");
}

#[test]
fn every_survey_comes_to_a_whole_land() {
    use rand::seq::SliceRandom;
    let mut rng = SmallRng::seed_from_u64(7);
    for drop in ["", "C", "SC"] {
        let suits = Suits::ALL.without(Suits::read(drop).unwrap());
        for _ in 0..60 {
            let mut houses: Vec<House> = House::of_suits(suits).collect();
            let mut squares = SquareTile::of_suits(suits);
            let mut triangles = TriangleTile::of_suits(suits);
            houses.shuffle(&mut rng);
            squares.shuffle(&mut rng);
            triangles.shuffle(&mut rng);
            let mut survey = Survey::new(suits, houses, squares, triangles);
            while !survey.houses.is_empty() {
                if survey.wants_closing() {
                    survey.close(*survey.closings().choose(&mut rng).expect("a triangle with two squares"));
                }
                let ground = *survey.grounds().choose(&mut rng).expect("room for the next house");
                survey.place(ground);
            }
            if survey.wants_closing() {
                survey.close(*survey.closings().choose(&mut rng).expect("a triangle with two squares"));
            }
            while let Some(slot) = survey.fillings().choose(&mut rng) {
                survey.fill(*slot);
            }
            assert!(survey.squares.is_empty() && survey.triangles.is_empty());
            let land = Land::finished(survey.layout, suits);
            assert_eq!(land.hexagons.len(), suits.len() * 3 + 1);
            assert!(land.hexagons.iter().all(|hexagon| !land.nets_of(hexagon).is_empty()), "no hexagon without a road");
            assert!(!land.caved.is_empty());
        }
    }
}

#[test]
fn what_does_not_go_together_is_refused_with_a_sentence() {
    for (seats, options) in [
        (2, json!({"ambivalent_aces": true, "capital_aces": true})),
        (2, json!({"patriarchal_values": true, "capital_aces": true})),
        (2, json!({"patriarchal_values": true, "ambivalent_aces": true})),
        (2, json!({"additional_capital": true})),
        (2, json!({"level": "intro", "special_trades": true})),
        (2, json!({"level": "intro", "advanced_citadel": true})),
        (2, json!({"level": "intro", "special_flights": true})),
        (2, json!({"level": "intro", "special_access": true})),
        (3, json!({"tight_suits": true, "tight_drop": "D", "special_trades": true})),
        (3, json!({"tight_suits": true, "tight_drop": "C", "special_flights": true})),
        (3, json!({"tight_suits": true, "tight_drop": "H", "special_access": true})),
        (3, json!({"tight_suits": true, "tight_drop": "H", "advanced_citadel": true})),
        (2, json!({"tight_suits": true, "advanced_citadel": true})),
        (2, json!({"tight_suits": true, "objective": "diverse"})),
        (2, json!({"tight_suits": true, "objective": "diverse-monarchic"})),
        (3, json!({"tight_drop": "S"})),
        (3, json!({"tight_suits": true, "tight_drop": "SH"})),
        (2, json!({"tight_suits": true, "tight_drop": "S"})),
        (2, json!({"tight_suits": true, "tight_drop": "SS"})),
        (2, json!({"tight_suits": true, "tight_drop": "sc"})),
        (3, json!({"tight_suits": true, "tight_drop": "X"})),
        (4, json!({"tight_suits": true, "tight_drop": "S"})),
    ] {
        let read = read_options::<super::Options>(&options).unwrap();
        assert!(MessengerRabbits::begin(read, seats).is_err(), "{options} for {seats}");
    }
    for (seats, options) in [
        (4, json!({"tight_suits": true, "special_trades": true})),
        (3, json!({"tight_suits": true, "advanced_citadel": true, "objective": "diverse"})),
        (2, json!({"tight_suits": true, "tight_drop": "SD", "advanced_citadel": true})),
    ] {
        let read = read_options::<super::Options>(&options).unwrap();
        assert!(MessengerRabbits::begin(read, seats).is_ok(), "{options} for {seats}");
    }
}

#[test]
fn odd_events_do_no_harm() {
    let whole = Game::new(&json!({"special_trades": true, "capital_aces": true}), 3, 5).state;
    let seat = Seat::new(3).unwrap();
    let card: Card = "7D".parse().unwrap();
    let events = [
        Event::Yielded,
        Event::Declined,
        Event::Gave { card, swindle: true },
        Event::Stole { card },
        Event::Proved { cards: Cards::EMPTY },
        Event::Contested { shown: vec![] },
        Event::Answered { seat, showing: Cards::EMPTY },
        Event::Threw { cards: Cards::one(card), worth: u16::MAX },
        Event::Filled { at: vec![] },
        Event::Landed { paid: Cards::EMPTY, asked: Default::default() },
        Event::Drew { drawn: Cards::ROYALS },
        Event::Repiled { pile: vec![card] },
        Event::Dealt { hands: vec![Cards::EMPTY; 9], pile: vec![] },
    ];
    for event in &events {
        let mut state = whole.clone();
        state.apply(event);
        for other in &events {
            state.apply(other);
            state.seats().for_each(|seat| {
                let _ =
                    (state.legal_moves(seat), state.default_move(seat), View::new(&state, Viewer::Seat(seat)).moves);
            });
        }
    }
}

/// `cargo test --release speed_of_messenger_rabbits -- --ignored --nocapture`
#[test]
#[ignore = "measures; run it in release"]
fn speed_of_messenger_rabbits() {
    let mut game = Game::new(&json!({}), 4, 1);
    let mut rng = SmallRng::seed_from_u64(1);
    let (mut moves, mut number) = (0, 1);
    // The number of moves is fixed; the shell's clock tells the rest.
    while moves < 200_000 {
        let Some(seat) = game.state.awaiting().iter().next() else {
            number += 1;
            game = Game::new(&json!({}), 4, number);
            continue;
        };
        let listed = game.state.legal_moves(seat);
        let mv = *listed.choose(&mut rng).unwrap();
        let decision = game.decide(seat, mv).unwrap();
        game.take(decision);
        moves += 1;
    }
}
