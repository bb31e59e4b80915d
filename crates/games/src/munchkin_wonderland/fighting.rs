//! Fights: how they begin, are won, and are run away from.

use super::MunchkinWonderland;
use super::decide::{Record, roll};
use super::event::Event;
use super::monster::Monster;
use super::phase::{Fight, Phase, Side, Stage};
use super::place::Place;
use super::room::Room;
use super::tables::tables;
use super::treasure::Treasure;
use super::turn::{draw, end_turn};
use wonderpost_rules::{Refusal, Seat};

/// MW-26, MW-28: Monster cards, the monster's die, the fighter's die.
pub fn begin(record: &mut Record, room: Room) -> Result<(), Refusal> {
    let (monsters, shuffled) = draw_monsters(record, room.facts().cards)?;
    let die = if room.has_die() { Some(roll(record)?) } else { None };
    let roll = roll(record)?;
    record.record(Event::Met { room, monsters, shuffled, die, roll });
    carry_on(record)
}

/// MW-27, MW-29: the Monster cards of a fight, and the shuffled discards if they were needed.
fn draw_monsters(record: &mut Record, number: usize) -> Result<(Vec<Monster>, Vec<Monster>), Refusal> {
    let mut deck = record.monster_deck.clone();
    let mut monsters = Vec::with_capacity(number);
    let mut shuffled = vec![];
    let mut due = number;
    while due > 0 {
        if deck.is_empty() && shuffled.is_empty() && !record.monster_discard.is_empty() {
            let pile = record.monster_discard.clone();
            shuffled = record.shuffle(&pile)?;
            deck = shuffled.iter().rev().copied().collect();
        }
        // All are in play: the monster makes do.
        let Some(monster) = deck.pop() else { break };
        monsters.push(monster);
        due = due - 1 + monster.facts().draw;
    }
    Ok((monsters, shuffled))
}

impl MunchkinWonderland {
    /// MW-30: the Power of one player in a fight.
    pub(super) fn power(&self, side: &Side, room: Room) -> u8 {
        side.power(room).saturating_add(self.player(side.seat).friends_power(room))
    }

    /// MW-30: the Power of fighter and helper together.
    pub(super) fn players_power(&self, fight: &Fight) -> u8 {
        let sides = [Some(&fight.fighter), fight.helper.as_ref()];
        sides.into_iter().flatten().map(|side| self.power(side, fight.room)).fold(0, u8::saturating_add)
    }

    /// MW-38, MW-39: who can be asked now, in turn order, beginning after the fighter.
    pub(super) fn can_ask(&self, fight: &Fight) -> Vec<Seat> {
        if fight.stage != Stage::Fighter || !fight.asked.is_empty() {
            return vec![];
        }
        let (here, range) = (fight.room.place(), tables().limits.range);
        let mut seat = fight.fighter.seat;
        let others = (1..self.seats()).map(|_| {
            seat = seat.next(self.seats());
            seat
        });
        others.filter(|seat| here.distance(self.player(*seat).place) <= range).collect()
    }
}

/// What happens by itself in a fight, until a decision is due.
pub fn carry_on(record: &mut Record) -> Result<(), Refusal> {
    loop {
        let Phase::Fight(fight) = &record.phase else { return Ok(()) };
        // MW-31: equal is enough.
        if record.players_power(fight) >= fight.monster_power() {
            return win(record);
        }
        // MW-37: forced steps.
        match fight.stage {
            // MW-32: while the monster is stronger the fighter is awaited.
            Stage::Fighter => {
                let stuck = record.player(fight.fighter.seat).hand.is_empty() && record.can_ask(fight).is_empty();
                return if stuck { run(record) } else { Ok(()) };
            }
            Stage::Helper if record.player(fight.acting().seat).hand.is_empty() => record.record(Event::Done),
            Stage::Asked | Stage::Helper => return Ok(()),
        }
    }
}

/// MW-33, MW-44
fn win(record: &mut Record) -> Result<(), Refusal> {
    let Phase::Fight(fight) = &record.phase else { return Ok(()) };
    let treasures = fight.room.facts().treasures;
    let draw = draw(record, treasures)?;
    record.record(Event::Won { draw });
    match &record.phase {
        Phase::Share(share) => match share.cards[..] {
            // MW-44: nothing to choose from.
            [first, ref others @ ..] if others.iter().all(|card| *card == first) => take(record, first),
            _ => Ok(()),
        },
        _ => end_turn(record),
    }
}

/// MW-44: `take <card>`.
pub fn take(record: &mut Record, card: Treasure) -> Result<(), Refusal> {
    let Phase::Share(share) = &record.phase else { return Err(record.not_now()) };
    if !share.cards.contains(&card) {
        let shown: Vec<&str> = share.cards.iter().map(|card| card.id()).collect();
        let shown = shown.join(", ");
        return Err(Refusal::new(format!("{} is not among the Treasures shown: {shown}.", card.title())));
    }
    record.record(Event::Took { card });
    end_turn(record)
}

/// MW-34: `run`.
pub fn run(record: &mut Record) -> Result<(), Refusal> {
    match &record.phase {
        Phase::Fight(fight) if fight.stage == Stage::Fighter => {}
        _ => return Err(record.not_now()),
    }
    let roll = roll(record)?;
    record.record(Event::Ran { roll });
    Ok(())
}

/// MW-35, MW-36: nothing happens at the place, but a card is lost.
pub fn hide(record: &mut Record, at: Place) -> Result<(), Refusal> {
    let cards = record.at_stake().to_vec();
    record.record(Event::Hid { at, choosing: cards.len() > 1 });
    match cards[..] {
        [] => end_turn(record),
        [card] => lose(record, card),
        _ => Ok(()),
    }
}

impl MunchkinWonderland {
    /// MW-36, MW-45: what the fighter, never the helper, may lose: one of the Friends in play, else a card from the hand.
    pub(super) fn at_stake(&self) -> &[Treasure] {
        let player = self.player(self.turn);
        if player.friends.is_empty() { &player.hand } else { &player.friends }
    }
}

/// MW-36: `discard <card>`.
pub fn discard(record: &mut Record, card: Treasure) -> Result<(), Refusal> {
    if record.phase != Phase::Discard {
        return Err(record.not_now());
    }
    if !record.at_stake().contains(&card) {
        return Err(Refusal::new(if record.player(record.turn).friends.is_empty() {
            format!("You do not have {} in your hand.", card.title())
        } else {
            format!("One of your Friends in play is lost, and {} is none of them.", card.title())
        }));
    }
    lose(record, card)
}

fn lose(record: &mut Record, card: Treasure) -> Result<(), Refusal> {
    record.record(Event::Lost { card });
    end_turn(record)
}
