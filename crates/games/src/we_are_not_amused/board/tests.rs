use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use super::super::card::DeckCard;
use super::super::cell::Cell;
use super::super::moves::Move;
use super::super::{PLAYER, WeAreNotAmused};
use super::Page;
use super::choice::Choices;
use super::garden::Picture;
use super::pile::{Could, Strip};
use super::way::Way;
use crate::board_action::BoardAction;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Catalogued, Rules, Scene, View, Viewer, deal, decide_move};

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

/// All parts of the page, one after the other.
fn board(view: &View<WeAreNotAmused>, before: Option<&View<WeAreNotAmused>>, scene: &Scene) -> String {
    let board = super::board(view, before, scene);
    [board.picture, board.controls, board.details].concat()
}

/// The moves of a position that are asked about before they are made.
fn grave(position: &Position) -> BTreeSet<String> {
    let view = position.view();
    let asked = view.moves.iter().filter(|mv| WeAreNotAmused::asks_first(&view, mv));
    asked.map(Move::to_string).collect()
}

fn offer(position: &Position, line: &str) -> String {
    WeAreNotAmused::describe_move(&position.view(), &line.parse().unwrap())
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
    assert_eq!(label(&choices, "a1"), "Attack the Queen's Soldier at a1: the Cheshire Cat at b1 vanishes in its stead");
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
fn shuffling_and_stopping_are_asked_about() {
    assert_eq!(grave(&Position::default()), ["shuffle".to_owned(), "end".to_owned()].into());
    assert_eq!(
        offer(&Position::default(), "shuffle"),
        "Shuffle the deck and the discards together: it is your last shuffle"
    );
    let delivered = Position { delivered: 4, ..Position::default() };
    assert_eq!(offer(&delivered, "end"), "Stop here: the game is over with 4 of 12 roses");
}

#[test]
fn leaving_a_card_is_asked_about_only_if_it_could_end_the_game() {
    for (idle_before, shuffles_left, asked) in [(false, 0, false), (true, 1, false), (true, 0, true)] {
        let position = Position { idle_before, shuffles_left, ..Position::default() };
        for line in ["pass", "pass all"] {
            assert_eq!(grave(&position).contains(line), asked, "{line}");
            assert_eq!(offer(&position, line).contains("the game is over"), asked, "{line}");
        }
    }
    assert_eq!(offer(&Position::default(), "pass"), "Leave the Soldier in the deck");
}

#[test]
fn planting_says_when_it_closes_the_way_and_asks_when_it_walls_in_the_queen() {
    let position = Position { garden: OPENED, deck: ["AGB", "", ""], phase: json!("plant"), ..Position::default() };
    let gaps = choices(&position, None);
    assert_eq!(gaps.targets.len(), 8);
    assert_eq!(label(&gaps, "d3"), "Plant the Bramble at d3: it closes the way to the Queen");
    assert_eq!(label(&gaps, "c2"), "Plant the Bramble at c2");
    assert!(gaps.buttons.is_empty() && grave(&position).is_empty());

    let garden = "SCG.CWS WB..CBR GSW.W.G CBBQBBC GS.BWSG W.CBRB. SGBWCWG";
    let position = Position { garden, ..position };
    assert_eq!(grave(&position), ["plant d3".to_owned()].into());
    assert_eq!(offer(&position, "plant d3"), "Plant the Bramble at d3: it walls in the Queen, and the game is lost");
}

#[test]
fn a_guard_is_named_in_the_offer_that_makes_it_go() {
    let position =
        Position { garden: "SCGCCWS WBSBCBW GSWGWSG CBSQSBC GSWGWSG WBCBWBC SGBWCWG", ..Position::default() };
    assert_eq!(
        offer(&position, "attack c1 d1"),
        "Attack the Queen's Gardener at c1: the Cheshire Cat at d1 vanishes in its stead"
    );
}

#[test]
fn the_nearest_way_is_where_the_fewest_plays_clear_one() {
    let nearest = |garden| Way::nearest(&Position { garden, ..Position::default() }.view().table);
    // One Soldier stands between the gaps above the Queen.
    let way = nearest("SCG.CWS WBWSBBR GSW.W.G CBBQBBC GSWBWSG W.CBRB. SGBWCWG").unwrap();
    assert_eq!(way.words(), "The nearest way leads over d1, d2, d3: 1 play at least.");
    assert_eq!(nearest(OPENED), None, "one is open");
    assert_eq!(nearest("SCG.CWS WB..CBR GSWBW.G CBBQBBC GS.BWSG W.CBRB. SGBWCWG"), None, "brambles bar them all");
}

#[test]
fn cards_ahead_say_whether_they_could_be_played_now() {
    let view = Position { deck: ["ABS", "BBABBGBBB", "CCC"], ..Position::default() }.view();
    let strip = Strip::new(&view.table, view.phase);
    let coming: Vec<_> = strip.coming().map(|card| (card.card, card.could)).collect();
    // No rose is red, roses stand on the rim, and there is no gap.
    assert_eq!(
        coming,
        [
            (Some(DeckCard::Alice), Some(Could::Nothing)),
            (Some(DeckCard::Gardener), Some(Could::Play)),
            (Some(DeckCard::Bramble), Some(Could::Nothing)),
        ]
    );
    let opened = Position { garden: OPENED, deck: ["ABS", "BBABBB", ""], ..Position::default() }.view();
    let could: Vec<_> = Strip::new(&opened.table, opened.phase).coming().map(|card| card.could).collect();
    assert_eq!(could, [Some(Could::Play), Some(Could::Plant)]);
}

#[test]
fn a_garden_that_was_left_early_asks_for_nothing() {
    let scene = Scene { ended_early: true, ..Scene::default() };
    let board = super::board(&Position { delivered: 3, ..Position::default() }.view(), None, &scene);
    assert!(board.controls.contains("The garden was left here") && board.controls.contains("3 of 12 roses"));
    for words in ["turned up", "Choose", "<form", "shuffle", "Coming up", "way-line"] {
        assert!(!board.controls.contains(words) && !board.picture.contains(words), "{words}");
    }
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
        let prompt = Page::new(&view, None, &scene).prompt;
        format!("{} {}", prompt.title, prompt.line)
    };
    assert_eq!(prompt(&Position::default(), None), "A Soldier is turned up. Choose whom to attack, or leave it.");
    let cat = Position { deck: ["ABC", "", ""], discard: "SG", ..Position::default() };
    assert_eq!(
        prompt(&cat, None),
        "A Cheshire Cat is turned up. Choose a Cat to make vanish, swap it for the Gardener, or leave it."
    );
}
