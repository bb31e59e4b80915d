//! Bots and guests are called like nobody and nothing in the games.

use std::fs;
use std::path::Path;

use wonderpost::players::PlayerName;
use wonderpost::tables::state::holders::bot_name;
use wonderpost_rules::{Level, Seat};

fn texts(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts(&path, into);
        } else if path.extension().is_some_and(|kind| ["rs", "json", "md", "html"].iter().any(|known| kind == *known)) {
            into.push_str(&fs::read_to_string(&path).expect("a text").to_lowercase());
        }
    }
}

/// The name without what is added to it: a number, or how well a bot plays.
fn bare(name: &str) -> String {
    name.split([' ', '(']).next().unwrap_or_default().to_lowercase()
}

#[test]
fn no_bot_and_no_guest_is_called_like_a_card_of_the_games() {
    let mut games = String::new();
    texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/games/src"), &mut games);
    let words: std::collections::HashSet<&str> =
        games.split(|sign: char| !sign.is_alphanumeric() && sign != '-').collect();
    let bots: Vec<String> = Seat::all(Seat::MOST).map(|seat| bare(&bot_name(seat, Level::Easy))).collect();
    let guests: Vec<String> = (0..600).map(|_| bare(PlayerName::for_guest(0).as_str())).collect();
    for name in bots.iter().chain(&guests) {
        assert!(!words.contains(name.as_str()), "{name} is in a game");
    }
    assert!(bots.iter().all(|bot| !guests.contains(bot)), "no guest is called like a bot");
}
