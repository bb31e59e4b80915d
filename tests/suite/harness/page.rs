//! Reading pages as their readers do: what is said, and what can be done.

/// The HTML of a page.
#[derive(Clone, Copy)]
pub struct Page<'a>(pub &'a str);

impl<'a> Page<'a> {
    /// The text between two marks, everywhere.
    pub fn between(&self, begin: &'a str, end: &'a str) -> Vec<&'a str> {
        self.0.split(begin).skip(1).filter_map(|rest| rest.split_once(end).map(|(text, _)| text)).collect()
    }

    /// The number of moves that the page was drawn after, as its forms send it.
    pub fn step(&self) -> u32 {
        let steps = self.between("name=\"step\" value=\"", "\"");
        steps
            .first()
            .and_then(|step| step.split('-').next()?.parse().ok())
            .unwrap_or_else(|| panic!("no form to move with:\n{}", self.0))
    }

    /// The page without what differs each time it is drawn: which state its forms were drawn from, and where the service listens.
    pub fn without_marks(&self) -> String {
        let mut parts = self.0.split("name=\"step\" value=\"");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (step, rest) = part.split_once('"').unwrap_or((part, ""));
            text.push_str(&format!("name=\"step\" value=\"{}\"{rest}", step.split('-').next().unwrap_or_default()));
        }
        let mut parts = text.split("http://127.0.0.1:");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |page, part| page + part.trim_start_matches(|letter: char| letter.is_ascii_digit()))
    }

    /// What the page's forms carry so that the house knows them for its own.
    pub fn stamp(&self) -> &'a str {
        let stamps = self.between("name=\"csrf\" value=\"", "\"");
        stamps.first().copied().unwrap_or_else(|| panic!("no stamped form:\n{}", self.0))
    }

    /// The moves that a click makes.
    pub fn buttons(&self) -> Vec<String> {
        self.between("name=\"say\" value=\"", "\"").into_iter().map(str::to_owned).collect()
    }

    /// The moves that a click begins, to be confirmed or finished.
    pub fn links(&self) -> Vec<String> {
        self.between("href=\"?begun=", "#").into_iter().map(|begun| begun.replace("%20", " ")).collect()
    }

    pub fn offers(&self, line: &str) -> bool {
        self.buttons().iter().chain(&self.links()).any(|offered| offered == line)
    }

    /// A move to make: rather a card played than one left, and the game goes on as long as it can.
    pub fn next_move(&self) -> Option<String> {
        let (buttons, links) = (self.buttons(), self.links());
        super::table::prefer(
            buttons.iter().chain(links.iter().filter(|link| !link.starts_with("attack") && !link.starts_with("paint"))),
        )
    }

    /// The sentence in a paragraph of this class.
    pub fn sentence(&self, class: &str) -> Option<&'a str> {
        let rest = self.0.split_once(&format!("<p class=\"{class}\""))?.1;
        rest.split_once('>')?.1.split_once("</p>").map(|(text, _)| text)
    }
}
