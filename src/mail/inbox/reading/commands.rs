//! The lines that mean something: moves, and what else can be written in a reply.

use std::fmt;

use chrono::TimeDelta;

use crate::mail::inbox::reading::forgiving;
use wonderpost_rules::Refusal;

/// The longest that is said or noted in one line.
pub const LONGEST_WORDS: usize = 2_000;

/// The longest line that can be a move.
pub const LONGEST_MOVE: usize = 300;

/// The most days for which letters can be put off, and the most days off that are taken at once.
const MOST_DAYS: i64 = 60;

/// A line that means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// In its canonical form.
    Move(String),
    /// To the table.
    Chat(String),
    /// For oneself.
    Note(String),
    Resign,
    /// Takes one's seat again.
    Back,
    /// Plays again with the same people.
    Rematch,
    /// Undoes one's last move.
    Undo,
    /// Asks the others whether one may take one's last move back.
    TakeBack,
    /// An answer to what the writer was asked.
    Consent(bool),
    /// Has the house make its harmless move.
    Skip,
    /// No letters about the table for so long.
    Later(TimeDelta),
    /// So many days off, from today.
    Vacation(u16),
    /// Whether letters about the table are wanted.
    Letters(bool),
    Help,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Move(line) => f.write_str(line),
            Line::Chat(words) => write!(f, "chat {words}"),
            Line::Note(words) => write!(f, "note {words}"),
            Line::Resign => f.write_str("resign"),
            Line::Back => f.write_str("back"),
            Line::Rematch => f.write_str("rematch"),
            Line::Undo => f.write_str("undo"),
            Line::TakeBack => f.write_str("take back"),
            Line::Consent(true) => f.write_str("yes"),
            Line::Consent(false) => f.write_str("no"),
            Line::Skip => f.write_str("skip"),
            Line::Later(span) => write!(f, "later {} min", span.num_minutes()),
            Line::Vacation(days) => write!(f, "vacation {days} days"),
            Line::Letters(true) => f.write_str("start"),
            Line::Letters(false) => f.write_str("stop"),
            Line::Help => f.write_str("help"),
        }
    }
}

impl Line {
    pub fn as_move(&self) -> Option<&str> {
        match self {
            Line::Move(line) => Some(line),
            Line::Chat(_)
            | Line::Note(_)
            | Line::Resign
            | Line::Back
            | Line::Rematch
            | Line::Undo
            | Line::TakeBack
            | Line::Consent(_)
            | Line::Skip
            | Line::Later(_)
            | Line::Vacation(_)
            | Line::Letters(_)
            | Line::Help => None,
        }
    }
}

/// What a line is read with.
pub struct Vocabulary<'a> {
    /// Gives the canonical form of a move.
    pub read_move: &'a dyn Fn(&str) -> Result<String, Refusal>,
    /// Whether a line is among the legal moves, for where a command is called like a move.
    pub is_offered: &'a dyn Fn(&str) -> bool,
    /// Whether the writer was asked for a yes or no.
    pub is_consulted: bool,
}

impl Vocabulary<'_> {
    /// Reads a line as it was typed, or else without what people put around a move.
    pub fn read(&self, line: &str) -> Result<Line, Refusal> {
        let mut forms = forgiving::forms(line).into_iter();
        let typed = self.read_form(&forms.next().unwrap_or_default());
        typed.or_else(|refusal| forms.find_map(|form| self.read_form(&form).ok()).ok_or(refusal))
    }

    fn read_form(&self, line: &str) -> Result<Line, Refusal> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let verb = verb.trim_end_matches(':').to_lowercase();
        if let Some(read) = self.read_command(&verb, rest) {
            return read;
        }
        if line.len() > LONGEST_MOVE {
            return Err(Refusal::new("That line is too long to be a move."));
        }
        match (self.read_move)(without_note(line)).map(Line::Move) {
            // Where it is no move, the house may make one.
            Err(_) if verb == "skip" && rest.is_empty() => Ok(Line::Skip),
            read => read,
        }
    }

    /// Reads a line as a command; `None` if it is none, or called like a move that can be made.
    fn read_command(&self, verb: &str, rest: &str) -> Option<Result<Line, Refusal>> {
        let words = || -> String { rest.chars().take(LONGEST_WORDS).collect() };
        let polite = matches!(rest.to_lowercase().as_str(), "" | "please" | "thanks" | "thank you");
        Some(Ok(match (verb, rest) {
            // “Say” means a move everywhere else; it goes on meaning talk here for those who are used to it.
            ("say" | "tell" | "chat" | "note", "") => {
                return Some(Err(Refusal::new(format!("“{verb}” takes some words, as in “{verb} well played”."))));
            }
            ("chat" | "tell" | "say", _) => Line::Chat(words()),
            ("note", _) => Line::Note(words()),
            ("resign", "") => Line::Resign,
            ("later", _) => return Some(read_span(rest).map(Line::Later).ok_or_else(no_span)),
            ("vacation" | "holiday" | "holidays", _) => {
                return Some(read_days(rest).map(Line::Vacation).ok_or_else(no_days));
            }
            // In some games it is a move to help.
            _ if (self.is_offered)(verb) || (self.is_offered)(&format!("{verb} {rest}").to_lowercase()) => return None,
            ("help" | "?" | "rules", "") => Line::Help,
            ("back", "") => Line::Back,
            ("rematch", "") => Line::Rematch,
            ("undo", "") => Line::Undo,
            ("take", _) if rest.eq_ignore_ascii_case("back") => Line::TakeBack,
            ("stop" | "unsubscribe", "") => Line::Letters(false),
            ("start", "") => Line::Letters(true),
            ("yes" | "yes," | "y" | "ok" | "okay" | "sure", _) if self.is_consulted && polite => Line::Consent(true),
            ("no" | "no," | "n" | "nope", _) if self.is_consulted && polite => Line::Consent(false),
            _ => return None,
        }))
    }
}

