//! What happened: the last blow, the rounds with their points, and the table of who beats whom.

use super::super::RedQueen;
use super::super::combat::{Fight, Kind, QUEEN_OF_HEARTS, kinds};
use super::super::round::{How, Round};
use super::super::view::Attack;
use super::super::words;
use super::court::Outcome;
use crate::playing_cards::{picture, silent, small};
use wonderpost_rules::{Card, Seat, View};

/// A fight as a picture: the attacker's card, what it did, and whom it met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blow {
    pub title: String,
    pub left: Vec<String>,
    pub sign: &'static str,
    pub word: &'static str,
    pub right: Option<String>,
    pub words: String,
    /// It came about in the step shown.
    pub new: bool,
}

impl Blow {
    pub fn new(view: &View<RedQueen>, before: Option<&View<RedQueen>>) -> Option<Blow> {
        let table = &view.table;
        let rounds_before = before.map_or(table.history.len(), |before| before.table.history.len());
        let just_ended = table.history.len() > rounds_before;
        match (table.last_attack, table.history.last()) {
            (_, Some(round)) if just_ended || view.over => Some(Blow::of_round(round, just_ended)),
            (Some(attack), _) => {
                let new = before.is_some_and(|before| before.table.last_attack != Some(attack));
                Some(Blow::of_attack(&attack, new))
            }
            (None, Some(round)) => Some(Blow::of_round(round, just_ended)),
            (None, None) => None,
        }
    }

    fn of_attack(attack: &Attack, new: bool) -> Blow {
        let (sign, word) = match attack.result {
            Fight::Win => ("fells", "win"),
            Fight::Lose => ("falls to", "lose"),
            Fight::Draw => ("is stood off by", "draw"),
        };
        Blow {
            title: "The last fight".to_owned(),
            left: vec![picture(attack.card, "")],
            sign,
            word,
            right: Some(picture(attack.member, "")),
            words: words::fight(attack),
            new,
        }
    }

    fn of_round(round: &Round, new: bool) -> Blow {
        let queen = round.queen.mark();
        let coterie = match round.coterie.is_empty() {
            true => "Her coterie was empty.".to_owned(),
            false => format!("Her coterie was {}.", words::in_a_row(round.coterie.iter().copied())),
        };
        let (sign, word, words) = match round.how {
            How::Slain => ("slays", "win", format!("{} struck down {queen} and takes 10 points.", round.winner.mark())),
            How::Aces => ("", "", format!("{queen} gathered three Aces: 20 points. {coterie}")),
            How::Killers => ("", "", format!("{queen} held two of her killers: 20 points. {coterie}")),
            How::Depleted => ("", "", format!("The pile is gone and {queen} still reigns: 20 points. {coterie}")),
            How::Safe => ("", "", format!("No killer was left to harm {queen}: 20 points. {coterie}")),
            How::Quiet => ("", "", format!("Two laps without a card drawn or lost: 20 points to {queen}. {coterie}")),
        };
        let slain = round.how == How::Slain;
        Blow {
            title: format!("Round {} is over", round.round),
            left: match slain || !round.cards.is_empty() {
                true => round.cards.iter().map(|card| picture(card, "")).collect(),
                false => vec![silent(QUEEN_OF_HEARTS, "")],
            },
            sign,
            word,
            right: slain.then(|| picture(QUEEN_OF_HEARTS, "")),
            words,
            new,
        }
    }
}

/// The finished rounds and the sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    pub title: String,
    pub seats: Vec<Seat>,
    pub rounds: Vec<RoundLine>,
    pub scores: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundLine {
    pub number: u16,
    pub queen: Seat,
    pub how: String,
    pub coterie: Vec<String>,
    pub points: Vec<i64>,
}

impl Rounds {
    pub fn new(view: &View<RedQueen>) -> Rounds {
        let table = &view.table;
        let rounds = table.history.iter().map(|round| RoundLine {
            number: round.round,
            queen: round.queen,
            how: words::how(round),
            coterie: round.coterie.iter().map(|card: &Card| small(*card, "")).collect(),
            points: round.points.clone(),
        });
        Rounds {
            title: words::round_of(table),
            seats: Seat::all(table.seats()).collect(),
            rounds: rounds.collect(),
            scores: view.scores.iter().map(|score| score.unwrap_or(0)).collect(),
        }
    }
}

/// RQ-13: who beats whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combat {
    pub kinds: Vec<&'static str>,
    pub rows: Vec<(&'static str, Vec<Outcome>)>,
}

impl Combat {
    pub fn new() -> Combat {
        let outcome = |attacker, member| match kinds(attacker, member) {
            Some(fight) => {
                let words = match fight {
                    Fight::Win => "wins",
                    Fight::Lose => "loses",
                    Fight::Draw => "draw",
                };
                Outcome { words, ..Outcome::of(fight) }
            }
            None => Outcome { word: "rank", sign: "#", words: "higher wins, equal draws" },
        };
        Combat {
            kinds: Kind::ALL.map(Kind::name).to_vec(),
            rows: Kind::ALL
                .map(|attacker| (attacker.name(), Kind::ALL.map(|member| outcome(attacker, member)).to_vec()))
                .to_vec(),
        }
    }
}
