//! The one option of the game.

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Choice, Choices, GameOptions, OptionSpec, Plain};

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// WNA-34: how often the player may shuffle.
    pub shuffles: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options { shuffles: 1 }
    }
}

impl GameOptions for Options {
    const SPECS: &'static [OptionSpec] = &[OptionSpec {
        key: "shuffles",
        title: "Shuffles",
        help: "How often in a game the discard pile may be shuffled back into the deck.",
        choices: Choices::One(&[
            Choice { value: Plain::Number(0), title: "none (hard)" },
            Choice { value: Plain::Number(1), title: "one (the usual game)" },
            Choice { value: Plain::Number(2), title: "two (easier)" },
        ]),
    }];
}
