//! RQ-3: the options of the game.

use serde::{Deserialize, Serialize};

use wonderpost_rules::{Choice, Choices, GameOptions, OptionSpec, Plain, Seat};

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// RQ-26: the points at which the game ends.
    pub target: u16,
    /// RQ-26: so many rounds, whatever the scores; 0 to play to the target.
    pub rounds: u8,
    pub first: First,
    pub muster: Muster,
}

/// RQ-4: who reigns first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum First {
    Seat(Seat),
    Chance(Chance),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chance {
    Chance,
}

/// RQ-7: how many actions companions have with fewer than four seats.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Muster {
    /// Six a lap, all of them together.
    Even,
    /// Always two each.
    Two,
}

impl Default for Options {
    fn default() -> Options {
        Options { target: 30, rounds: 0, first: First::Chance(Chance::Chance), muster: Muster::Even }
    }
}

impl GameOptions for Options {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            key: "target",
            title: "Points to play to",
            help: "The game ends when somebody has so many points and all have reigned equally often.",
            choices: Choices::Number { from: 10, to: 500, step: 10 },
        },
        OptionSpec {
            key: "rounds",
            title: "Rounds",
            help: "0: play to the points above. Otherwise exactly so many rounds, and the highest score wins. \
                   Only a multiple of the seats lets everybody reign equally often.",
            choices: Choices::Number { from: 0, to: 12, step: 1 },
        },
        OptionSpec {
            key: "first",
            title: "First Red Queen",
            help: "Who reigns in the first round. After that the crown passes to the left.",
            choices: Choices::One(&[
                Choice { value: Plain::Text("chance"), title: "picked by chance" },
                Choice { value: Plain::Number(1), title: "seat 1" },
                Choice { value: Plain::Number(2), title: "seat 2" },
                Choice { value: Plain::Number(3), title: "seat 3" },
                Choice { value: Plain::Number(4), title: "seat 4" },
            ]),
        },
        OptionSpec {
            key: "muster",
            title: "Actions of the companions",
            help: "With four seats a companion has two actions a turn. With fewer they need more to stand a chance.",
            choices: Choices::One(&[
                Choice { value: Plain::Text("even"), title: "six a lap together: 2, 3 or 6 each" },
                Choice { value: Plain::Text("two"), title: "two each, always: hard on the companions" },
            ]),
        },
    ];
}
