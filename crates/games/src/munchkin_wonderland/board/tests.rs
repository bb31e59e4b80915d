use std::collections::BTreeSet;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::super::options::Options;
use super::super::place::Place;
use super::super::tables::tables;
use super::ways::direction;
use super::*;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Catalogued, Rules, deal, decide_line};

/// All parts of a page but the drawings that they refer to, as they stand on it.
fn board(view: &View<MunchkinWonderland>, before: Option<&View<MunchkinWonderland>>, scene: &Scene) -> String {
    let board = super::board(view, before, scene);
    [board.picture, board.controls, board.hand, board.details].concat()
}

fn scene(begun: Option<&str>) -> Scene {
    Scene {
        post_to: Some("/tables/7/moves".to_owned()),
        step: "12".to_owned(),
        begun: begun.map(str::to_owned),
        ..Scene::default()
    }
}

/// All moves that the page offers, and the choices that it lets one begin.
fn offered(html: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let all = |before: &str, after: char| -> BTreeSet<String> {
        let values = html.split(before).skip(1).filter_map(|rest| rest.split(after).next());
        values.map(|value| value.replace("%20", " ")).collect()
    };
    (all("name=\"say\" value=\"", '"'), all("href=\"?begun=", '#'))
}

fn keeps_to_the_content_policy(html: &str) {
    for forbidden in [" style=", "<style", "<script", "javascript:", " onclick", " onload", "http:", "https:", "data:"]
    {
        assert!(!html.contains(forbidden), "{forbidden} in {html}");
    }
}

/// All that the page and the pages begun from it offer.
fn offered_in_all(view: &View<MunchkinWonderland>) -> BTreeSet<String> {
    let mut says = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![None];
    while let Some(begun) = open.pop() {
        let html = board(view, None, &scene(begun.as_deref()));
        keeps_to_the_content_policy(&html);
        let (more, begins) = offered(&html);
        assert!(!more.is_empty(), "nothing comes of {begun:?}");
        says.extend(more);
        open.extend(begins.into_iter().filter(|begun| seen.insert(begun.clone())).map(Some));
    }
    says
}

#[test]
fn the_pages_of_random_games_offer_every_legal_move_and_tell_nothing_hidden() {
    let mut rng = SmallRng::seed_from_u64(1871);
    for (number, seats) in [(1, 2), (2, 6)] {
        let mut chance = Seed::of_number(number).chance(0);
        let mut state = deal::<MunchkinWonderland>(Options::default(), seats, &mut chance).unwrap().state;
        let mut before: Vec<Option<View<MunchkinWonderland>>> = vec![];
        while state.result().is_none() {
            let viewers: Vec<Viewer> = Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public]).collect();
            before.resize_with(viewers.len(), || None);
            for (viewer, before) in viewers.iter().zip(&mut before) {
                // Many pages of those who are awaited, some of the others.
                let view = View::new(&state, *viewer);
                if !rng.random_ratio(if view.moves.is_empty() { 1 } else { 10 }, 40) {
                    continue;
                }
                let html = board(&view, before.as_ref(), &scene(None));
                let resampled = View::new(&state.resample_hidden(*viewer, &mut rng), *viewer);
                assert_eq!(html, board(&resampled, before.as_ref(), &scene(None)), "the page tells what is hidden");
                if view.moves.is_empty() {
                    assert_eq!(offered(&html), Default::default());
                } else {
                    let legal: BTreeSet<String> = view.moves.iter().map(ToString::to_string).collect();
                    let offered = offered_in_all(&view);
                    assert!(offered.is_superset(&legal), "{legal:?} are legal, {offered:?} are offered");
                    // Calls for help may come in any order.
                    assert!(offered.difference(&legal).all(|line| line.starts_with("ask ")));
                }
                *before = Some(view);
            }
            let awaited: Vec<Seat> = state.awaiting().iter().collect();
            let seat = *awaited.choose(&mut rng).unwrap();
            let line = state.legal_moves(seat).choose(&mut rng).unwrap().to_string();
            state = decide_line(&state, seat, &line, &mut chance).unwrap().state;
        }
        let view = View::new(&state, Viewer::Public);
        let html = board(&view, None, &scene(None));
        keeps_to_the_content_policy(&html);
        assert!(html.contains("The purses, laid open") && offered(&html).0.is_empty());
    }
}

