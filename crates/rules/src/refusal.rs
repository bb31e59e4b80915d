//! Why something was not done, in a sentence that a player understands.

/// A move, a set-up or an option that the rules do not allow. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Refusal {
    sentence: String,
    fault: bool,
}

impl Refusal {
    /// A refusal with a sentence that tells the player what to do.
    pub fn new(sentence: impl Into<String>) -> Refusal {
        Refusal { sentence: sentence.into(), fault: false }
    }

    /// Chance could not be had. Only scripted chance fails so; it is never the player's doing.
    pub fn fault(sentence: impl Into<String>) -> Refusal {
        Refusal { sentence: sentence.into(), fault: true }
    }

    /// Whether it is not the player who is to blame, but the program or the case file.
    pub fn is_fault(&self) -> bool {
        self.fault
    }

    /// What the player reads.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// The same, with what it quotes of a line as it was typed (the rules read it in lower case), and cut where it is long.
    #[must_use]
    pub fn quoting(self, typed: &str) -> Refusal {
        let typed = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        let folded = typed.to_ascii_lowercase();
        let mut sentence = String::with_capacity(self.sentence.len().min(2 * LONGEST_QUOTE));
        let mut rest = self.sentence.as_str();
        for _ in 0..MOST_QUOTES {
            let Some((before, after)) = rest.split_once('“') else { break };
            // A quotation may hold quotation marks of its own: it ends where the line does.
            let whole = after.get(..typed.len()).filter(|quote| quote.eq_ignore_ascii_case(&typed));
            let quote = whole.or_else(|| after.split_once('”').map(|(quote, _)| quote)).unwrap_or(after);
            let place = folded.find(&quote.to_ascii_lowercase());
            let as_typed = place.and_then(|place| typed.get(place..place + quote.len())).unwrap_or(quote);
            sentence.push_str(before);
            sentence.push('“');
            sentence.push_str(&cut(as_typed, LONGEST_QUOTE));
            rest = &after[quote.len()..];
        }
        sentence.push_str(&cut(rest, LONGEST_REST));
        Refusal { sentence, ..self }
    }
}

/// The most signs of a line that are quoted.
const LONGEST_QUOTE: usize = 80;

/// More quotations than that are none of ours.
const MOST_QUOTES: usize = 6;

/// The most signs of a sentence behind its last quotation.
const LONGEST_REST: usize = 1_000;

/// The beginning of a text, if it is long.
fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_quoted_as_it_was_typed() {
        let quoting = |sentence: &str, typed: &str| Refusal::new(sentence).quoting(typed).to_string();
        assert_eq!(quoting("“atack 1 10c” is no move.", " Atack  1 10C"), "“Atack 1 10C” is no move.");
        assert_eq!(quoting("“10x” is no card: say “10C”.", "attack 1 10X"), "“10X” is no card: say “10C”.");
        assert_eq!(quoting("“say “end”” is no move.", "Say “End”"), "“Say “End”” is no move.");
        assert_eq!(quoting("“ÿ” and “", "Ÿ"), "“ÿ” and “");
    }

    #[test]
    fn a_long_line_is_cut() {
        let line = "x“ ”".repeat(300_000);
        let sentence = Refusal::new(format!("“{line}” is no move.")).quoting(&line).to_string();
        assert!(sentence.len() < 400 && sentence.ends_with("…” is no move."), "{}", sentence.len());
        let line = format!("Ÿ{line}");
        let sentence = Refusal::new(format!("“{}” is no move.", line.to_lowercase())).quoting(&line).to_string();
        assert!(sentence.len() < 4_000, "{}", sentence.len());
    }
}
