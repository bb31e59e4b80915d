use std::collections::BTreeSet;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

use super::super::MessengerRabbits;
use super::super::moves::Move;
use super::super::phase::Action;
use super::board;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Rules, Scene, Seat, View, Viewer, deal, decide_line, read_options};

/// A table in play.
struct Played {
    state: MessengerRabbits,
    seed: Seed,
    drawn: u64,
    rng: SmallRng,
}

impl Played {
    fn new(options: &Value, seats: u8, number: u64) -> Played {
        let seed = Seed::of_number(number);
        let options = read_options(options).unwrap();
        let decision = deal(options, seats, &mut seed.chance(0)).unwrap();
        let drawn = decision.draws.len() as u64;
        Played { state: decision.state, seed, drawn, rng: SmallRng::seed_from_u64(number) }
    }

    /// Makes a move that is worth looking at; whether there was one.
    fn step(&mut self) -> bool {
        let Some(seat) = self.state.awaiting().iter().next() else { return false };
        let moves = self.state.legal_moves(seat);
        let claims: Vec<&Move> = moves.iter().filter(|mv| matches!(mv, Move::Act(Action::Claim(_), _))).collect();
        let line = claims.first().copied().or(moves.choose(&mut self.rng)).unwrap().to_string();
        let decision = decide_line(&self.state, seat, &line, &mut self.seed.chance(self.drawn)).unwrap();
        self.drawn += decision.draws.len() as u64;
        self.state = decision.state;
        true
    }

    fn view(&self, seat: Seat) -> View<MessengerRabbits> {
        View::new(&self.state, Viewer::Seat(seat))
    }
}

fn scene(begun: Option<&str>) -> Scene {
    Scene {
        post_to: Some("/tables/7/moves".to_owned()),
        step: "12".to_owned(),
        begun: begun.map(str::to_owned),
        ..Scene::default()
    }
}

/// What stands in an attribute of a page, each time.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("{name}=\"");
    html.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// All moves that can be said on a page or on those that its links begin.
fn sayable(view: &View<MessengerRabbits>) -> BTreeSet<String> {
    let first = board(view, None, &scene(None));
    let mut pages = vec![];
    for link in attributes(&first, "href").into_iter().filter_map(|link| link.strip_prefix("?begun=")) {
        let begun = link.trim_end_matches("#choices").replace("%20", " ");
        pages.push(board(view, None, &scene(Some(&begun))));
    }
    pages.push(first);
    pages.iter().flat_map(|page| attributes(page, "value")).map(str::to_owned).collect()
}

fn tables() -> Vec<(u8, Value)> {
    vec![
        (2, json!({})),
        (3, json!({"board": "built", "tight_suits": true})),
        (4, json!({"special_trades": true, "advanced_citadel": true, "special_access": true, "special_flights": true})),
        (2, json!({"capital_aces": true, "additional_capital": true, "windfall_lottery": true, "board": "random"})),
    ]
}

#[test]
fn every_legal_move_is_a_control() {
    for (number, (seats, options)) in tables().iter().enumerate() {
        let mut played = Played::new(options, *seats, 40 + number as u64);
        for _ in 0..70 {
            for seat in played.state.awaiting().iter() {
                let view = played.view(seat);
                let said = sayable(&view);
                for mv in &view.moves {
                    assert!(said.contains(&mv.to_string()), "{mv} of {:?} cannot be said", view.phase);
                }
            }
            if !played.step() {
                break;
            }
        }
    }
}

#[test]
fn a_page_tells_nothing_that_is_hidden() {
    for (number, (seats, options)) in tables().iter().enumerate() {
        let mut played = Played::new(options, *seats, 60 + number as u64);
        for _ in 0..40 {
            let viewers = Seat::all(*seats).map(Viewer::Seat).chain([Viewer::Public]);
            for viewer in viewers {
                let resampled = played.state.resample_hidden(viewer, &mut played.rng);
                let page = |state: &MessengerRabbits| board(&View::new(state, viewer), None, &scene(None));
                assert_eq!(page(&resampled), page(&played.state));
            }
            if !played.step() {
                break;
            }
        }
    }
}

#[test]
fn nothing_can_be_done_where_there_is_nothing_but_to_look() {
    let played = Played::new(&json!({}), 2, 1);
    let page = board(&played.view(Seat::new(1).unwrap()), None, &Scene::default());
    assert!(!page.contains("<form") && !page.contains("<button") && !page.contains("begun="));
}

#[test]
fn what_is_begun_and_is_no_choice_is_passed_over() {
    let played = Played::new(&json!({}), 2, 1);
    let view = played.view(played.state.awaiting().iter().next().unwrap());
    let first = board(&view, None, &scene(None));
    for begun in ["", "to", "to moon", "to zz", "buy 7S", "offer 5D", "fly KS", "at e5", "<script>"] {
        assert_eq!(board(&view, None, &scene(Some(begun))), first, "{begun}");
    }
}

#[test]
fn a_way_just_taken_is_drawn_and_told() {
    let mut played = Played::new(&json!({}), 2, 3);
    let seat = Seat::new(1).unwrap();
    while played.state.legal_moves(seat).iter().all(|mv| mv.to_string() != "go QH") {
        assert!(played.step());
    }
    let before = played.view(seat);
    let decision = decide_line(&played.state, seat, "go QH", &mut played.seed.chance(played.drawn)).unwrap();
    let now = View::new(&decision.state, Viewer::Seat(seat));
    let page = board(&now, Some(&before), &scene(None));
    assert!(page.contains("class=\"route seat-1\""));
    assert!(page.contains("is now at the palace of the Queen of hearts."));
}
