//! A board and a picture for games that have not drawn their own.

use std::fmt::{Display, Write};

use super::{Picture, Scene};

/// The width of a letter's picture, and the height of a line in it.
const WIDTH: u32 = 560;
const LINE: u32 = 20;

/// The text, and a button for each move.
pub fn board<M: Display>(text: &str, moves: &[M], scene: &Scene) -> String {
    let mut html = format!("<pre>{}</pre>", escaped(text));
    let Some(post_to) = &scene.post_to else { return html };
    let field = |name: &str, value: &str| format!(r#"<input type="hidden" name="{name}" value="{}">"#, escaped(value));
    let fields = field("step", &scene.step) + &field("csrf", &scene.csrf);
    let _ = write!(html, r#"<form method="post" action="{}">{fields}"#, escaped(post_to));
    for mv in moves {
        let line = escaped(&mv.to_string());
        let _ = write!(html, r#"<button name="say" value="{line}">{line}</button> "#);
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
