//! Using Treasures and playing Friends.

use super::super::event::Event;
use super::super::moves::Move;
use super::super::phase::{Phase, RollKind, Stage};
use super::super::place::Place;
use super::super::player::Player;
use super::super::room::Room;
use super::super::tables::tables;
use super::super::treasure::{Change, Die, Kind, Landing, Treasure};
use super::dice::{roll, throw};
use super::{MunchkinWonderland, Record, turn};
use wonderpost_rules::{Refusal, Seat};

/// What the phase lets one use: the table of MW-15.
#[derive(Copy, Clone, Default)]
struct Usable {
    /// Boosts and dice.
    strength: bool,
    escapes: bool,
    thimbles: bool,
    friends: bool,
    /// One's own die, and its value.
    own: Option<(Die, u8)>,
    /// MW-22: the monster's die.
    monsters: Option<(Room, u8)>,
}

impl MunchkinWonderland {
    /// Who uses Treasures now.
    pub(crate) fn acting(&self) -> Seat {
        match &self.phase {
            Phase::Fight(fight) => fight.acting().seat,
            Phase::Between | Phase::Rolled(_) | Phase::Share(_) | Phase::Discard | Phase::Over => self.turn,
        }
    }

    fn usable(&self) -> Usable {
        match &self.phase {
            Phase::Rolled(roll) => {
                let walking = roll.kind != RollKind::Run;
                let own = Some((roll.kind.die(), roll.value));
                Usable { thimbles: walking, friends: walking, own, ..Usable::default() }
            }
            Phase::Fight(fight) if fight.stage != Stage::Asked => {
                let fighting = fight.stage == Stage::Fighter;
                Usable {
                    strength: true,
                    escapes: fighting,
                    thimbles: true,
                    friends: fighting,
                    // MW-17: the latest.
                    own: fight.acting().dice.last().map(|value| (Die::Fight, *value)),
                    monsters: fight.die.map(|value| (fight.room, value)),
                }
            }
            Phase::Fight(_) | Phase::Between | Phase::Share(_) | Phase::Discard | Phase::Over => Usable::default(),
        }
    }

    /// Adds all that the cards of the hand can do now.
    pub(super) fn list_uses(&self, moves: &mut Vec<Move>) {
        let usable = self.usable();
        let player = self.player(self.acting());
        for card in player.different() {
            match card.kind() {
                Kind::Friend { .. } if usable.friends => list_plays(player, card, moves),
                Kind::Boost { .. } | Kind::Dice { .. } if usable.strength => moves.push(Move::Use { card, on: None }),
                Kind::Escape { .. } if usable.escapes => moves.push(Move::Use { card, on: None }),
                Kind::Changer { .. } => {
                    if usable.own.is_some_and(|(die, value)| changes(card, die, value)) {
                        moves.push(Move::Use { card, on: None });
                    }
                    if let Some((room, value)) = usable.monsters
                        && changes(card, Die::Monster, value)
                    {
                        moves.push(Move::Use { card, on: Some(room) });
                    }
                }
                Kind::Recover if usable.thimbles => {
                    let mut seen = vec![];
                    for lost in self.treasure_discard.iter().filter(|lost| !lost.is_thimble()) {
                        if !seen.contains(lost) {
                            seen.push(*lost);
                            moves.push(Move::Recover { thimble: card, card: *lost });
                        }
                    }
                }
                Kind::Friend { .. } | Kind::Boost { .. } | Kind::Dice { .. } | Kind::Escape { .. } | Kind::Recover => {}
            }
        }
    }

    fn check_hand(&self, card: Treasure) -> Result<(), Refusal> {
        if self.player(self.acting()).hand.contains(&card) {
            return Ok(());
        }
        Err(Refusal::new(format!("You do not have {} in your hand.", card.title())))
    }
}

fn list_plays(player: &Player, friend: Treasure, moves: &mut Vec<Move>) {
    if player.friends.len() < tables().limits.friends {
        moves.push(Move::Play { friend, instead: None });
    } else {
        moves.extend(player.friends.iter().map(|old| Move::Play { friend, instead: Some(*old) }));
    }
}

/// MW-17: whether the card works on this die and does not leave the value as it is.
fn changes(card: Treasure, die: Die, value: u8) -> bool {
    card.change_on(die).is_some_and(|change| change.of(value) != Some(value))
}

/// Does what a card of the hand can do; all other moves are refused.
pub fn act(record: &mut Record, mv: Move) -> Result<(), Refusal> {
    match mv {
        Move::Play { friend, instead } => play(record, friend, instead),
        Move::Use { card, on } => use_card(record, card, on),
        Move::Recover { thimble, card } => recover(record, thimble, card),
        Move::Go(_)
        | Move::Ask(_)
        | Move::Help
        | Move::Refuse
        | Move::Done
        | Move::Take(_)
        | Move::Run
        | Move::Discard(_) => Err(record.not_now()),
    }
}

