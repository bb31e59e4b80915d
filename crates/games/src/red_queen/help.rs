//! What the page of a table says to newcomers.

use wonderpost_rules::{Help, Word};

pub const HELP: Help = Help {
    first_steps: [
        "The Red Queen wants to survive; her companions want to strike her down.",
        "A turn is a few actions: draw, guard or attack. Her three guards, the coterie, must fall before she can be struck.",
        "Click a card of your hand, then what it is for; or the pile to draw.",
    ],
    words: &[
        Word {
            term: "Revealer",
            meaning: "The companion who comes right after the Red Queen and is the first to test her guards.",
        },
        Word { term: "Deceiver", meaning: "The companion across from the Red Queen." },
        Word {
            term: "Avenger",
            meaning: "The companion who comes last before the Red Queen and often strikes the blow.",
        },
        Word {
            term: "companion",
            meaning: "Everybody but the Red Queen: they fight her together, and whoever strikes her down gets the most.",
        },
        Word { term: "coterie", meaning: "The Red Queen's guards: up to three face-down cards." },
        Word {
            term: "killer",
            meaning: "The Jack of Hearts, the Queen of Diamonds or a joker: the only cards that strike the Red Queen, once her guards are gone.",
        },
    ],
};
