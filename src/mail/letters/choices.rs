//! The moves that a letter lists: every one of them, and where there are many, folded into few lines.
//!
//! `attack 1|2 3C|4D` stands for four moves. A folded line stands for exactly the moves that can be made: wherever one of the words
//! between bars is chosen, the line is legal.

use wonderpost_rules::MoveOffer;

/// So many moves are listed one by one, each in words.
const FEW: usize = 12;

/// So many moves a page of a letter offers to be tapped; of more the page would be too long for mail programs.
const MOST_TAPPED: usize = 40;

/// The moves of a letter.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Choices {
    pub list: Vec<Choice>,
    /// Whether each move can be tapped, also those of a folded line.
    pub tapped: bool,
}

/// A line of the list.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    /// What to write, perhaps with bars between words of which one is chosen.
    pub line: String,
    /// The moves that it stands for.
    pub moves: Vec<String>,
    /// What it is or brings, in words; often nothing.
    pub note: String,
}

impl Choices {
    /// Lists moves in the order of the board.
    pub fn new(offers: Vec<MoveOffer>, named: impl Fn(&str) -> String) -> Choices {
        let tapped = offers.len() <= MOST_TAPPED;
        let list = if offers.len() <= FEW { offers.iter().map(Choice::single).collect() } else { fold(&offers) };
        let list = list.into_iter().map(|choice: Choice| Choice { note: named(&choice.note), ..choice });
        Choices { list: list.collect(), tapped }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A folded line, and one of the moves that it stands for: an example to explain the others by.
    pub fn example(&self) -> Option<(&str, &str)> {
        let folded = self.list.iter().find(|choice| choice.moves.len() > 1)?;
        Some((&folded.line, folded.moves.first()?))
    }
}

impl Choice {
    fn single(offer: &MoveOffer) -> Choice {
        let note = match offer.brings.as_str() {
            // “play 7S” needs no “Play 7♠” beside it.
            "" if with_letters(&offer.words) == with_letters(&offer.line) => String::new(),
            "" => offer.words.clone(),
            brings => brings.to_owned(),
        };
        Choice { line: offer.line.clone(), moves: vec![offer.line.clone()], note }
    }
}

/// Words in small letters, with those of suits in place of their signs.
fn with_letters(words: &str) -> String {
    words.to_lowercase().replace('♠', "s").replace('♥', "h").replace('♦', "d").replace('♣', "c")
}

/// Moves that differ in some words only: for each place the words that may stand there.
struct Folded<'a> {
    words: Vec<Vec<&'a str>>,
    offers: Vec<&'a MoveOffer>,
}

