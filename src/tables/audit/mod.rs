//! Whether what is stored is right: games against their rules, lists against their events.

pub mod check;
pub mod rebuild;
