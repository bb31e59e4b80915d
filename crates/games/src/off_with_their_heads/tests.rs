//! The invariants of the game, on random games of all sizes.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::cards::CardSet;
use super::event::Event;
use super::layout::ground;
use super::moves::Move;
use super::options::Options;
use super::sheet::Sheet;
use super::space::{CELLS, Colour, Colours, MUSHROOMS, Place, Space, TREES, Zone};
use super::wonderland::Queen;
use super::{ASIDE, BOUTS, OffWithTheirHeads, Phase};
use wonderpost_rules::random_games::RandomGames;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Decision, Rules, Seat, View, Viewer, deal, decide_line};

/// Plays a random game and shows every decision to `check`, with the state before it.
fn play(seats: u8, rounds: u8, number: u64, mut check: impl FnMut(&OffWithTheirHeads, &Decision<OffWithTheirHeads>)) {
    let seed = Seed::of_number(number);
    let mut rng = SmallRng::seed_from_u64(number);
    let begun = OffWithTheirHeads::begin(Options { rounds }, seats).unwrap();
    let mut decided = deal::<OffWithTheirHeads>(Options { rounds }, seats, &mut seed.chance(0)).unwrap();
    let mut drawn = decided.draws.len() as u64;
    check(&begun, &decided);
    loop {
        let state = decided.state;
        let awaited: Vec<Seat> = state.awaiting().iter().collect();
        let Some(seat) = awaited.choose(&mut rng) else { return };
        let moves = state.legal_moves(*seat);
        let mv = choose(&moves, &mut rng);
        decided = decide_line(&state, *seat, &mv.to_string(), &mut seed.chance(drawn)).unwrap();
        drawn += decided.draws.len() as u64;
        check(&state, &decided);
    }
}

/// Marks that bring something, half of the time, so that games show something.
fn choose(moves: &[Move], rng: &mut SmallRng) -> Move {
    let lively: Vec<Move> = match rng.random_bool(0.5) {
        true => moves.iter().copied().filter(|mv| mv.to_string().contains("keep")).collect(),
        false => vec![],
    };
    *lively.choose(rng).or_else(|| moves.choose(rng)).expect("whoever is awaited has a move")
}

fn games() -> impl Iterator<Item = (u8, u8, u64)> {
    (2..=4).flat_map(|seats| (1..=3).flat_map(move |rounds| (0..6).map(move |number| (seats, rounds, number))))
}

/// The cards are the whole deck.
fn no_card_is_lost(state: &OffWithTheirHeads) {
    let players = &state.players;
    let in_bout: Vec<_> = match state.phase {
        Phase::Mark => state.ranking.iter().map(|ranked| ranked.card).collect(),
        _ => state.face_up.into_iter().chain(state.face_down).collect(),
    };
    let piles = [&state.deck[..], &state.discard[..], &in_bout[..]];
    let held: usize = players.iter().map(|player| player.hand.len() + player.all_aside().len()).sum();
    assert_eq!(piles.iter().map(|pile| pile.len()).sum::<usize>() + held, 52);
    let all = players.iter().fold(piles.concat().into_iter().collect::<CardSet>(), |all, player| {
        all.with(player.hand).with(player.all_aside())
    });
    assert_eq!(all, CardSet::ALL);
}

#[test]
fn thousands_of_games_of_all_sizes_and_lengths_keep_the_contract() {
    const GAMES: u64 = 2_025;
    let tables = (2..=4).flat_map(|seats| (1..=3).map(move |rounds| (seats, Options { rounds })));
    let finished = RandomGames::<OffWithTheirHeads> {
        tables: tables.collect(),
        games: GAMES,
        leave_after: None,
        choose,
        has_other_forms: |_| false,
        holds: no_card_is_lost,
    }
    .play();
    assert_eq!(finished, GAMES);
}

