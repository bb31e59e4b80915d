//! Every lesson is played to its end, along every way that it accepts, by what is lit on the board.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use wonderpost_games::{catalogue, lessons};
use wonderpost_rules::lesson::{Answer, Control, Lesson, Played, controls};
use wonderpost_rules::{Scene, Viewer};

/// How many lessons each course has at least.
const COURSES: [(&str, usize); 5] = [
    ("messenger-rabbits", 6),
    ("munchkin-wonderland", 4),
    ("off-with-their-heads", 4),
    ("red-queen", 4),
    ("we-are-not-amused", 3),
];

/// A lesson takes five minutes at most, at an easy pace of reading and clicking.
const LONGEST: f64 = 300.0;
const SECONDS_A_WORD: f64 = 0.4;
const SECONDS_A_STEP: f64 = 10.0;

/// The most clicks that lead to a move.
const MOST_CLICKS: usize = 4;

fn all() -> impl Iterator<Item = (String, Lesson)> {
    lessons::files().map(|(slug, name, text)| {
        let lesson = Lesson::read(text).unwrap_or_else(|error| panic!("{slug}/{name}: {error}"));
        assert_eq!(lesson.game, slug, "{name} lies in the folder of its game");
        (format!("{slug}/{name}"), lesson)
    })
}

/// Plays on from here along every accepted move, and looks at each step on the way.
fn play_on(name: &str, played: Played, look: &mut impl FnMut(&str, &Played)) {
    let place = format!("{name}, step {}", played.steps_done() + 1);
    look(&place, &played);
    let Some(step) = played.step() else { return };
    if step.accept.is_empty() {
        return play_on(name, played.look_on(), look);
    }
    for line in &step.accept {
        match played.say(line).unwrap_or_else(|error| panic!("{place}: {error}")) {
            Answer::Right(next) => play_on(name, *next, look),
            Answer::Wrong(words) => panic!("{place}: “{line}” is answered with “{words}”"),
        }
    }
}

fn play_all(mut look: impl FnMut(&str, &Played)) {
    let catalogue = catalogue();
    for (name, lesson) in all() {
        let begun = lesson.begin(&catalogue).unwrap_or_else(|error| panic!("{name}: {error}"));
        play_on(&name, begun, &mut look);
    }
}

#[test]
fn every_course_has_its_lessons() {
    for (slug, least) in COURSES {
        assert!(lessons::course(slug).count() >= least, "{slug}");
    }
    assert_eq!(catalogue().iter().count(), COURSES.len());
}

#[test]
fn every_lesson_is_played_to_its_end() {
    let mut ended = BTreeSet::new();
    play_all(|place, played| match played.step() {
        Some(step) if !step.accept.is_empty() => {
            assert!(played.position.awaiting().contains(played.lesson().seat), "{place}: the learner is not asked");
        }
        Some(_) => {}
        None => {
            assert_eq!(played.chance_left(), 0, "{place}: chance is left over");
            ended.insert(place.split(',').next().unwrap().to_owned());
        }
    });
    assert_eq!(ended.len(), lessons::files().count());
}

#[test]
fn every_wrong_move_is_answered_and_may_be_tried_again() {
    play_all(|place, played| {
        let Some(step) = played.step() else { return };
        let legal = played.position.legal_moves(played.lesson().seat);
        let mut wrong = 0;
        for line in legal.iter().map(String::as_str).chain(["stand on one's head"]) {
            match played.say(line).unwrap_or_else(|error| panic!("{place}: {error}")) {
                Answer::Right(_) => {}
                Answer::Wrong(words) => {
                    assert!(step.accept.is_empty() || words.len() > 20, "{place}: “{line}” is answered with “{words}”");
                    wrong += 1;
                }
            }
        }
        assert!(wrong > 0, "{place}: whatever is said leads on");
    });
}

