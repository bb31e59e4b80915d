//! What the page of a table says to newcomers.

use wonderpost_rules::{Help, Word};

pub const HELP: Help = Help {
    first_steps: [
        "You want Gold: when the Treasures run out, the most Gold in hand wins.",
        "You roll and walk. Chests give a Treasure; monsters guard more, and fight for them.",
        "Click a lit space of the board, or use a card of your hand first.",
    ],
    words: &[
        Word {
            term: "Power",
            meaning: "Dice, Friends and cards together. You win a fight if yours is at least the monster's.",
        },
        Word {
            term: "Friend",
            meaning: "Stays in front of you and adds to your Power in every fight. You may have two, and they are worth no Gold.",
        },
        Word { term: "Gold", meaning: "The number on a Treasure. Only what is in your hand at the end counts." },
        Word {
            term: "helper",
            meaning: "Adds their own die and cards to your fight, and picks one of the Treasures won.",
        },
        Word {
            term: "Entrance",
            meaning: "The middle of the board: draw a Treasure, then roll for the Room where you fight.",
        },
    ],
};
