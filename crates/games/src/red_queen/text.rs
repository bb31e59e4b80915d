//! The table as plain text, for letters and for those who listen to a page.

use super::RedQueen;
use super::card_set::CardSet;
use super::coterie::Slot;
use super::moves::Move;
use super::view::PublicView;
use super::words;
use wonderpost_rules::{Card, Seat, View, Viewer};

pub fn text(view: &View<RedQueen>) -> String {
    let mut lines = table_in_words(view, false);
    if view.prompt.is_some() {
        let task = task(&view.table);
        lines.push(if view.table.to_discard == 0 { format!("Your turn: {task}") } else { task });
        lines.extend(moves(&view.moves));
    }
    lines.join("\n") + "\n"
}

/// The table without what can be done at it. Where it came to an early end, nobody is to move.
pub fn table_in_words(view: &View<RedQueen>, ended_early: bool) -> Vec<String> {
    let table = &view.table;
    let viewer = words::viewer(view);
    let mut lines = vec![format!("{}. {}", words::round_of(table), reign(table, viewer))];
    lines.extend(
        table.history.iter().map(|round| (round, viewer.person(round.queen))).map(|(round, queen)| {
            format!("Round {}, {queen} as Red Queen: {}.", round.round, words::how(round, viewer))
        }),
    );
    lines.push(String::new());
    lines.extend(coterie(view));
    if let Some(attack) = &table.last_attack {
        lines.push(format!("Last fight: {}", words::fight(attack, viewer)));
    }
    lines.push(String::new());
    lines.extend(Seat::all(table.seats()).map(|seat| seat_line(view, seat, ended_early)));
    lines.push(String::new());
    lines.push(format!("Pile: {}.", words::cards(table.pile)));
    lines.push(match table.discard.is_empty() {
        true => "Discards: none.".to_owned(),
        false => format!("Discards: {}.", words::in_a_row(table.discard.iter().copied())),
    });
    lines.push(format!("Killers: {}.", words::killers_in_words(table)));
    lines.push(format!("Aces: {}.", words::aces_in_words(table)));
    if let Some(mine) = view.mine.filter(|_| !view.over) {
        lines.push(String::new());
        lines.push(match mine.hand.is_empty() {
            true => "Your hand is empty.".to_owned(),
            false => format!("Your hand: {}.", words::list(mine.hand)),
        });
    }
    if !ended_early {
        lines.extend(words::warnings(view));
    }
    if view.over {
        lines.push(format!("The game is over: {}.", words::winners(&view.winners, viewer)));
    }
    lines
}

fn reign(table: &PublicView, viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) if seat == table.queen => "You are the Red Queen.".to_owned(),
        Viewer::Seat(seat) => {
            let role = table.roles.get(seat.index()).map_or("companion", |role| role.title());
            format!("{} is the Red Queen; you are the {role}.", table.queen.mark())
        }
        Viewer::Public => format!("{} is the Red Queen.", table.queen.mark()),
    }
}

/// A line a slot.
fn coterie(view: &View<RedQueen>) -> Vec<String> {
    let table = &view.table;
    let own = view.mine.and_then(|mine| mine.coterie).or(table.revealed.as_ref().map(|revealed| revealed.coterie));
    let line = |(slot, shown): (Slot, _)| {
        let card: Option<Card> = own.and_then(|own| own[usize::from(slot.number()) - 1]);
        let words = match shown {
            None => "empty".to_owned(),
            Some(super::view::Shown { up: true, card }) => {
                format!("{}, face up", card.map_or("a card".to_owned(), Card::with_sign))
            }
            Some(super::view::Shown { up: false, card: Some(card) }) => {
                format!("face down, seen by all: {}", card.with_sign())
            }
            Some(super::view::Shown { up: false, card: None }) => match card {
                Some(card) => format!("{}, face down", card.with_sign()),
                None => "face down".to_owned(),
            },
        };
        format!("Slot {slot}: {words}.")
    };
    Slot::ALL.into_iter().zip(table.coterie).map(line).collect()
}

fn seat_line(view: &View<RedQueen>, seat: Seat, ended_early: bool) -> String {
    let table = &view.table;
    let place = seat.index();
    let role = table.roles.get(place).map_or("", |role| role.title());
    let points = view.scores.get(place).copied().flatten().unwrap_or(0);
    let hand = table.hands.get(place).copied().unwrap_or(0);
    let seen = table.seen.get(place).copied().unwrap_or_default();
    let felled = table.felled.get(place).copied().unwrap_or(0);
    let known = match table.revealed.as_ref().and_then(|revealed| revealed.hands.get(place)) {
        Some(hand) if !hand.is_empty() => format!(" ({})", words::list(*hand)),
        _ if !seen.is_empty() => format!(" (seen: {})", words::list(seen)),
        _ => String::new(),
    };
    let person = words::viewer(view).person(seat);
    let turn = match (table.turn == Some(seat) && !ended_early, person.is_reader()) {
        (false, _) => "",
        (true, true) => ", to move",
        (true, false) => ", whose turn it is",
    };
    let who = person.capitalised();
    format!("{who}, {role}{turn}: {points} points, {}{known}, {felled} felled.", words::cards(hand))
}

/// What is left to do in a turn.
pub fn task(table: &PublicView) -> String {
    match table.to_discard {
        0 => format!("{} left.", words::actions(table.actions)),
        number => format!("Too many cards in hand: discard {number}."),
    }
}

/// The legal moves, grouped by what they do.
fn moves(moves: &[Move]) -> Vec<String> {
    let cards = |pick: &dyn Fn(&Move) -> Option<Card>| -> Option<String> {
        let cards: Vec<Card> = moves.iter().filter_map(pick).collect();
        (!cards.is_empty()).then(|| words::codes(cards.into_iter().collect::<CardSet>().iter()))
    };
    let mut groups = Vec::new();
    let mut group = |verb: String, cards: Option<String>| {
        groups.extend(cards.map(|cards| format!("  {verb} with one of {cards}")));
    };
    group(
        "place".into(),
        cards(&|mv| match mv {
            Move::Place { card } => Some(*card),
            _ => None,
        }),
    );
    for at in Slot::ALL {
        group(
            format!("swap {at}"),
            cards(&|mv| match mv {
                Move::Swap { slot, card } if *slot == at => Some(*card),
                _ => None,
            }),
        );
    }
    for at in Slot::ALL {
        group(
            format!("attack {at}"),
            cards(&|mv| match mv {
                Move::Attack { slot, card } if *slot == at => Some(*card),
                _ => None,
            }),
        );
    }
    group(
        "attack queen".into(),
        cards(&|mv| match mv {
            Move::AttackQueen { card } => Some(*card),
            _ => None,
        }),
    );
    group(
        "discard".into(),
        cards(&|mv| match mv {
            Move::Discard { card } => Some(*card),
            _ => None,
        }),
    );
    if let Some(Move::Shuffle { cards }) = moves.iter().find(|mv| matches!(mv, Move::Shuffle { .. })) {
        groups.push(format!("  shuffle {}, in any order", words::codes(cards.iter().copied())));
    }
    groups.extend(moves.iter().filter(|mv| matches!(mv, Move::Draw | Move::End)).map(|mv| format!("  {mv}")));
    groups.insert(0, "You can say:".to_owned());
    groups
}
