//! Whole games at random: what holds at every moment of each of them.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::options::Options;
use super::phase::Step;
use super::phase::{Phase, Stage};
use super::tables::tables;
use super::*;
use wonderpost_rules::random_games::{RandomGames, any};
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{deal, decide_line};

fn in_play(state: &MunchkinWonderland) -> (Vec<Treasure>, Vec<Monster>) {
    let mut treasures = [&state.treasure_deck[..], &state.treasure_discard, &state.aside].concat();
    for player in &state.players {
        treasures.extend(player.hand.iter().chain(&player.friends));
    }
    let mut monsters = [&state.monster_deck[..], &state.monster_discard].concat();
    match &state.phase {
        Phase::Share(share) => treasures.extend(&share.cards),
        Phase::Fight(fight) => monsters.extend(&fight.monsters),
        _ => {}
    }
    treasures.sort_unstable();
    monsters.sort_unstable();
    (treasures, monsters)
}

fn check(state: &MunchkinWonderland) {
    let (treasures, monsters) = in_play(state);
    let mut all = tables().treasure_deck.clone();
    all.sort_unstable();
    assert_eq!(treasures, all, "the 70 Treasures are somewhere");
    assert!(monsters.iter().copied().eq(Monster::all()), "the 30 Monsters are somewhere");
    for player in &state.players {
        assert!(player.friends.len() <= 2 && player.friends.iter().all(|friend| friend.is_friend()));
        assert!(player.hand.is_sorted() && player.friends.is_sorted() && player.seen.is_sorted());
        assert_eq!(player.unseen().len() + player.seen.len(), player.hand.len());
    }
    assert!((1..=60).contains(&state.round));
    let over = state.phase == Phase::Over;
    assert_eq!(over, state.awaiting().is_empty());
    assert!(state.awaiting().len() <= 1 || Rules::phase(state) == Step::Help);
    let last_share = matches!(state.phase, Phase::Share(_)) && state.last_drawn;
    assert!(over || last_share || !state.treasure_deck.is_empty());
    match &state.phase {
        Phase::Fight(fight) => {
            assert!(state.players_power(fight) < fight.monster_power());
            assert!(fight.stage == Stage::Asked || fight.answers.is_empty(), "settled answers are forgotten");
        }
        Phase::Rolled(roll) if roll.kind == phase::RollKind::Entrance => assert!((1..=6).contains(&roll.value)),
        Phase::Between => panic!("nothing is being decided"),
        _ => {}
    }
}

#[test]
fn hundreds_of_games_of_all_sizes_and_lengths_keep_the_contract() {
    const GAMES: u64 = 200;
    let tables = (2..=6).flat_map(|seats| [false, true].map(|short| (seats, Options { short })));
    let finished = RandomGames::<MunchkinWonderland> {
        tables: tables.collect(),
        games: GAMES,
        leave_after: None,
        choose: any,
        // MW-39: the seats that are asked may be named in any order.
        has_other_forms: |line| line.starts_with("ask "),
        holds: check,
    }
    .play();
    assert_eq!(finished, GAMES);
}

#[test]
fn what_is_imagined_is_as_whole_as_what_is_there() {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut chance = Seed::of_number(9).chance(0);
    let mut state = deal::<MunchkinWonderland>(Options { short: true }, 4, &mut chance).unwrap().state;
    while state.result().is_none() {
        let viewer = Viewer::Seat(Seat::all(4).nth(rng.random_range(0..4)).unwrap());
        let resampled = state.resample_hidden(viewer, &mut rng);
        check(&resampled);
        for (there, other) in state.players.iter().zip(&resampled.players) {
            assert_eq!(there.seen, other.seen);
        }
        let awaited: Vec<Seat> = state.awaiting().iter().collect();
        let seat = *awaited.choose(&mut rng).unwrap();
        let line = state.legal_moves(seat).choose(&mut rng).unwrap().to_string();
        state = decide_line(&state, seat, &line, &mut chance).unwrap().state;
    }
}

