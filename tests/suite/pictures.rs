//! Pictures of tables: what letters show of every game, at every kind of moment.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use resvg::usvg::roxmltree::{Document, Node};
use wonderpost::mail::letters::picture::{draw, missing_letters, read};
use wonderpost_games::catalogue;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Decided, Game, Picture, Seat, Viewer};

/// How many moments of each game are looked at.
const MOMENTS: usize = 150;

/// Pictures of a game from its begin to its end, or far into it, for each of the seats in turn and for those who only watch.
fn pictures(game: &dyn Game) -> Vec<Picture> {
    let (fewest, most) = game.info().seats;
    let mut pictures = vec![];
    for seats in [fewest, most] {
        let mut rng = SmallRng::seed_from_u64(u64::from(seats));
        let seed = Seed::of_number(7);
        let begun = game.begin(&game.default_options(), seats).unwrap();
        let Decided { mut position, draws, .. } = begun.set_up(&mut seed.chance(0)).unwrap();
        let mut drawn = draws.len() as u64;
        for moment in 0..MOMENTS {
            let watcher = moment % (usize::from(seats) + 1);
            let viewer = Seat::all(seats).nth(watcher).map_or(Viewer::Public, Viewer::Seat);
            pictures.push(position.picture(viewer));
            let Some(seat) = position.awaiting().iter().next() else { break };
            let moves = position.legal_moves(seat);
            let decided = position.decide_line(seat, moves.choose(&mut rng).unwrap(), &mut seed.chance(drawn)).unwrap();
            drawn += decided.draws.len() as u64;
            position = decided.position;
        }
    }
    pictures.into_iter().map(|picture| picture.fill_marks(|_| "Zoë & Co".into(), |_| "Zoë & Co".into())).collect()
}

/// The classes that the stylesheet of a drawing gives a fill.
fn filled(document: &Document) -> HashSet<String> {
    let style = document.descendants().find(|node| node.has_tag_name("style")).and_then(|node| node.text()).unwrap();
    let rules = style.lines().filter_map(|line| line.split_once('{'));
    let filling =
        rules.filter(|(_, declarations)| declarations.split(';').any(|each| each.trim().starts_with("fill:")));
    let of_last = |selector: &str| {
        let last = selector.split([' ', '>']).rfind(|part| !part.is_empty()).unwrap_or_default().to_owned();
        // “.mw-mark circle”: what is named by its kind is filled by the class around it.
        let named = if last.contains('.') { last } else { selector.to_owned() };
        named.split(['.', ' ', '>', ':']).map(str::to_owned).collect::<Vec<_>>()
    };
    filling.flat_map(|(selector, _)| of_last(selector)).filter(|class| !class.is_empty()).collect()
}

/// Whether something says how a shape is filled: itself, what it is part of, or all that refer to what it is part of.
fn is_filled(node: Node, filled: &HashSet<String>, document: &Document, depth: u8) -> bool {
    let says = |node: &Node| {
        let classes = node.attribute("class").unwrap_or_default();
        node.has_attribute("fill") || classes.split_whitespace().any(|class| filled.contains(class))
    };
    if node.ancestors().any(|node| says(&node)) {
        return true;
    }
    let Some(id) = node.ancestors().find_map(|node| node.attribute("id")).filter(|_| depth < 4) else { return false };
    let reference = format!("#{id}");
    let mut uses = document.descendants().filter(|node| node.attribute("href") == Some(&reference)).peekable();
    uses.peek().is_some() && uses.all(|node| is_filled(node, filled, document, depth + 1))
}

#[test]
fn drawings_stand_by_themselves_and_say_how_everything_is_coloured() {
    for game in catalogue().iter() {
        for (number, picture) in pictures(game).iter().enumerate().step_by(7) {
            let name = format!("{}, picture {number}", game.info().slug);
            for left in ["var(", "light-dark(", "foreignObject", "http://", "https://"] {
                let svg = picture.svg.replacen("http://www.w3.org/2000/svg", "", 1);
                assert!(!svg.contains(left), "{name}: {left}");
            }
            let document = Document::parse(&picture.svg).unwrap_or_else(|error| panic!("{name}: {error}"));
            let filled = filled(&document);
            let ids: HashSet<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
            for node in document.descendants() {
                if let Some(reference) = node.attribute("href").and_then(|href| href.strip_prefix('#')) {
                    assert!(ids.contains(reference), "{name}: nothing is called {reference}");
                }
                let is_shape =
                    ["path", "circle", "rect", "ellipse", "polyline", "text"].contains(&node.tag_name().name());
                let in_clip = node.ancestors().any(|node| node.has_tag_name("clipPath"));
                assert!(
                    !is_shape || in_clip || is_filled(node, &filled, &document, 0),
                    "{name}: nothing fills {}",
                    &picture.svg[node.range()]
                );
            }
        }
    }
}

#[test]
fn the_fonts_have_every_letter_of_every_picture() {
    for game in catalogue().iter() {
        for picture in pictures(game).iter().step_by(11) {
            let tree = read(&picture.svg).unwrap();
            assert_eq!(missing_letters(tree.root()), "", "{}", game.info().slug);
            assert_eq!(tree.size().to_int_size().width(), picture.width);
        }
    }
}

#[test]
fn pictures_are_small_enough_for_letters() {
    for game in catalogue().iter() {
        for picture in pictures(game).iter().step_by(60) {
            let drawn = draw(picture).unwrap();
            assert!((600..=900).contains(&drawn.width), "{}: {} wide", game.info().slug, drawn.width);
            assert!(drawn.png.len() < 150_000, "{}: {} bytes", game.info().slug, drawn.png.len());
        }
    }
}
