//! The drawings of a game as a file of SVG symbols: a browser loads it once, and pages refer to what is in it.
//!
//! A page's stylesheet does not reach into it, so that the file has the rules that it needs. What it inherits are custom properties, and
//! with them the theme.

use std::collections::HashSet;

use super::{pieces, stylesheet};
use wonderpost_rules::Game;

/// The drawings of a game, as a file.
pub struct SymbolFile {
    pub svg: String,
    ids: HashSet<&'static str>,
}

impl SymbolFile {
    /// All that the boards of a game refer to.
    pub fn of(game: &dyn Game) -> SymbolFile {
        let pieces: Vec<(&str, &str)> = game.symbols().into_iter().flat_map(pieces).collect();
        let drawings: String = pieces.iter().map(|(_, piece)| piece.replace('\n', " ")).collect();
        let style = stylesheet::for_symbols(&drawings);
        let svg =
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><style>{style}</style><defs>{drawings}</defs></svg>");
        SymbolFile { svg, ids: pieces.into_iter().map(|(id, _)| id).collect() }
    }

    /// The same HTML with references into the file, which has this address.
    pub fn refer(&self, html: &str, url: &str) -> String {
        const REFERENCE: &str = "href=\"#";
        let mut parts = html.split(REFERENCE);
        let mut referring = String::with_capacity(html.len() + html.len() / 4);
        referring.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let is_drawing = part.split('"').next().is_some_and(|id| self.ids.contains(id));
            referring.push_str("href=\"");
            if is_drawing {
                referring.push_str(url);
            }
            referring.push('#');
            referring.push_str(part);
        }
        referring
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    #[test]
    fn every_file_has_what_its_drawings_refer_to_and_a_rule_for_what_they_look_like() {
        for game in catalogue().iter() {
            let file = SymbolFile::of(game);
            for reference in super::super::references(&file.svg) {
                assert!(file.svg.contains(&format!("id=\"{reference}\"")), "{}: {reference}", game.info().slug);
            }
            assert!(file.svg.contains("<style>.") && !file.svg.contains("{%"), "{}", game.info().slug);
        }
    }

    #[test]
    fn what_the_file_has_is_looked_for_there_and_nothing_else() {
        let game = catalogue();
        let file = SymbolFile::of(game.find("red-queen").expect("the game"));
        let html = "<use href=\"#card-backside\"/><a href=\"#log\">Log</a><use class=\"x\" href=\"#pip-s\"/>";
        let expected = "<use href=\"/s#card-backside\"/><a href=\"#log\">Log</a><use class=\"x\" href=\"/s#pip-s\"/>";
        assert_eq!(file.refer(html, "/s"), expected);
    }
}
