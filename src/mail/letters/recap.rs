//! What happened, told in a few lines: what one player did in a row is one sentence.

/// How many lines are told; of more the last.
const MOST_LINES: usize = 6;

/// A sentence longer than this is told by itself.
const LONGEST_PART: usize = 90;

/// A line of the log, and whose move it belongs to, as the line calls them: “You”, “Alice”.
pub struct LogLine {
    pub who: Option<String>,
    pub line: String,
}

/// What happened.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Recap {
    pub lines: Vec<String>,
    /// More happened than is told.
    pub more: bool,
}

/// What somebody does in a row.
struct Stretch {
    who: Option<String>,
    /// Without the name, and without the full stop; how often in a row.
    parts: Vec<(String, usize)>,
}

impl Recap {
    pub fn new(log: &[LogLine]) -> Recap {
        let mut stretches: Vec<Stretch> = Vec::new();
        for entry in log {
            match (part(entry), stretches.last_mut()) {
                (Some(part), Some(last)) if last.who.is_some() && last.who == entry.who => last.add(part),
                (Some(part), _) => stretches.push(Stretch { who: entry.who.clone(), parts: vec![(part, 1)] }),
                (None, _) => stretches.push(Stretch { who: None, parts: vec![(entry.line.clone(), 1)] }),
            }
        }
        let more = stretches.len() > MOST_LINES;
        let told = stretches.len().saturating_sub(MOST_LINES);
        Recap { lines: stretches.into_iter().skip(told).map(Stretch::told).collect(), more }
    }
}

/// What is done in a line that is one short sentence about whoever moves.
fn part(entry: &LogLine) -> Option<String> {
    let rest = entry.line.strip_prefix(entry.who.as_deref()?)?.strip_prefix(' ')?.strip_suffix('.')?;
    let is_plain = !rest.contains('\n') && !rest.contains(". ") && !rest.contains(": ") && !rest.contains("; ");
    (is_plain && rest.chars().count() <= LONGEST_PART).then(|| rest.to_owned())
}

impl Stretch {
    fn add(&mut self, part: String) {
        match self.parts.last_mut() {
            Some((last, times)) if without_brackets(last) == without_brackets(&part) => {
                *last = part;
                *times += 1;
            }
            _ => self.parts.push((part, 1)),
        }
    }

    fn told(self) -> String {
        let Some(who) = self.who else { return self.parts.into_iter().map(|(line, _)| line).collect() };
        let parts: Vec<String> = self.parts.into_iter().map(|(part, times)| often(&part, times)).collect();
        format!("{who} {}.", parts.join(", then "))
    }
}

/// What stands before a remark in brackets at the end: “draws a card” of “draws a card (43 left)”.
fn without_brackets(part: &str) -> &str {
    if part.ends_with(')') { part.rsplit_once(" (").map_or(part, |(before, _)| before) } else { part }
}

fn often(part: &str, times: usize) -> String {
    let often = match times {
        0 | 1 => return part.to_owned(),
        2 => "twice".to_owned(),
        3 => "three times".to_owned(),
        more => format!("{more} times"),
    };
    let (before, after) = part.split_at(without_brackets(part).len());
    format!("{before} {often}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recap(log: &[(&str, &str)]) -> Vec<String> {
        let entry = |(who, line): &(&str, &str)| LogLine {
            who: Some((*who).to_owned()).filter(|who| !who.is_empty()),
            line: (*line).to_owned(),
        };
        Recap::new(&log.iter().map(entry).collect::<Vec<_>>()).lines
    }

    #[test]
    fn what_somebody_does_in_a_row_is_one_sentence() {
        let told = recap(&[
            ("You", "You draw 7♠ (44 left)."),
            ("Bob", "Bob draws a card (43 left)."),
            ("Bob", "Bob draws a card (42 left)."),
            ("Bob", "Bob ends the turn."),
        ]);
        assert_eq!(told, ["You draw 7♠ (44 left).", "Bob draws a card twice (42 left), then ends the turn."]);
    }

    #[test]
    fn what_is_more_than_a_sentence_about_its_mover_stands_by_itself() {
        let told = recap(&[
            ("Bob", "Bob attacks slot 2 with 9♣."),
            ("Bob", "The fight: 9 against 7. The member falls."),
            ("Bob", "Bob ends the turn."),
            ("", "Round 2 begins."),
            ("Bob", "Bob shows:\n  9♣\n  K♥"),
        ]);
        assert_eq!(
            told,
            [
                "Bob attacks slot 2 with 9♣.",
                "The fight: 9 against 7. The member falls.",
                "Bob ends the turn.",
                "Round 2 begins.",
                "Bob shows:\n  9♣\n  K♥",
            ]
        );
    }

    #[test]
    fn of_much_the_last_is_told() {
        let log: Vec<LogLine> =
            (1..=9).map(|round| LogLine { who: None, line: format!("Round {round} begins.") }).collect();
        let recap = Recap::new(&log);
        assert!(recap.more);
        assert_eq!((recap.lines.len(), recap.lines[5].as_str()), (6, "Round 9 begins."));
    }
}
