//! What stands on the table, in sentences that page, letter and text share. Names are marks.

use super::RedQueen;
use super::card_set::CardSet;
use super::combat::{Fight, aces, killers};
use super::round::{How, Round};
use super::view::{Attack, PublicView};
use wonderpost_rules::{Card, Seat, View, Viewer};

/// Who is looking, as far as a view tells: the one whose view it is has a role.
pub fn viewer(view: &View<RedQueen>) -> Viewer {
    let mine = view.mine.and_then(|mine| {
        let place = view.table.roles.iter().position(|role| *role == mine.role)?;
        Seat::new(place as u8 + 1)
    });
    mine.map_or(Viewer::Public, Viewer::Seat)
}

/// What to be warned of before the next move.
pub fn warnings(view: &View<RedQueen>) -> Vec<String> {
    let table = &view.table;
    if view.over {
        return vec![];
    }
    let reigns = viewer(view) == Viewer::Seat(table.queen);
    let mut warnings = Vec::new();
    if table.pile == 1 {
        warnings.push(match reigns {
            true => "One card is left in the pile: whoever draws it ends the round, and you win it.".to_owned(),
            false => {
                "One card is left in the pile: whoever draws it ends the round, and the Red Queen wins it.".to_owned()
            }
        });
    }
    if table.coterie.iter().all(Option::is_none) {
        let opening = table.first_turn && table.turn == Some(table.queen);
        match reigns {
            _ if opening => {}
            true => warnings.push("Your coterie is empty: any killer can strike you down.".to_owned()),
            false => warnings.push("Her coterie is empty: a killer can strike now.".to_owned()),
        }
    }
    let idle_left = 2 * usize::from(table.seats()) - usize::from(table.idle).min(2 * usize::from(table.seats()));
    if idle_left == 1 {
        warnings.push(
            "If no card is drawn or discarded in this turn the siege is over, and the Red Queen wins the round."
                .to_owned(),
        );
    }
    warnings
}

/// “Round 2, to 30 points” or “Round 2 of 4”.
pub fn round_of(table: &PublicView) -> String {
    match table.rounds {
        0 => format!("Round {}, to {} points", table.round, table.target),
        rounds => format!("Round {} of {rounds}", table.round),
    }
}

/// The last fight of the round, as a sentence.
pub fn fight(attack: &Attack) -> String {
    let Attack { seat, card, slot, member, result } = attack;
    let Some(slot) = slot else { return format!("{} struck the Red Queen with {card}.", seat.mark()) };
    let attack = format!("{} attacked slot {slot} with {card}", seat.mark());
    match result {
        Fight::Win => format!("{attack} and felled {member}."),
        Fight::Lose => format!("{attack} and lost it: {member} holds."),
        Fight::Draw => format!("{attack}: {member} stood it off and stays face up."),
    }
}

/// How a round ended, in a few words.
pub fn how(round: &Round) -> String {
    match round.how {
        How::Slain => format!("slain by {} with {}", round.winner.mark(), list(round.cards)),
        How::Aces | How::Killers => format!("showed {}", list(round.cards)),
        How::Depleted => "outlasted the pile".to_owned(),
        How::Safe => "no killer was left".to_owned(),
        How::Quiet => "left in peace".to_owned(),
    }
}

/// “all four at large” or “JH and BJ discarded, two at large”.
pub fn fate(table: &PublicView, of: CardSet) -> String {
    let gone: CardSet = table.discard.iter().copied().collect::<CardSet>().and(of);
    let left = match of.len() - gone.len() {
        0 => "none",
        1 => "one",
        2 => "two",
        3 => "three",
        _ => "all four",
    };
    if gone.is_empty() { format!("{left} at large") } else { format!("{} discarded, {left} at large", list(gone)) }
}

pub fn killers_in_words(table: &PublicView) -> String {
    fate(table, killers())
}

pub fn aces_in_words(table: &PublicView) -> String {
    fate(table, aces())
}

/// “JH, BJ”.
pub fn list(cards: CardSet) -> String {
    in_a_row(cards.iter())
}

pub fn in_a_row(cards: impl Iterator<Item = Card>) -> String {
    let names: Vec<String> = cards.map(|card| card.to_string()).collect();
    names.join(", ")
}

pub fn cards(number: usize) -> String {
    if number == 1 { "1 card".into() } else { format!("{number} cards") }
}

pub fn actions(number: u8) -> String {
    if number == 1 { "1 action".into() } else { format!("{number} actions") }
}
