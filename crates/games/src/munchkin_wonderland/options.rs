//! The one option of the game.

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Choices, GameOptions, OptionSpec};

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// MW-3: fewer Treasures in the deck.
    pub short: bool,
}

impl GameOptions for Options {
    const SPECS: &'static [OptionSpec] = &[OptionSpec {
        key: "short",
        title: "Short game",
        help: "Only twelve Treasures a player stay in the deck. It makes no difference with five or six players.",
        choices: Choices::Flag,
    }];
}
