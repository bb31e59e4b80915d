//! Contrast at WCAG AA, from the colours that the stylesheet names: 4.5 to 1 for text, 3 to 1 for what else has to be seen.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const TEXT: f64 = 4.5;
const SHAPE: f64 = 3.0;

/// Where every suit has a colour of its own.
const FOUR_DIAMONDS: &str = "#1d5a9e";
const FOUR_CLUBS: &str = "#2c6b33";

/// What stands on what, and how clearly.
const PAIRS: [(&[&str], &[&str], f64); 10] = [
    (&["ink", "faded", "red"], &["paper", "leaf-of-book", "shade"], TEXT),
    (&["ink", "red"], &["red-wash"], TEXT),
    (&["on-red"], &["red-fill", "red-fill-deep"], TEXT),
    (&["card-ink", "card-red", "suit-spades", "suit-hearts", FOUR_DIAMONDS, FOUR_CLUBS], &["card"], TEXT),
    (&["card-ink"], &["lit"], TEXT),
    (&["paper"], &["focus"], TEXT),
    (&["ink"], &["grass", "sea", "mountains", "rivers", "fields", "woods"], TEXT),
    // The ring around what has the focus, and the frames of fields.
    (&["focus", "faded"], &["paper", "leaf-of-book", "shade"], SHAPE),
    (&["red"], &["paper", "leaf-of-book"], SHAPE),
    (&["rabbit-1", "rabbit-2", "rabbit-3", "rabbit-4"], &["card"], SHAPE),
];

/// The brightness of a colour as the eye takes it.
fn luminance(colour: &str) -> f64 {
    let channel = |place: usize| {
        let byte = u8::from_str_radix(&colour[place..place + 2], 16).unwrap_or_else(|_| panic!("{colour}"));
        let value = f64::from(byte) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    assert!(colour.len() == 7 && colour.starts_with('#'), "{colour} is not a colour of six digits");
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

static STYLESHEET: LazyLock<String> =
    LazyLock::new(|| [wonderpost_games::THEME, &wonderpost_games::board_styles()].concat());

/// The named colours, in the light and in the dark.
fn colours() -> BTreeMap<&'static str, [&'static str; 2]> {
    let mut colours = BTreeMap::from([FOUR_DIAMONDS, FOUR_CLUBS].map(|colour| (colour, [colour; 2])));
    for declaration in STYLESHEET.split([';', '{', '\n']) {
        let Some((name, value)) = declaration.trim().strip_prefix("--").and_then(|rest| rest.split_once(": ")) else {
            continue;
        };
        let both = value.strip_prefix("light-dark(").and_then(|both| both.strip_suffix(')')?.split_once(", "));
        if let Some((light, dark)) = both.or(value.starts_with('#').then_some((value, value))) {
            colours.entry(name).or_insert([light, dark]);
        }
    }
    colours
}

#[test]
fn black_on_white_is_21_to_1() {
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 0.001);
    assert!((contrast("#777777", "#ffffff") - 4.48).abs() < 0.01);
}

#[test]
fn everything_can_be_read_in_the_light_and_in_the_dark() {
    let colours = colours();
    let mut faint = Vec::new();
    for (inks, papers, least) in PAIRS {
        for (ink, paper) in inks.iter().flat_map(|ink| papers.iter().map(move |paper| (ink, paper))) {
            for (theme, name) in ["light", "dark"].into_iter().enumerate() {
                let colour = |name: &str| colours.get(name).unwrap_or_else(|| panic!("there is no --{name}"))[theme];
                let found = contrast(colour(ink), colour(paper));
                if found < least {
                    faint.push(format!("{ink} on {paper} in the {name}: {found:.2}"));
                }
            }
        }
    }
    assert!(faint.is_empty(), "too faint: {faint:#?}");
}
