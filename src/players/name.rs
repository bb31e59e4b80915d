//! What players are called: names that nobody else has, and that look like nobody else's.

use std::fmt;

use rand::RngExt;
use rand::seq::IndexedRandom;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const SHORTEST: usize = 2;
const LONGEST: usize = 24;

/// Signs that may stand between letters and digits.
const SIGNS: [char; 6] = ['-', '\'', '’', '.', '_', '&'];

/// What the house itself says where names stand. Compared after look-alikes are folded, also with “the” before it or a number after it.
const HOUSE_WORDS: [&str; 28] = [
    "a former player",
    "former player",
    "a player",
    "player",
    "a guest",
    "guest",
    "you",
    "nobody",
    "somebody",
    "everybody",
    "house",
    "our house",
    "host",
    "your host",
    "dealer",
    "system",
    "staff",
    "team",
    "official",
    "security",
    "abuse",
    "info",
    "help",
    "help desk",
    "root",
    "post office",
    "postman",
    "no reply",
];

/// A name with one of these words in it would pass for the house's own, or for somebody who looks after it.
const HOUSE_PARTS: [&str; 20] = [
    "bot",
    "bots",
    "robot",
    "wonderpost",
    "admin",
    "admins",
    "administrator",
    "administrators",
    "administration",
    "moderator",
    "moderators",
    "postmaster",
    "hostmaster",
    "webmaster",
    "sysadmin",
    "sysop",
    "support",
    "helpdesk",
    "noreply",
    "mailerdaemon",
];

/// What addresses on the Web begin with.
const WEB_PREFIXES: [&str; 3] = ["www", "http", "https"];

/// Who guests are until they choose a name: nobody and nothing that a card of the games is called like, and no bot.
const GUESTS: [&str; 24] = [
    "Bellman",
    "Barrister",
    "Broker",
    "Butterscotch",
    "Larkspur",
    "Snowdrop",
    "Inkwell",
    "Marmalade",
    "Sealing-wax",
    "Primrose",
    "Nightingale",
    "Skylark",
    "Goldfinch",
    "Hollyhock",
    "Foxglove",
    "Bluebell",
    "Snapdragon",
    "Periwinkle",
    "Kingfisher",
    "Gingerbread",
    "Magpie",
    "Squirrel",
    "Badger",
    "Eaglet",
];

/// A name that a player may have. Whether somebody else has it the store knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName(String);

/// Why a name will not do, as a sentence.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    #[error("A name has {SHORTEST} to {LONGEST} characters.")]
    Length,
    #[error("A name is made of letters, digits, spaces and the signs - ' . _ &.")]
    Characters,
    #[error("A name begins with a letter or a digit, and has at least one letter.")]
    NoLetter,
    #[error("A name is written in one alphabet.")]
    Alphabets,
    #[error("The house itself uses that word. Choose another name.")]
    HouseWord,
    #[error("A name must not look like an address on the Web. Put a space after a dot, or choose another name.")]
    LikeAddress,
}

impl PlayerName {
    /// Reads what somebody typed: white space is folded, accents are put together.
    pub fn parse(typed: &str) -> Result<PlayerName, BadName> {
        if typed.len() > 400 {
            return Err(BadName::Length);
        }
        let name: String = typed.split_whitespace().collect::<Vec<_>>().join(" ").nfc().collect();
        if !(SHORTEST..=LONGEST).contains(&name.chars().count()) {
            return Err(BadName::Length);
        }
        if !name.chars().all(|sign| sign == ' ' || sign.is_alphanumeric() || SIGNS.contains(&sign)) {
            return Err(BadName::Characters);
        }
        if !name.starts_with(char::is_alphanumeric) || !name.contains(char::is_alphabetic) {
            return Err(BadName::NoLetter);
        }
        let mut alphabets = name.chars().filter(|sign| sign.is_alphabetic()).map(alphabet);
        let first = alphabets.next();
        if alphabets.any(|other| Some(other) != first) {
            return Err(BadName::Alphabets);
        }
        let name = PlayerName(name);
        if name.is_like_an_address() {
            return Err(BadName::LikeAddress);
        }
        if name.is_of_the_house() { Err(BadName::HouseWord) } else { Ok(name) }
    }

