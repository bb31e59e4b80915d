//! What the page of a table says to newcomers.

use wonderpost_rules::{Help, Word};

pub const HELP: Help = Help {
    first_steps: [
        "You want to be first home to the Citadel with three royals.",
        "You roll, may show a card for a new one, travel, and claim a royal for 10 or more in its suit.",
        "Click a lit place on the map, or a button: roads are free, tickets cost what you rolled.",
    ],
    words: &[
        Word {
            term: "contest",
            meaning: "Anybody may challenge a rabbit at a Queen's palace by showing hearts worth 6 or more. Whoever cannot answer is thrown off the board.",
        },
        Word {
            term: "lottery",
            meaning: "Show a card with the number of one of the dice, and draw a new one. You keep what you show.",
        },
        Word { term: "price", meaning: "What the two dice come to: every ticket of this turn costs that much." },
        Word { term: "carrot", meaning: "Marks the house of a royal that you hold. You have three." },
        Word { term: "Underground", meaning: "Below the map, reached by rabbit holes. From there every cave is near." },
        Word { term: "joker", meaning: "Takes you to any house, once. Taverns sell them." },
        Word { term: "tavern", meaning: "An inn on the road that sells a joker for the price of a ticket." },
        Word { term: "royal", meaning: "A king, queen or jack: costs 10 or more in its own suit, at its house." },
    ],
};
