//! What the page of a table says to newcomers.

use wonderpost_rules::{Help, Word};

pub const HELP: Help = Help {
    first_steps: [
        "You want points from three zones of your sheet, from guests and from a poker hand at the end.",
        "Everybody plays a card in secret. The highest paints in the Meadow, the lowest in the Keep, those between in the Woods.",
        "Click a card of your hand: the Queen's suit is the highest.",
    ],
    words: &[
        Word { term: "teacup", meaning: "Spend one to paint in another zone, or in the other colour." },
        Word {
            term: "biscuit",
            meaning: "Painting here lets you paint the same number and colour again in another zone.",
        },
        Word { term: "bout", meaning: "Four cards are played and ranked, and each player paints once." },
        Word {
            term: "Jabberwock",
            meaning: "Sleeps as long as no two equal numbers stand side by side in the Woods, and then the Woods count twice.",
        },
        Word { term: "guest", meaning: "Each guest at your tea party makes the next one worth more." },
        Word {
            term: "Red Keep",
            meaning: "The cell in the middle of the Keep. It brings a free mark in the Meadow and one in the Woods.",
        },
    ],
};
