//! A board and a picture for games that have not drawn their own.

use std::fmt::Write;

use super::{Board, Picture, Scene};

/// The width of a letter's picture, and the height of a line in it.
const WIDTH: u32 = 560;
const LINE: u32 = 20;

/// The text, and a button for each move: its line, and what it says.
pub fn board(text: &str, moves: impl Iterator<Item = (String, String)>, scene: &Scene) -> Board {
    let picture = format!("<pre>{}</pre>", escaped(text));
    let controls = scene.post_to.as_ref().map(|post_to| buttons(post_to, moves, scene)).unwrap_or_default();
    Board { picture, controls, ..Board::default() }
}

fn buttons(post_to: &str, moves: impl Iterator<Item = (String, String)>, scene: &Scene) -> String {
    let field = |name: &str, value: &str| format!(r#"<input type="hidden" name="{name}" value="{}">"#, escaped(value));
    let fields = field("step", &scene.step) + &field("csrf", &scene.csrf);
    let mut html = format!(r#"<form method="post" action="{}">{fields}"#, escaped(post_to));
    for (line, words) in moves {
        let _ = write!(html, r#"<button name="say" value="{}">{}</button> "#, escaped(&line), escaped(&words));
    }
    html + "</form>"
}

/// The text, line below line.
pub fn picture(text: &str) -> Picture {
    let height = LINE * (text.lines().count() as u32 + 1);
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-size="14">"#
    );
    for (number, line) in text.lines().enumerate() {
        let y = LINE * (number as u32 + 1);
        let _ = write!(svg, r#"<text x="10" y="{y}">{}</text>"#, escaped(line));
    }
    Picture { svg: svg + "</svg>", alt: text.to_owned(), width: WIDTH, height }
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
