//! The garden as a picture for letters, with the revealed card and the roses below it.

use std::sync::LazyLock;

use askama::Template;

use super::super::WeAreNotAmused;
use super::choice::Choices;
use super::garden::Picture as Garden;
use super::pile::{Piles, Strip};
use super::prompt::Prompt;
use crate::drawing::{self, Drawings};
use wonderpost_rules::{Picture, View};

pub(super) static DRAWINGS: LazyLock<Drawings> = LazyLock::new(|| Drawings::of(&[drawing::emblems()]));

const SIZE: (u32, u32) = (720, 866);

#[derive(Template)]
#[template(path = "we-are-not-amused/postcard.html")]
struct Postcard {
    picture: Garden,
    prompt: Prompt,
    piles: Piles,
    strip: Strip,
    /// Where the words begin, beside the card if there is one.
    left: u32,
}

pub fn picture(view: &View<WeAreNotAmused>) -> Picture {
    let choices = match view.moves.is_empty() {
        false => Choices::new(&view.table, &view.moves, None),
        true => Choices::default(),
    };
    let prompt = Prompt::new(view, false, false, &choices);
    let postcard = Postcard {
        picture: Garden::new(&view.table, None, &choices).without_way(),
        piles: Piles::new(&view.table, false),
        strip: Strip::new(&view.table, view.phase),
        left: if prompt.card.is_some() { 132 } else { 24 },
        prompt,
    };
    let Piles { delivered, collected, .. } = postcard.piles;
    let alt = format!(
        "{} {} {delivered} of 12 roses lie before the Queen, {collected} in the basket.",
        postcard.picture.label, postcard.prompt.title
    );
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, SIZE, &postcard.render().unwrap_or_default(), alt)
}
