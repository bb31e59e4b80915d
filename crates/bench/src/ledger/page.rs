//! What a client needs to know of a page: its forms.

/// The HTML of a table's page.
pub struct Page<'a>(pub &'a str);

impl<'a> Page<'a> {
    fn values(&self, begin: &'a str, end: char) -> impl Iterator<Item = &'a str> {
        self.0.split(begin).skip(1).filter_map(move |rest| rest.split_once(end).map(|(text, _)| text))
    }

    /// The number of moves after which the page was drawn, if there is a form to move with, and how the form says it.
    pub fn step(&self) -> Option<(u32, &'a str)> {
        let field = self.values("name=\"step\" value=\"", '"').next()?;
        Some((field.split('-').next()?.parse().ok()?, field))
    }

    /// What forms of this visitor carry.
    pub fn stamp(&self) -> Option<&'a str> {
        self.values("name=\"csrf\" value=\"", '"').next()
    }

    /// The moves that a click makes.
    pub fn moves(&self) -> Vec<String> {
        self.values("name=\"say\" value=\"", '"').filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// The moves that a click begins and another finishes.
    pub fn begun(&self) -> Vec<&'a str> {
        self.values("href=\"?begun=", '"').map(|rest| rest.split(['#', '&']).next().unwrap_or(rest)).collect()
    }
}
