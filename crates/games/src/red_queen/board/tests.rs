use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::super::RedQueen;
use super::super::moves::Move;
use super::super::options::Options;
use super::super::tests::{after, dealt, seat};
use super::Page;
use super::choice::Choice;
use super::court::Court;
use super::goals::goals;
use super::seats::chips;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Catalogued, Rules, Scene, Seat, View, Viewer, deal, decide_line, decide_move};

const TOP: &str = "9C 10D 2S 3S 4S JS 2H RJ KD 5D 2D 3D 7H 6H 2C 4H";

/// All parts of the page, one after the other.
fn board(view: &View<RedQueen>, before: Option<&View<RedQueen>>, scene: &Scene) -> String {
    let board = super::board(view, before, scene);
    [board.picture, board.controls, board.hand, board.details, board.seats.concat()].concat()
}

fn scene(begun: Option<&str>) -> Scene {
    Scene {
        post_to: Some("/t/7/say".into()),
        step: "3".to_owned(),
        begun: begun.map(str::to_owned),
        ..Scene::default()
    }
}

fn view(state: &RedQueen, number: u8) -> View<RedQueen> {
    View::new(state, Viewer::Seat(seat(number)))
}

/// A besieged Queen: slot 1 is known, slot 2 face up, slot 3 unknown; it is seat 3's turn.
fn besieged() -> RedQueen {
    let (state, mut chance) = dealt(4, TOP, Options::default());
    after(state, &mut chance, &["1 place 9C", "1 place KD", "1 place 4S", "1 end", "2 attack 1 5D", "2 attack 2 JS"])
}

fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public])
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
        assert!(!html.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn the_pages_of_random_games_offer_every_legal_move_and_tell_nothing_hidden() {
    for seats in 2..=4u8 {
        let mut rng = StdRng::seed_from_u64(seats.into());
        let mut chance = Seed::of_number(seats.into()).chance(0);
        let mut state = deal::<RedQueen>(Options::default(), seats, &mut chance).unwrap().state;
        let mut earlier: Option<RedQueen> = None;
        while let Some(awaited) = state.awaiting().iter().next() {
            let now = View::new(&state, Viewer::Seat(awaited));
            if rng.random_ratio(1, 6) {
                let before = |viewer| earlier.as_ref().map(|state| View::new(state, viewer));
                let html = board(&now, before(Viewer::Seat(awaited)).as_ref(), &scene(None));
                keeps_to_the_content_policy(&html);
                let (mut says, begins) = offered(&html);
                for begun in begins {
                    let html = board(&now, None, &scene(Some(&begun)));
                    keeps_to_the_content_policy(&html);
                    let (more, _) = offered(&html);
                    assert!(!more.is_empty(), "nothing comes of {begun}");
                    says.extend(more);
                }
                assert_eq!(says, now.moves.iter().map(ToString::to_string).collect(), "offered and legal");
                for viewer in viewers(seats) {
                    let resampled = state.resample_hidden(viewer, &mut rng);
                    let before = before(viewer);
                    let pages = [&state, &resampled]
                        .map(|state| board(&View::new(state, viewer), before.as_ref(), &Scene::default()));
                    assert_eq!(pages[0], pages[1], "the page tells what is hidden");
                }
            }
            let mv = now.moves.choose(&mut rng).unwrap();
            let next = decide_move(&state, awaited, mv.clone(), &mut chance).unwrap().state;
            earlier = Some(std::mem::replace(&mut state, next));
        }
        let html = board(&View::new(&state, Viewer::Public), None, &scene(None));
        keeps_to_the_content_policy(&html);
        assert_eq!(offered(&html).0, BTreeSet::new());
    }
}

#[test]
fn a_shuffle_leaves_the_same_page_whatever_it_did() {
    let (_, mut chance) = dealt(4, TOP, Options::default());
    let state = after(besieged(), &mut chance, &["3 end", "4 end"]);
    let state = after(state, &mut chance, &["1 swap 2 7H"]);
    let moves = view(&state, 1).moves;
    let orders: Vec<String> =
        moves.iter().filter(|mv| matches!(mv, Move::Shuffle { .. })).map(Move::to_string).collect();
    assert_eq!(orders.len(), 6);
    for viewer in viewers(4).filter(|viewer| *viewer != Viewer::Seat(seat(1))) {
        let before = View::new(&state, viewer);
        let pages: BTreeSet<String> = orders
            .iter()
            .map(|order| decide_line(&state, seat(1), order, &mut chance.clone()).unwrap().state)
            .map(|state| board(&View::new(&state, viewer), Some(&before), &Scene::default()))
            .collect();
        assert_eq!(pages.len(), 1);
    }
}

#[test]
fn slots_say_who_knows_what() {
    let tags = |viewer| {
        let court = Court::new(&View::new(&besieged(), viewer), None, &Choice::default());
        court.slots.into_iter().map(|slot| slot.tag).collect::<Vec<_>>()
    };
    assert_eq!(tags(Viewer::Public), ["seen: 9♣", "face up", "unknown"]);
    assert_eq!(tags(Viewer::Seat(seat(1))), ["seen by all", "face up", "secret"]);
}

#[test]
fn the_outcome_is_shown_of_members_that_all_know() {
    let (_, mut chance) = dealt(4, TOP, Options::default());
    let state = after(besieged(), &mut chance, &["3 end"]);
    let now = view(&state, 4);
    let choice = Choice::new(&now, Some("card RJ"));
    let court = Court::new(&now, None, &choice);
    let words: Vec<_> = court.slots.iter().map(|slot| slot.outcome.map(|outcome| outcome.word)).collect();
    assert_eq!(words, [Some("win"), Some("win"), None]);
    let says: Vec<_> = court.slots.iter().map(|slot| slot.control.as_ref().unwrap().say.as_str()).collect();
    assert_eq!(says, ["attack 1 RJ", "attack 2 RJ", "attack 3 RJ"]);
    let court = Court::new(&now, None, &Choice::new(&now, Some("card 3S")));
    let words: Vec<_> = court.slots.iter().map(|slot| slot.outcome.map(|outcome| outcome.word)).collect();
    assert_eq!(words, [Some("lose"), Some("lose"), None]);
}

#[test]
fn what_is_begun_and_is_no_choice_is_passed_over() {
    let now = view(&besieged(), 3);
    for begun in ["card 9C", "card", "card <script>", "shuffle", "draw", "attack 1 2S", "", "end", "ä ö"] {
        assert_eq!(Choice::new(&now, Some(begun)), Choice::new(&now, None), "{begun}");
    }
}

#[test]
fn only_the_end_of_a_turn_and_a_draw_that_loses_are_asked_about() {
    let (_, mut chance) = dealt(4, TOP, Options::default());
    let mut state = besieged();
    let grave = |state: &RedQueen, number| {
        let view = view(state, number);
        let asked = view.moves.iter().filter(|mv| RedQueen::asks_first(&view, mv));
        asked.map(ToString::to_string).collect::<BTreeSet<_>>()
    };
    assert_eq!(grave(&state, 3), ["end".to_owned()].into());
    state.pile.truncate(1);
    assert_eq!(grave(&state, 3), ["draw".to_owned(), "end".to_owned()].into());
    let queen = after(state, &mut chance, &["3 end", "4 end"]);
    assert_eq!(grave(&queen, 1), ["end".to_owned()].into());
}

#[test]
fn moves_are_offered_in_words_with_the_signs_of_the_cards() {
    let (_, mut chance) = dealt(4, TOP, Options::default());
    let state = after(besieged(), &mut chance, &["3 end"]);
    let offer = |state: &RedQueen, number, line: &str| {
        RedQueen::describe_move(&view(state, number), &line.to_lowercase().parse().unwrap())
    };
    assert_eq!(offer(&state, 4, "attack 2 RJ"), "Attack slot 2 with the red joker");
    assert_eq!(offer(&state, 4, "attack 3 3S"), "Attack slot 3 with 3♠");
    assert_eq!(offer(&state, 4, "end"), "End your turn with 2 actions unused");
    let state = after(state, &mut chance, &["4 end"]);
    assert_eq!(offer(&state, 1, "swap 2 7H"), "Put 7♥ in slot 2 and take back K♦");
    assert_eq!(offer(&state, 1, "discard 7H"), "Discard 7♥");
    assert_eq!(offer(&state, 1, "shuffle 9C 4S"), "Lay your face-down cards as 9♣, 4♠");
}

#[test]
fn at_a_table_that_ended_early_nobody_is_to_move() {
    let scene = Scene { ended_early: true, ..Scene::default() };
    for viewer in viewers(4) {
        let board = super::board(&View::new(&besieged(), viewer), None, &scene);
        assert_eq!(board.controls.trim(), "");
        for words in ["awaited", "whose turn", "to move", "<form", "<button", "?begun="] {
            assert!(!board.details.contains(words) && !board.picture.contains(words), "{words}");
        }
    }
}

#[test]
fn readers_are_you_in_their_logs_and_others_have_their_names() {
    let (_, mut chance) = dealt(4, TOP, Options::default());
    let state = besieged();
    let luck = chance.clone();
    let told = |state: &RedQueen, line: &str, viewer: Viewer| {
        let by = state.awaiting().iter().next().unwrap();
        let decided = decide_line(state, by, line, &mut luck.clone()).unwrap();
        state.describe_event(&decided.events[0], viewer).unwrap()
    };
    let [queen, reader] = [1, 3].map(|number| Viewer::Seat(seat(number)));
    let name = seat(3).mark();
    assert_eq!(told(&state, "attack 1 2S", reader), "You attack slot 1 with 2♠: 9♣ holds. 2♠ is discarded.");
    assert_eq!(
        told(&state, "attack 1 2S", queen),
        format!("{name} attacks your slot 1 with 2♠: 9♣ holds. 2♠ is discarded.")
    );
    assert!(told(&state, "draw", reader).starts_with("You draw "));
    assert!(told(&state, "draw", Viewer::Public).starts_with(&format!("{name} draws a card (")));
    assert_eq!(told(&state, "end", reader), "You end the turn with 2 actions unused.");
    let state = after(state, &mut chance, &["3 end", "4 end"]);
    assert_eq!(told(&state, "swap 1 7H", queen), "You put 7♥ in slot 1 and take back 9♣.");
    assert_eq!(
        told(&state, "swap 1 7H", reader),
        format!("{} takes 9♣ back from slot 1 and lays another card there.", seat(1).mark())
    );
}

#[test]
fn chips_say_the_role_and_the_hand_and_explain_the_role_when_opened() {
    let chips = chips(&View::new(&besieged(), Viewer::Public));
    assert!(chips[0].contains("<b>Red Queen</b>, </span>") && chips[0].contains("wins the round if she lasts"));
    // Her Jack came back from a draw under everybody's eyes.
    assert!(chips[1].contains("<b>Revealer</b>, </span>3 cards<span class=\"rq-chip-seen\">, seen J♠</span>"));
    assert_eq!(chips.len(), 4);
}

#[test]
fn how_close_she_is_counts_what_the_viewer_can_know() {
    let (state, mut chance) = dealt(4, "AC 10D 2S 3S 4S JS 2H RJ AD 5D 2D 3D 7H 6H 2C 4H", Options::default());
    let state = after(state, &mut chance, &["1 place AC", "1 place 4S", "1 end", "2 attack 1 5D"]);
    let words = |viewer| goals(&View::new(&state, viewer)).map(|goal| format!("{} {}", goal.name, goal.words));
    assert_eq!(words(Viewer::Seat(seat(1))), ["Aces 2 of 3", "Killers 0 of 2"]);
    assert_eq!(words(Viewer::Public), ["Aces 1 of 3 known", "Killers 2 win"]);
    let near: Vec<bool> = goals(&view(&state, 1)).iter().map(|goal| goal.is_near).collect();
    assert_eq!(near, [true, false]);
}

#[test]
fn one_who_only_looks_gets_no_controls() {
    let html = board(&View::new(&besieged(), Viewer::Public), None, &Scene::default());
    for control in ["<button", "<form", "?begun=", "<textarea"] {
        assert!(!html.contains(control), "{control}");
    }
    assert!(html.contains("has 2 actions left."));
}

#[test]
fn refused_lines_come_back_to_be_mended() {
    let scene = Scene { draft: "draw\nattack 9 <9C>".into(), ..scene(None) };
    let html = board(&view(&besieged(), 3), None, &scene);
    assert!(html.contains("draw\nattack 9 &#60;9C&#62;</textarea>"));
}

#[test]
fn a_fight_is_shown_as_what_happened() {
    let (_, mut chance) = dealt(4, TOP, Options::default());
    let before = besieged();
    let now = after(before.clone(), &mut chance, &["3 attack 3 2S"]);
    let (now, before) = (view(&now, 1), view(&before, 1));
    let scene = Scene::default();
    let page = Page::new(&now, Some(&before), &scene);
    let blow = page.blow.unwrap();
    assert!(blow.new && blow.words.contains("attacked slot 3 with 2♠ and lost it: 4♠ holds."));
    assert_eq!(page.court.slots.iter().map(|slot| slot.changed).collect::<Vec<_>>(), [false, false, true]);
    assert!(page.changes.iter().any(|change| change.starts_with("All have seen the four of spades in slot 3")));
}
