//! Where and how a board is drawn.

/// Where and how a board is drawn.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Where moves are posted to. `None` where there is nothing to be done but look: history, or somebody else's turn.
    pub post_to: Option<String>,
    /// What forms send along with a move: after how many moves, and at which state of the table, they were drawn.
    pub step: String,
    /// A choice that the viewer has begun and not finished (a target picked, a question to confirm).
    pub begun: Option<String>,
    /// Lines that were refused, to be mended.
    pub draft: String,
    /// What every form sends along as `csrf`, so that the house knows its own forms.
    pub csrf: String,
    /// Whether the table came to its end before the game did: nobody is to move, whatever the view says.
    pub ended_early: bool,
    /// The decisions that the viewer has answered in advance, by their names, each with its answer in a few words: (“contest”,
    /// “Never contest”).
    pub planned: Vec<(&'static str, String)>,
}
