//! Random games, and what holds at every step of them.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::card_set::CardSet;
use super::combat::{DECK, QUEEN_OF_HEARTS, aces, killers};
use super::event::Event;
use super::options::{First, Muster, Options};
use super::round::How;
use super::{Phase, RedQueen};
use wonderpost_rules::random_games::{RandomGames, any};
use wonderpost_rules::seed::{Seed, Seeded};
use wonderpost_rules::{Outcome, Rules, Scripted, Seat, View, Viewer, deal, decide_line};

pub fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// A table that begins with these cards, seat 1 reigning; the rest of the deck follows in its order.
pub fn dealt(seats: u8, top: &str, options: Options) -> (RedQueen, Scripted) {
    let mut cards: Vec<String> = top.split_whitespace().map(str::to_owned).collect();
    let rest: Vec<String> = DECK.iter().map(ToString::to_string).filter(|card| !cards.contains(card)).collect();
    cards.extend(rest);
    let mut chance = Scripted::new(vec![Outcome::Shuffle(cards); 3]);
    let options = Options { first: First::Seat(seat(1)), ..options };
    (deal::<RedQueen>(options, seats, &mut chance).unwrap().state, chance)
}

/// Says these moves, each as “seat move”.
pub fn after(mut state: RedQueen, chance: &mut Scripted, lines: &[&str]) -> RedQueen {
    for line in lines {
        let (number, mv) = line.split_once(' ').unwrap();
        let said = decide_line(&state, seat(number.parse().unwrap()), mv, chance);
        state = said.unwrap_or_else(|refusal| panic!("{line}: {refusal}")).state;
    }
    state
}

/// Plays random games, and shows each decision.
fn playouts(seats: u8, games: u64, mut look: impl FnMut(&RedQueen, &[Event], &RedQueen, &mut StdRng)) {
    for game in 0..games {
        let mut rng = StdRng::seed_from_u64(game);
        let mut chance: Seeded = Seed::of_number(game).chance(0);
        let muster = if game % 3 == 0 { Muster::Two } else { Muster::Even };
        let rounds = if game % 4 == 0 { 3 } else { 0 };
        let options = Options { muster, rounds, ..Options::default() };
        let mut state = deal::<RedQueen>(options, seats, &mut chance).unwrap().state;
        while let Some(awaited) = state.awaiting().iter().next() {
            let moves = state.legal_moves(awaited);
            let mv = moves.choose(&mut rng).unwrap().to_string();
            let decision = decide_line(&state, awaited, &mv, &mut chance).unwrap();
            look(&state, &decision.events, &decision.state, &mut rng);
            state = decision.state;
        }
    }
}

fn check(state: &RedQueen) {
    // 1: all cards are somewhere, once.
    let places = [CardSet::from(state.pile.clone()), CardSet::from(state.discard.clone()), state.coterie.cards()];
    let all = places.into_iter().chain(state.hands).fold(CardSet::EMPTY, CardSet::or);
    let count: usize = places.into_iter().chain(state.hands).map(CardSet::len).sum();
    assert_eq!((all.len(), count), (53, 53));
    assert!(!all.contains(QUEEN_OF_HEARTS));
    // 2
    if !state.over() {
        assert_eq!(state.awaiting().len(), 1);
        assert!(!state.pile.is_empty());
        assert!(state.possession().and(aces()).len() <= 2);
        assert!(state.possession().and(killers()).len() <= 1);
        let gone = state.possession().or(state.discard.iter().copied().collect());
        assert!(!killers().without(gone).is_empty());
    }
    // 3, 4
    match state.phase {
        Phase::Act => assert!(state.actions >= 1 && state.too_many() <= 8),
        Phase::Discard => assert!(state.actions == 0 && state.too_many() >= 1 && !state.first_turn()),
        Phase::Dealing => unreachable!(),
        Phase::Over(_) => assert_eq!(state.actions, 0),
    }
    if state.phase == Phase::Act && state.turns >= 2 * u16::from(state.seats) && state.actions == state.allotment() {
        assert!(state.hand(state.turn).len() <= state.hand_limit(state.turn));
    }
    // 5
    assert!(state.coterie.members().all(|(_, member)| member.known || !member.up));
    // 7
    for seat in state.seats() {
        let points: i64 = state.history.iter().map(|round| round.points[seat.index()]).sum();
        assert_eq!(points, state.scores[seat.index()]);
        assert_eq!(points % 5, 0);
    }
    for round in &state.history {
        let sum: i64 = round.points.iter().sum();
        let slain = 10 + 5 * (i64::from(state.seats) - 2);
        assert_eq!(sum, if round.how == How::Slain { slain } else { 20 });
    }
    // 8
    if state.over() {
        let reigns: Vec<u16> = state.seats().map(|seat| state.reigns[seat.index()]).collect();
        let spread = reigns.iter().max().unwrap() - reigns.iter().min().unwrap();
        match state.options.rounds {
            0 => assert_eq!(spread, 0),
            rounds => assert!(spread <= 1 && state.history.len() == usize::from(rounds)),
        }
    }
    // 11
    for seat in state.seats() {
        assert!(state.seen[seat.index()].without(state.hand(seat)).is_empty());
    }
}

