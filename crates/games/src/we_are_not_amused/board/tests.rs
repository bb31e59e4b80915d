use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use super::super::card::DeckCard;
use super::super::cell::Cell;
use super::super::moves::Move;
use super::super::{PLAYER, WeAreNotAmused};
use super::choice::Choices;
use super::garden::Picture;
use super::pile::Strip;
use super::{Board, board};
use crate::board_action::BoardAction;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Rules, Scene, View, Viewer, deal, decide_move};

/// A position, by letters.
struct Position {
    garden: &'static str,
    /// The turned cards, those ahead that are known, and those that are not.
    deck: [&'static str; 3],
    discard: &'static str,
    phase: serde_json::Value,
    delivered: u8,
    collected: u8,
    shuffles_left: u8,
    idle_before: bool,
}

const FULL: &str = "SCGWCWS WBSBCBW GSWGWSG CBSQSBC GSWGWSG WBCBWBC SGBWCWG";
const OPENED: &str = "SCG.CWS WB..CBR GSW.W.G CBSQSBC GS.GWSG W.CBRB. SGBWCWG";

impl Default for Position {
    fn default() -> Position {
        Position {
            garden: FULL,
            deck: ["ABS", "", "BSGCBSGCBSGC"],
            discard: "",
            phase: json!("play"),
            delivered: 0,
            collected: 0,
            shuffles_left: 1,
            idle_before: false,
        }
    }
}

impl Position {
    fn view(&self) -> View<WeAreNotAmused> {
        let [turned, known, unknown] = self.deck;
        let state: WeAreNotAmused = serde_json::from_value(json!({
            "garden": self.garden.replace(' ', ""),
            "deck": {
                "cards": format!("{turned}{known}{unknown}"),
                "turned": turned.len(),
                "known": turned.len() + known.len(),
            },
            "discard": self.discard,
            "aside": {"bramble": 0, "soldier": 2, "gardener": 1, "cat": 3},
            "collected": self.collected,
            "delivered": self.delivered,
            "shuffles_left": self.shuffles_left,
            "cycle": 2,
            "turns": 17,
            "played": false,
            "playable": true,
            "idle_before": self.idle_before,
            "phase": self.phase,
        }))
        .unwrap();
        View::new(&state, Viewer::Seat(PLAYER))
    }
}

fn choices(position: &Position, begun: Option<&str>) -> Choices {
    let view = position.view();
    Choices::new(&view.table, &view.moves, begun)
}

fn cell(text: &str) -> Cell {
    text.parse().unwrap()
}

fn label<'a>(choices: &'a Choices, at: &str) -> &'a str {
    &choices.targets.iter().find(|target| target.cell == cell(at)).unwrap().label
}

fn way<'a>(choices: &'a Choices, at: &str) -> &'a BoardAction<Move> {
    &choices.targets.iter().find(|target| target.cell == cell(at)).unwrap().way
}

fn scene(begun: Option<&str>) -> Scene {
    Scene {
        post_to: Some("/tables/7/moves".to_owned()),
        step: "12".to_owned(),
        begun: begun.map(str::to_owned),
        ..Scene::default()
    }
}

#[test]
fn every_exposed_soldier_and_gardener_is_a_target_of_a_soldier_and_says_who_goes_instead() {
    // Of the fourteen exposed cards of a full garden.
    let choices = choices(&Position::default(), None);
    let cells: Vec<String> = choices.targets.iter().map(|target| target.cell.to_string()).collect();
    assert_eq!(cells, ["a1", "c1", "g1", "a7", "g7"]);
    assert_eq!(
        label(&choices, "a1"),
        "Attack the Queen's Soldier at a1; the Cheshire Cat at b1 would vanish in its stead"
    );
    assert_eq!(label(&choices, "g1"), "Attack the Queen's Soldier at g1");
    assert_eq!(way(&choices, "a1"), &BoardAction::Submit("attack a1".parse().unwrap()));
}

#[test]
fn a_target_with_several_guards_is_begun_first_and_then_the_guards_are_the_controls() {
    let position =
        Position { garden: "SCGCCWS WBSBCBW GSWGWSG CBSQSBC GSWGWSG WBCBWBC SGBWCWG", ..Position::default() };
    let first = choices(&position, None);
    assert_eq!(way(&first, "c1").link().as_deref(), Some("?begun=attack%20c1#board"));

    let then = choices(&position, Some("attack c1"));
    let says: Vec<_> = then.targets.iter().filter_map(|target| target.way.say()).map(Move::to_string).collect();
    assert_eq!(says, ["attack c1 b1", "attack c1 d1"]);
    assert_eq!(then.chosen, Some(cell("c1")));
    assert!(then.buttons.is_empty());
}