/// Folds moves with the same verb that bring the same. Verbs come in the order of their first move.
fn fold(offers: &[MoveOffer]) -> Vec<Choice> {
    let mut groups: Vec<(&str, Vec<Folded<'_>>)> = Vec::new();
    for offer in offers {
        let words: Vec<Vec<&str>> = offer.line.split_whitespace().map(|word| vec![word]).collect();
        let verb = offer.line.split_whitespace().next().unwrap_or_default();
        let folded = Folded { words, offers: vec![offer] };
        match groups.iter_mut().find(|(there, _)| *there == verb) {
            Some((_, group)) => group.push(folded),
            None => groups.push((verb, vec![folded])),
        }
    }
    groups.into_iter().flat_map(|(_, group)| merged(group)).map(|folded| folded.choice()).collect()
}

/// Merges lines that differ in one place, until there are none.
fn merged(mut lines: Vec<Folded<'_>>) -> Vec<Folded<'_>> {
    let longest = lines.iter().map(|line| line.words.len()).max().unwrap_or(0);
    loop {
        let before = lines.len();
        for place in (1..longest).rev() {
            let mut kept: Vec<Folded<'_>> = Vec::new();
            for line in lines {
                match kept.iter_mut().find(|other| other.differs_only_at(place, &line)) {
                    Some(other) => other.absorb(place, line),
                    None => kept.push(line),
                }
            }
            lines = kept;
        }
        if lines.len() == before {
            return lines;
        }
    }
}

impl<'a> Folded<'a> {
    fn differs_only_at(&self, place: usize, other: &Folded<'_>) -> bool {
        let same = |(at, (mine, theirs)): (usize, (&Vec<&str>, &Vec<&str>))| at == place || mine == theirs;
        self.offers[0].brings == other.offers[0].brings
            && self.words.len() == other.words.len()
            && place < self.words.len()
            && self.words.iter().zip(&other.words).enumerate().all(same)
    }

    fn absorb(&mut self, place: usize, other: Folded<'a>) {
        for (at, words) in other.words.into_iter().enumerate().filter(|(at, _)| *at == place) {
            self.words[at].extend(words);
        }
        self.offers.extend(other.offers);
    }

    fn choice(self) -> Choice {
        let [only] = self.offers[..] else {
            let line = self.words.iter().map(|words| words.join("|")).collect::<Vec<_>>().join(" ");
            let moves = self.offers.iter().map(|offer| offer.line.clone()).collect();
            return Choice { line, moves, note: self.offers[0].brings.clone() };
        };
        Choice::single(only)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(line: &str, brings: &str) -> MoveOffer {
        MoveOffer { line: line.to_owned(), words: format!("Do {line}"), brings: brings.to_owned() }
    }

    fn lines(choices: &Choices) -> Vec<&str> {
        choices.list.iter().map(|choice| choice.line.as_str()).collect()
    }

    #[test]
    fn few_moves_are_listed_one_by_one_in_words() {
        let choices = Choices::new(vec![offer("draw", ""), offer("place 2", "2 VP")], str::to_owned);
        assert_eq!(lines(&choices), ["draw", "place 2"]);
        assert_eq!(choices.list.iter().map(|choice| choice.note.as_str()).collect::<Vec<_>>(), ["Do draw", "2 VP"]);
        assert_eq!(choices.example(), None);
        let plain = MoveOffer { line: "play 7S".into(), words: "Play 7♠".into(), brings: String::new() };
        assert_eq!(Choices::new(vec![plain], str::to_owned).list[0].note, "");
    }

    #[test]
    fn many_moves_are_folded_and_none_is_left_out() {
        let mut offers = Vec::new();
        for place in ["KC", "QD", "QH"] {
            for card in ["4D", "7S", "9H", "10C", "JC"] {
                offers.push(offer(&format!("tavern {place} paying {card}"), ""));
            }
        }
        offers.push(offer("end", ""));
        let all: Vec<String> = offers.iter().map(|offer| offer.line.clone()).collect();
        let choices = Choices::new(offers, str::to_owned);
        assert_eq!(lines(&choices), ["tavern KC|QD|QH paying 4D|7S|9H|10C|JC", "end"]);
        assert_eq!(choices.list[1].note, "Do end");
        let told: Vec<&String> = choices.list.iter().flat_map(|choice| &choice.moves).collect();
        assert_eq!(told, all.iter().collect::<Vec<_>>());
        assert_eq!(choices.example().unwrap().1, "tavern KC paying 4D");
    }

    #[test]
    fn a_folded_line_stands_for_moves_that_can_be_made_and_no_others() {
        // Pairs of cards: not every first goes with every second.
        let cards = ["2C", "3C", "4C", "5C", "6C", "7C"];
        let pairs = (0..cards.len()).flat_map(|one| (one + 1..cards.len()).map(move |other| (one, other)));
        let offers: Vec<MoveOffer> =
            pairs.map(|(one, other)| offer(&format!("pay {} {}", cards[one], cards[other]), "")).collect();
        let legal: Vec<String> = offers.iter().map(|offer| offer.line.clone()).collect();
        let choices = Choices::new(offers, str::to_owned);
        assert!(choices.list.len() < legal.len());
        let mut unfolded = Vec::new();
        for choice in &choices.list {
            let words: Vec<Vec<&str>> = choice.line.split(' ').map(|word| word.split('|').collect()).collect();
            for one in &words[1] {
                unfolded.extend(words[2].iter().map(|other| format!("pay {one} {other}")));
            }
        }
        unfolded.sort();
        let mut sorted = legal;
        sorted.sort();
        assert_eq!(unfolded, sorted);
    }

    #[test]
    fn what_brings_something_else_is_not_folded_together() {
        let mut offers: Vec<MoveOffer> = (1..=13).map(|tree| offer(&format!("mark woods-{tree}"), "")).collect();
        offers[2].brings = "closes a circle".to_owned();
        let choices = Choices::new(offers, str::to_owned);
        assert_eq!(choices.list.len(), 2);
        assert_eq!((lines(&choices)[1], choices.list[1].note.as_str()), ("mark woods-3", "closes a circle"));
        assert!(choices.tapped);
    }

    #[test]
    fn no_moves_make_no_choices() {
        assert!(Choices::new(Vec::new(), str::to_owned).is_empty());
    }
}
