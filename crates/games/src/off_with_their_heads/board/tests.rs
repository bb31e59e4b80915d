use std::collections::BTreeSet;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use super::super::chain::Chain;
use super::super::layout::layout;
use super::super::options::Options;
use super::super::space::{Place, Space, Zone};
use super::super::task::Task;
use super::super::{OffWithTheirHeads, Phase, sheet::Sheet};
use super::Board;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Catalogued, Level, Rules, Scene, Seat, View, Viewer, deal, decide_line};

const FIRST: Seat = Seat::new(1).unwrap();

/// All parts of a page but the drawings that they refer to, as they stand on it.
fn board(view: &View<OffWithTheirHeads>, before: Option<&View<OffWithTheirHeads>>, scene: &Scene) -> String {
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

/// What a page offers: moves that buttons say, and choices that links begin.
fn offered(html: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let values = |mark: &str, end: char| -> BTreeSet<String> {
        html.split(mark)
            .skip(1)
            .filter_map(|rest| rest.split(end).next())
            .map(|text| text.replace("%20", " "))
            .collect()
    };
    (values("name=\"say\" value=\"", '"'), values("href=\"?begun=", '#'))
}

/// The same but for the list, which offers everything again.
fn offered_on_the_sheet(html: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    offered(html.split("class=\"heads-more\"").next().unwrap())
}

fn keeps_to_the_content_policy(html: &str) {
    for forbidden in ["style=", "<script", "onclick", "javascript:", "http:"] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
}

/// Plays a game of bots, and shows every state to `check`.
fn play(seats: u8, number: u64, level: Level, mut check: impl FnMut(&OffWithTheirHeads)) {
    let seed = Seed::of_number(number);
    let mut rng = SmallRng::seed_from_u64(number);
    let decided = deal::<OffWithTheirHeads>(Options { rounds: 1 }, seats, &mut seed.chance(0)).unwrap();
    let mut state = decided.state;
    check(&state);
    loop {
        let awaited: Vec<Seat> = state.awaiting().iter().collect();
        let Some(seat) = awaited.choose(&mut rng) else { return };
        let mv = OffWithTheirHeads::bot(level, &View::new(&state, Viewer::Seat(*seat)), &mut rng)[0];
        state = decide_line(&state, *seat, &mv.to_string(), &mut seed.chance(1)).unwrap().state;
        check(&state);
    }
}

/// A table at which the first seat has these tasks to do.
fn with_tasks(marks: &[(&str, u8)], tasks: Vec<Task>) -> View<OffWithTheirHeads> {
    let mut state = deal::<OffWithTheirHeads>(Options::default(), 2, &mut Seed::of_number(1).chance(0)).unwrap().state;
    let mut sheet = Sheet::default();
    marks.iter().for_each(|(space, number)| sheet.paint(space.parse().unwrap(), *number));
    state.phase = Phase::Mark;
    state.players[0].chain = Chain::with_tasks(sheet, tasks);
    View::new(&state, Viewer::Seat(FIRST))
}

fn card(card: &str, zone: Zone) -> Task {
    Task::Card { card: card.parse().unwrap(), zone }
}

#[test]
fn every_legal_move_is_a_control_on_the_sheet_and_one_of_the_list() {
    for (seats, number) in [(2, 1), (3, 2), (4, 3)] {
        play(seats, number, Level::Easy, |state| {
            let view = View::new(state, Viewer::Seat(FIRST));
            let html = board(&view, None, &scene(None));
            keeps_to_the_content_policy(&html);
            let moves: BTreeSet<String> = view.moves.iter().map(ToString::to_string).collect();
            assert_eq!(offered(&html).0, moves, "the list and the sheet");
            let (mut reached, begun) = offered_on_the_sheet(&html);
            for begun in begun {
                let (asked, _) = offered_on_the_sheet(&board(&view, None, &scene(Some(&begun))));
                assert!(!asked.is_empty(), "{begun}");
                reached.extend(asked);
            }
            assert_eq!(reached, moves, "the sheet alone");
        });
    }
}

#[test]
fn a_board_is_the_same_whatever_its_viewer_cannot_know() {
    let mut rng = SmallRng::seed_from_u64(5);
    let mut step = 0;
    play(3, 5, Level::Decent, |state| {
        step += 1;
        for viewer in [Viewer::Public, Viewer::Seat(FIRST)].into_iter().filter(|_| step % 4 == 0) {
            let [there, here] = [&state.resample_hidden(viewer, &mut rng), state]
                .map(|state| board(&View::new(state, viewer), None, &scene(None)));
            assert_eq!(there, here);
        }
    });
}

#[test]
fn without_a_place_to_post_to_there_is_nothing_to_do() {
    let view = with_tasks(&[], vec![card("9H", Zone::Woods)]);
    let html = board(&view, None, &Scene::default());
    assert_eq!(offered(&html), Default::default());
    assert!(!html.contains("<form"));
}

#[test]
fn spaces_that_cost_a_teacup_look_different() {
    let view = with_tasks(&[], vec![card("9H", Zone::Woods)]);
    let scene = scene(None);
    let board = Board::new(&view, None, &scene);
    let lit = |zone: Zone| -> Vec<u8> {
        let own = board.own.as_ref().unwrap();
        own.pictures.iter().find(|picture| picture.zone == zone).unwrap().lit.iter().map(|lit| lit.teacups).collect()
    };
    // Red mushrooms and the red gate with a teacup for the zone; red trees free, black ones with a teacup for the colour.
    assert_eq!(lit(Zone::Meadow), [1, 1, 1]);
    assert_eq!(lit(Zone::Keep), [1]);
    assert_eq!(lit(Zone::Woods).iter().filter(|teacups| **teacups == 0).count(), 11);
    assert_eq!(board.own.as_ref().unwrap().pictures[0].zone, Zone::Woods, "the zone in question comes first");
}

#[test]
fn an_ace_asks_for_its_number_and_the_red_keep_for_any() {
    let ace = with_tasks(&[("meadow-3", 11)], vec![card("AH", Zone::Meadow)]);
    let (_, begun) = offered_on_the_sheet(&board(&ace, None, &scene(None)));
    assert!(begun.contains("mark meadow-1"));
    let (asked, _) = offered_on_the_sheet(&board(&ace, None, &scene(Some("mark meadow-1"))));
    assert_eq!(asked.into_iter().collect::<Vec<_>>(), ["mark meadow-1 as 1", "mark meadow-1 as 11"]);
    // An 11 stands in it already, so there is nothing to ask.
    let (said, _) = offered_on_the_sheet(&board(&ace, None, &scene(None)));
    assert!(said.contains("mark meadow-3 as 1"));

    let tasks = vec![Task::RedKeep { zone: Zone::Woods }, Task::RedKeep { zone: Zone::Meadow }];
    let red_keep = with_tasks(&[("meadow-1", 4)], tasks);
    let (asked, _) = offered_on_the_sheet(&board(&red_keep, None, &scene(Some("mark meadow-1"))));
    assert_eq!(asked.len(), 10);
    assert!(!asked.contains("mark meadow-1 as 4"));
}

#[test]
fn waking_the_jabberwock_is_asked_about_once_more() {
    let view = with_tasks(&[("woods-3", 9)], vec![card("9H", Zone::Woods)]);
    let asked: Vec<String> = view
        .moves
        .iter()
        .filter(|mv| OffWithTheirHeads::asks_first(&view, mv))
        .map(|mv| OffWithTheirHeads::describe_move(&view, mv))
        .collect();
    assert_eq!(
        asked,
        [
            "Paint 9 on tree 2 of the Woods",
            "Paint 9 on tree 4 of the Woods",
            "Paint 9 on tree 6 of the Woods, with a teacup for the colour"
        ]
    );
}

#[test]
fn moves_are_told_in_words() {
    let told =
        |view: &View<OffWithTheirHeads>, line: &str| OffWithTheirHeads::describe_move(view, &line.parse().unwrap());
    let ace = with_tasks(&[], vec![card("AH", Zone::Meadow)]);
    assert_eq!(told(&ace, "mark meadow-3 as 11"), "Paint 11 in the Two-Sides");
    assert_eq!(told(&ace, "mark keep-a4 as 1 zone"), "Paint 1 in cell a4 of the Keep, with a teacup for the zone");
    assert_eq!(told(&ace, "play 10H"), "Play 10♥");
    let red_keep = with_tasks(&[], vec![Task::RedKeep { zone: Zone::Woods }]);
    assert_eq!(told(&red_keep, "skip"), "Leave the Red Keep's mark in the Woods");
}

#[test]
fn a_space_shows_beforehand_what_painting_it_brings() {
    let marks = [("woods-10", 1), ("woods-11", 2), ("meadow-1", 4), ("meadow-2", 5)];
    let view = with_tasks(&marks, vec![card("9S", Zone::Woods)]);
    let scene = scene(None);
    let board = Board::new(&view, None, &scene);
    let of = |name: &str| board.choices.targets.iter().find(|target| target.space.to_string() == name).unwrap();
    // The March Hare and his circle, counted twice while the Jabberwock sleeps.
    assert_eq!((of("woods-15").ghost(), of("woods-15").points()), ("9".to_owned(), Some(6)));
    assert!(of("woods-15").options[0].guest.is_some());
    assert!(of("woods-3").options[0].icon.is_some());
    assert_eq!(of("woods-8").points(), None);
}

#[test]
fn cards_of_the_hand_stand_above_or_below_the_open_one() {
    let state = deal::<OffWithTheirHeads>(Options::default(), 2, &mut Seed::of_number(1).chance(0)).unwrap().state;
    let view = View::new(&state, Viewer::Seat(FIRST));
    let hand = super::hand::Hand::new(&view, true);
    let place = hand.cards.iter().position(|card| card.open).unwrap();
    assert_eq!(hand.cards.len(), 10);
    assert!(hand.cards[..place].iter().all(|card| card.is_above()));
    assert!(hand.cards[place + 1..].iter().all(|card| card.is_below()));
}

#[test]
fn a_game_that_ended_early_asks_for_nothing() {
    let view = with_tasks(&[], vec![card("9H", Zone::Woods)]);
    let board = super::board(&view, None, &Scene { ended_early: true, ..scene(None) });
    assert!(board.controls.contains("The game stopped in round 1, bout 1."));
    let html = [board.picture, board.controls, board.hand, board.details].concat();
    assert!(!html.contains("<form") && !html.contains("Paint a"), "{html}");
}

#[test]
fn the_row_of_seats_tells_teacups_and_guests() {
    let mut state = deal::<OffWithTheirHeads>(Options::default(), 2, &mut Seed::of_number(1).chance(0)).unwrap().state;
    ["woods-10", "woods-11", "woods-15"].iter().for_each(|tree| state.players[0].shown.paint(tree.parse().unwrap(), 3));
    let seats = super::board(&View::new(&state, Viewer::Public), None, &Scene::default()).seats;
    assert_eq!(seats, ["1 teacup · 1 guest", "1 teacup"]);
}

#[test]
fn what_is_begun_and_is_no_choice_is_passed_over() {
    let view = with_tasks(&[("woods-3", 9)], vec![card("AH", Zone::Woods)]);
    let plain = board(&view, None, &scene(None));
    for begun in ["mark woods-5 as 1", "mark woods-3", "dance", "", "lose", "<script>", "play 9H"] {
        assert_eq!(board(&view, None, &scene(Some(begun))), plain, "{begun}");
    }
}

#[test]
fn refused_lines_are_put_back_as_text() {
    let view = with_tasks(&[], vec![card("9H", Zone::Woods)]);
    let html = board(&view, None, &Scene { draft: "mark woods-1\n<b>".to_owned(), ..scene(None) });
    assert!(html.contains("mark woods-1\n&#60;b&#62;"), "escaped");
}

#[test]
fn the_points_add_up_line_by_line() {
    for seats in 2..=4 {
        play(seats, 9, Level::Decent, |state| {
            let view = View::new(state, Viewer::Public);
            let scene = Scene::default();
            let scores = Board::new(&view, None, &scene).scores;
            for seat in 0..usize::from(seats) {
                assert_eq!(scores.lines.iter().map(|line| line.points[seat]).sum::<i64>(), scores.total.points[seat]);
            }
        });
    }
}

#[test]
fn what_changed_since_the_step_before_is_said() {
    let before = with_tasks(&[("woods-10", 1), ("woods-11", 2)], vec![]);
    let now = with_tasks(&[("woods-10", 1), ("woods-11", 2), ("woods-15", 3), ("meadow-1", 3)], vec![]);
    let scene = Scene::default();
    let changes = Board::new(&now, Some(&before), &scene).changes;
    assert_eq!(
        changes,
        ["Your sheet: 3 in the Scarlet Cap", "Your sheet: 3 on tree 15", "Your sheet: The March Hare came to tea"]
    );
}

/// The controls lie over the pictures by rules of the stylesheet, since there are no inline styles.
#[test]
fn the_stylesheet_puts_each_control_over_its_space() {
    let style = include_str!("../../../styles/off-with-their-heads.css");
    for space in Space::all() {
        let rule = style.split(&format!(".at-{space} {{")).nth(1).unwrap_or_else(|| panic!("{space} has no place"));
        let percent = |name: &str| -> f64 {
            let rest = rule.split(&format!("{name}: ")).nth(1).unwrap();
            rest.split('%').next().unwrap().parse().unwrap()
        };
        // The middle of the space, within the box of its picture.
        let (x, y) = match space.place() {
            Place::Mushroom(index) => {
                let mushroom = &layout().meadow.mushrooms[index];
                (f64::from(mushroom.x) / 600.0, f64::from(mushroom.y - 10) / 260.0)
            }
            Place::Tree(index) => {
                let tree = &layout().woods.trees[index];
                (f64::from(tree.x) / 600.0, f64::from(tree.y) / 500.0)
            }
            Place::Cell(index) => {
                let cell = &layout().keep.cells[index];
                (f64::from(cell.x + 30) / 660.0, f64::from(cell.y + 18) / 468.0)
            }
        };
        assert!((percent("left") - 100.0 * x).abs() < 0.01, "{space}");
        assert!((percent("top") - 100.0 * y).abs() < 0.01, "{space}");
    }
}
