//! The map, as large as it fits.

use askama::Template;

use super::super::MessengerRabbits;
use super::choice::Choices;
use super::map::Map;
use super::postcard::DRAWINGS;
use crate::drawing;
use wonderpost_rules::{Picture, View};

#[derive(Template)]
#[template(path = "messenger-rabbits/showpiece.html")]
struct Showpiece {
    map: Map,
}

pub fn showpiece(view: &View<MessengerRabbits>) -> Picture {
    let map = Map::new(view, None, &Choices::default());
    let alt = map.label.clone();
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, drawing::SHOWPIECE, &Showpiece { map }.render().unwrap_or_default(), alt)
}
