//! What the page of a table says to newcomers.

use wonderpost_rules::{Help, Word};

pub const HELP: Help = Help {
    first_steps: [
        "You want red roses before the Queen: each is a point, and there are twelve.",
        "Three cards are turned over and the last may be played: Soldiers clear, Gardeners paint, Alice picks.",
        "Click a lit card of the garden, or leave this one: it comes round again.",
    ],
    words: &[
        Word {
            term: "exposed",
            meaning: "One of the card's short edges touches a gap or the outside of the garden: only such cards can be reached.",
        },
        Word {
            term: "basket",
            meaning: "Roses you have picked. They count once a path of gaps leads from the edge to the Queen.",
        },
        Word {
            term: "bramble",
            meaning: "Nothing ever removes it but loneliness, and it must be planted in a gap. On all four sides of the Queen it loses you the game.",
        },
        Word { term: "shuffle", meaning: "Once a game you may shuffle deck and discards together." },
        Word { term: "cycle", meaning: "Once through the deck. What you left comes round again in the same order." },
    ],
};
