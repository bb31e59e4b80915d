use std::collections::BTreeSet;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::moves::{Move, Transfer};
use super::super::phase::Action;
use super::board;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Board, Catalogued, Rules, Scene, Seat, View, Viewer, deal, decide_line, read_options};

/// The parts of a board one after the other.
fn html(board: Board) -> String {
    [board.picture, board.controls, board.hand, board.details].concat()
}

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
    let first = html(board(view, None, &scene(None)));
    let mut pages = vec![];
    for link in attributes(&first, "href").into_iter().filter_map(|link| link.strip_prefix("?begun=")) {
        let begun = link.trim_end_matches("#board").replace("%20", " ");
        pages.push(html(board(view, None, &scene(Some(&begun)))));
    }
    pages.push(first);
    pages.iter().flat_map(|page| attributes(page, "value")).map(str::to_owned).collect()
}

/// A move as its player tells it from others: tickets to the same place for the same cards are one.
fn merged(mv: &Move) -> String {
    match mv {
        Move::Act(Action::Travel(by, to), Some(cards)) if *by != Transfer::Tavern => format!("ticket {to} {cards}"),
        _ => mv.to_string(),
    }
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
                let lines = sayable(&view);
                let said: BTreeSet<String> =
                    lines.iter().filter_map(|line| line.to_lowercase().parse().ok()).map(|mv| merged(&mv)).collect();
                for mv in &view.moves {
                    assert!(said.contains(&merged(mv)), "{mv} of {:?} cannot be said", view.phase);
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
    let page = html(board(&played.view(Seat::new(1).unwrap()), None, &Scene::default()));
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
    let page = html(board(&now, Some(&before), &scene(None)));
    assert!(page.contains("class=\"route seat-1\""));
    assert!(page.contains("You are now at the palace of the Queen of hearts."));
    let public = View::new(&decision.state, Viewer::Public);
    let page = html(board(&public, Some(&before), &Scene::default()));
    assert!(page.contains(&format!("{} is now at the palace", seat.mark())));
}

/// A table at the first journey of its first seat.
fn journey(number: u64) -> (Played, View<MessengerRabbits>) {
    let mut played = Played::new(&json!({}), 3, number);
    let seat = Seat::FIRST;
    while played.view(seat).prompt != Some("journey") {
        assert!(played.step());
    }
    let view = played.view(seat);
    (played, view)
}

#[test]
fn a_contest_is_warned_of_before_one_goes() {
    let (_, mut view) = journey(3);
    let mine = view.mine.as_mut().unwrap();
    mine.hand = "2S 4H".parse().unwrap();
    let page = html(board(&view, None, &scene(None)));
    assert!(page.contains("2 rabbits may contest; you hold hearts 4 of 6"));
    let palace: Move = "go qh".parse().unwrap();
    assert_eq!(
        MessengerRabbits::describe_move(&view, &palace),
        "Hop to the palace of the Queen of hearts (2 rabbits may contest; you hold hearts 4 of 6)"
    );
    assert!(MessengerRabbits::asks_first(&view, &palace));
    // Nobody contests at a tower, and with six hearts one is safe.
    assert!(!MessengerRabbits::asks_first(&view, &"go kc".parse().unwrap()));
    view.mine.as_mut().unwrap().hand = "2S 6H".parse().unwrap();
    assert!(!MessengerRabbits::asks_first(&view, &palace));
    // The Queen's own guest is never contested.
    view.mine.as_mut().unwrap().hand = "2S QH".parse().unwrap();
    assert!(!html(board(&view, None, &scene(Some("to qh")))).contains("may contest; you hold hearts 10 of 6.</p>"));
}

#[test]
fn what_was_shown_and_is_still_in_hand_is_remembered() {
    let mut played = Played::new(&json!({}), 2, 5);
    let (seat, shown) = loop {
        let seat = played.state.awaiting().iter().next().unwrap();
        let shows = played.state.legal_moves(seat).into_iter().find_map(|mv| match mv {
            Move::Show(cards) => Some(cards),
            _ => None,
        });
        if let Some(shown) = shows {
            let line = format!("show {shown}");
            let decision = decide_line(&played.state, seat, &line, &mut played.seed.chance(played.drawn)).unwrap();
            played.state = decision.state;
            break (seat, shown);
        }
        assert!(played.step());
    };
    let other = View::new(&played.state, Viewer::Seat(seat.next(2)));
    assert_eq!(other.table.known[seat.index()], shown);
    assert!(html(board(&other, None, &Scene::default())).contains("shown, still in hand"));
    assert!(serde_json::to_value(&other).unwrap()["table"].get("known").is_none());
}

#[test]
fn the_way_of_a_ticket_is_drawn_while_it_is_pointed_at_and_once_it_is_chosen() {
    let (_, view) = journey(3);
    let page = board(&view, None, &scene(None));
    let roads = view.moves.iter().filter(|mv| matches!(mv, Move::Go(_))).count();
    assert!(page.picture.matches("<g class=\"track\"").count() >= roads - 1);
    let ticket = view.moves.iter().find_map(|mv| match mv {
        Move::Act(Action::Travel(by, to), _) if *by != Transfer::Tavern => Some(*to),
        _ => None,
    });
    if let Some(to) = ticket {
        let chosen = board(&view, None, &scene(Some(&format!("to {to}"))));
        assert!(chosen.picture.contains("<g class=\"track always\""));
    }
}

#[test]
fn every_ticket_has_a_way() {
    for (number, (seats, options)) in tables().iter().enumerate() {
        let mut played = Played::new(options, *seats, 80 + number as u64);
        for _ in 0..60 {
            let Some(seat) = played.state.awaiting().iter().next() else { break };
            let view = played.view(seat);
            let mut tickets = BTreeSet::new();
            for mv in &view.moves {
                if let Move::Act(Action::Travel(_, to), _) = mv {
                    tickets.insert(to.to_string());
                }
            }
            for to in tickets {
                let chosen = board(&view, None, &scene(Some(&format!("to {to}"))));
                assert!(chosen.picture.contains("<g class=\"track always\""), "{to}");
            }
            if !played.step() {
                break;
            }
        }
    }
}

#[test]
fn chips_tell_how_far_each_rabbit_is_from_winning() {
    let (_, mut view) = journey(3);
    view.table.royals[1] = "KS QD".parse().unwrap();
    view.table.royals[2] = "KS QD JC".parse().unwrap();
    view.table.hands = vec![3, 6, 4];
    let chips = board(&view, None, &Scene::default()).seats;
    assert_eq!(chips, ["3 to go · 3 cards", "K♠ Q♦ · 1 to go · 6 cards", "K♠ Q♦ J♣ · trio complete · 4 cards"]);
}

#[test]
fn a_table_that_ended_early_asks_nothing_and_waits_for_nobody() {
    let (_, view) = journey(3);
    let page = board(&view, None, &Scene { ended_early: true, ..scene(None) });
    assert!(
        !page.controls.contains("Where to") && !page.controls.contains("choosing") && !page.controls.contains("dice")
    );
    let page = html(page);
    assert!(!page.contains("<button") && !page.contains("turn.") && !page.contains("player active"));
}

#[test]
fn the_plan_for_contests_stands_beside_the_hand() {
    let (_, view) = journey(3);
    let planned = vec![("contest", "Never contest (as the table was opened)".to_owned())];
    let page = board(&view, None, &Scene { planned, ..scene(None) });
    assert!(page.hand.contains("Your plan for contests: Never contest. <a href=\"#answers\">"));
    assert!(!board(&view, None, &scene(None)).hand.contains("#answers"));
}

#[test]
fn every_symbol_of_the_map_is_in_its_key() {
    let (_, view) = journey(3);
    let picture = board(&view, None, &scene(None)).picture;
    let key = picture.split("map-key").nth(1).unwrap();
    for symbol in ["icon-hike", "icon-horse", "icon-boat", "icon-cave", "icon-tavern", "rabbit-1", "carrot-1"] {
        assert!(key.contains(&format!("href=\"#{symbol}\"")), "{symbol}");
    }
    for class in ["road mine", "route air", "track-line", "home rich", "tag-on-map free", "tile clubs"] {
        assert!(key.contains(class), "{class}");
    }
}

#[test]
fn moves_are_told_with_signs_and_never_in_codes() {
    let codes = |words: &str| {
        words.split([' ', ',', '(', ')']).any(|word| word.parse::<Cards>().is_ok_and(|cards| !cards.is_empty()))
    };
    for (number, (seats, options)) in tables().iter().enumerate() {
        let mut played = Played::new(options, *seats, 90 + number as u64);
        for _ in 0..60 {
            let Some(seat) = played.state.awaiting().iter().next() else { break };
            let view = played.view(seat);
            for mv in &view.moves {
                let words = MessengerRabbits::describe_move(&view, mv);
                assert!(!codes(&words), "{words}");
            }
            if !played.step() {
                break;
            }
        }
    }
}
