//! The options: level, objective, map and the additions, and which of them do not go together.

use serde::{Deserialize, Serialize};

use super::suits::Suits;
use wonderpost_rules::{Choice, Choices, GameOptions, OptionGroup, OptionSpec, Plain, Preset, Refusal, Suit};

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    #[default]
    Standard,
    /// MR-74: without the four suit strategies.
    Intro,
}

/// MR-50: what a trio must be.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    #[default]
    Simple,
    Diverse,
    Monarchic,
    DiverseMonarchic,
    Tribal,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Map {
    #[default]
    Sample,
    Random,
    Built,
}

/// All options. What is written to players are the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    pub level: Level,
    pub objective: Objective,
    pub board: Map,
    pub late_start: bool,
    pub special_trades: bool,
    pub advanced_citadel: bool,
    pub tight_suits: bool,
    pub tight_drop: String,
    pub ambivalent_aces: bool,
    pub capital_aces: bool,
    pub additional_capital: bool,
    pub special_flights: bool,
    pub special_access: bool,
    pub trailing_carrots: bool,
    pub windfall_lottery: bool,
    pub overtaxed_hands: bool,
    pub seized_surplus: bool,
    pub patriarchal_values: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            level: Level::Standard,
            objective: Objective::Simple,
            board: Map::Sample,
            late_start: true,
            special_trades: false,
            advanced_citadel: false,
            tight_suits: false,
            tight_drop: String::new(),
            ambivalent_aces: false,
            capital_aces: false,
            additional_capital: false,
            special_flights: false,
            special_access: false,
            trailing_carrots: false,
            windfall_lottery: false,
            overtaxed_hands: false,
            seized_surplus: false,
            patriarchal_values: false,
        }
    }
}

const fn choice(value: &'static str, title: &'static str) -> Choice {
    Choice { value: Plain::Text(value), title }
}

const fn flag(key: &'static str, title: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec { key, title, help, choices: Choices::Flag }
}

impl GameOptions for Options {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            key: "level",
            title: "Which game",
            help: "The introduction is about roads, merchants and royals only. The standard game adds a trick for each suit: flights, fights, contests and the market.",
            choices: Choices::One(&[choice("standard", "Standard game"), choice("intro", "Introduction")]),
        },
        OptionSpec {
            key: "objective",
            title: "The trio to bring home",
            help: "Three royals of one suit make the longest race by far.",
            choices: Choices::One(&[
                choice("simple", "Any three royals"),
                choice("diverse", "Royals of three suits"),
                choice("monarchic", "A king, a queen and a jack"),
                choice("diverse-monarchic", "A king, a queen and a jack of three suits"),
                choice("tribal", "Three royals of one suit"),
            ]),
        },
        OptionSpec {
            key: "board",
            title: "The land",
            help: "If you build it together, each of you places houses in turn before the first hop.",
            choices: Choices::One(&[
                choice("sample", "The land everybody knows"),
                choice("random", "A new land, by chance"),
                choice("built", "A new land that the players build"),
            ]),
        },
        flag(
            "late_start",
            "A card more for the later seats",
            "Makes up for moving late. Without it everybody starts with three cards, and the first seat wins more often.",
        ),
        flag(
            "special_trades",
            "Trades between rabbits",
            "Offer a diamond to a rabbit at the same place for a card of another suit. Whoever pays with the wrong card is thrown off the board.",
        ),
        flag(
            "advanced_citadel",
            "An advanced Citadel",
            "The Citadel can be flown from and to, its visitors can be contested, and it has a market of its own.",
        ),
        flag(
            "tight_suits",
            "As many suits as players",
            "With two or three players the land and the pack shrink to as many suits.",
        ),
        OptionSpec {
            key: "tight_drop",
            title: "Suits to leave out",
            help: "Goes with “as many suits as players”. Letters of S, H, D, C, as many as seats are missing to four: S for three players or SC for two, if nothing is written.",
            choices: Choices::Text,
        },
        flag(
            "ambivalent_aces",
            "Ambivalent aces",
            "An ace counts 11 when it is spent, thrown or shown, and 1 elsewhere.",
        ),
        flag(
            "capital_aces",
            "Capital aces",
            "The first ace you spend counts 11 and then lies before you for the rest of the game; later ones count 1.",
        ),
        flag(
            "additional_capital",
            "Additional capital",
            "Goes with “capital aces”. Where the suit of the ace before you is at home, your payments count one more.",
        ),
        flag("special_flights", "Flights to everywhere", "A flight from a tower may go to any place of the map."),
        flag(
            "special_access",
            "Contests at every door",
            "Whoever already rests at a place may contest newcomers there.",
        ),
        flag("trailing_carrots", "Trailing carrots", "Your roads go on through houses where you have a carrot."),
        flag(
            "windfall_lottery",
            "Windfall lottery",
            "Show as many matching cards as you like, for a card each. A sum of ten or more counts as a number, too.",
        ),
        flag("overtaxed_hands", "Overtaxed hands", "A hand holds six cards, not nine."),
        flag("seized_surplus", "Seized surplus", "Cards above the limit go to the next player who has room."),
        flag("patriarchal_values", "Patriarchal values", "Jacks count 11, queens 12, kings 13 and aces 14."),
    ];

    const GROUPS: &'static [OptionGroup] = &[
        OptionGroup {
            title: "The game",
            help: "These are for the introduction as well as for the standard game.",
            keys: &["level", "objective", "board", "late_start"],
        },
        OptionGroup {
            title: "More for the standard game",
            help: "Flights, contests and trades go further. The introduction knows none of them.",
            keys: &["special_flights", "special_access", "special_trades", "advanced_citadel"],
        },
        OptionGroup {
            title: "Additions",
            help: "Each changes one thing, with the introduction or the standard game. Most of them can be mixed.",
            keys: &[
                "trailing_carrots",
                "windfall_lottery",
                "overtaxed_hands",
                "seized_surplus",
                "ambivalent_aces",
                "capital_aces",
                "additional_capital",
                "patriarchal_values",
                "tight_suits",
                "tight_drop",
            ],
        },
    ];

    const PRESETS: &'static [Preset] = &[
        Preset {
            name: "first-game",
            title: "First game",
            help: "Roads, merchants and royals, without the tricks of the suits.",
            differs: &[("level", Plain::Text("intro"))],
        },
        Preset {
            name: "standard",
            title: "Standard",
            help: "The whole game on the land everybody knows, without additions.",
            differs: &[],
        },
        Preset {
            name: "everything",
            title: "Everything",
            help: "A new land, a king, a queen and a jack to bring home, and all additions that go together.",
            differs: &[
                ("objective", Plain::Text("monarchic")),
                ("board", Plain::Text("random")),
                ("special_flights", Plain::Flag(true)),
                ("special_access", Plain::Flag(true)),
                ("special_trades", Plain::Flag(true)),
                ("advanced_citadel", Plain::Flag(true)),
                ("trailing_carrots", Plain::Flag(true)),
                ("windfall_lottery", Plain::Flag(true)),
                ("seized_surplus", Plain::Flag(true)),
                ("overtaxed_hands", Plain::Flag(true)),
                ("capital_aces", Plain::Flag(true)),
                ("additional_capital", Plain::Flag(true)),
            ],
        },
    ];
}

