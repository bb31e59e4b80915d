//! Names for tables that would look alike in an inbox.

use crate::tables::TableId;

const FIRST: [&str; 16] = [
    "Curious",
    "Golden",
    "Grinning",
    "Little",
    "Looking-glass",
    "Mad",
    "Painted",
    "Polite",
    "Quiet",
    "Silver",
    "Sleepy",
    "Striped",
    "Tall",
    "Velvet",
    "Whispering",
    "White",
];

const SECOND: [&str; 32] = [
    "Acorn",
    "Bonnet",
    "Bottle",
    "Brooch",
    "Button",
    "Candle",
    "Clock",
    "Cup",
    "Door",
    "Fan",
    "Feather",
    "Flute",
    "Garden",
    "Glove",
    "Hourglass",
    "Inkwell",
    "Key",
    "Ladder",
    "Lantern",
    "Lobster",
    "Mirror",
    "Mitten",
    "Mushroom",
    "Oyster",
    "Pebble",
    "Ribbon",
    "Slipper",
    "Spoon",
    "Tart",
    "Teapot",
    "Tower",
    "Umbrella",
];

/// “Curious Teapot”: always the same for a table.
pub fn nickname(table: TableId) -> String {
    let bytes = table.0.as_bytes();
    let number = bytes.iter().fold(0_usize, |number, byte| number.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    format!("{} {}", FIRST[number % FIRST.len()], SECOND[number / FIRST.len() % SECOND.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_names_of_their_own() {
        let name = |number: u128| nickname(TableId(uuid::Uuid::from_u128(number)));
        assert_eq!(name(1), "Golden Acorn");
        assert_eq!(name(1), name(1));
        assert_ne!(name(1), name(2));
    }
}
