//! The upper half of the board with whoever stands there.

use askama::Template;

use super::super::MunchkinWonderland;
use super::Sight;
use super::begun::Begun;
use super::map::Map;
use super::postcard::DRAWINGS;
use super::ways::Way;
use crate::drawing;
use wonderpost_rules::{Picture, View};

#[derive(Template)]
#[template(path = "munchkin-wonderland/showpiece.html")]
struct Showpiece {
    map: Map,
    ways: [Way; 0],
}

pub fn showpiece(view: &View<MunchkinWonderland>) -> Picture {
    let me = view.mine.as_ref().map(|mine| mine.seat);
    let sight = Sight { view, moves: &[], acts: false, me, begun: Begun::Nothing, ended_early: false };
    let drawn = Showpiece { map: Map::new(&sight, None, &[]), ways: [] };
    let alt = drawn.map.label.clone();
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, drawing::SHOWPIECE, &drawn.render().unwrap_or_default(), alt)
}