#[test]
fn what_is_begun_and_is_no_choice_is_passed_over() {
    for begun in ["attack a1", "attack c1 b1", "dance", "", "pass", "plant c3", "<script>"] {
        assert_eq!(choices(&Position::default(), Some(begun)), choices(&Position::default(), None), "{begun}");
    }
}

#[test]
fn shuffling_and_stopping_are_asked_again() {
    let first = choices(&Position::default(), None);
    let links: Vec<_> = first.buttons.iter().filter_map(|button| button.way.link()).collect();
    assert_eq!(links, ["?begun=shuffle#board", "?begun=end#board"]);
    for line in ["shuffle", "end"] {
        let asked = choices(&Position::default(), Some(line));
        assert_eq!(asked.question.unwrap().say, line);
        assert!(asked.targets.is_empty() && asked.buttons.is_empty());
    }
}

#[test]
fn leaving_a_card_is_asked_again_only_if_it_could_end_the_game() {
    for (idle_before, shuffles_left, asked) in [(false, 0, false), (true, 1, false), (true, 0, true)] {
        let position = Position { idle_before, shuffles_left, ..Position::default() };
        let buttons = choices(&position, None).buttons;
        let pass = buttons.iter().find(|button| button.words == "Leave it").unwrap();
        assert_eq!(pass.way.link().is_some(), asked);
        assert_eq!(choices(&position, Some("pass all")).question.is_some(), asked);
    }
}

#[test]
fn planting_says_when_it_closes_the_way_and_asks_when_it_walls_in_the_queen() {
    let position = Position { garden: OPENED, deck: ["AGB", "", ""], phase: json!("plant"), ..Position::default() };
    let gaps = choices(&position, None);
    assert_eq!(gaps.targets.len(), 8);
    assert_eq!(label(&gaps, "d3"), "Plant the Bramble at d3; it would close the way to the Queen");
    assert_eq!(label(&gaps, "c2"), "Plant the Bramble at c2");
    assert!(gaps.buttons.is_empty());

    let garden = "SCG.CWS WB..CBR GSW.W.G CBBQBBC GS.BWSG W.CBRB. SGBWCWG";
    let position = Position { garden, ..position };
    assert_eq!(way(&choices(&position, None), "d3").link().as_deref(), Some("?begun=plant%20d3#board"));
    assert_eq!(choices(&position, Some("plant d3")).question.unwrap().say, "plant d3");
}

#[test]
fn ticks_are_on_the_open_short_edges_of_what_the_card_can_affect() {
    let view = Position { garden: OPENED, deck: ["ABG", "", ""], ..Position::default() }.view();
    let picture = Picture::new(&view.table, None, &Choices::default());
    let ticks: Vec<String> = picture.ticks.iter().map(|tick| tick.cell.to_string()).collect();
    // White roses: a2 lies lengthwise on the rim, c3 upright below the gap at c2, e3 upright and hemmed in, f1 lengthwise and hemmed in.
    assert!(ticks.contains(&"a2".to_owned()) && ticks.contains(&"c3".to_owned()));
    assert!(!ticks.contains(&"e3".to_owned()) && !ticks.contains(&"f1".to_owned()));
    let affected: BTreeSet<String> = ticks.into_iter().collect();
    let targets: BTreeSet<String> =
        Choices::new(&view.table, &view.moves, None).targets.iter().map(|target| target.cell.to_string()).collect();
    assert_eq!(affected, targets);
}

#[test]
fn the_walk_is_made_of_the_gaps_that_lead_to_the_queen() {
    let view = Position { garden: OPENED, ..Position::default() }.view();
    let picture = Picture::new(&view.table, None, &Choices::default());
    let walked: Vec<String> = picture.plots().filter(|plot| plot.walked).map(|plot| plot.cell.to_string()).collect();
    assert_eq!(walked, ["d1", "c2", "d2", "d3"]);
    let closed = Position::default().view();
    assert!(Picture::new(&closed.table, None, &Choices::default()).plots().all(|plot| !plot.walked));
}

#[test]
fn cells_that_changed_are_marked_and_told() {
    let before = Position::default().view();
    let now =
        Position { garden: "S.GWCWS WBSBCBW GSRGWSG CBSQSBC GSWGWSG WBCBWBC SGBWCWG", ..Position::default() }.view();
    let picture = Picture::new(&now.table, Some(&before.table.garden), &Choices::default());
    let changed: Vec<String> = picture.plots().filter(|plot| plot.changed).map(|plot| plot.cell.to_string()).collect();
    assert_eq!(changed, ["b1", "c3"]);
    assert_eq!(picture.changes, ["b1: a gap, before it was Cheshire Cat", "c3: red rose, before it was white rose"]);
}

