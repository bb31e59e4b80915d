//! What a reply says: its leading lines, as far as they are moves or commands. The first line that is neither ends the reading, so
//! that quoted text, signatures and “Sent from my phone” are never taken for moves, in whatever language they are.

use std::fmt;

use crate::tables::play::lines::MOST_LINES;
use wonderpost_rules::Refusal;

/// The longest that is said or noted in one line.
const LONGEST_WORDS: usize = 2_000;

/// The longest line that can be a move.
const LONGEST_MOVE: usize = 300;

/// The longest text of a line that is shown again, and the most such lines.
const LONGEST_ECHO: usize = 200;
const MOST_SHOWN: usize = 20;

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
    /// Whether somebody else may.
    Consent(bool),
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
            Line::Help => f.write_str("help"),
        }
    }
}

/// The line at which the reading ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    pub line: String,
    /// Why it is no move.
    pub refusal: Refusal,
    /// Whether it stands right below a line that was read.
    pub adjoins: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub lines: Vec<Line>,
    pub stop: Option<Stop>,
}

impl Reading {
    pub fn moves(&self) -> Vec<&str> {
        self.lines.iter().filter_map(as_move).collect()
    }

    /// A line right below those that were read which begins like a move and is none: a slip, not the end of what was meant.
    pub fn slip(&self, legal: &[String]) -> Option<&Stop> {
        let verb = |line: &str| line.split_whitespace().next().unwrap_or_default().to_lowercase();
        let stop = self.stop.as_ref().filter(|stop| stop.adjoins)?;
        let known = verb(&stop.line);
        let moves = self.moves();
        let mut said = moves.iter().copied().chain(legal.iter().map(String::as_str));
        said.any(|line| verb(line) == known).then_some(stop)
    }

    /// The lines as they were read, to be shown: as much of them as somebody looks at.
    pub fn to_show(&self) -> String {
        let lines = self.lines.iter().take(MOST_SHOWN).map(|line| shortened(&line.to_string()));
        let more = (self.lines.len() > MOST_SHOWN).then(|| "…".to_owned());
        lines.chain(more).collect::<Vec<_>>().join("\n")
    }

    /// The lines as they were read.
    pub fn to_text(&self) -> String {
        self.lines.iter().map(Line::to_string).collect::<Vec<_>>().join("\n")
    }
}

/// A line as it is shown again: cut where it is long.
pub fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST_ECHO) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

fn as_move(line: &Line) -> Option<&str> {
    match line {
        Line::Move(line) => Some(line),
        Line::Chat(_)
        | Line::Note(_)
        | Line::Resign
        | Line::Back
        | Line::Rematch
        | Line::Undo
        | Line::TakeBack
        | Line::Consent(_)
        | Line::Help => None,
    }
}

/// Reads the leading lines of a text. `read_move` gives the canonical form of a move; `is_offered` says whether a line is among the
/// legal moves, for where a command is called like a move. `is_consulted` says whether the writer was asked for a yes or no.
pub fn read(
    text: &str,
    read_move: impl Fn(&str) -> Result<String, Refusal>,
    is_offered: impl Fn(&str) -> bool,
    is_consulted: bool,
) -> Reading {
    let mut reading = Reading::default();
    let mut gap = false;
    for line in text.lines() {
        let line = tidy(line);
        if line.is_empty() {
            gap = true;
            continue;
        }
        if reading.lines.len() == MOST_LINES {
            break;
        }
        match read_line(&line, &read_move, &is_offered, is_consulted) {
            Ok(read) => reading.lines.push(read),
            Err(refusal) => {
                let adjoins = !gap && !reading.lines.is_empty();
                reading.stop = Some(Stop { line, refusal, adjoins });
                break;
            }
        }
        gap = false;
    }
    reading
}

fn read_line(
    line: &str,
    read_move: &impl Fn(&str) -> Result<String, Refusal>,
    is_offered: &impl Fn(&str) -> bool,
    is_consulted: bool,
) -> Result<Line, Refusal> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let verb = verb.trim_end_matches(':').to_lowercase();
    let words = || -> String { rest.chars().take(LONGEST_WORDS).collect() };
    match (verb.as_str(), rest) {
        // In some games it is a move to help.
        ("help" | "?", "") if !is_offered(&verb) => Ok(Line::Help),
        ("back", "") if !is_offered(&verb) => Ok(Line::Back),
        ("rematch", "") if !is_offered(&verb) => Ok(Line::Rematch),
        ("resign", "") => Ok(Line::Resign),
        ("undo", "") if !is_offered(&verb) => Ok(Line::Undo),
        ("take", "back") if !is_offered("take back") => Ok(Line::TakeBack),
        ("yes", "") if is_consulted && !is_offered(&verb) => Ok(Line::Consent(true)),
        ("no", "") if is_consulted && !is_offered(&verb) => Ok(Line::Consent(false)),
        ("say" | "tell" | "chat" | "note", "") => {
            Err(Refusal::new(format!("“{verb}” takes some words, as in “{verb} well played”.")))
        }
        // “Say” means a move everywhere else; it goes on meaning talk here for those who are used to it.
        ("chat" | "tell" | "say", _) => Ok(Line::Chat(words())),
        ("note", _) => Ok(Line::Note(words())),
        _ if line.len() > LONGEST_MOVE => Err(Refusal::new("That line is too long to be a move.")),
        _ => read_move(without_note(line)).map(Line::Move),
    }
}