/// Plays a game by random moves until it looks like this to the seat that is awaited.
fn until(
    seats: u8,
    first_seed: u64,
    wanted: impl Fn(&View<MunchkinWonderland>) -> bool,
) -> (View<MunchkinWonderland>, MunchkinWonderland) {
    for number in first_seed.. {
        let mut rng = SmallRng::seed_from_u64(number);
        let mut chance = Seed::of_number(number).chance(0);
        let mut state = deal::<MunchkinWonderland>(Options::default(), seats, &mut chance).unwrap().state;
        loop {
            let awaited: Vec<Seat> = state.awaiting().iter().collect();
            let Some(seat) = awaited.choose(&mut rng) else { break };
            let view = View::new(&state, Viewer::Seat(*seat));
            if wanted(&view) {
                return (view, state);
            }
            let line = state.legal_moves(*seat).choose(&mut rng).unwrap().to_string();
            state = decide_line(&state, *seat, &line, &mut chance).unwrap().state;
        }
        let over = View::new(&state, Viewer::Public);
        if wanted(&over) {
            return (over, state);
        }
    }
    unreachable!("seeds do not run out")
}

#[test]
fn one_who_only_looks_gets_no_controls() {
    let (view, _) = until(3, 0, |view| view.prompt == Some("fight"));
    let html = board(&view, None, &Scene::default());
    for control in ["<button", "?begun=", "<textarea"] {
        assert!(!html.contains(control), "{control}");
    }
    assert!(html.contains("short"));
}

#[test]
fn secret_answers_are_on_nobody_elses_page() {
    let open = |view: &View<MunchkinWonderland>| {
        view.prompt == Some("help") && view.awaiting.len() < view.table.fight.as_ref().unwrap().asked.len()
    };
    let (view, state) = until(5, 0, open);
    let fight = view.table.fight.as_ref().unwrap();
    let answered = *fight.asked.iter().find(|seat| !view.awaiting.contains(seat)).unwrap();
    let pages = |viewer: Viewer| board(&View::new(&state, viewer), None, &scene(None));
    assert!(pages(Viewer::Seat(answered)).contains("You have said that you will"));
    for viewer in Seat::all(5).filter(|seat| *seat != answered).map(Viewer::Seat).chain([Viewer::Public]) {
        let html = pages(viewer);
        assert!(!html.contains("You have said that") && html.contains("answered in secret"));
    }
}

#[test]
fn a_call_for_help_is_put_together_in_the_order_of_asking() {
    let (view, _) =
        until(4, 0, |view| view.prompt == Some("fight") && view.table.fight.as_ref().unwrap().can_ask.len() == 3);
    let near = &view.table.fight.as_ref().unwrap().can_ask;
    let [first, second, third] = near[..] else { panic!("three are in reach") };
    let html = board(&view, None, &scene(Some(&format!("ask {third} {first}"))));
    let (says, begins) = offered(&html);
    assert!(says.contains(&format!("ask {third} {first}")));
    assert!(begins.contains(&format!("ask {third} {first} {second}")));
    for odd in ["ask", "ask 9", &format!("ask {first} {first}"), "use thimble", "<script>", "dance"] {
        let (odd, plain) = (board(&view, None, &scene(Some(odd))), board(&view, None, &scene(None)));
        assert!(odd == plain || view.moves.iter().any(|mv| mv.to_string().starts_with("use thimble")));
    }
}