/// MW-14: `play <friend>`, `play <friend> for <friend>`.
fn play(record: &mut Record, friend: Treasure, instead: Option<Treasure>) -> Result<(), Refusal> {
    if !record.usable().friends {
        return Err(record.not_now());
    }
    record.check_hand(friend)?;
    if !friend.is_friend() {
        return Err(Refusal::new(format!("{} is no Friend: say “use {friend}”.", friend.title())));
    }
    let friends = &record.player(record.turn).friends;
    let full = friends.len() >= tables().limits.friends;
    match instead {
        None if full => {
            let forms: Vec<String> = friends.iter().map(|old| format!("“play {friend} for {old}”")).collect();
            let forms = forms.join(" or ");
            return Err(Refusal::new(format!("You have two Friends already: say {forms}.")));
        }
        Some(_) if !full => {
            return Err(Refusal::new(format!("There is room for another Friend: say “play {friend}” alone.")));
        }
        Some(old) if !friends.contains(&old) => {
            return Err(Refusal::new(format!("{} is not in front of you.", old.title())));
        }
        None | Some(_) => {}
    }
    record.record(Event::Played { friend, instead });
    Ok(())
}

/// MW-15: `use <card>`, `use <card> on <room>`.
fn use_card(record: &mut Record, card: Treasure, on: Option<Room>) -> Result<(), Refusal> {
    let usable = record.usable();
    if usable.own.is_none() {
        return Err(record.not_now());
    }
    record.check_hand(card)?;
    if on.is_some() && !matches!(card.kind(), Kind::Changer { .. }) {
        return Err(Refusal::new(format!("{} does nothing to a die: say “use {card}” alone.", card.title())));
    }
    match card.kind() {
        Kind::Friend { .. } => Err(Refusal::new(format!("{} is a Friend: say “play {card}”.", card.title()))),
        Kind::Boost { .. } | Kind::Dice { .. } if !usable.strength => {
            Err(Refusal::new(format!("{} is of use only in a fight.", card.title())))
        }
        Kind::Boost { .. } => {
            record.record(Event::Boosted { card });
            Ok(())
        }
        // MW-23
        Kind::Dice { roll } => {
            let faces = throw(record, *roll)?;
            record.record(Event::Threw { card, faces });
            Ok(())
        }
        Kind::Changer { .. } => change(record, usable, card, on),
        Kind::Escape { .. } if !usable.escapes => Err(Refusal::new(if usable.strength {
            format!("{} is for the fighter, not for a helper.", card.title())
        } else {
            format!("{} is of use only in a fight.", card.title())
        })),
        Kind::Escape { to, draw } => escape(record, card, *to, *draw),
        Kind::Recover => Err(Refusal::new(format!("Say what it brings back, as in “use {card} soup”."))),
    }
}

/// MW-17 to MW-22
fn change(record: &mut Record, usable: Usable, card: Treasure, on: Option<Room>) -> Result<(), Refusal> {
    let title = card.title();
    let (die, value) = match on {
        None => usable.own.ok_or_else(|| record.not_now())?,
        Some(room) => match usable.monsters {
            Some((here, value)) if here == room => (Die::Monster, value),
            _ => return Err(Refusal::new(format!("There is no die of {} to change here.", room.monster()))),
        },
    };
    let refuse = || {
        let die = match die {
            Die::Move => "on a move roll",
            Die::Entrance => "on the Entrance roll",
            Die::Run => "on a run roll",
            Die::Fight => "on your own die in a fight",
            Die::Monster => "on a monster's die",
        };
        Refusal::new(format!("{title} does not work {die}."))
    };
    let to = match card.change_on(die).ok_or_else(refuse)? {
        // MW-21
        Change::Reroll => roll(record)?,
        change @ (Change::Add { .. } | Change::Flip) => match change.of(value) {
            Some(to) if to != value => to,
            _ => return Err(Refusal::new(format!("{title} would leave the {value} as it is."))),
        },
    };
    record.record(Event::Changed { card, to, monsters: die == Die::Monster });
    Ok(())
}

/// MW-24: the fight is over at once, and so is the turn.
fn escape(record: &mut Record, card: Treasure, to: Landing, each: usize) -> Result<(), Refusal> {
    let Phase::Fight(fight) = &record.phase else { return Err(record.not_now()) };
    let at = match to {
        Landing::Stay => fight.room.place(),
        Landing::Entrance => Place::entrance(),
    };
    let sides = [Some(&fight.fighter), fight.helper.as_ref()];
    let seats: Vec<Seat> = sides.into_iter().flatten().flat_map(|side| std::iter::repeat_n(side.seat, each)).collect();
    record.record(Event::Escaped { card, at });
    if !seats.is_empty() {
        let draw = turn::draw(record, seats.len())?;
        record.record(Event::Drew { to: seats, draw });
    }
    Ok(())
}

/// MW-25: `use thimble <card>`.
fn recover(record: &mut Record, thimble: Treasure, card: Treasure) -> Result<(), Refusal> {
    if !record.usable().thimbles {
        return Err(record.not_now());
    }
    record.check_hand(thimble)?;
    if card.is_thimble() {
        return Err(Refusal::new("A Thimble cannot bring back a Thimble."));
    }
    if !record.treasure_discard.contains(&card) {
        return Err(Refusal::new(format!("{} is not in the discard pile.", card.title())));
    }
    record.record(Event::Recovered { thimble, card });
    Ok(())
}
