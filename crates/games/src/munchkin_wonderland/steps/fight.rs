//! Fights: how they begin, what the fighter may do, and how they are won (MW-26 to MW-39).

use super::super::event::Event;
use super::super::monster::Monster;
use super::super::moves::Move;
use super::super::phase::{self, Phase, Side, Stage};
use super::super::room::Room;
use super::super::tables::tables;
use super::dice::roll;
use super::{MunchkinWonderland, Record, turn, using};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

/// MW-32: while the monster is stronger the fighter is awaited.
pub struct Fight;

impl Step<MunchkinWonderland> for Fight {
    fn name(&self) -> &'static str {
        "fight"
    }

    fn awaiting(&self, state: &MunchkinWonderland) -> SeatSet {
        SeatSet::one(state.acting())
    }

    fn moves(&self, state: &MunchkinWonderland, _seat: Seat) -> Vec<Move> {
        let mut moves = Vec::with_capacity(16);
        state.list_uses(&mut moves);
        if let Phase::Fight(fight) = &state.phase {
            list_calls(&state.can_ask(fight), &mut moves);
        }
        moves.push(Move::Run);
        moves
    }

    fn default_move(&self, _state: &MunchkinWonderland, _seat: Seat) -> Option<Move> {
        Some(Move::Run)
    }

    fn refusal(&self, _state: &MunchkinWonderland) -> Refusal {
        Refusal::new("You are in a fight: use or play a card, ask for help, or run.")
    }

    fn decide(&self, record: &mut Record, _seat: Seat, mv: Move) -> Result<(), Refusal> {
        match mv {
            Move::Ask(seats) => ask(record, seats),
            Move::Run => run(record),
            mv => using::act(record, mv),
        }
    }

    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        if win(record)? {
            return Ok(true);
        }
        // MW-37: whoever has no card and nobody to ask must run.
        let Phase::Fight(fight) = &record.phase else { return Ok(false) };
        let stuck = record.player(fight.fighter.seat).hand.is_empty() && record.can_ask(fight).is_empty();
        if stuck {
            run(record)?;
        }
        Ok(stuck)
    }
}

/// MW-26, MW-28: Monster cards, the monster's die, the fighter's die.
pub fn begin(record: &mut Record, room: Room) -> Result<(), Refusal> {
    let (monsters, shuffled) = draw_monsters(record, room.facts().cards)?;
    let die = if room.has_die() { Some(roll(record)?) } else { None };
    let roll = roll(record)?;
    record.record(Event::Met { room, monsters, shuffled, die, roll });
    Ok(())
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

/// MW-39: `ask <seat> …`, in the order of preference.
fn ask(record: &mut Record, seats: Vec<Seat>) -> Result<(), Refusal> {
    let Phase::Fight(fight) = &record.phase else { return Err(record.not_now()) };
    if !fight.asked.is_empty() {
        return Err(Refusal::new("You have called for help in this fight already."));
    }
    let near = record.can_ask(fight);
    let mut named = SeatSet::EMPTY;
    for seat in &seats {
        if named.contains(*seat) {
            return Err(Refusal::new(format!("You name seat {seat} twice.")));
        }
        if !near.contains(seat) {
            return Err(Refusal::new(if *seat == fight.fighter.seat {
                "You cannot ask yourself.".to_owned()
            } else if seat.number() > record.seats() {
                format!("There is no seat {seat} at this table.")
            } else {
                format!("Seat {seat} is too far away to help.")
            }));
        }
        named.insert(*seat);
    }
    record.record(Event::Asked { seats });
    Ok(())
}

/// MW-39: each choice of seats, in turn order.
fn list_calls(near: &[Seat], moves: &mut Vec<Move>) {
    for chosen in 1u32..1 << near.len() {
        let seats = near.iter().enumerate().filter(|(place, _)| chosen & (1 << place) != 0).map(|(_, seat)| *seat);
        moves.push(Move::Ask(seats.collect()));
    }
}

/// MW-31, MW-33: equal is enough. Whether the fight is won.
pub fn win(record: &mut Record) -> Result<bool, Refusal> {
    let Phase::Fight(fight) = &record.phase else { return Ok(false) };
    if record.players_power(fight) < fight.monster_power() {
        return Ok(false);
    }
    let treasures = fight.room.facts().treasures;
    let draw = turn::draw(record, treasures)?;
    record.record(Event::Won { draw });
    Ok(true)
}

/// MW-34: `run`.
fn run(record: &mut Record) -> Result<(), Refusal> {
    let roll = roll(record)?;
    record.record(Event::Ran { roll });
    Ok(())
}

impl MunchkinWonderland {
    /// MW-30: the Power of one player in a fight.
    pub(crate) fn power(&self, side: &Side, room: Room) -> u8 {
        side.power(room).saturating_add(self.player(side.seat).friends_power(room))
    }

    /// MW-30: the Power of fighter and helper together.
    pub(crate) fn players_power(&self, fight: &phase::Fight) -> u8 {
        let sides = [Some(&fight.fighter), fight.helper.as_ref()];
        sides.into_iter().flatten().map(|side| self.power(side, fight.room)).fold(0, u8::saturating_add)
    }

    /// MW-38, MW-39: who can be asked now, in turn order, beginning after the fighter.
    pub(crate) fn can_ask(&self, fight: &phase::Fight) -> Vec<Seat> {
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
