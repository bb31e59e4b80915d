use super::MessengerRabbits;
use crate::rules::{Scene, View};

pub fn board(_view: &View<MessengerRabbits>, _before: Option<&View<MessengerRabbits>>, _scene: &Scene) -> String {
    String::new()
}
