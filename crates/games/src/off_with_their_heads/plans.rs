//! Answers in advance: every decision of this game takes them, so that a bout is one visit.
//!
//! Marks are for the bout that is going on; a list for `choose` is for the bout after it. Number and colour of a card are known
//! when it is chosen, only the zone is not: a line for each zone, sent along with the card, answers whatever the others play.

use super::moves::Move;
use super::{BOUTS, OffWithTheirHeads};
use wonderpost_rules::{AfterUse, PlannedPrompt, Suggestion, Term};

impl OffWithTheirHeads {
    /// Which bout of the whole game it is.
    fn bouts_so_far(&self) -> u32 {
        u32::from(self.round) * u32::from(BOUTS) + u32::from(self.bout)
    }

    pub(super) fn prompts(&self) -> Vec<PlannedPrompt> {
        let now = self.bouts_so_far();
        let this_bout = Term::Stretch { now, left_for: now };
        let of = |prompt, title, suggestions, example, term, after_use| PlannedPrompt {
            prompt,
            title,
            suggestions,
            example: Some(example),
            term,
            after_use,
            takes_left_over: false,
        };
        let skip = || vec![Suggestion::new("Leave it", &["skip"])];
        vec![
            of("mark", "When your card asks for its mark", vec![], "mark woods-6", this_bout, AfterUse::Stays),
            of("biscuit", "When a biscuit lets you paint again", skip(), "mark meadow-2", this_bout, AfterUse::Stays),
            of(
                "red-keep",
                "When the Red Keep gives you a mark",
                skip(),
                "mark woods-1 as 7",
                this_bout,
                AfterUse::Stays,
            ),
            of(
                "choose",
                "When you choose a card for the next bout",
                vec![],
                "play 9C",
                Term::Stretch { now, left_for: now + 1 },
                AfterUse::ListGoes,
            ),
        ]
    }
}

/// Whether a prompt can ever be answered so.
pub fn fits(prompt: &str, answer: &Move) -> bool {
    match answer {
        Move::Play(_) => prompt == "choose",
        Move::Mark(_) => prompt != "choose",
        Move::Lose => prompt == "mark",
        Move::Skip => matches!(prompt, "biscuit" | "red-keep"),
    }
}

/// A plain `mark` or `lose` after a `play` is for the mark that the card will ask for.
pub fn implied(mv: &Move, before: &[Move]) -> Option<&'static str> {
    let after_play = before.iter().any(|mv| matches!(mv, Move::Play(_)));
    match mv {
        Move::Mark(_) | Move::Lose if after_play => Some("mark"),
        Move::Play(_) | Move::Mark(_) | Move::Lose | Move::Skip => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Move {
        line.parse().unwrap()
    }

    #[test]
    fn marks_after_a_play_are_for_the_mark_to_come() {
        let play = read("play 9c");
        assert_eq!(implied(&read("mark woods-6"), &[play]), Some("mark"));
        assert_eq!(implied(&read("lose"), &[play]), Some("mark"));
        assert_eq!(implied(&read("mark woods-6"), &[]), None);
        assert_eq!(implied(&read("skip"), &[play]), None);
    }

    #[test]
    fn each_prompt_has_its_own_answers() {
        for (prompt, line, fitting) in [
            ("choose", "play 9c", true),
            ("choose", "mark woods-6", false),
            ("mark", "lose", true),
            ("mark", "skip", false),
            ("biscuit", "skip", true),
            ("red-keep", "lose", false),
        ] {
            assert_eq!(fits(prompt, &read(line)), fitting, "{prompt}: {line}");
        }
    }
}
