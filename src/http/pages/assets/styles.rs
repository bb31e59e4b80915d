//! The stylesheets: one of the house for every page, one for what stands around boards, and one for the boards of each game.

use super::font;
use wonderpost_rules::Game;

const ALL: &str = "U+0-10FFFF";
const FIGURES: &str = "U+30-39";

/// What nearly every page needs, in files of its own: a first visit loads no more. What else the typeface has comes with the first page
/// that needs it; signs that it has not are left to the reader's own.
const BASIC: &str =
    "U+20-21, U+26-2A, U+2C-3B, U+3F, U+41-5A, U+61-7A, U+A0, U+B7, U+D7, U+2013, U+2019, U+201C-201D, U+2026";
const MORE: &str = "U+22-25, U+2B, U+3C-3E, U+40, U+5B-60, U+7B-7E, U+A1-B6, U+B8-D6, U+D8-FF, U+152-153, U+2014, U+2018, U+201A, \
                    U+2022, U+2212";

/// The rule of the stylesheet for a font. A page that is drawn before its font has come keeps the reader's own: nothing shifts. Its
/// letters are small, and are brought to the size of others.
fn font_face(name: &'static str, style: &str, weights: &str, characters: &str) -> String {
    let url = font(name).url;
    format!(
        "@font-face {{ font-family: \"EB Garamond\"; font-style: {style}; font-weight: {weights}; font-display: optional; \
         size-adjust: 114%; unicode-range: {characters}; src: url({url}) format(\"woff2\"); }}\n"
    )
}

/// The stylesheet of every page, its parts in the order in which they are joined.
pub fn of_house() -> &'static [u8] {
    let app = [
        include_str!("../../../../static/styles/html.css"),
        include_str!("../../../../static/styles/page.css"),
        include_str!("../../../../static/styles/house.css"),
        include_str!("../../../../static/styles/front.css"),
        include_str!("../../../../static/styles/host.css"),
        include_str!("../../../../static/styles/mailbox.css"),
    ];
    let fonts = [
        font_face("regular.woff2", "normal", "400 500", MORE),
        font_face("regular-basic.woff2", "normal", "400 500", BASIC),
        font_face("italic.woff2", "italic", "400 700", ALL),
        font_face("bold.woff2", "normal", "600 700", MORE),
        font_face("bold-basic.woff2", "normal", "600 700", BASIC),
        // The bold cut has no figures that align: it borrows them.
        font_face("regular-basic.woff2", "normal", "600 700", FIGURES),
    ];
    minified(&[&fonts.concat(), wonderpost_games::THEME, &app.concat(), wonderpost_games::DRAWINGS].concat())
}

/// The stylesheet of tables, lessons and rules, of whatever game: pages without any of them do not load it.
pub fn around_boards() -> &'static [u8] {
    minified(concat!(
        include_str!("../../../../static/styles/table.css"),
        include_str!("../../../../static/styles/learn.css"),
        include_str!("../../../../static/styles/rules.css"),
    ))
}

/// The stylesheet of a game's boards.
pub fn of_boards(game: &dyn Game) -> &'static [u8] {
    minified(&[wonderpost_games::PLAYING_CARDS, game.stylesheet()].concat())
}

/// A stylesheet without comments, and without the space that makes it readable.
fn minified(sheet: &str) -> &'static [u8] {
    let uncommented: String = sheet
        .split("/*")
        .enumerate()
        .map(|(n, part)| if n == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) })
        .collect();
    let lines: Vec<&str> = uncommented.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n").into_bytes().leak()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stylesheet_is_sent_without_what_is_there_for_its_readers() {
        assert_eq!(minified("/* One */\na {\n  b: c;\n}\n\n/* Two */ d { }"), b"a {\nb: c;\n}\nd { }");
    }
}
