//! Making moves: decided on the state at hand, appended in one statement; previews and plans.

pub mod append;
pub mod deciding;
pub mod lines;
pub mod plans;
pub mod preview;
mod questions;
pub mod submit;
pub mod take_back;
#[cfg(test)]
pub(crate) mod test_table;
pub mod undo;
