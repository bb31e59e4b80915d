//! Pictures in letters: an SVG of the rules becomes a PNG.
//!
//! Nothing of the machine is used: the fonts are compiled in, and a picture can refer to nothing outside of itself.

mod palette;

use std::sync::{Arc, LazyLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Group, ImageHrefResolver, Node, Options, Tree};
use sha2::{Digest, Sha256};

use wonderpost_rules::{Picture, Seat};

/// The most pixels that a picture has.
const MOST_POINTS: u32 = 3_000_000;

/// The most bytes of pictures that are cached: a letter that is retried, a reminder and an answer often show what one before them
/// showed, and drawing takes longer than all else that is done for a letter.
const BYTES_AT_HAND: u64 = 24 << 20;

/// The most pictures that are cached.
const PICTURES_AT_HAND: usize = 500;

/// A name that is longer than this is cut short in a drawing.
const LONGEST_NAME: usize = 16;

/// What the fonts that are compiled in can write: Latin, Greek and Cyrillic letters, suits and signs.
const WRITABLE: [(char, char); 10] = [
    (' ', '~'),
    ('\u{a0}', '\u{17f}'),
    ('\u{388}', '\u{38a}'),
    ('\u{38e}', '\u{3a1}'),
    ('\u{3a3}', '\u{3ce}'),
    ('\u{400}', '\u{45f}'),
    ('\u{2010}', '\u{2015}'),
    ('\u{2018}', '\u{201e}'),
    ('\u{2190}', '\u{2199}'),
    ('\u{2660}', '\u{2667}'),
];

static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in [
        include_bytes!("../../../static/fonts/DejaVuSerifCondensed.ttf").as_slice(),
        include_bytes!("../../../static/fonts/DejaVuSerifCondensed-Bold.ttf").as_slice(),
        include_bytes!("../../../static/fonts/DejaVuSerifCondensed-BoldItalic.ttf").as_slice(),
    ] {
        fonts.load_font_data(font.to_vec());
    }
    Options {
        font_family: "DejaVu Serif Condensed".to_owned(),
        fontdb: Arc::new(fonts),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    }
});

/// Pictures by a digest of all that they are drawn from.
static AT_HAND: LazyLock<Cache<[u8; 32], Drawn, ByBytes>> =
    LazyLock::new(|| Cache::with_weighter(PICTURES_AT_HAND, BYTES_AT_HAND, ByBytes));

#[derive(Clone)]
struct ByBytes;

impl Weighter<[u8; 32], Drawn> for ByBytes {
    fn weight(&self, _: &[u8; 32], drawn: &Drawn) -> u64 {
        (drawn.png.len() + drawn.alt.len()) as u64
    }
}

/// A picture as a letter carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    pub png: Vec<u8>,
    pub alt: String,
    /// In pixels.
    pub width: u32,
    pub height: u32,
}