    /// A name for a guest. The more often it was tried, the longer its number.
    pub fn for_guest(tries: u32) -> PlayerName {
        let mut rng = rand::rng();
        let who = GUESTS.choose(&mut rng).copied().unwrap_or("Skylark");
        let most = 10_000 * 10_u32.pow(tries.min(4));
        PlayerName(format!("{who} {}", rng.random_range(1000..most)))
    }

    /// Whether somebody is called as we call guests who have not chosen a name.
    pub fn is_given(name: &str) -> bool {
        let rest = GUESTS.iter().find_map(|guest| name.strip_prefix(guest)?.strip_prefix(' '));
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What no two players may share: the name without case, accents, signs that look alike and spaces that hardly show.
    pub fn key(&self) -> String {
        PlayerName::search_key(&self.0)
    }

    /// What a name is looked for by, whole or in part.
    pub fn search_key(typed: &str) -> String {
        let folded: String = typed.nfkd().filter(|sign| !is_combining_mark(*sign)).collect();
        folded.to_lowercase().replace('’', "'")
    }

    /// Whether mail programs or people might take it for an address: a dot with a word right after it, or the beginning of a link.
    fn is_like_an_address(&self) -> bool {
        let key = self.key();
        let mut labels = key.split('.');
        labels.next();
        let has_domain = labels.any(|label| label.chars().take_while(|sign| sign.is_alphanumeric()).count() >= 2);
        has_domain || key.split(|sign: char| !sign.is_alphanumeric()).any(|word| WEB_PREFIXES.contains(&word))
    }

    /// Whether it is, or contains, a word that the house uses for itself.
    fn is_of_the_house(&self) -> bool {
        let plain = plain(&self.key());
        let words: Vec<&str> = plain.split_whitespace().collect();
        let seat_number = words.len() == 2 && words[0] == "seat";
        let is_part = |word: &str| HOUSE_PARTS.iter().any(|part| plain_word(part) == word);
        // Letters that are set apart, and numbers that stand at the end of a word, hide it from nobody.
        let whole = plain_word(&self.key());
        let mut shapes = vec![whole.clone(), without_number(&self.key())];
        let articles: Vec<String> =
            shapes.iter().filter_map(|shape| shape.strip_prefix("the").map(str::to_owned)).collect();
        shapes.extend(articles);
        seat_number
            || shapes.iter().any(|shape| HOUSE_WORDS.iter().any(|word| plain_word(word) == *shape) || is_part(shape))
            || words.iter().any(|word| is_part(word))
            || self.key().split(|sign: char| !sign.is_alphanumeric()).any(|word| is_part(&without_number(word)))
    }
}

/// A key with look-alikes folded, and spaces for all signs.
fn plain(key: &str) -> String {
    key.chars().map(look_alike).map(|sign| if sign.is_alphanumeric() { sign } else { ' ' }).collect()
}

/// The same without spaces.
fn plain_word(key: &str) -> String {
    plain(key).split_whitespace().collect()
}

/// The same without the number at its end.
fn without_number(key: &str) -> String {
    plain_word(key.trim_end_matches(|sign: char| sign.is_ascii_digit() || !sign.is_alphanumeric()))
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which alphabet a letter is of, as far as mixing them deceives.
fn alphabet(letter: char) -> u32 {
    match letter as u32 {
        0x00..0x0250 | 0x1e00..0x1f00 | 0x2c60..0x2c80 | 0xa720..0xa800 => 1, // Latin
        0x0370..0x0400 | 0x1f00..0x2000 => 2,                                 // Greek
        0x0400..0x0530 | 0x1c80..0x1c90 | 0x2de0..0x2e00 => 3,                // Cyrillic
        0x2e80.. => 4,                                                        // East Asia mixes its own
        other => 16 + (other >> 7),
    }
}

/// The Latin letter that a sign passes for.
fn look_alike(sign: char) -> char {
    match sign {
        '0' | 'о' | 'ο' => 'o',
        '1' | 'і' | 'ı' | 'ι' => 'l',
        'l' | 'i' => 'l',
        '3' | 'е' | 'ε' => 'e',
        '4' | 'а' | 'α' => 'a',
        '5' | 'ѕ' => 's',
        '7' | 'т' | 'τ' => 't',
        '8' | 'в' | 'β' | 'ь' => 'b',
        'р' | 'ρ' => 'p',
        'с' => 'c',
        'у' | 'υ' => 'y',
        'н' | 'η' | 'һ' => 'h',
        'ԁ' => 'd',
        'п' => 'n',
        'г' => 'r',
        'ԝ' => 'w',
        'м' => 'm',
        'х' | 'χ' => 'x',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> BadName {
        PlayerName::parse(name).expect_err(name)
    }

    #[test]
    fn names_of_many_kinds_will_do() {
        for name in [
            "Alice",
            "Tweedle-dum",
            "O’Hare",
            "J. Tenniel",
            "Łukasz 3",
            "Алиса",
            "不思議 アリス",
            "Mr. Dodgson",
            "lo",
            "Abbot",
        ] {
            assert_eq!(PlayerName::parse(name).expect(name).as_str(), name);
        }
        assert_eq!(PlayerName::parse("  White \t Knight ").unwrap().as_str(), "White Knight");
    }

    #[test]
    fn names_that_deceive_or_break_the_page_will_not() {
        assert_eq!(refused("A"), BadName::Length);
        assert_eq!(refused("a name of more than twenty-four letters"), BadName::Length);
        for name in ["<b>Alice</b>", "Alice\u{202e}", "Ali\u{200b}ce", "Seat \u{e001}", "a@b.example", "Queen ♥"] {
            assert_eq!(refused(name), BadName::Characters, "{name}");
        }
        assert_eq!(refused("1865"), BadName::NoLetter);
        assert_eq!(refused(".Alice"), BadName::NoLetter);
        assert_eq!(refused("Аlice"), BadName::Alphabets);
    }

    #[test]
    fn words_of_the_house_are_the_houses() {
        for name in [
            "A former player",
            "a  FORMER-player",
            "Bot",
            "B0t",
            "вот",
            "Easy bot",
            "You",
            "W0nderpost",
            "Seat 2",
            "b.o.t",
            "Postmaster",
            "postmaster 2",
            "Administrator",
            "ADMIN",
            "Adm1n",
            "a d m i n",
            "Admin7",
            "аԁміп",
            "ｍｏｄｅｒａｔｏｒ",
            "Móderator",
            "Support",
            "Wonderpost Support",
            "Alice the Admin",
            "Host",
            "The Host",
            "System",
            "Dealer 2",
            "the dealer",
            "Hatter easy bot",
            "Mailer-Daemon",
            "No-Reply",
        ] {
            assert_eq!(refused(name), BadName::HouseWord, "{name}");
        }
    }

    #[test]
    fn addresses_on_the_web_are_no_names() {
        for name in [
            "www.evil.example",
            "evil.example",
            "Play at evil.com",
            "t.co",
            "ｗｗｗ.ｅｖｉｌ",
            "www evil example",
            "http evil",
            "J.Tenniel",
            "1.example",
        ] {
            assert_eq!(refused(name), BadName::LikeAddress, "{name}");
        }
        assert_eq!(refused("Hatter (easy bot)"), BadName::Characters);
        assert_eq!(refused("https://evil.example"), BadName::Characters);
        for name in ["J. R. Hartley", "J.R. Hartley", "St. Bernard", "Mr. X", "Wwwhisper", "Hostess", "Systematic Sue"]
        {
            assert!(PlayerName::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn case_and_accents_do_not_make_another_name() {
        let key = |name| PlayerName::parse(name).unwrap().key();
        assert_eq!(key("ÉMILE"), key("emile"));
        assert_eq!(key("O'Hare"), key("o’hare"));
        assert_ne!(key("Alice"), key("Alicia"));
    }

    #[test]
    fn a_guest_gets_a_name_that_would_pass() {
        assert!(!PlayerName::is_given("Skylark") && !PlayerName::is_given("Alice 1865"));
        for tries in 0..200 {
            let name = PlayerName::for_guest(tries / 20);
            assert_eq!(PlayerName::parse(name.as_str()).as_ref(), Ok(&name));
            assert!(PlayerName::is_given(name.as_str()));
        }
    }
}
