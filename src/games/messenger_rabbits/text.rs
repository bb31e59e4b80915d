//! The table as plain text.

use super::MessengerRabbits;
use crate::rules::View;

pub fn text(view: &View<MessengerRabbits>) -> String {
    format!("Round {}.\n", view.table.round)
}
