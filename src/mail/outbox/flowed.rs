//! Plain text as it goes out: in lines of at most 72 signs, which mail programs that know how put together again (RFC 3676,
//! `format=flowed`), so that it reads well on a phone and in a terminal alike.

/// How many signs a line has.
const WIDTH: usize = 72;

/// What separates a signature from the letter. Its blank at the end means nothing else.
const SIGNATURE: &str = "-- ";

/// Breaks lines that are too long between words. What is indented is a list or a board: it stays so, and is not put together again. A
/// word that is too long by itself, such as a link, is not broken.
pub fn flowed(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        if line == SIGNATURE {
            lines.push(line.to_owned());
            continue;
        }
        let line = line.trim_end();
        let indent = line.len() - line.trim_start().len();
        let parts = broken(&line[indent..], WIDTH - indent.min(WIDTH / 2));
        let last = parts.len().saturating_sub(1);
        for (place, part) in parts.into_iter().enumerate() {
            let line = match indent {
                0 if place < last => format!("{part} "),
                0 => part,
                _ if place == 0 => format!("{}{part}", " ".repeat(indent)),
                _ => format!("{}{part}", " ".repeat(indent + 2)),
            };
            lines.push(stuffed(line));
        }
    }
    lines.join("\n")
}

/// The words of a line in parts that are no longer than this, as far as words can be parted.
fn broken(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let mut parts: Vec<String> = Vec::new();
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        match parts.last_mut() {
            // Room is left for what is set in further, and for the blank at the end.
            Some(part) if part.chars().count() + word.chars().count() + 3 <= width => {
                part.push(' ');
                part.push_str(word);
            }
            _ => parts.push(word.to_owned()),
        }
    }
    parts
}

/// A blank before what would be taken for something else; programs that put lines together take it away.
fn stuffed(line: String) -> String {
    if line.starts_with([' ', '>']) || line.starts_with("From ") { format!(" {line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a mail program reads it that knows how.
    fn put_together(text: &str) -> String {
        let mut whole = String::new();
        for line in text.split('\n') {
            whole.push_str(line.strip_prefix(' ').unwrap_or(line));
            if line == SIGNATURE || !line.ends_with(' ') {
                whole.push('\n');
            }
        }
        whole.trim_end().to_owned()
    }

    #[test]
    fn long_lines_are_broken_and_can_be_put_together_again() {
        let text = format!("Hello.\n\n{}.\n> so\n  draw\n\n-- \nWonderpost", "word ".repeat(30).trim());
        let sent = flowed(&text);
        assert!(sent.lines().all(|line| line.trim_end().chars().count() <= WIDTH), "{sent}");
        assert_eq!(put_together(&sent), text);
    }

    #[test]
    fn what_is_indented_stays_so() {
        let sent = flowed(&format!("  {}", "card ".repeat(20).trim()));
        let lines: Vec<&str> = sent.lines().collect();
        assert!(lines[0].starts_with("   card card") && !lines[0].ends_with(' '), "{sent}");
        assert!(lines[1].starts_with("     card") && lines.iter().all(|line| line.len() <= WIDTH + 1), "{sent}");
    }

    #[test]
    fn links_stay_whole() {
        let link = format!("https://house.example/{}", "x".repeat(90));
        assert_eq!(flowed(&format!("No more such letters: {link}")), format!("No more such letters: \n{link}"));
    }
}