#[test]
fn a_fight_tells_what_a_helper_would_need() {
    let (view, _) = until(2, 0, |view| {
        view.prompt == Some("fight")
            && !view.table.fight.as_ref().unwrap().can_ask.is_empty()
            && view.table.friends.iter().all(Vec::is_empty)
    });
    let gap = view.table.fight.as_ref().unwrap().gap();
    let html = board(&view, None, &scene(None));
    let needs = match gap {
        0 | 1 => "any die will do".to_owned(),
        2..=5 => format!("needs {gap}+ on the die"),
        6 => "needs a 6".to_owned(),
        _ => "a die is not enough".to_owned(),
    };
    assert!(html.contains(&needs), "{needs}");
}

#[test]
fn a_game_that_ended_early_asks_for_nothing() {
    for prompt in ["move", "fight", "help", "discard"] {
        let (view, _) = until(3, 0, |view| view.prompt == Some(prompt));
        let board = super::board(&view, None, &Scene { ended_early: true, ..scene(None) });
        assert!(board.controls.contains("The game stopped in round"), "{prompt}");
        let html = [board.picture, board.controls, board.hand, board.details].concat();
        for control in ["<button", "?begun=", "<textarea", "on-turn", "not heard yet", "mw-lit"] {
            assert!(!html.contains(control), "{control} while {prompt}");
        }
    }
}

#[test]
fn the_row_of_seats_tells_cards_friends_and_places() {
    let (view, _) = until(2, 0, |view| !view.table.friends[0].is_empty());
    let table = &view.table;
    let power: u8 = table.friends[0].iter().map(|friend| friend.bonus()).sum();
    let chip = &super::board(&view, None, &Scene::default()).seats[0];
    let cards = table.hand_counts[0];
    assert!(chip.starts_with(&format!("{cards} card")) && chip.contains(&format!(" · Friends +{power} · ")), "{chip}");
}

#[test]
fn running_is_asked_about_while_a_card_would_win() {
    let sure = |view: &View<MunchkinWonderland>| {
        view.prompt == Some("fight")
            && view.moves.iter().any(|mv| {
                let fight = view.table.fight.as_ref().unwrap();
                let told = super::super::odds::words(&super::super::odds::prospects(fight, &fight.fighter, mv));
                told.is_some_and(|told| told.ends_with("that wins"))
            })
    };
    let (view, _) = until(2, 0, sure);
    assert!(MunchkinWonderland::asks_first(&view, &Move::Run));
    let (view, _) = until(2, 0, |view| view.prompt == Some("fight") && !sure(view));
    assert!(!MunchkinWonderland::asks_first(&view, &Move::Run));
}

#[test]
fn every_way_out_of_a_place_has_a_direction_of_its_own() {
    for place in Place::all() {
        let directions: BTreeSet<&str> = place.neighbours().iter().map(|next| direction(place, next)).collect();
        assert_eq!(directions.len(), place.neighbours().len(), "{place}");
    }
}

#[test]
fn ways_are_told_in_words() {
    let (view, _) = until(2, 0, |view| {
        let table = &view.table;
        let there = table.places[table.turn.index()] == Place::entrance();
        view.prompt == Some("move") && there && table.roll.unwrap().value == 6
    });
    let scene = scene(None);
    let page = Board::new(&view, None, &scene);
    // From the Entrance a six leads to each of the Rooms.
    let words: Vec<&str> = page.ways.iter().map(|way| &*way.words).collect();
    assert!(words.contains(&"up, 6 spaces: the Jabberwock's Room"), "{words:?}");
    assert_eq!(page.ways.len(), 6);
}

#[test]
fn controls_lie_where_the_tables_put_the_places() {
    let style = include_str!("../../../styles/munchkin-wonderland.css");
    for place in &tables().board.places {
        let percent = |at: i32| f64::from(at + 20) / 10.4;
        let rule = format!(".mw-at-{} {{ left: {:.1}%; top: {:.1}%; }}", place.id, percent(place.x), percent(place.y));
        assert!(style.contains(&rule), "{rule}");
    }
}