#[test]
fn thirds_of_this_cycle_are_counted_from_here_and_those_of_the_next_from_the_start() {
    // Five turned, then four ahead: a turn of three and one of one.
    let view = Position { deck: ["ABSGS", "CA", "GG"], ..Position::default() }.view();
    let strip = Strip::new(&view.table, view.phase);
    let turns: Vec<Vec<bool>> = strip.ahead.iter().map(|turn| turn.iter().map(|card| card.third).collect()).collect();
    assert_eq!(turns, [vec![false, false, true], vec![true]]);
    assert!(strip.turned.iter().all(|card| !card.third));
    let next: Vec<_> = strip.next.iter().map(|third| (third.place, third.card)).collect();
    assert_eq!(next, [(3, Some(DeckCard::Soldier)), (6, Some(DeckCard::Cat)), (9, None)]);
    assert!(strip.turned[4].revealed && !strip.turned[3].revealed);

    // The last card of a pile is third, whatever its place.
    let view = Position { deck: ["ABS", "C", ""], ..Position::default() }.view();
    let next: Vec<_> = Strip::new(&view.table, view.phase).next.iter().map(|third| third.place).collect();
    assert_eq!(next, [3, 4]);
}

#[test]
fn one_who_only_looks_gets_no_controls() {
    let html = board(&Position::default().view(), None, &Scene::default());
    for control in ["<button", "<form", "?begun=", "<textarea"] {
        assert!(!html.contains(control), "{control}");
    }
    assert!(html.contains("A Soldier is turned up."));
}

#[test]
fn an_ended_game_tells_the_verdict() {
    let view = Position { phase: json!({"over": "stuck"}), delivered: 8, ..Position::default() }.view();
    let html = board(&view, None, &scene(None));
    assert!(html.contains("Her Majesty smiles") && html.contains("8 of 12 roses"));
    assert!(html.contains("12 cards were still ahead"));
    assert!(!html.contains("card-back\"/></svg><span"));
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

#[test]
fn the_pages_of_random_games_offer_every_legal_move_and_tell_nothing_hidden() {
    let mut rng = StdRng::seed_from_u64(1865);
    for game in 0..12u64 {
        let mut chance = Seed::of_number(game).chance(0);
        let mut state = deal::<WeAreNotAmused>(Default::default(), 1, &mut chance).unwrap().state;
        let mut before: Option<View<WeAreNotAmused>> = None;
        while state.result().is_none() {
            let view = View::new(&state, Viewer::Seat(PLAYER));
            let html = board(&view, before.as_ref(), &scene(None));
            keeps_to_the_content_policy(&html);

            let (mut says, begins) = offered(&html);
            for begun in begins {
                let html = board(&view, before.as_ref(), &scene(Some(&begun)));
                keeps_to_the_content_policy(&html);
                let (more, _) = offered(&html);
                assert!(!more.is_empty(), "nothing comes of {begun}");
                says.extend(more);
            }
            assert_eq!(says, view.moves.iter().map(Move::to_string).collect(), "offered and legal");

            let resampled = View::new(&state.resample_hidden(Viewer::Seat(PLAYER), &mut rng), Viewer::Seat(PLAYER));
            assert_eq!(html, board(&resampled, before.as_ref(), &scene(None)), "the page tells what is hidden");

            let played: Vec<&Move> =
                view.moves.iter().filter(|mv| !matches!(mv, Move::End | Move::Shuffle | Move::PassAll)).collect();
            let mv = match played.choose(&mut rng) {
                Some(mv) => **mv,
                None if rng.random_bool(0.9) => Move::Shuffle,
                None => Move::End,
            };
            state = decide_move(&state, PLAYER, mv, &mut chance).unwrap().state;
            before = Some(view);
        }
        let over = View::new(&state, Viewer::Seat(PLAYER));
        let html = board(&over, before.as_ref(), &scene(None));
        keeps_to_the_content_policy(&html);
        assert_eq!(offered(&html).0, BTreeSet::new());
    }
}

#[test]
fn the_prompt_says_what_to_do() {
    let prompt = |position: &Position, begun: Option<&str>| {
        let (view, scene) = (position.view(), scene(begun));
        let hand = Board::new(&view, None, &scene).hand;
        format!("{} {}", hand.title, hand.prompt)
    };
    assert_eq!(prompt(&Position::default(), None), "A Soldier is turned up. Choose whom to attack, or leave it.");
    let cat = Position { deck: ["ABC", "", ""], discard: "SG", ..Position::default() };
    assert_eq!(
        prompt(&cat, None),
        "A Cheshire Cat is turned up. Choose a Cat to make vanish, swap it for the Gardener, or leave it."
    );
}
