//! How people type, above all on phones: with a full stop, in quotation marks, as a list, in bold, after a greeting, or below what they
//! quote. Everything here takes signs away around a line; what is left must be a move to the letter, or it is none.

/// Words with which people greet.
const GREETINGS: [&str; 25] = [
    "hi",
    "hello",
    "hey",
    "hiya",
    "howdy",
    "dear",
    "greetings",
    "good",
    "hallo",
    "moin",
    "servus",
    "liebe",
    "lieber",
    "bonjour",
    "salut",
    "hola",
    "ciao",
    "buongiorno",
    "ola",
    "olá",
    "hej",
    "hei",
    "ahoj",
    "cześć",
    "guten",
];

/// What follows a greeting without being a name.
const GREETED: [&str; 20] = [
    "all",
    "everyone",
    "everybody",
    "there",
    "again",
    "friend",
    "friends",
    "team",
    "folks",
    "morning",
    "afternoon",
    "evening",
    "day",
    "tag",
    "morgen",
    "abend",
    "zusammen",
    "tous",
    "todos",
    "tutti",
];

/// The most words of a greeting.
const LONGEST_GREETING: usize = 4;

/// How long the last line of a quotation may be for what follows right below it to be the writer's own, and not the rest of a line that
/// a mail program broke.
const SHORT_QUOTED_LINE: usize = 60;

/// A line as it was typed, and then with ever more taken away that is not meant: a bullet, marks around it, what ends a sentence.
/// Each form differs from the one before.
pub fn forms(line: &str) -> Vec<String> {
    let mut forms = vec![line.to_owned()];
    let mut push = |form: &str| {
        let form = form.trim();
        if !form.is_empty() && forms.last().is_some_and(|last| last != form) {
            forms.push(form.to_owned());
        }
    };
    let dashed = line.replace(['–', '—', '\u{2010}', '\u{2011}', '\u{2212}'], "-").replace(['’', '‘'], "'");
    push(&dashed);
    let bare = without_bullet(dashed.trim());
    push(bare);
    let mut rest = bare;
    // Marks may be within one another, and a full stop within or without.
    for _ in 0..3 {
        rest = within_marks(rest);
        push(rest);
        rest = rest.trim_end_matches(['.', '!', ',', ';', '…']).trim_end();
        push(rest);
    }
    forms
}

fn without_bullet(line: &str) -> &str {
    let bulleted = ["- ", "* ", "• ", "· ", "◦ ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet));
    bulleted.unwrap_or(line).trim_start()
}

/// What stands between two marks that belong together.
fn within_marks(line: &str) -> &str {
    const MARKS: [(char, char); 11] = [
        ('“', '”'),
        ('„', '“'),
        ('„', '”'),
        ('«', '»'),
        ('»', '«'),
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('*', '*'),
        ('_', '_'),
        ('”', '”'),
    ];
    let within = MARKS.iter().find_map(|(open, close)| line.strip_prefix(*open)?.strip_suffix(*close));
    within.unwrap_or(line).trim()
}

/// Whether a line greets and says nothing else: “Hi!”, “Dear Hatter,”, “Good morning everybody”.
pub fn is_greeting(line: &str) -> bool {
    let line = line.trim_end_matches(['!', ',', '.', ':', ' ']);
    let words: Vec<&str> = line.split(' ').map(|word| word.trim_end_matches(',')).collect();
    let [first, rest @ ..] = words.as_slice() else { return false };
    let greets = GREETINGS.contains(&first.to_lowercase().as_str());
    let is_greeted = |word: &&str| {
        let is_name = word.chars().next().is_some_and(char::is_uppercase) && word.chars().all(char::is_alphabetic);
        is_name || GREETED.contains(&word.to_lowercase().as_str())
    };
    greets && rest.len() < LONGEST_GREETING && rest.iter().all(is_greeted)
}

/// Whether a line was written by a mail program above a quotation: “On Monday, Wonderpost wrote:”.
pub fn announces_quotation(line: &str) -> bool {
    line.trim_end().ends_with(':')
}

/// What stands below the last line that is quoted with `>`; `None` if nothing is quoted, or nothing stands there.
pub fn below_quotation(text: &str) -> Option<&str> {
    let mut last = None;
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        place += line.len();
        if line.starts_with('>') {
            last = Some((line.trim_end(), place));
        }
    }
    let (quoted, place) = last?;
    let below = &text[place..];
    let is_apart = below.lines().next().is_some_and(|line| line.trim().is_empty());
    (!below.trim().is_empty() && (is_apart || quoted.len() <= SHORT_QUOTED_LINE)).then_some(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_a_move_is_taken_away() {
        for typed in [
            "End.",
            "end!",
            "“end”",
            "„end“",
            "«end»",
            "\"end\"",
            "'end'",
            "- end",
            "* end",
            "• end",
            "*end*",
            "**end**",
            "_end_",
            "`end`",
            "“End.”",
            "“end”.",
            "- *end*!",
            "end…",
            "end ,",
        ] {
            assert!(forms(typed).iter().any(|form| form.eq_ignore_ascii_case("end")), "{typed}: {:?}", forms(typed));
        }
        assert!(forms("mark meadow–3").contains(&"mark meadow-3".to_owned()));
        assert_eq!(forms("end"), ["end"]);
    }

    #[test]
    fn nothing_else_is_taken_away() {
        for typed in ["end?", "> end", "| end", "-- end", "1. end", "not end", "end (I think)", "the end."] {
            assert!(forms(typed).iter().all(|form| form != "end"), "{typed}: {:?}", forms(typed));
        }
    }

    #[test]
    fn greetings_are_known() {
        for line in [
            "Hi!",
            "hello",
            "Hello Alice,",
            "Dear March Hare,",
            "Good morning, everybody!",
            "Hallo zusammen",
            "Hey all",
        ] {
            assert!(is_greeting(line), "{line}");
        }
        for line in [
            "Hi, don't draw",
            "Hello! I would like to draw",
            "draw",
            "",
            "Alice,",
            "hi 10C",
            "good grief no",
            "Hi, end",
        ] {
            assert!(!is_greeting(line), "{line}");
        }
    }

    #[test]
    fn what_stands_below_a_quotation_is_found() {
        assert_eq!(below_quotation("On Monday we wrote:\n> draw\n> end\n\nend\n").map(str::trim), Some("end"));
        assert_eq!(below_quotation("> draw\nend").map(str::trim), Some("end"));
        for text in ["end", "end\n> draw", "end\n> draw\n\n  \n", ""] {
            assert_eq!(below_quotation(text), None, "{text}");
        }
        // The rest of a quoted line that a mail program broke.
        let long = format!("> {}\ndraw\n", "a word ".repeat(10));
        assert_eq!(below_quotation(&long), None);
    }
}
