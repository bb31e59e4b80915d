//! How letters begin: who calls whom for help, what came of it, and how the fight ended.

use super::MunchkinWonderland;
use super::event::Event;
use super::phase::{Fight, Phase, RollKind};
use super::place::Kind;
use super::view::FightView;
use wonderpost_rules::{CallToAction, Seat, View, Viewer};

/// What an awaited seat is asked for. MW-39 to MW-44: whoever is asked for help, helps or takes a share keeps the fighter waiting.
pub fn call_to_action(view: &View<MunchkinWonderland>) -> CallToAction {
    let table = &view.table;
    match (view.prompt, &table.fight, &table.share) {
        (Some("help"), Some(fight), _) => CallToAction::Call(format!(
            "{} calls you for help against {}: {}.",
            fight.fighter.seat.mark(),
            fight.room.monster(),
            powers(fight)
        )),
        (Some("assist"), Some(fight), _) => CallToAction::Call(format!(
            "You help {} against {}: together {}. What do you add?",
            fight.fighter.seat.mark(),
            fight.room.monster(),
            powers(fight)
        )),
        (Some("share"), _, Some(share)) => CallToAction::Call(format!(
            "{} and you have beaten {}: which Treasure do you take?",
            share.seat.mark(),
            share.room.monster()
        )),
        (Some("fight"), Some(fight), _) => CallToAction::Turn(answer_to_the_call(fight)),
        // Whoever had nothing left to fight with runs by themselves.
        (Some("run"), ..) => CallToAction::Turn(match (table.roll, table.places[table.turn.index()].kind()) {
            (Some(roll), Kind::Room(room)) if roll.kind == RollKind::Run => {
                Some(format!("You run from {}.", room.monster()))
            }
            _ => None,
        }),
        _ => CallToAction::Turn(None),
    }
}

/// What the fighter has been answered, if they called.
fn answer_to_the_call(fight: &FightView) -> Option<String> {
    let monster = fight.room.monster();
    match &fight.helper {
        Some(helper) => {
            let helper = helper.seat.mark();
            Some(format!("{helper} has come to help you against {monster}: together {}.", powers(fight)))
        }
        None if fight.asked.is_empty() => None,
        None => Some(format!("Nobody comes to help you against {monster}: {}.", powers(fight))),
    }
}

/// “12 against 16”.
fn powers(fight: &FightView) -> String {
    format!("{} against {}", fight.players_power(), fight.monster_power)
}

impl MunchkinWonderland {
    /// The end of a fight, for fighter and helper; and for those whose help was not needed, that it was not.
    pub(super) fn sequel_for(&self, event: &Event, seat: Seat) -> Option<String> {
        let told = || self.describe(event, Viewer::Seat(seat));
        match (event, &self.phase) {
            // MW-40: their answer made no difference, and nobody else learns of it.
            (Event::Joined { helper, .. }, Phase::Fight(fight)) => {
                let in_vain = *helper != seat && fight.answer_of(seat) == Some(true);
                in_vain.then(told)?.map(|told| format!("Your help was not needed. {told}"))
            }
            (Event::Escaped { .. } | Event::Ran { .. }, Phase::Fight(fight)) => part(fight, seat, told),
            // MW-44: where there are Treasures the helper takes one first.
            (Event::Won { draw }, Phase::Fight(fight)) if draw.cards.is_empty() => part(fight, seat, told),
            (Event::Took { .. }, Phase::Share(share)) => {
                let (a, b, monster) = (share.seat, share.helper, share.room.monster());
                let mine = [a, b].contains(&seat).then(told)?;
                let other = if a == seat { b } else { a };
                mine.map(|told| format!("You and {} have beaten {monster}. {told}", other.mark()))
            }
            _ => None,
        }
    }
}

/// What is told of a fight that two have fought, to one of them.
fn part(fight: &Fight, seat: Seat, told: impl FnOnce() -> Option<String>) -> Option<String> {
    let helper = fight.helper.as_ref()?.seat;
    let part = match seat {
        seat if seat == helper => "The fight in which you helped is over.",
        seat if seat == fight.fighter.seat => "Your fight is over.",
        _ => return None,
    };
    told().map(|told| format!("{part} {told}"))
}
