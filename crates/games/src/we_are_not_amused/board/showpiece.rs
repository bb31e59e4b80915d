//! The garden alone, wider than high.

use askama::Template;

use super::super::WeAreNotAmused;
use super::choice::Choices;
use super::garden::Picture as Garden;
use super::postcard::DRAWINGS;
use crate::drawing;
use wonderpost_rules::{Picture, View};

#[derive(Template)]
#[template(path = "we-are-not-amused/showpiece.html")]
struct Showpiece {
    picture: Garden,
}

pub fn showpiece(view: &View<WeAreNotAmused>) -> Picture {
    let picture = Garden::new(&view.table, None, &Choices::default()).without_way();
    let alt = picture.label.clone();
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, drawing::SHOWPIECE, &Showpiece { picture }.render().unwrap_or_default(), alt)
}
