//! What a game draws of a table for a page, in parts that the house lays out.

/// The parts of a board, each as HTML with [`Seat::mark`](crate::Seat::mark) for names.
///
/// The house lays them out board first: on a phone the picture fills the screen and `controls` and `hand` stand in a sheet at the
/// bottom edge; where there is room they stand beside it. `details` come below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// Patterns that the other parts are filled with, which browsers look for on the page itself. They stand once on a page, however many
    /// boards it shows.
    pub patterns: String,
    /// The table itself, with what can be clicked on it.
    pub picture: String,
    /// What the viewer is asked, in a line or two, and buttons to answer with.
    pub controls: String,
    /// What the viewer holds, with what can be clicked on it. Of no other viewer's page.
    pub hand: String,
    /// What one looks up now and then: discards, other sheets, rounds, keys, the table in words.
    pub details: String,
    /// For each seat a few words that all may know, for the row of seats: “Red Queen · 4 cards”. May be left empty.
    pub seats: Vec<String>,
}

impl Board {
    /// The same board with each part changed, as for filling in names.
    pub fn map(self, change: impl Fn(&str) -> String) -> Board {
        Board {
            patterns: self.patterns,
            picture: change(&self.picture),
            controls: change(&self.controls),
            hand: change(&self.hand),
            details: change(&self.details),
            seats: self.seats.iter().map(|words| change(words)).collect(),
        }
    }
}