#[test]
fn a_hundred_games_of_all_sizes_keep_the_contract() {
    const GAMES: u64 = 108;
    let kinds = [Muster::Two, Muster::Even].into_iter().flat_map(|muster| [0, 3].map(|rounds| (muster, rounds)));
    let tables = kinds.flat_map(|(muster, rounds)| {
        (2..=4).map(move |seats| (seats, Options { muster, rounds, ..Options::default() }))
    });
    let finished = RandomGames::<RedQueen> {
        tables: tables.collect(),
        games: GAMES,
        leave_after: None,
        choose: any,
        has_other_forms: |_| false,
        holds: check,
    }
    .play();
    assert_eq!(finished, GAMES);
}

#[test]
fn nobody_but_the_queen_is_told_what_she_laid_where() {
    playouts(3, 12, |before, events, _, _| {
        let mut state = before.clone();
        for event in events {
            let secret = match event {
                Event::Placed { card, .. } | Event::Drew { card, .. } => vec![*card],
                Event::Swapped { card, old, slot, .. } => {
                    let known = state.coterie.get(*slot).unwrap().known;
                    if known { vec![*card] } else { vec![*card, *old] }
                }
                Event::Shuffled { cards, .. } => cards.clone(),
                _ => vec![],
            };
            for viewer in Seat::all(3).map(Viewer::Seat).chain([Viewer::Public]) {
                let line = state.describe_event(event, viewer).unwrap();
                let told = secret.iter().filter(|card| line.contains(&card.with_sign()));
                let knows = viewer == Viewer::Seat(state.turn);
                assert_eq!(told.count(), if knows { secret.len() } else { 0 }, "{line}");
            }
            state.apply(event);
        }
    });
}

#[test]
fn all_orders_of_a_shuffle_look_alike_to_everybody_else() {
    let top = "9C 5D 2S 3S 4S 3H 2H 3D KD 6S 2D 3C 7H 6H 2C 4H";
    let (state, mut chance) = dealt(4, top, Options::default());
    let opening = ["1 place 9C", "1 place 4S", "1 place KD", "1 end", "2 attack 1 5D", "2 end", "3 end", "4 end"];
    let state = after(state, &mut chance, &opening);
    let orders = state.legal_moves(seat(1)).into_iter().map(|mv| mv.to_string()).filter(|mv| mv.starts_with("shuffle"));
    let mut seen = Vec::new();
    for order in orders {
        let decision = decide_line(&state, seat(1), &order, &mut chance).unwrap();
        assert!(!decision.revealing && decision.draws.is_empty());
        for viewer in [Viewer::Public, Viewer::Seat(seat(2)), Viewer::Seat(seat(3)), Viewer::Seat(seat(4))] {
            let view = serde_json::to_string(&View::new(&decision.state, viewer)).unwrap();
            let text = super::text::text(&View::new(&decision.state, viewer));
            let line = state.describe_event(&decision.events[0], viewer);
            seen.push((viewer, view, text, line));
        }
    }
    assert_eq!(seen.len(), 24);
    assert!((4..24).all(|at| seen[at] == seen[at - 4]));
}