#[test]
fn what_is_lit_leads_to_the_move() {
    play_all(|place, played| {
        let Some(step) = played.step().filter(|step| !step.accept.is_empty()) else { return };
        let mut begun = vec![None];
        for _ in 0..MOST_CLICKS {
            let lit: Vec<Control> =
                begun.iter().flat_map(|begun: &Option<String>| lit(played, begun.clone())).collect();
            if lit.iter().any(|control| matches!(control, Control::Say(_))) {
                return;
            }
            begun = lit
                .into_iter()
                .map(|control| match control {
                    Control::Begin(begun) | Control::Say(begun) => Some(begun),
                })
                .collect();
        }
        panic!("{place}: nothing that is lit leads to {:?}; what would: {:?}", step.accept, ways(played));
    });
}

fn board(played: &Played, begun: Option<String>) -> wonderpost_rules::Board {
    let scene = Scene { post_to: Some("/say".to_owned()), begun, ..Scene::default() };
    played.position.board(played.before.as_deref(), Viewer::Seat(played.lesson().seat), &scene)
}

/// The controls that are lit once this is begun.
fn lit(played: &Played, begun: Option<String>) -> Vec<Control> {
    let board = played.light(board(played, begun.clone()), begun.as_deref());
    [board.picture, board.controls, board.hand].iter().flat_map(|part| lit_in(part)).collect()
}

fn lit_in(html: &str) -> Vec<Control> {
    let tags = html.split('<').filter(|tag| tag.contains(" data-lit"));
    tags.flat_map(|tag| controls(&format!("<{tag}"))).collect()
}

/// What has to be begun one after the other to come to an accepted move.
fn ways(played: &Played) -> Option<Vec<String>> {
    let accepted = &played.step()?.accept;
    let mut found: Vec<Vec<String>> = vec![vec![]];
    let mut seen = BTreeSet::new();
    for _ in 0..MOST_CLICKS {
        let mut further = vec![];
        for way in found {
            let board = board(played, way.last().cloned());
            for control in [board.picture, board.controls, board.hand].iter().flat_map(|part| controls(part)) {
                match control {
                    Control::Say(say) if accepted.contains(&say) => return Some(way),
                    Control::Begin(begun) if seen.insert(begun.clone()) => {
                        further.push(way.iter().cloned().chain([begun]).collect());
                    }
                    Control::Say(_) | Control::Begin(_) => {}
                }
            }
        }
        found = further;
    }
    None
}

#[test]
fn the_voice_is_short_and_a_lesson_takes_five_minutes_at_most() {
    let words = |text: &str| text.split_whitespace().count();
    let sentences = |text: &str| {
        let ends = text.char_indices().filter(|(_, letter)| matches!(letter, '.' | '!' | '?'));
        ends.filter(|(at, _)| text[at + 1..].chars().next().is_none_or(|next| next.is_whitespace() || next == '”'))
            .count()
    };
    let mut read: BTreeMap<String, usize> = BTreeMap::new();
    for (name, lesson) in all() {
        assert!(sentences(&lesson.about) == 1, "{name}: “{}”", lesson.about);
        for (number, step) in lesson.steps.iter().enumerate() {
            assert!((1..=2).contains(&sentences(&step.voice)), "{name}, step {}: “{}”", number + 1, step.voice);
        }
        let seconds = lesson.steps.len() as f64 * SECONDS_A_STEP;
        let voice: usize = lesson.steps.iter().map(|step| words(&step.voice)).sum();
        assert!(seconds + voice as f64 * SECONDS_A_WORD <= LONGEST, "{name} takes too long");
        *read.entry(lesson.game).or_default() += voice;
    }
    assert_eq!(read.len(), COURSES.len());
}

#[test]
fn a_place_in_a_lesson_that_nobody_can_come_to_is_none() {
    let catalogue = catalogue();
    for (_, lesson) in all() {
        for nonsense in ["z", "A", "1", "ä", &"a".repeat(500), "\u{0}"] {
            assert!(lesson.replay(&catalogue, nonsense).is_none(), "{nonsense}");
        }
    }
    play_all(|place, played| {
        let again = played.lesson().replay(&catalogue, played.done()).unwrap_or_else(|| panic!("{place}"));
        assert_eq!(again.position.snapshot(), played.position.snapshot(), "{place}");
    });
}
