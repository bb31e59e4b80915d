//! Help where it is needed: the first steps of somebody who plays a game for the first time, and its words explained.

/// What a game says to newcomers on the page of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct Help {
    /// What one wants, what happens in a turn, and what to click first: a short sentence or two each.
    pub first_steps: [&'static str; 3],
    /// Words of the game that explain themselves.
    pub words: &'static [Word],
}

/// A word of a game, and what it means there.
#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    /// As it stands in prompts, in the singular.
    pub term: &'static str,
    /// In a sentence.
    pub meaning: &'static str,
}

impl Help {
    /// The first words that stand in this text and are to be explained: where each begins and ends.
    pub fn found_in(&self, text: &str) -> Vec<(std::ops::Range<usize>, &'static Word)> {
        let mut found: Vec<_> = self.words.iter().filter_map(|word| Some((word.first_in(text)?, word))).collect();
        found.sort_unstable_by_key(|(place, _)| place.start);
        // “Red Keep” and “Keep” are not explained one within the other.
        found.dedup_by(|(later, _), (earlier, _)| later.start < earlier.end);
        found
    }
}

impl Word {
    /// Where the word first stands as a word of its own, whatever its case, also in the plural.
    fn first_in(&self, text: &str) -> Option<std::ops::Range<usize>> {
        let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let places = text.char_indices().map(|(at, _)| at);
        places.filter(|at| !is_letter(text[..*at].chars().next_back())).find_map(|at| {
            let there = text.get(at..at + self.term.len())?;
            let end = at + self.term.len();
            let rest = &text[end..];
            let end = if rest.starts_with('s') { end + 1 } else { end };
            (there.eq_ignore_ascii_case(self.term) && !is_letter(text[end..].chars().next())).then_some(at..end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: Help = Help {
        first_steps: ["", "", ""],
        words: &[
            Word { term: "teacup", meaning: "" },
            Word { term: "Keep", meaning: "" },
            Word { term: "Red Keep", meaning: "" },
        ],
    };

    fn found(text: &str) -> Vec<&str> {
        HELP.found_in(text).into_iter().map(|(place, _)| &text[place]).collect()
    }

    #[test]
    fn words_are_found_once_whatever_their_case_and_number() {
        assert_eq!(found("Two Teacups, or one teacup, in the Keep."), ["Teacups", "Keep"]);
    }

    #[test]
    fn parts_of_other_words_are_none_and_the_longer_wins() {
        assert_eq!(found("Keeper of the Red Keep, “teacupful”"), ["Red Keep"]);
        assert!(found("ä teacu").is_empty());
    }
}
