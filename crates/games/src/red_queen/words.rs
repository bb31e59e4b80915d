//! What stands on the table, in sentences that page, letter and text share. Names are marks.

use super::RedQueen;
use super::card_set::CardSet;
use super::combat::{Fight, aces, killers};
use super::coterie::Slot;
use super::moves::Move;
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
            true => "One card is left in the pile: whoever draws it, the round is yours.".to_owned(),
            false => "One card is left in the pile: whoever draws it, the round is the Red Queen’s.".to_owned(),
        });
    }
    if table.coterie.iter().all(Option::is_none) {
        let opening = table.first_turn && table.turn == Some(table.queen);
        match reigns {
            _ if opening => {}
            true => warnings.push("Your guard is gone: any killer can slay you.".to_owned()),
            false => warnings.push("Her guard is gone: a killer can strike now.".to_owned()),
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

/// A move as an offer to whoever could make it.
pub fn offer(view: &View<RedQueen>, mv: &Move) -> String {
    let table = &view.table;
    match mv {
        Move::Draw if table.pile == 1 => "Draw the last card".to_owned(),
        Move::Draw => "Draw a card".to_owned(),
        Move::Place { card } => {
            let gap = Slot::ALL.into_iter().zip(table.coterie).find(|(_, shown)| shown.is_none());
            match gap {
                Some((slot, _)) => format!("Place {} in slot {slot}", the(*card)),
                None => format!("Place {}", the(*card)),
            }
        }
        Move::Swap { slot, card } => {
            let own = view.mine.and_then(|mine| mine.coterie?[usize::from(slot.number()) - 1]);
            match own {
                Some(old) => format!("Put {} in slot {slot} and take back {}", the(*card), the(old)),
                None => format!("Put {} in slot {slot}", the(*card)),
            }
        }
        Move::Shuffle { cards } => format!("Lay your face-down cards as {}", in_a_row(cards.iter().copied())),
        Move::Attack { slot, card } => format!("Attack slot {slot} with {}", the(*card)),
        Move::AttackQueen { card } => format!("Strike the Red Queen with {}", the(*card)),
        Move::End => format!("End your turn with {} unused", actions(table.actions)),
        Move::Discard { card } => format!("Discard {}", the(*card)),
    }
}

/// “Round 2, to 30 points” or “Round 2 of 4”.
pub fn round_of(table: &PublicView) -> String {
    let (round, goal) = round_in_parts(table);
    let comma = if table.rounds == 0 { "," } else { "" };
    format!("{round}{comma} {goal}")
}

/// “Round 2” and “to 30 points” or “of 4”.
pub fn round_in_parts(table: &PublicView) -> (String, String) {
    let goal = match table.rounds {
        0 => format!("to {} points", table.target),
        rounds => format!("of {rounds}"),
    };
    (format!("Round {}", table.round), goal)
}

/// The last fight of the round, as a sentence.
pub fn fight(attack: &Attack, viewer: Viewer) -> String {
    let Attack { seat, card, slot, member, result } = attack;
    let (who, card, member) = (viewer.person(*seat).capitalised(), the(*card), the(*member));
    let Some(slot) = slot else { return format!("{who} struck the Red Queen with {card}.") };
    let attack = format!("{who} attacked slot {slot} with {card}");
    match result {
        Fight::Win => format!("{attack} and felled {member}."),
        Fight::Lose => format!("{attack} and lost it: {member} holds."),
        Fight::Draw => format!("{attack}: {member} stood it off and stays face up."),
    }
}

/// How a round ended, in a few words.
pub fn how(round: &Round, viewer: Viewer) -> String {
    match round.how {
        How::Slain => format!("slain by {} with {}", viewer.person(round.winner), list(round.cards)),
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

/// A card in the middle of a sentence: “Q♠”, “the red joker”.
pub fn the(card: Card) -> String {
    match card {
        Card::Plain(..) => card.with_sign(),
        Card::BlackJoker | Card::RedJoker => format!("the {}", card.with_sign()),
    }
}

/// “J♥, black joker”.
pub fn list(cards: CardSet) -> String {
    in_a_row(cards.iter())
}

pub fn in_a_row(cards: impl Iterator<Item = Card>) -> String {
    let names: Vec<String> = cards.map(Card::with_sign).collect();
    names.join(", ")
}

/// “JH, BJ”, as cards are written in moves.
pub fn codes(cards: impl Iterator<Item = Card>) -> String {
    let names: Vec<String> = cards.map(|card| card.to_string()).collect();
    names.join(", ")
}

/// “you”, “Alice and you”: those who won, and what they do.
pub fn winners(winners: &[Seat], viewer: Viewer) -> String {
    let names: Vec<String> = winners.iter().map(|seat| viewer.person(*seat).to_string()).collect();
    let verb = match winners {
        [seat] => viewer.person(*seat).verb("wins"),
        _ => "win".to_owned(),
    };
    format!("{} {verb}", names.join(" and "))
}

/// Words that begin a sentence. Names and cards are written as they are.
pub fn begin(words: String) -> String {
    for (small, capital) in [("you", "You"), ("the ", "The ")] {
        if let Some(rest) = words.strip_prefix(small) {
            return format!("{capital}{rest}");
        }
    }
    words
}

pub fn cards(number: usize) -> String {
    if number == 1 { "1 card".into() } else { format!("{number} cards") }
}

pub fn actions(number: u8) -> String {
    if number == 1 { "1 action".into() } else { format!("{number} actions") }
}