#[test]
fn the_log_tells_what_was_drawn_to_its_owner_alone() {
    use super::event::Event;
    let mut rng = SmallRng::seed_from_u64(5);
    let mut chance = Seed::of_number(5).chance(0);
    let mut state = deal::<MunchkinWonderland>(Options::default(), 4, &mut chance).unwrap().state;
    let (mut drawn, mut answered) = (0, 0);
    while state.result().is_none() {
        let awaited: Vec<Seat> = state.awaiting().iter().collect();
        let seat = *awaited.choose(&mut rng).unwrap();
        let line = state.legal_moves(seat).choose(&mut rng).unwrap().to_string();
        let decision = decide_line(&state, seat, &line, &mut chance).unwrap();
        let mut before = state;
        for event in &decision.events {
            let fighter_alone = !matches!(&before.phase, Phase::Fight(fight) if fight.helper.is_some());
            let owners: Vec<(Seat, Treasure)> = match event {
                Event::Drew { to, draw } => to.iter().copied().zip(draw.cards.iter().copied()).collect(),
                Event::Entered { draw, .. } => draw.cards.iter().map(|card| (before.turn, *card)).collect(),
                Event::Won { draw } if fighter_alone => draw.cards.iter().map(|card| (before.turn, *card)).collect(),
                _ => vec![],
            };
            for viewer in Seat::all(4).map(Viewer::Seat).chain([Viewer::Public]) {
                let told = before.describe_event(event, viewer);
                let own = viewer.seat().map(|seat| seat.mark());
                assert!(!told.as_ref().is_some_and(|told| own.is_some_and(|own| told.contains(own))), "{told:?}");
                if let Event::Answered { seat, .. } = event {
                    let secret = told.as_ref().is_none_or(|told| *told == format!("{} has answered.", seat.mark()));
                    assert_eq!(!secret, viewer.seat() == Some(*seat), "{told:?}");
                    answered += 1;
                }
                for (owner, card) in &owners {
                    let named = told.as_ref().is_some_and(|told| told.contains(&card.name()));
                    let others = owners.iter().any(|(other, same)| viewer.seat() == Some(*other) && same == card);
                    assert_eq!(named, viewer.seat() == Some(*owner) || others, "{told:?} is told to {viewer:?}");
                    drawn += 1;
                }
            }
            before.apply(event);
        }
        state = decision.state;
    }
    assert!(drawn > 50 && answered > 10);
}

#[test]
fn no_entry_of_the_log_is_empty() {
    let mut rng = SmallRng::seed_from_u64(9);
    let mut chance = Seed::of_number(9).chance(0);
    let mut state = deal::<MunchkinWonderland>(Options::default(), 4, &mut chance).unwrap().state;
    while state.result().is_none() {
        let awaited: Vec<Seat> = state.awaiting().iter().collect();
        let seat = *awaited.choose(&mut rng).unwrap();
        let line = state.legal_moves(seat).choose(&mut rng).unwrap().to_string();
        let decision = decide_line(&state, seat, &line, &mut chance).unwrap();
        for viewer in Seat::all(4).map(Viewer::Seat).chain([Viewer::Public]) {
            let mut before = state.clone();
            let told = decision.events.iter().filter_map(|event| {
                let told = before.describe_event(event, viewer);
                before.apply(event);
                told
            });
            assert!(told.count() > 0, "nothing is told of “{line}” to {viewer:?}");
        }
        state = decision.state;
    }
}

#[test]
fn standing_answers_belong_to_prompts_and_settle_them() {
    let prompts = plans::prompts();
    for prompt in &prompts {
        for line in prompt.suggestions.iter().flat_map(|suggestion| &suggestion.lines) {
            assert!(plans::fits(prompt.prompt, &line.parse().unwrap()), "{}: {line}", prompt.prompt);
        }
        assert!(prompt.example.is_none_or(|line| plans::fits(prompt.prompt, &line.parse().unwrap())));
    }
    let best = &prompts.last().unwrap().suggestions[0].lines;
    assert_eq!(best.len(), 49);
    assert_eq!(best[..4], ["take crown", "take golden-key", "take tarts", "take vorpal-blade"]);
    assert_eq!(best[48], "take tiger-lily");
}

#[test]
fn odd_events_do_no_harm() {
    use super::event::{Draw, Event};
    let [one, six] = [1, 6].map(|number| Seat::new(number).unwrap());
    let [soup, bill] = ["soup", "bill"].map(|id| id.parse::<Treasure>().unwrap());
    let mut chance = Seed::of_number(1).chance(0);
    let dealt = deal::<MunchkinWonderland>(Options::default(), 2, &mut chance).unwrap().state;
    let draw = Draw { cards: vec![soup; 80], shuffled: vec![soup] };
    for event in [
        Event::Turn { seat: six, round: 255, roll: 255 },
        Event::Drew { to: vec![six; 9], draw: draw.clone() },
        Event::Entered { draw: draw.clone(), roll: Some(9) },
        Event::Played { friend: bill, instead: Some(soup) },
        Event::Changed { card: soup, to: 200, monsters: true },
        Event::Threw { card: soup, faces: vec![] },
        Event::Recovered { thimble: bill, card: soup },
        Event::Asked { seats: vec![six, one] },
        Event::Answered { seat: six, willing: true },
        Event::Joined { helper: six, roll: 3 },
        Event::Unaided,
        Event::Done,
        Event::Won { draw },
        Event::Took { card: soup },
        Event::Lost { card: soup },
        Event::Over { bell: true, gold: vec![] },
    ] {
        let mut state = dealt.clone();
        state.describe_event(&event, Viewer::Public);
        state.apply(&event);
        View::new(&state, Viewer::Seat(one));
    }
}