impl Drawn {
    /// How wide a letter shows it where there is room: as wide as its words, and sharp on fine screens.
    pub fn shown_width(&self) -> u32 {
        self.width.min(576)
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum NoPicture {
    #[error("the drawing cannot be read: {0}")]
    Unreadable(#[from] resvg::usvg::Error),
    #[error("the drawing is too large")]
    TooLarge,
    #[error("the picture cannot be written: {0}")]
    Unwritable(#[from] png::EncodingError),
}

/// Draws a picture. Takes tens of milliseconds: not for a thread that others wait for.
pub fn draw(picture: &Picture) -> Result<Drawn, NoPicture> {
    let tree = read(&picture.svg)?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    if width.saturating_mul(height) > MOST_POINTS {
        return Err(NoPicture::TooLarge);
    }
    let mut points = Pixmap::new(width, height).ok_or(NoPicture::TooLarge)?;
    resvg::render(&tree, Transform::identity(), &mut points.as_mut());
    Ok(Drawn { png: palette::png(&points)?, alt: picture.alt.clone(), width, height })
}

/// Reads a drawing as it will be drawn.
pub fn read(svg: &str) -> Result<Tree, NoPicture> {
    Ok(Tree::from_str(svg, &OPTIONS)?)
}

/// The letters of a drawing that no font has: they would show as boxes.
pub fn missing_letters(drawing: &Group) -> String {
    let of = |node: &Node| match node {
        Node::Group(group) => missing_letters(group),
        Node::Text(text) => {
            let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
            glyphs.filter(|glyph| glyph.id.0 == 0).map(|glyph| glyph.text.as_str()).collect()
        }
        Node::Path(_) | Node::Image(_) => String::new(),
    };
    drawing.children().iter().map(of).collect()
}

fn digest_of(picture: &Picture) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in [&picture.alt, &picture.svg] {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

/// Draws aside, so that nobody has to wait, if the picture is not at hand. Without a picture a letter is still a letter.
pub async fn draw_aside(picture: Picture) -> Option<Drawn> {
    let digest = digest_of(&picture);
    if let Some(drawn) = AT_HAND.get(&digest) {
        return Some(drawn);
    }
    match tokio::task::spawn_blocking(move || draw(&picture)).await {
        Ok(Ok(drawn)) => {
            AT_HAND.insert(digest, drawn.clone());
            Some(drawn)
        }
        Ok(Err(error)) => {
            tracing::error!(%error, "a picture could not be drawn");
            None
        }
        Err(error) => {
            tracing::error!(%error, "a picture could not be drawn");
            None
        }
    }
}

/// A name as it fits into a drawing: short, and in letters that the fonts have.
pub fn name_in_drawing(seat: Seat, name: &str) -> String {
    let writable = |letter: char| WRITABLE.iter().any(|(from, to)| (*from..=*to).contains(&letter));
    match name.chars().count() {
        _ if !name.chars().all(writable) => format!("Seat {seat}"),
        ..=LONGEST_NAME => name.to_owned(),
        _ => name.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(body: &str, width: u32, height: u32) -> Picture {
        let svg =
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">{body}</svg>");
        Picture { svg, alt: "a test".into(), width, height }
    }

    #[test]
    fn a_drawing_becomes_a_png_of_its_size() {
        let drawn = draw(&picture("<rect width=\"9\" height=\"9\" fill=\"red\"/>", 30, 20)).unwrap();
        assert!(drawn.png.starts_with(b"\x89PNG"));
        let reader = png::Decoder::new(std::io::Cursor::new(&drawn.png)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (30, 20));
        assert_eq!(drawn.alt, "a test");
    }

    #[tokio::test]
    async fn a_picture_that_was_drawn_is_at_hand_and_no_other_is_taken_for_it() {
        let one = picture("<rect width=\"7\" height=\"9\" fill=\"red\"/>", 30, 20);
        let other = Picture { alt: "another".into(), ..one.clone() };
        let drawn = draw_aside(one.clone()).await.unwrap();
        assert_eq!(AT_HAND.get(&digest_of(&one)), Some(drawn.clone()));
        assert_eq!(draw_aside(one).await, Some(drawn));
        assert_eq!(AT_HAND.get(&digest_of(&other)), None);
        assert_eq!(draw_aside(other).await.unwrap().alt, "another");
    }

    #[test]
    fn what_is_too_large_or_unreadable_is_refused() {
        assert!(matches!(draw(&picture("", 30_000, 30_000)), Err(NoPicture::TooLarge)));
        assert!(matches!(draw(&picture("<rect", 30, 20)), Err(NoPicture::Unreadable(_))));
    }

    #[test]
    fn names_are_cut_to_fit() {
        let name = |name: &str| name_in_drawing(Seat::FIRST, name);
        assert_eq!(name("Zoë"), "Zoë");
        assert_eq!(name("The Mock Turtle of Old"), "The Mock Turtle…");
        assert_eq!(name("アリス"), "Seat 1");
    }

    #[test]
    fn the_fonts_have_all_that_is_called_writable() {
        for (from, to) in WRITABLE {
            for weight in ["normal", "bold"] {
                let letters: String = (from..=to).filter(|letter| !matches!(letter, '&' | '<' | '\u{ad}')).collect();
                let text = format!("<text font-weight=\"{weight}\" x=\"1\" y=\"9\">{letters}…×</text>");
                let tree = read(&picture(&text, 30, 20).svg).unwrap();
                assert_eq!(missing_letters(tree.root()), "", "{from} to {to}, {weight}");
            }
        }
        let tree = read(&picture("<text x=\"1\" y=\"9\">aア</text>", 30, 20).svg).unwrap();
        assert_eq!(missing_letters(tree.root()), "ア");
    }
}
