//! Standing answers: what a player may say ahead of time, for the service that keeps such lists.
//!
//! All prompts of this game take them, as ordered lists of which the first legal move is made:
//!
//! - `mark`, `biscuit` and `red-keep` for the current bout only ([`Lasts::ThisBout`]): dropped when it ends, that is when
//!   `table.round` or `table.bout` of the view changes or the game is over.
//! - `choose` for the choice after this one ([`Lasts::NextChoice`]): kept when a bout ends, used for the next choice, and
//!   dropped once that is made.
//!
//! [`read`] reads a line of a form or a letter. A line that names its prompt (`biscuit: mark meadow-2`) is a standing answer and no
//! move. So is a plain `mark` or `lose` line after a `play` line, for the prompt `mark`: three lines sent along with
//! `play 9C`, one a zone, answer the bout whatever the others play. All other lines are moves.

use super::moves::Move;
use crate::rules::Refusal;

/// How long the answers to a prompt are kept.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Lasts {
    ThisBout,
    NextChoice,
}

/// The prompts that take standing answers.
pub const PROMPTS: [(&str, Lasts); 4] = [
    ("choose", Lasts::NextChoice),
    ("mark", Lasts::ThisBout),
    ("biscuit", Lasts::ThisBout),
    ("red-keep", Lasts::ThisBout),
];

/// A line as it is meant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// To be made now.
    Move(Move),
    /// To be kept for this prompt.
    Answer { prompt: &'static str, answer: Move },
}

/// Reads a line (trimmed, folded, in lower case); `after_play` if a `play` line stands before it in the same batch.
pub fn read(line: &str, after_play: bool) -> Result<Said, Refusal> {
    if let Some((prompt, answer)) = line.split_once(':') {
        let found = PROMPTS.iter().find(|(name, _)| *name == prompt.trim());
        let (prompt, _) = found.ok_or_else(|| {
            Refusal::new(format!(
                "“{}” asks for nothing: answers are for choose, mark, biscuit or red-keep.",
                prompt.trim()
            ))
        })?;
        let answer: Move = answer.trim().parse()?;
        if !fits(prompt, &answer) {
            return Err(Refusal::new(format!("“{answer}” is no answer to “{prompt}”.")));
        }
        return Ok(Said::Answer { prompt, answer });
    }
    let mv: Move = line.parse()?;
    Ok(match mv {
        Move::Mark(_) | Move::Lose if after_play => Said::Answer { prompt: "mark", answer: mv },
        Move::Play(_) | Move::Mark(_) | Move::Lose | Move::Skip => Said::Move(mv),
    })
}

/// Whether a prompt can ever be answered so.
fn fits(prompt: &str, answer: &Move) -> bool {
    match answer {
        Move::Play(_) => prompt == "choose",
        Move::Mark(_) => prompt != "choose",
        Move::Lose => prompt == "mark",
        Move::Skip => matches!(prompt, "biscuit" | "red-keep"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_names_its_prompt_is_kept_for_it() {
        let answer = "mark woods-6".parse().unwrap();
        assert_eq!(read("mark: mark woods-6", false), Ok(Said::Answer { prompt: "mark", answer }));
        assert_eq!(read("biscuit:mark woods-6", false), Ok(Said::Answer { prompt: "biscuit", answer }));
        assert_eq!(read("red-keep: skip", true), Ok(Said::Answer { prompt: "red-keep", answer: Move::Skip }));
        for line in ["biscuit: lose", "mark: skip", "mark: play 9c", "tea: skip", "mark: ", ": mark woods-6"] {
            assert!(read(line, false).is_err(), "{line}");
        }
    }

    #[test]
    fn marks_after_a_play_are_for_the_mark_to_come() {
        let answer = "mark woods-6".parse().unwrap();
        assert_eq!(read("mark woods-6", true), Ok(Said::Answer { prompt: "mark", answer }));
        assert_eq!(read("mark woods-6", false), Ok(Said::Move(answer)));
        assert_eq!(read("skip", true), Ok(Said::Move(Move::Skip)));
    }
}
