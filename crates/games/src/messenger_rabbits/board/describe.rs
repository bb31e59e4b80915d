//! Moves in words, and those that are asked for once more.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::hexagon::{Hexagon, House, Place};
use super::super::log;
use super::super::moves::Move;
use super::super::phase::{Action, Phase};
use super::super::text;
use super::risk::Risk;
use crate::playing_cards::suit_name;
use wonderpost_rules::View;

/// A move as an offer: “Hop to the Citadel”.
pub fn describe(view: &View<MessengerRabbits>, mv: &Move) -> String {
    match mv {
        Move::Place(ground) => {
            let house = view.table.building.as_ref().and_then(|building| building.house);
            let house = house.map_or_else(|| "the next house".to_owned(), House::in_words);
            let beside = ground.by.and_then(|site| view.table.board.layout.hexagon_at(site));
            match beside {
                Some(hexagon) => format!("Build {house} beside {}", hexagon.in_words()),
                None => format!("Build {house} out at sea"),
            }
        }
        Move::Fly { to, showing } => format!("Fly to {}, showing {}", to.in_words(), showing.with_sign()),
        Move::Roll => "Roll the dice".to_owned(),
        Move::Show(cards) => format!("Show {} and draw", cards.in_words()),
        Move::Pass if view.phase == Phase::Contest => "Let the visit pass".to_owned(),
        Move::Pass => "Show no card".to_owned(),
        Move::Discard(cards) => format!("Discard {}", cards.in_words()),
        Move::Stay => stay(view),
        Move::Go(Place::On(to)) => warned(view, format!("Hop to {}", to.in_words()), *to, Cards::EMPTY),
        Move::Go(Place::Underground) => "Slip underground".to_owned(),
        Move::Go(Place::Off) => "Wander off the board, which ends your turn".to_owned(),
        Move::Joker(to) => warned(view, format!("Play a joker and turn up at {}", to.in_words()), *to, Cards::EMPTY),
        Move::Act(action, paid) => act(view, *action, *paid),
        Move::Pay(cards) => format!("Pay {}", cards.in_words()),
        Move::Fall => "Fall off the board".to_owned(),
        Move::Contest(cards) => format!("Contest the visit, showing {}", cards.in_words()),
        Move::Prove(cards) => format!("Prove a blessed heart with {}", cards.in_words()),
        Move::Concede => "Give in and leave the board".to_owned(),
        Move::Attack { target, with } => format!("Attack {} with {}", target.mark(), with.in_words()),
        Move::Throw(cards) => format!("Throw {}", cards.in_words()),
        Move::Yield => "Yield and leave the board".to_owned(),
        Move::Release(royal) => format!("Release {} and draw a card", royal.with_sign()),
        Move::Offer { card, to, suit } => {
            format!("Offer {} {} for a card of {}", to.mark(), card.with_sign(), suit_name(*suit))
        }
        Move::Give(card) => format!("Give {}", card.with_sign()),
        Move::Decline => "Decline the offer".to_owned(),
        Move::Done => "End the visit and draw a card".to_owned(),
    }
}

fn stay(view: &View<MessengerRabbits>) -> String {
    let place = view.mine.as_ref().map(|mine| view.table.rabbits[mine.seat.index()]);
    place.map_or_else(|| "Stay".to_owned(), |place| format!("Stay {}", text::whereabouts(place)))
}

fn act(view: &View<MessengerRabbits>, action: Action, paid: Option<Cards>) -> String {
    let mut words = log::intent(action);
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let words = match (action, paid) {
        (Action::Land, Some(cards)) => format!("Pay {} and land", cards.in_words()),
        (Action::Claim(_) | Action::Buy(_), Some(cards)) => format!("{words} for {}", cards.in_words()),
        (Action::Travel(..), Some(cards)) => format!("{words}, paying {}", cards.in_words()),
        (_, None) => format!("{words}, and choose the payment next"),
    };
    match action {
        Action::Travel(_, to) => warned(view, words, to, paid.unwrap_or_default()),
        Action::Claim(_) | Action::Buy(_) | Action::Land => words,
    }
}

/// Adds who may contest the visit.
fn warned(view: &View<MessengerRabbits>, words: String, at: Hexagon, paid: Cards) -> String {
    match Risk::of(view, at, paid) {
        Some(risk) => format!("{words} ({})", risk.in_words()),
        None => words,
    }
}

/// Who may contest the visit that a move makes; nothing if nobody may, or it makes none.
pub fn contest_risk(view: &View<MessengerRabbits>, mv: &Move) -> String {
    let risk = match mv {
        Move::Go(Place::On(to)) | Move::Joker(to) => Risk::of(view, *to, Cards::EMPTY),
        Move::Act(Action::Travel(_, to), paid) => Risk::of(view, *to, paid.unwrap_or_default()),
        _ => None,
    };
    risk.map(Risk::in_words).unwrap_or_default()
}

/// Whether a move is asked for once more: it leads off the board, or may well; it throws a royal away, or a chance to win one.
pub fn asks_first(view: &View<MessengerRabbits>, mv: &Move) -> bool {
    let has_choice = view.moves.len() > 1;
    let is_risky = |at: Hexagon, paid: Cards| Risk::of(view, at, paid).is_some_and(Risk::is_grave);
    let has_royal = |cards: Cards| !(cards & Cards::ROYALS).is_empty();
    match mv {
        Move::Go(Place::Off) => true,
        Move::Go(Place::On(to)) | Move::Joker(to) => is_risky(*to, Cards::EMPTY),
        Move::Act(Action::Travel(_, to), paid) => {
            let paid = paid.unwrap_or_default();
            has_royal(paid) || is_risky(*to, paid)
        }
        Move::Act(_, paid) => has_royal(paid.unwrap_or_default()),
        Move::Discard(cards) | Move::Pay(cards) | Move::Throw(cards) | Move::Attack { with: cards, .. } => {
            has_royal(*cards)
        }
        Move::Fall | Move::Concede | Move::Yield => has_choice,
        Move::Done => view.moves.iter().any(|other| matches!(other, Move::Act(Action::Claim(_), _))),
        Move::Place(_)
        | Move::Fly { .. }
        | Move::Roll
        | Move::Show(_)
        | Move::Pass
        | Move::Stay
        | Move::Go(Place::Underground)
        | Move::Contest(_)
        | Move::Prove(_)
        | Move::Release(_)
        | Move::Offer { .. }
        | Move::Give(_)
        | Move::Decline => false,
    }
}
