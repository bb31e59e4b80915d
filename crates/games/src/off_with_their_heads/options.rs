//! The one option of the game.

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Choice, Choices, GameOptions, OptionSpec, Plain};

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// OWH-1: how many rounds are played.
    pub rounds: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options { rounds: 3 }
    }
}

impl GameOptions for Options {
    const SPECS: &'static [OptionSpec] = &[OptionSpec {
        key: "rounds",
        title: "Rounds",
        help: "Seven bouts each. Six cards are kept for the showdown in any case, so shorter games have larger hands.",
        choices: Choices::One(&[
            Choice { value: Plain::Number(3), title: "three (the full game)" },
            Choice { value: Plain::Number(2), title: "two (a shorter game)" },
            Choice { value: Plain::Number(1), title: "one (a quick game)" },
        ]),
    }];
}
