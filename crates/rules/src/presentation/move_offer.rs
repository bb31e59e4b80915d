//! A move that a seat could make, as letters list it.

/// A legal move, with what its reader wants to know of it. Names are marks, as everywhere in the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOffer {
    /// The line that makes it: “mark woods-7”.
    pub line: String,
    /// The move in words: “Paint 9 on tree 7 of the Woods”.
    pub words: String,
    /// What it brings or risks that the line does not say: “closes a circle of 8 VP”. Often nothing.
    pub brings: String,
}
