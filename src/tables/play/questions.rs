//! What is asked before a move is made: whether it is grave, and how it is called.

use crate::tables::play::lines::{moves_of, read_lines, split_lines};
use crate::tables::{CachedTable, Tables};
use wonderpost_rules::Seat;

impl Tables {
    /// Whether any of these lines is worth a question. Lines that cannot be read are not: they are refused.
    pub fn asks_first(&self, cached: &CachedTable, seat: Seat, lines: &str) -> bool {
        let position = &*cached.now.position;
        let Ok(lines) = split_lines(lines) else { return false };
        let Ok(read) = read_lines(position, seat, &lines) else { return false };
        position.awaiting().contains(seat) && moves_of(&read).iter().any(|mv| position.asks_first(seat, mv))
    }

    /// Lines in words, as an offer.
    pub fn describe_lines(&self, cached: &CachedTable, seat: Seat, lines: &str) -> String {
        let position = &*cached.now.position;
        let read = split_lines(lines).and_then(|lines| read_lines(position, seat, &lines));
        let words: Vec<String> = match &read {
            Ok(read) => moves_of(read).iter().map(|mv| position.describe_move(seat, mv)).collect(),
            Err(_) => Vec::new(),
        };
        if words.is_empty() { lines.to_owned() } else { words.join(", then ") }
    }
}
