//! A table as a picture, for letters.

use crate::Seat;
use crate::plain::escaped;

/// A picture for one viewer, drawn from nothing but the view. Names are marks, as everywhere in the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// An SVG that stands by itself: it needs neither a page nor a stylesheet around it.
    pub svg: String,
    /// What is to be seen, in a sentence or a few.
    pub alt: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

impl Picture {
    /// Puts names in the places of marks. The drawing has less room than the words, and may ask for other names.
    pub fn fill_marks(self, in_drawing: impl Fn(Seat) -> String, in_words: impl Fn(Seat) -> String) -> Picture {
        Picture {
            svg: Seat::fill_marks(&self.svg, |seat| escaped(&in_drawing(seat))),
            alt: Seat::fill_marks(&self.alt, in_words),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_become_part_of_the_drawing() {
        let mark = Seat::FIRST.mark();
        let picture =
            Picture { svg: format!("<text>{mark}</text>"), alt: format!("{mark} is here"), width: 1, height: 1 };
        let filled = picture.fill_marks(|_| "A & <b>".to_owned(), |_| "A & <b> C".to_owned());
        assert_eq!(filled.svg, "<text>A &amp; &lt;b&gt;</text>");
        assert_eq!(filled.alt, "A & <b> C is here");
    }
}
