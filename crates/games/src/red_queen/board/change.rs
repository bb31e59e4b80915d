//! What is new since the step before, in words. Only what both views show is compared.

use super::super::RedQueen;
use super::super::coterie::Slot;
use super::super::view::Shown;
use super::super::words;
use crate::playing_cards::name;
use wonderpost_rules::{Seat, View};

pub fn changes(view: &View<RedQueen>, before: &View<RedQueen>) -> Vec<String> {
    let (now, then) = (&view.table, &before.table);
    let viewer = words::viewer(view);
    if now.round != then.round {
        return vec![format!("Round {} begins. {} the Red Queen.", now.round, viewer.person(now.queen).does("is"))];
    }
    let mut changes = Vec::new();
    for (slot, (now, then)) in Slot::ALL.into_iter().zip(now.coterie.iter().zip(then.coterie)) {
        changes.extend(slot_change(slot, *now, then));
    }
    for seat in Seat::all(now.seats()) {
        let (Some(now), Some(then)) = (now.hands.get(seat.index()), then.hands.get(seat.index())) else { continue };
        if now != then {
            let holds = viewer.person(seat).does("holds");
            changes.push(format!("{holds} {}, before {then}.", words::cards(*now)));
        }
    }
    if now.pile != then.pile {
        changes.push(format!("The pile has {}, before {}.", words::cards(now.pile), then.pile));
    }
    if let (Some(hand), Some(held)) = (view.mine.map(|mine| mine.hand), before.mine.map(|mine| mine.hand)) {
        changes.extend(hand.without(held).iter().map(|card| format!("New in your hand: the {}.", name(card))));
    }
    changes
}

fn slot_change(slot: Slot, now: Option<Shown>, then: Option<Shown>) -> Option<String> {
    if now == then {
        return None;
    }
    Some(match (then, now) {
        (None, Some(_)) => format!("A card was placed in slot {slot}."),
        (Some(_), None) => format!("Slot {slot} is empty now."),
        (_, Some(Shown { up: true, card: Some(card) })) => {
            format!("The {} lies face up in slot {slot} now.", name(card))
        }
        (_, Some(Shown { up: false, card: Some(card) })) => {
            format!("All have seen the {} in slot {slot}; it lies face down again.", name(card))
        }
        (_, Some(_)) => format!("Nobody but the Red Queen knows any longer what lies in slot {slot}."),
        (None, None) => return None,
    })
}
