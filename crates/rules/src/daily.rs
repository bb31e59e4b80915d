//! Games that everybody may play on the same deal, a new one each day.

/// What the list of a day's results says of a game.
#[derive(Debug, PartialEq, Eq)]
pub struct DailyGame {
    /// What each number of [`Rules::ranking_key`](super::Rules::ranking_key) is, in its order.
    pub numbers: &'static [RankingNumber],
    /// How the numbers compare, as a sentence.
    pub order: &'static str,
}

/// A number by which games on the same deal are compared.
#[derive(Debug, PartialEq, Eq)]
pub struct RankingNumber {
    /// What it is called in answers to programs.
    pub key: &'static str,
    /// What one of them is called.
    pub one: &'static str,
    /// What several of them are called.
    pub several: &'static str,
    /// Whether the list of results has a column for it.
    pub in_list: bool,
    /// Whether fewer are better; the ranking key then holds it with a minus.
    pub fewer_is_better: bool,
    /// How many there can be at most, where that is known.
    pub most: Option<i64>,
}

impl RankingNumber {
    /// The number as people count, of one in the ranking key.
    pub fn count(&self, in_key: i64) -> i64 {
        if self.fewer_is_better { -in_key } else { in_key }
    }

    /// The number in words, and of how many: “3 of 12 roses”.
    pub fn words_of_most(&self, in_key: i64) -> String {
        match self.most {
            Some(most) => format!("{} of {most} {}", self.count(in_key), self.several),
            None => self.words(in_key),
        }
    }

    /// The number in words, such as “3 roses”.
    pub fn words(&self, in_key: i64) -> String {
        match self.count(in_key) {
            1 => format!("1 {}", self.one),
            count => format!("{count} {}", self.several),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_people_count() {
        let (one, several) = ("turn", "turns");
        let turns = RankingNumber { key: "turns", one, several, in_list: true, fewer_is_better: true, most: None };
        assert_eq!((turns.words(-1), turns.words(-7)), ("1 turn".to_owned(), "7 turns".to_owned()));
        let roses = RankingNumber { one: "rose", several: "roses", fewer_is_better: false, most: Some(12), ..turns };
        assert_eq!(
            (roses.words_of_most(1), turns.words_of_most(-2)),
            ("1 of 12 roses".to_owned(), "2 turns".to_owned())
        );
        assert_eq!((roses.words(0), roses.count(3)), ("0 roses".to_owned(), 3));
    }
}