#[test]
fn attacking_the_unknown_cannot_be_taken_back_but_the_known_can() {
    let top = "9C 5D 2S 3S 4S 3H 2H 3D KD 6S 2D 3C 7H 6H 2C 4H";
    let (state, mut chance) = dealt(4, top, Options::default());
    let state = after(state, &mut chance, &["1 place 9C", "1 end"]);
    let first = decide_line(&state, seat(2), "attack 1 5D", &mut chance).unwrap();
    assert!(first.revealing);
    assert!(!decide_line(&first.state, seat(2), "attack 1 6S", &mut chance).unwrap().revealing);
    assert!(decide_line(&first.state, seat(2), "draw", &mut chance).unwrap().revealing);
}

#[test]
fn a_killer_lost_to_a_known_member_tells_whether_she_has_the_last_one() {
    for last in ["BJ", "4D"] {
        let (state, mut chance) = dealt(2, &format!("AS JH KC RJ {last} QD 3D 2S"), Options::default());
        let siege = ["1 place AS", "1 place KC", "1 end", "2 attack 1 JH", "2 attack 2 RJ"];
        let state = after(state, &mut chance, &siege);
        let lost = decide_line(&state, seat(2), "attack 1 QD", &mut chance).unwrap();
        assert_eq!(lost.state.round == 2, last == "BJ", "RQ-22");
        assert!(lost.revealing, "with {last}");
        assert!(!decide_line(&state, seat(2), "attack 1 2S", &mut chance).unwrap().revealing);
    }
}

#[test]
fn what_a_companion_imagines_is_a_round_that_goes_on_however_few_cards_are_left() {
    let (mut state, _) = dealt(2, "2S 2H 3S 3H AS 4H JH 5H", Options::default());
    // Most cards are gone: hardly any deal of the rest leaves the Red Queen with so few aces and killers.
    let few: CardSet = "AH AD AC QD BJ RJ".split(' ').map(|card| card.parse().unwrap()).collect();
    state.discard = state.pile.iter().copied().filter(|card| !few.contains(*card)).collect();
    state.pile = few.to_vec();
    let mut rng = StdRng::seed_from_u64(1);
    for _ in 0..50 {
        check(&state.resample_hidden(Viewer::Seat(seat(2)), &mut rng));
    }
}

#[test]
fn refusals_say_why() {
    let top = "9C 5D 2S 3S 4S 3H 2H 3D KD RJ 2D 3C 7H 6H 2C 4H";
    let (state, chance) = dealt(4, top, Options::default());
    let refused =
        |state: &RedQueen, number, line: &str| match decide_line(state, seat(number), line, &mut chance.clone()) {
            Ok(_) => panic!("{line} was accepted"),
            Err(refusal) => refusal.to_string(),
        };
    assert_eq!(refused(&state, 2, "draw"), "It is not your turn.");
    assert!(refused(&state, 1, "attack 1 9C").contains("never attacks"));
    assert!(refused(&state, 1, "place 5D").contains("do not hold 5D"));
    assert!(refused(&state, 1, "swap 1 9C").contains("use “place”"));
    assert!(refused(&state, 1, "shuffle 9C 4S").contains("at least two"));
    assert!(refused(&state, 1, "discard 9C").contains("end of a turn"));
    let mut chance = chance;
    let full = after(state, &mut chance, &["1 place 9C", "1 place 4S", "1 place KD"]);
    let refused =
        |state: &RedQueen, number, line: &str| match decide_line(state, seat(number), line, &mut chance.clone()) {
            Ok(_) => panic!("{line} was accepted"),
            Err(refusal) => refusal.to_string(),
        };
    assert!(refused(&full, 1, "place 7H").contains("full: use “swap”"));
    let companion = after(full, &mut chance.clone(), &["1 end"]);
    assert!(refused(&companion, 2, "place 5D").contains("Only the Red Queen has a coterie"));
    assert!(refused(&companion, 2, "attack queen RJ").contains("coterie must be gone"));
    assert!(refused(&companion, 2, "attack queen 5D").contains("coterie must be gone"));
    assert!(refused(&companion, 2, "attack 1 AS").contains("do not hold AS"));
}