#[test]
fn hands_chance_and_the_queen_follow_the_course_of_play() {
    for (seats, rounds, number) in games() {
        let mut shuffles = 0;
        let mut over = false;
        play(seats, rounds, number, |_, decided| {
            let state = &decided.state;
            shuffles += decided.draws.len();
            over = state.phase == Phase::Over;
            assert_eq!(shuffles, usize::from(state.round));
            let bouts = (state.round - 1) * BOUTS + state.bout - 1 + u8::from(over);
            assert_eq!(state.queen, Queen::ROUND[usize::from(bouts % 4)]);
            for player in &state.players {
                if state.phase == Phase::Choose {
                    assert_eq!(player.hand.len(), usize::from(state.hand_size() - (state.bout - 1)));
                }
                let rounds_done = if over { state.round } else { state.round - 1 };
                assert_eq!(player.all_aside().len(), usize::from(ASIDE / rounds * rounds_done));
            }
            if state.phase == Phase::Mark {
                let zones: Vec<Zone> = state.zones().map(|(_, zone)| zone).collect();
                assert_eq!(zones, [Zone::Meadow, Zone::Woods, Zone::Woods, Zone::Keep]);
            }
        });
        assert!(over);
        assert_eq!(shuffles, usize::from(rounds));
    }
}

fn check_sheet(sheet: &Sheet) {
    let marked = sheet.cells();
    for index in 0..MUSHROOMS {
        let mut numbers = sheet.mushroom(index).to_vec();
        numbers.sort_unstable();
        assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(numbers.iter().all(|number| (1..=11).contains(number)));
    }
    assert!((0..TREES).filter_map(|tree| sheet.tree(tree)).all(|number| (1..=11).contains(&number)));
    for cell in (0..CELLS).filter(|cell| marked >> cell & 1 == 1) {
        let entrance = ground().entrances.contains(&cell);
        assert!(entrance || ground().beside[cell] & marked != 0);
        let space = Space::at(Place::Cell(cell)).unwrap();
        if let Colours::One(colour) = ground().colours[space.index()] {
            assert!(marked >> ground().entrance(colour) & 1 == 1, "{space} before its gate");
        }
    }
    assert!(sheet.spent() <= sheet.gained() && sheet.gained() <= 6);
    let points = sheet.points();
    let parts = [points.meadow, points.woods, points.jabberwock, points.full_woods, points.keep, points.red_keep];
    assert_eq!(parts.iter().sum::<i64>() + points.tea_party, points.total);
    assert!(points.woods <= 36);
    assert_eq!(points.jabberwock, if sheet.keeps_jabberwock_asleep() { points.woods } else { 0 });
}

#[test]
fn sheets_keep_their_rules_and_nothing_on_them_is_ever_undone() {
    for (seats, rounds, number) in games() {
        play(seats, rounds, number, |before, decided| {
            for (before, now) in before.players.iter().zip(&decided.state.players) {
                let [before, now] = [&before.chain.sheet, &now.chain.sheet];
                check_sheet(now);
                assert!(before.gained() <= now.gained() && before.spent() <= now.spent());
                assert!(before.guests().iter().all(|guest| now.guests().contains(guest)));
                assert!(before.keeps_jabberwock_asleep() || !now.keeps_jabberwock_asleep());
                for index in 0..MUSHROOMS {
                    assert!(now.mushroom(index).starts_with(before.mushroom(index)));
                }
                assert!((0..TREES).all(|tree| before.tree(tree).is_none() || before.tree(tree) == now.tree(tree)));
                assert!((0..CELLS).all(|cell| before.cell(cell).is_none() || before.cell(cell) == now.cell(cell)));
            }
        });
    }
}

#[test]
fn there_is_one_winner_with_the_highest_total() {
    for (seats, rounds, number) in games() {
        play(seats, rounds, number, |_, decided| {
            let Some(result) = decided.state.result() else { return };
            let scores: Vec<i64> = decided.state.scores().into_iter().flatten().collect();
            assert_eq!(result.winners.len(), 1);
            let winner = result.winners.iter().next().unwrap();
            assert_eq!(scores.iter().max(), Some(&scores[winner.index()]));
            let bonuses: Vec<i64> =
                decided.state.ending.as_ref().unwrap().showdown.iter().map(|shown| shown.bonus).collect();
            assert_eq!(bonuses.iter().filter(|bonus| **bonus == 5).count(), 1);
        });
    }
}

#[test]
fn nobody_hears_of_the_marks_of_others_before_the_bout_ends() {
    for (seats, rounds, number) in games() {
        play(seats, rounds, number, |before, decided| {
            let mut state = before.clone();
            for event in &decided.events {
                for viewer in Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public]) {
                    let told = state.describe_event(event, viewer);
                    match event.deed() {
                        Some((seat, _)) if viewer == Viewer::Seat(seat) => assert!(told.is_some()),
                        // That a chain is done is public.
                        Some((seat, _)) => {
                            let done = format!("{} finishes painting.", seat.mark());
                            assert!(told.as_ref().is_none_or(|told| *told == done));
                        }
                        None => assert!(told.is_some()),
                    }
                    if let Event::Chose { seat, card } = event
                        && viewer != Viewer::Seat(*seat)
                    {
                        assert!(!told.unwrap().contains(&super::cards::short(*card)));
                    }
                }
                state.apply(event);
            }
        });
    }
}