impl Options {
    /// MR-62: the suits in play, and MR-2: whether everything goes together.
    pub fn suits_in_play(&self, seats: u8) -> Result<Suits, Refusal> {
        let suits = self.suits(seats)?;
        self.check(suits)?;
        Ok(suits)
    }

    fn suits(&self, seats: u8) -> Result<Suits, Refusal> {
        if !self.tight_suits {
            if self.tight_drop.is_empty() {
                return Ok(Suits::ALL);
            }
            return Err(Refusal::new("Suits can be left out only with “as many suits as players”."));
        }
        let missing = usize::from(4u8.saturating_sub(seats));
        let left_out = match (self.tight_drop.as_str(), missing) {
            ("", 1) => "S",
            ("", 2) => "SC",
            (named, _) => named,
        };
        let left_out = Suits::read(left_out).ok_or_else(|| {
            Refusal::new("Name the suits to leave out by their letters S, H, D and C in upper case, each once.")
        })?;
        if left_out.len() != missing {
            let wanted = ["no suit is", "one suit is", "two suits are"].get(missing).unwrap_or(&"three suits are");
            return Err(Refusal::new(format!("With {seats} players {wanted} left out.")));
        }
        Ok(Suits::ALL.without(left_out))
    }

    fn check(&self, suits: Suits) -> Result<(), Refusal> {
        let refuse = |sentence: &str| Err(Refusal::new(sentence));
        if self.ambivalent_aces && self.capital_aces {
            return refuse("Aces are either ambivalent or capital, not both.");
        }
        if self.patriarchal_values && (self.ambivalent_aces || self.capital_aces) {
            return refuse("With patriarchal values an ace counts 14: aces cannot be ambivalent or capital as well.");
        }
        if self.additional_capital && !self.capital_aces {
            return refuse("Additional capital needs capital aces.");
        }
        let of_strategies = self.special_trades || self.advanced_citadel || self.special_flights || self.special_access;
        if self.level == Level::Intro && of_strategies {
            return refuse(
                "The introduction knows no trades, flights or contests, nor an advanced Citadel: play the standard game with these additions.",
            );
        }
        if self.special_trades && !suits.contains(Suit::Diamonds) {
            return refuse("Trades between rabbits need diamonds in play.");
        }
        if self.special_flights && !suits.contains(Suit::Clubs) {
            return refuse("Flights need clubs in play.");
        }
        if self.special_access && !suits.contains(Suit::Hearts) {
            return refuse("Contests need hearts in play.");
        }
        if self.advanced_citadel && !(suits.contains(Suit::Hearts) && suits.contains(Suit::Clubs)) {
            return refuse("The advanced Citadel needs both hearts and clubs in play.");
        }
        if matches!(self.objective, Objective::Diverse | Objective::DiverseMonarchic) && suits.len() < 3 {
            return refuse("Royals of three suits cannot be had with two suits in play.");
        }
        Ok(())
    }
}