#[test]
fn a_seat_that_is_not_there_cannot_reign_first() {
    let options = |number| Options { first: First::Seat(seat(number)), ..Options::default() };
    assert!(RedQueen::begin(options(4), 3).is_err());
    assert!(RedQueen::begin(options(3), 3).is_ok());
    assert!(wonderpost_rules::begin::<RedQueen>(Options::default(), 5).is_err());
}

#[test]
fn odd_events_do_no_harm() {
    let (state, _) = dealt(2, "", Options::default());
    for body in [
        r#"{"drew":{"seat":8,"card":"QH"}}"#,
        r#"{"shuffled":{"cards":["2S","3S","4S","5S"]}}"#,
        r#"{"attacked":{"seat":7,"slot":3,"card":"2S","member":"KS","result":"win"}}"#,
        r#"{"discarded":{"seat":2,"card":"RJ","then":"pass"}}"#,
        r#"{"dealt":{"round":9,"queen":6,"cards":"2S 3S"}}"#,
        r#"{"swapped":{"slot":2,"card":"2S","old":"3S"}}"#,
    ] {
        let event: Event = serde_json::from_str(body).unwrap();
        let mut state = state.clone();
        let _ = state.describe_event(&event, Viewer::Seat(seat(2)));
        state.apply(&event);
        let _ = View::new(&state, Viewer::Public);
    }
}

#[test]
fn events_are_written_short_and_keep_their_shape() {
    let written = |event: &Event| serde_json::to_string(event).unwrap();
    let (state, mut chance) = dealt(2, "9C 5D 4S 3H KD 6S 7H RJ", Options { rounds: 1, ..Options::default() });
    let mut say = |state: &RedQueen, number, line: &str| {
        let decision = decide_line(state, seat(number), line, &mut chance).unwrap();
        (decision.state, decision.events.iter().map(written).collect::<Vec<_>>())
    };
    let (state, placed) = say(&state, 1, "place 9C");
    assert_eq!(placed, [r#"{"placed":{"slot":1,"card":"9C"}}"#]);
    let (state, ended) = say(&state, 1, "end");
    assert_eq!(ended, [r#"{"ended":{"seat":1,"unused":3,"then":"pass"}}"#]);
    let (state, fought) = say(&state, 2, "attack 1 5D");
    assert_eq!(fought, [r#"{"attacked":{"seat":2,"slot":1,"card":"5D","member":"9C","result":"lose"}}"#]);
    let (state, _) = say(&state, 2, "attack 1 RJ");
    let (_, drew) = say(&state, 2, "draw");
    assert_eq!(drew, [r#"{"drew":{"seat":2,"card":"2S"}}"#]);
}

#[test]
fn the_text_tells_what_a_letter_must() {
    let top = "9C 10D 2S 3S 4S JS 2H 3H KD 6S 2D 3D 7H 6H 2C 4H";
    let (state, mut chance) = dealt(4, top, Options::default());
    let state = after(state, &mut chance, &["1 place 9C", "1 place KD", "1 end", "2 attack 2 JS"]);
    let own = super::text::text(&View::new(&state, Viewer::Seat(seat(2))));
    for words in [
        "Round 1, to 30 points.",
        "you are the Revealer",
        "Slot 1: face down.",
        "Slot 2: K♦, face up.",
        "Slot 3: empty.",
        "4 cards (seen: J♠)",
        "Your hand: 6♠, J♠, 6♥, 10♦.",
        "1 action left",
        "attack 1 with one of 6S, JS, 6H, 10D",
        "Killers: all four at large.",
    ] {
        assert!(own.contains(words), "{words} in {own}");
    }
    assert!(!own.contains("9♣") && !own.contains("9C"));
    let queen = super::text::text(&View::new(&state, Viewer::Seat(seat(1))));
    assert!(queen.contains("Slot 1: 9♣, face down.") && queen.contains("You are the Red Queen."));
}
