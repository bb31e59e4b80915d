//! The page of the game.

use super::WeAreNotAmused;
use crate::rules::{Scene, View};

pub fn board(_view: &View<WeAreNotAmused>, _before: Option<&View<WeAreNotAmused>>, _scene: &Scene) -> String {
    String::new()
}