/// A line copied from a letter without what stands behind the move there, in brackets.
fn without_note(line: &str) -> &str {
    match line.split_once(" (") {
        Some((said, _)) if line.ends_with(')') => said,
        _ => line,
    }
}

/// A line without what one cannot see, its white space folded, and no longer than any that means something.
fn tidy(line: &str) -> String {
    let invisible = |sign: &char| matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}');
    let seen: String = line
        .chars()
        .filter(|sign| !invisible(sign) && (!sign.is_control() || *sign == '\t'))
        .take(LONGEST_MOVE + LONGEST_WORDS)
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_move(line: &str) -> Result<String, Refusal> {
        let line = line.to_lowercase();
        if ["play 9c", "play 10h", "skip", "help"].contains(&line.as_str()) {
            Ok(line)
        } else {
            Err(Refusal::new(format!("“{line}” is no move.")))
        }
    }

    fn lines(text: &str) -> Vec<Line> {
        read(text, read_move, |_| false, false).lines
    }

    #[test]
    fn leading_lines_are_read_until_one_is_something_else() {
        let played = vec![Line::Move("play 9c".into()), Line::Move("play 10h".into())];
        assert_eq!(lines("Play 9C\n\n  PLAY\u{a0}10h \n\nOn Monday, Wonderpost wrote:\n> skip\nskip\n"), played);
        assert_eq!(lines("play 9c\r\nplay 10h\r\n-- \r\nskip"), played);
        assert_eq!(lines("play 9c\nplay 10h\nSent from my phone\nskip"), played);
        assert_eq!(lines("\u{feff}play 9c\n\u{200b}\nplay 10h"), played);
    }

    #[test]
    fn a_line_can_be_copied_from_a_letter_with_its_note() {
        assert_eq!(lines("   play 9c  (Play 9♣)"), vec![Line::Move("play 9c".into())]);
    }

    #[test]
    fn quoted_lines_are_never_read() {
        for text in ["> play 9c\nplay 10h", "| play 9c", "Hello!\nplay 9c", "-- \nplay 9c", ""] {
            assert_eq!(lines(text), vec![], "{text}");
        }
    }

    #[test]
    fn commands_keep_their_words_as_they_were_written() {
        assert_eq!(
            lines("Chat  Well played, Zoë!\nsay Thanks\ntell: you all\nNote: keep the QUEEN\nBack\nresign\nhelp"),
            vec![
                Line::Chat("Well played, Zoë!".into()),
                Line::Chat("Thanks".into()),
                Line::Chat("you all".into()),
                Line::Note("keep the QUEEN".into()),
                Line::Back,
                Line::Resign,
                Line::Help
            ]
        );
        assert_eq!(lines("resigned to my fate"), vec![]);
        assert_eq!(lines("chat"), vec![]);
    }

    #[test]
    fn a_yes_or_no_is_read_where_one_was_asked_for() {
        assert_eq!(lines("undo\nplay 9c"), vec![Line::Undo, Line::Move("play 9c".into())]);
        assert_eq!(lines("Take back"), vec![Line::TakeBack]);
        assert_eq!(lines("yes"), vec![]);
        assert_eq!(read("Yes\nThanks for asking", read_move, |_| false, true).lines, vec![Line::Consent(true)]);
        assert_eq!(read("no", read_move, |_| false, true).lines, vec![Line::Consent(false)]);
        assert_eq!(read("no way", read_move, |_| false, true).lines, vec![]);
    }

    #[test]
    fn where_help_is_a_move_it_is_one() {
        assert_eq!(read("help", read_move, |line| line == "help", false).lines, vec![Line::Move("help".into())]);
    }

    #[test]
    fn what_is_long_is_cut() {
        let reading = read(&"x ".repeat(500_000), |_| unreachable!("no move is that long"), |_| false, false);
        let stop = reading.stop.unwrap();
        assert!(stop.line.len() < 3_000 && stop.refusal.sentence().len() < 100, "{stop:?}");
        let reading = read(&format!("chat {}\n", "tarts ".repeat(10_000)).repeat(300), read_move, |_| false, false);
        assert!(reading.lines.len() == MOST_LINES && reading.to_show().len() < 5_000);
    }

    #[test]
    fn a_slip_is_told_from_the_end_of_what_was_meant() {
        let slip = |text| read(text, read_move, |_| false, false).slip(&["skip".into()]).map(|stop| stop.line.clone());
        assert_eq!(slip("play 9c\nplay 10x"), Some("play 10x".into()));
        assert_eq!(slip("play 9c\nskip it"), Some("skip it".into()));
        assert_eq!(slip("play 9c\n\nplay well, everybody!"), None);
        assert_eq!(slip("play 9c\nCheers, Alice"), None);
        assert_eq!(slip("play 10x"), None);
    }
}