/// Every move that others may notice has something to tell them, and whoever reads is “you”.
#[test]
fn no_entry_of_the_log_is_empty_and_readers_are_you() {
    for (seats, number) in [(2, 1), (3, 2), (4, 3)] {
        play(seats, 1, number, |before, decided| {
            let concealed =
                |state: &OffWithTheirHeads| -> usize { Seat::all(seats).map(|seat| state.concealed_moves(seat)).sum() };
            for viewer in Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public]) {
                let mut state = before.clone();
                let mut told = vec![];
                for event in &decided.events {
                    told.extend(state.describe_event(event, viewer));
                    state.apply(event);
                }
                assert!(!told.is_empty() || concealed(&state) > concealed(before), "{:?}", decided.events);
                let own = viewer.seat().map(|seat| seat.mark());
                assert!(!told.iter().any(|line| own.is_some_and(|own| line.contains(own))), "{told:?}");
                assert!(!told.iter().any(|line| ["woods-", "meadow-", "keep-"].iter().any(|code| line.contains(code))));
            }
        });
    }
}

/// OWH-30, and invariant 11.
#[test]
fn views_do_not_depend_on_what_their_viewer_cannot_know() {
    for (seats, rounds, number) in games().filter(|(_, _, number)| *number == 0) {
        let mut rng = SmallRng::seed_from_u64(number);
        let mut differ = 0;
        play(seats, rounds, number, |_, decided| {
            let state = &decided.state;
            for viewer in Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public]) {
                let resampled = state.resample_hidden(viewer, &mut rng);
                let [there, here] =
                    [&resampled, state].map(|state| serde_json::to_value(View::new(state, viewer)).unwrap());
                assert_eq!(there, here);
                differ += usize::from(resampled != *state);
                // What was set aside in earlier rounds was never seen since.
                for player in &resampled.players {
                    for (round, aside) in player.aside.iter().enumerate() {
                        let seen = resampled.discarded[round.min(resampled.discarded.len())..].iter();
                        assert!(seen.clone().all(|seen| aside.without(*seen) == *aside));
                    }
                }
            }
        });
        assert!(differ > 0);
    }
}

#[test]
fn odd_events_do_no_harm() {
    let seat = Seat::new(4).unwrap();
    let events = r#"["bout-ended", "round-ended", {"skipped": {"seat": 8}}, {"lost": {"seat": 1, "declined": true}},
        {"turned": {"face_up": "AS"}}, {"turned": {"face_up": "AS", "face_down": "2S"}}, {"chose": {"seat": 7, "card": "AS"}},
        {"marked": {"seat": 1, "mark": {"space": "keep-d3", "number": 9, "color": "red"}}},
        {"revealed": {"ranking": [{"card": "AS", "seat": 1}, {"card": "BJ", "seat": 8}, {"card": "2S"}, {"card": "3S"}]}},
        {"marked": {"seat": 1, "mark": {"space": "keep-d3", "number": 9, "color": "red"}}},
        {"dealt": {"round": 1, "hands": [], "deck": []}}, "bout-ended", {"over": {"showdown": [], "totals": [], "winner": 4}}]"#;
    let events: Vec<Event> = serde_json::from_str(events).unwrap();
    let mut state = OffWithTheirHeads::begin(Options::default(), 2).unwrap();
    for event in &events {
        for viewer in [Viewer::Public, Viewer::Seat(seat)] {
            let _ = state.describe_event(event, viewer);
            let _ = serde_json::to_value(View::new(&state, viewer)).unwrap();
        }
        state.apply(event);
    }
    assert_eq!(state.phase, Phase::Over);
}

#[test]
fn colours_of_cards_are_those_of_their_suits() {
    for (card, colour) in [("2H", Colour::Red), ("KD", Colour::Red), ("AS", Colour::Black), ("10C", Colour::Black)] {
        assert_eq!(Colour::of(card.parse().unwrap()), colour);
    }
}
