//! What a seat is asked for, as the letters to it begin.

/// A question to a seat that is awaited, with [`Seat::mark`](crate::Seat::mark) for names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallToAction {
    /// It is their turn; and what there is to say first, such as what others have answered them.
    Turn(Option<String>),
    /// Somebody waits for them in the middle of a turn of their own, and cannot go on without them.
    Call(String),
}
