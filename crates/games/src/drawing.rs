//! Pictures that stand by themselves: what a board draws, together with the drawings it refers to and the rules of the stylesheet
//! that it needs. So a page and a letter share one drawing and one stylesheet.

mod stylesheet;
mod symbol_file;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use askama::Template;

pub use symbol_file::SymbolFile;
use wonderpost_rules::Picture;

/// The drawings that bodies of pictures refer to, by their ids.
pub struct Drawings(HashMap<&'static str, &'static str>);

impl Drawings {
    /// Takes drawings out of sheets of them, as pages have them.
    pub fn of(sheets: &[&'static str]) -> Drawings {
        Drawings(sheets.iter().flat_map(|sheet| pieces(sheet)).collect())
    }

    /// All that a drawing refers to, and what that refers to in turn.
    fn needed_by(&self, body: &str) -> String {
        let mut needed = String::new();
        let mut known = HashSet::new();
        let mut ahead: Vec<&str> = references(body).collect();
        while let Some(id) = ahead.pop() {
            if let (true, Some(piece)) = (known.insert(id), self.0.get(id)) {
                needed += piece;
                ahead.extend(references(piece));
            }
        }
        needed
    }
}

/// The drawings of the house that several games use.
pub fn emblems() -> &'static str {
    #[derive(Template)]
    #[template(path = "parts/emblems.html")]
    struct Emblems;
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    static EMBLEMS: LazyLock<String> = LazyLock::new(|| Emblems.render().unwrap_or_default());
    &EMBLEMS
}

/// The size of a showpiece: wider than high, as cards of lists and previews are.
pub const SHOWPIECE: (u32, u32) = (640, 440);

/// Puts a picture together on a sheet of paper of this width and height. Widths are about twice that of a phone's screen.
pub fn picture(drawings: &Drawings, (width, height): (u32, u32), body: &str, alt: String) -> Picture {
    let needed = drawings.needed_by(body);
    let style = stylesheet::for_drawing(&[&needed, body]);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <style>{style}</style><defs>{needed}</defs><rect class=\"picture-paper\" width=\"{width}\" height=\"{height}\"/>{body}</svg>"
    );
    Picture { svg, alt, width, height }
}

/// The ids that a drawing refers to.
fn references(drawing: &str) -> impl Iterator<Item = &str> {
    let after = |sign| drawing.split(sign).skip(1);
    after("href=\"#").chain(after("url(#")).filter_map(|rest| rest.split(['"', ')']).next())
}

/// The elements of a sheet that have ids of their own, with these.
fn pieces(sheet: &'static str) -> Vec<(&'static str, &'static str)> {
    const KINDS: [(&str, &str); 4] = [
        ("<symbol id=\"", "</symbol>"),
        ("<pattern id=\"", "</pattern>"),
        ("<clipPath id=\"", "</clipPath>"),
        ("<path id=\"", "/>"),
    ];
    let mut pieces = vec![];
    let mut rest = sheet;
    let first = |rest: &str| {
        let found = KINDS.iter().filter_map(|(begin, end)| Some((rest.find(begin)?, *begin, *end)));
        found.min_by_key(|(at, ..)| *at)
    };
    while let Some((at, begin, end)) = first(rest) {
        let from = &rest[at..];
        let Some(length) = from.find(end).map(|length| length + end.len()) else { break };
        if let Some(id) = from[begin.len()..].split('"').next() {
            pieces.push((id, &from[..length]));
        }
        rest = &from[length..];
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_brings_what_it_refers_to_and_no_more() {
        let sheet = "<svg><defs><path id=\"pip\" class=\"pip\" d=\"M0 0\"/></defs>\
                     <symbol id=\"one\"><use href=\"#pip\"/></symbol><symbol id=\"two\"><use href=\"#one\"/></symbol></svg>";
        let drawings = Drawings::of(&[sheet]);
        let picture = picture(&drawings, (10, 10), "<use href=\"#one\"/>", String::new());
        assert!(picture.svg.contains("id=\"pip\""));
        assert!(picture.svg.contains("id=\"one\""));
        assert!(!picture.svg.contains("id=\"two\""));
    }
}