/// A line copied from a letter without what stands behind the move there, in brackets. Who asks something there is in doubt.
fn without_note(line: &str) -> &str {
    match line.split_once(" (") {
        Some((said, note)) if note.ends_with(')') && !note.contains('?') => said,
        _ => line,
    }
}

fn no_span() -> Refusal {
    Refusal::new(format!("“later” takes a time of at most {MOST_DAYS} days, as in “later 6h” or “later 2 days”."))
}

fn no_days() -> Refusal {
    Refusal::new(format!("“vacation” takes a number of days, at most {MOST_DAYS}, as in “vacation 3 days”."))
}

/// A time such as “6h”, “90 min”, “2 days” or “1 week”.
fn read_span(text: &str) -> Option<TimeDelta> {
    let text = text.trim_end_matches(['.', '!']).to_lowercase();
    let unit_begins = text.find(|sign: char| !sign.is_ascii_digit())?;
    let (number, unit) = text.split_at(unit_begins);
    let number: i64 = number.parse().ok().filter(|number| (1..=100_000).contains(number))?;
    let minutes = match unit.trim() {
        "m" | "min" | "mins" | "minute" | "minutes" => number,
        "h" | "hr" | "hrs" | "hour" | "hours" => number * 60,
        "d" | "day" | "days" => number * 24 * 60,
        "w" | "week" | "weeks" => number * 7 * 24 * 60,
        _ => return None,
    };
    Some(TimeDelta::minutes(minutes)).filter(|span| *span <= TimeDelta::days(MOST_DAYS))
}

/// A number of days such as “3”, “3 days” or “1 week”.
fn read_days(text: &str) -> Option<u16> {
    let text = text.trim_end_matches(['.', '!']);
    let plain = text.parse().ok().filter(|days| (1..=MOST_DAYS).contains(days));
    let span = plain.map(TimeDelta::days).or_else(|| read_span(text))?;
    u16::try_from(span.num_days()).ok().filter(|days| *days > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, is_consulted: bool) -> Option<Line> {
        let read_move = |line: &str| match line.to_lowercase().as_str() {
            known @ ("end" | "help" | "draw") => Ok(known.to_owned()),
            _ => Err(Refusal::new("no move")),
        };
        Vocabulary { read_move: &read_move, is_offered: &|line| line == "end", is_consulted }.read(line).ok()
    }

    #[test]
    fn commands_are_read_as_people_type_them() {
        let minutes = |minutes| Some(Line::Later(TimeDelta::minutes(minutes)));
        assert_eq!(read("later 6h", false), minutes(360));
        assert_eq!(read("Later 2 Days.", false), minutes(2 * 24 * 60));
        assert_eq!(read("later 90 min", false), minutes(90));
        assert_eq!(read("Vacation 3 days", false), Some(Line::Vacation(3)));
        assert_eq!(read("vacation 1 week!", false), Some(Line::Vacation(7)));
        assert_eq!(read("holiday 10", false), Some(Line::Vacation(10)));
        assert_eq!(read("STOP", false), Some(Line::Letters(false)));
        assert_eq!(read("“skip”", false), Some(Line::Skip));
        assert_eq!(read("Take Back!", false), Some(Line::TakeBack));
        assert_eq!(read("Rematch!", false), Some(Line::Rematch));
        for line in [
            "later",
            "later on",
            "later 0h",
            "later 70 days",
            "vacation",
            "vacation 99",
            "vacation 9223372036854775807",
            "later 99999999999999999999h",
            "stop it",
            "vacation 6h",
        ] {
            assert_eq!(read(line, true), None, "{line}");
        }
    }

    #[test]
    fn a_note_behind_a_move_is_left_out_unless_it_asks() {
        assert_eq!(read("end (the turn goes to Alice)", false), Some(Line::Move("end".into())));
        assert_eq!(read("end (or draw?)", false), None);
    }

    #[test]
    fn a_yes_or_no_is_read_where_one_was_asked_for() {
        for line in ["yes", "Yes!", "YES.", "*yes*", "yes please", "Yes, please!", "ok", "Sure."] {
            assert_eq!(read(line, true), Some(Line::Consent(true)), "{line}");
            assert_eq!(read(line, false), None, "{line}");
        }
        for line in ["no", "No, thanks.", "nope", "no thank you"] {
            assert_eq!(read(line, true), Some(Line::Consent(false)), "{line}");
        }
        for line in ["no way", "yes but", "okay then end"] {
            assert_eq!(read(line, true), None, "{line}");
        }
    }

    #[test]
    fn what_was_read_is_written_so_that_it_reads_the_same() {
        for line in [
            "later 6h",
            "vacation 1 week",
            "stop",
            "start",
            "take back",
            "skip",
            "undo",
            "resign",
            "note Tarts.",
            "yes",
        ] {
            let read_once = read(line, true).expect(line);
            assert_eq!(read(&read_once.to_string(), true), Some(read_once), "{line}");
        }
    }
}
