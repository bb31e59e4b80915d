//! Making moves: decided on the state at hand, appended in one statement; previews and plans.

pub mod append;
pub mod deciding;
pub mod plans;
pub mod preview;
pub mod submit;
