//! What a reply says: its leading lines, as far as they are moves or commands. The first line that is neither ends the reading, so
//! that quoted text, signatures and “Sent from my phone” are never taken for moves, in whatever language they are.

use crate::mail::inbox::reading::commands::{LONGEST_MOVE, LONGEST_WORDS, Line, Vocabulary};
use crate::mail::inbox::reading::forgiving;
use crate::tables::play::lines::MOST_LINES;
use wonderpost_rules::Refusal;

/// The longest text of a line that is shown again, and the most such lines.
const LONGEST_ECHO: usize = 200;
const MOST_SHOWN: usize = 20;

/// The most lines that a mail program writes above what it quotes.
const LONGEST_ANNOUNCEMENT: usize = 4;

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
        self.lines.iter().filter_map(Line::as_move).collect()
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

/// Reads the leading lines of a text, or those below what it quotes where nothing stands above. `read_move` gives the canonical form of
/// a move; `is_offered` says whether a line is among the legal moves, for where a command is called like a move. `is_consulted` says
/// whether the writer was asked for a yes or no.
pub fn read(
    text: &str,
    read_move: impl Fn(&str) -> Result<String, Refusal>,
    is_offered: impl Fn(&str) -> bool,
    is_consulted: bool,
) -> Reading {
    let vocabulary = Vocabulary { read_move: &read_move, is_offered: &is_offered, is_consulted };
    let leading = read_leading(text, &vocabulary);
    if !leading.lines.is_empty() {
        return leading;
    }
    match forgiving::below_quotation(text).filter(|_| nothing_stands_above(text)) {
        Some(below) => read_leading(below, &vocabulary),
        None => leading,
    }
}

/// Whether above what is quoted there is at most what a mail program writes there, and a greeting.
fn nothing_stands_above(text: &str) -> bool {
    let mut paragraphs: Vec<Vec<&str>> = vec![vec![]];
    for line in text.lines().take_while(|line| !line.starts_with('>')).map(str::trim) {
        match paragraphs.last_mut() {
            Some(paragraph) if !line.is_empty() => paragraph.push(line),
            _ => paragraphs.push(vec![]),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    let greets = |paragraph: &[&str]| matches!(paragraph, [line] if forgiving::is_greeting(line));
    match paragraphs.as_slice() {
        [] => true,
        [only] => greets(only) || announces_quotation(only),
        [first, last] => greets(first) && announces_quotation(last),
        _ => false,
    }
}

/// Whether a mail program wrote these lines, which announce what follows. A line that ends a sentence is somebody's own.
fn announces_quotation(lines: &[&str]) -> bool {
    let [before @ .., last] = lines else { return false };
    let ends_sentence = |line: &&str| line.ends_with(['.', '!', '?']);
    before.len() < LONGEST_ANNOUNCEMENT && !before.iter().any(ends_sentence) && forgiving::announces_quotation(last)
}

fn read_leading(text: &str, vocabulary: &Vocabulary) -> Reading {
    let mut reading = Reading::default();
    let (mut gap, mut greeting) = (false, None);
    for line in text.lines() {
        let line = tidy(line);
        if line.is_empty() {
            gap = true;
            continue;
        }
        if reading.lines.len() == MOST_LINES {
            break;
        }
        match vocabulary.read(&line) {
            Ok(read) => reading.lines.push(read),
            Err(refusal) => {
                let adjoins = !gap && !reading.lines.is_empty();
                let greets = reading.lines.is_empty() && greeting.is_none() && forgiving::is_greeting(&line);
                let stop = Some(Stop { line, refusal, adjoins });
                if greets {
                    greeting = stop;
                    continue;
                }
                reading.stop = stop;
                break;
            }
        }
        gap = false;
    }
    if reading.lines.is_empty() && reading.stop.is_none() {
        reading.stop = greeting;
    }
    reading
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
        for text in ["> play 9c\n> play 10h", "| play 9c", "Hello Alice, play\nplay 9c", "-- \nplay 9c", ""] {
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
    fn a_move_is_read_below_a_greeting_and_below_a_quotation() {
        let played = vec![Line::Move("play 9c".into())];
        for text in [
            "Hi!\n\nplay 9c.\n\nCheers",
            "Dear Hatter,\n- “Play 9C”",
            "On Monday, Wonderpost\n<post@example.org> wrote:\n> skip\n> skip\n\nplay 9c\n-- \nskip",
            ">\nplay 9c",
            "Hello!\n> skip\n\n*play 9c*",
        ] {
            assert_eq!(lines(text), played, "{text}");
        }
        // Who has something to say above what they quote is not read below it.
        let thinking = "Let me think.\n\nOn Monday, Wonderpost wrote:\n> skip\n\nplay 9c";
        for text in [
            thinking,
            &thinking.replace("\n\nOn", "\nOn"),
            "No, I won't\n> skip\n\nplay 9c",
            "Hi!",
            "Hi!\nHello!\nplay 9c",
            "> skip\nplay 9c\n> skip\n",
        ] {
            assert_eq!(lines(text), vec![], "{text}");
        }
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
