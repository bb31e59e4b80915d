use super::RedQueen;
use crate::rules::View;
pub fn text(view: &View<RedQueen>) -> String {
    format!("Round {}", view.table.round)
}
