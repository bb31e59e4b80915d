//! Deciding: what a move brings about, up to the next decision.

use super::moves::Move;
use super::phase::{Phase, RollKind, Stage};
use super::{MunchkinWonderland, fighting, helping, turn, using};
use wonderpost_rules::{Recorder, Refusal, Seat};

pub type Record<'a> = Recorder<'a, MunchkinWonderland>;

/// The sides of a die.
pub const SIDES: u32 = 6;

/// Throws one die.
pub fn roll(record: &mut Record) -> Result<u8, Refusal> {
    Ok(throw(record, 1)?.first().copied().unwrap_or(1))
}

/// Throws so many dice together.
pub fn throw(record: &mut Record, dice: usize) -> Result<Vec<u8>, Refusal> {
    let faces = record.roll(dice, SIDES)?;
    Ok(faces.into_iter().map(|face| face.min(SIDES) as u8).collect())
}

pub fn decide(record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
    match mv {
        Move::Go(place) => turn::go(record, place),
        Move::Play { friend, instead } => using::play(record, friend, instead),
        Move::Use { card, on } => using::use_card(record, card, on),
        Move::Recover { thimble, card } => using::recover(record, thimble, card),
        Move::Ask(seats) => helping::ask(record, seats),
        Move::Help => helping::answer(record, seat, true),
        Move::Refuse => helping::answer(record, seat, false),
        Move::Done => helping::done(record),
        Move::Take(card) => fighting::take(record, card),
        Move::Run => fighting::run(record),
        Move::Discard(card) => fighting::discard(record, card),
    }
}

impl MunchkinWonderland {
    /// What can be said now, for refusals.
    pub(super) fn not_now(&self) -> Refusal {
        Refusal::new(match &self.phase {
            Phase::Rolled(roll) => match roll.kind {
                RollKind::Move => "You have rolled: say where you go, or use a Treasure on the roll first.",
                RollKind::Entrance => "The Entrance roll has named a Room: go there, or use a Treasure first.",
                RollKind::Run => "You are running: say where you hide, or change the roll first.",
            },
            Phase::Fight(fight) => match fight.stage {
                Stage::Fighter => "You are in a fight: use or play a card, ask for help, or run.",
                Stage::Asked => "You are asked for help: say help or refuse.",
                Stage::Helper => "You are helping in a fight: use a card, or say done.",
            },
            Phase::Share(_) => "Take one of the Treasures that are shown.",
            Phase::Discard => "Say which card you lose.",
            Phase::Between | Phase::Over => "There is nothing to decide.",
        })
    }
}
