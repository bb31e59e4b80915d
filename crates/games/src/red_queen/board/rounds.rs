//! What happened: the last blow, the rounds with their points, and the table of who beats whom.

use super::super::RedQueen;
use super::super::combat::{Fight, Kind, QUEEN_OF_HEARTS, kinds};
use super::super::round::{How, Round};
use super::super::view::Attack;
use super::super::words;
use super::court::Outcome;
use crate::playing_cards::{picture, silent, small};
use wonderpost_rules::{Card, Seat, View, Viewer};

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
        let viewer = words::viewer(view);
        let rounds_before = before.map_or(table.history.len(), |before| before.table.history.len());
        let just_ended = table.history.len() > rounds_before;
        match (table.last_attack, table.history.last()) {
            (_, Some(round)) if just_ended || view.over => Some(Blow::of_round(round, viewer, just_ended)),
            (Some(attack), _) => {
                let new = before.is_some_and(|before| before.table.last_attack != Some(attack));
                Some(Blow::of_attack(&attack, viewer, new))
            }
            (None, Some(round)) => Some(Blow::of_round(round, viewer, just_ended)),
            (None, None) => None,
        }
    }

    fn of_attack(attack: &Attack, viewer: Viewer, new: bool) -> Blow {
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
            words: words::fight(attack, viewer),
            new,
        }
    }

    fn of_round(round: &Round, viewer: Viewer, new: bool) -> Blow {
        let queen = viewer.person(round.queen);
        let whose = if queen.is_reader() { "Your" } else { "Her" };
        let coterie = match round.coterie.is_empty() {
            true => format!("{whose} coterie was empty."),
            false => format!("{whose} coterie was {}.", words::in_a_row(round.coterie.iter().copied())),
        };
        let won = match round.how {
            How::Slain => {
                let winner = viewer.person(round.winner);
                format!("{} struck down {queen}: 10 points.", winner.capitalised())
            }
            How::Aces => format!("{} gathered three Aces: 20 points.", queen.capitalised()),
            How::Killers => format!("{} held two of the killers: 20 points.", queen.capitalised()),
            How::Depleted => format!("The pile is gone and {}: 20 points.", queen.then_does("still reigns")),
            How::Safe => format!("No killer was left to harm {queen}: 20 points."),
            How::Quiet => format!("Two laps without a card drawn or lost: 20 points to {queen}."),
        };
        let slain = round.how == How::Slain;
        Blow {
            title: format!("Round {} is over", round.round),
            left: match slain || !round.cards.is_empty() {
                true => round.cards.iter().map(|card| picture(card, "")).collect(),
                false => vec![silent(QUEEN_OF_HEARTS, "")],
            },
            sign: if slain { "slays" } else { "" },
            word: if slain { "win" } else { "" },
            right: slain.then(|| picture(QUEEN_OF_HEARTS, "")),
            words: if slain { won } else { format!("{won} {coterie}") },
            new,
        }
    }
}

/// The finished rounds and the sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    pub title: String,
    /// “You” or the names.
    pub seats: Vec<String>,
    pub rounds: Vec<RoundLine>,
    pub scores: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundLine {
    pub number: u16,
    /// “You” or the name.
    pub queen: String,
    pub how: String,
    pub coterie: Vec<String>,
    pub points: Vec<i64>,
}

impl Rounds {
    pub fn new(view: &View<RedQueen>) -> Rounds {
        let table = &view.table;
        let viewer = words::viewer(view);
        let rounds = table.history.iter().map(|round| RoundLine {
            number: round.round,
            queen: viewer.person(round.queen).capitalised(),
            how: words::how(round, viewer),
            coterie: round.coterie.iter().map(|card: &Card| small(*card, "")).collect(),
            points: round.points.clone(),
        });
        Rounds {
            title: words::round_of(table),
            seats: Seat::all(table.seats()).map(|seat| viewer.person(seat).capitalised()).collect(),
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
            Some(fight) => Outcome::of(fight),
            None => Outcome { word: "rank", sign: "＞", words: "the higher one wins, equals draw" },
        };
        Combat {
            kinds: Kind::ALL.map(short).to_vec(),
            rows: Kind::ALL
                .map(|attacker| (short(attacker), Kind::ALL.map(|member| outcome(attacker, member)).to_vec()))
                .to_vec(),
        }
    }
}

/// A kind as it stands on the cards.
const fn short(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "2–10",
        Kind::Jack => "J",
        Kind::Lady => "Q",
        Kind::King => "K",
        Kind::Ace => "A",
        Kind::Joker => "Joker",
    }
}
