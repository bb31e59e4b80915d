//! The log: what an event is told as, to whom.

use super::MunchkinWonderland;
use super::event::{Draw, Event};
use super::named::list;
use super::phase::Phase;
use super::room::Room;
use super::treasure::Treasure;
use wonderpost_rules::{Seat, Viewer};

impl MunchkinWonderland {
    /// The line of an event; `self` is the table before it.
    pub(super) fn describe(&self, event: &Event, viewer: Viewer) -> Option<String> {
        let a = self.turn.mark();
        let me = viewer.seat();
        let line = match event {
            Event::Dealt { first, .. } => format!("The doors are open. {} goes first.", first.mark()),
            Event::Turn { seat, roll, .. } => format!("{} rolls {roll}.", seat.mark()),
            Event::Went { to } => format!("{a} goes to {}.", to.name()),
            Event::RolledAgain { roll } => format!("{a} rolls again: {roll}."),
            Event::Drew { to, draw } => {
                let drawn = to.iter().zip(&draw.cards).map(|(seat, card)| match me == Some(*seat) {
                    true => format!("You draw {}.", card.name()),
                    false => format!("{} draws a Treasure.", seat.mark()),
                });
                self.with_last(drawn.collect::<Vec<_>>().join(" "), draw)
            }
            Event::Entered { draw, roll } => self.tell_entrance(draw, *roll, me),
            Event::Played { friend, instead } => {
                let sends = instead.map(|old| format!(" and sends {} away", old.name())).unwrap_or_default();
                format!("{a} brings {} (+{}){sends}.", friend.name(), friend.bonus())
            }
            Event::Changed { card, to, monsters } => self.tell_change(event, *card, *to, *monsters),
            Event::Boosted { card } => {
                let bonus = self.room().map_or(card.bonus(), |room| card.bonus_in(room));
                format!("{} uses {} (+{bonus}){}.", self.acting().mark(), card.name(), self.against(event))
            }
            Event::Threw { card, faces } => {
                let added = faces.iter().max().copied().unwrap_or(0);
                format!("{} uses {} and adds {added}{}.", self.acting().mark(), card.name(), self.against(event))
            }
            Event::Escaped { card, .. } => format!("{a} gets away with {}.", card.name()),
            Event::Recovered { thimble, card } => {
                format!("{} uses {} and takes back {}.", self.acting().mark(), thimble.name(), card.name())
            }
            Event::Met { .. } => self.tell_meeting(event),
            Event::Asked { seats } => {
                let seats: Vec<String> = seats.iter().map(|seat| seat.mark().to_string()).collect();
                format!("{a} calls {} for help.", seats.join(", "))
            }
            // MW-40: secret.
            Event::Answered { seat, willing } if me == Some(*seat) => {
                if *willing { "You will help." } else { "You will not help." }.to_owned()
            }
            Event::Answered { .. } => return None,
            Event::Joined { helper, roll } => {
                let refused = self.asked_before(*helper).map(|seat| format!("{} would rather not. ", seat.mark()));
                let b = helper.mark();
                let together = self.totals(event).map(|(ours, theirs)| format!(": together {ours} against {theirs}"));
                let together = together.unwrap_or_default();
                format!("{}{b} comes to help {a} and rolls {roll}{together}.", refused.collect::<String>())
            }
            Event::Unaided => format!("Nobody comes to help {a}."),
            Event::Done => {
                let b = self.acting().mark();
                format!("{b} has done what {b} could.")
            }
            Event::Won { draw } => self.tell_victory(draw, me),
            Event::Took { card } => self.tell_taking(*card),
            Event::Ran { roll } => match self.room() {
                Some(room) => format!("{a} runs from {} and rolls {roll}.", room.monster()),
                None => format!("{a} runs and rolls {roll}."),
            },
            Event::Hid { at, .. } => format!("{a} hides at {}.", at.name()),
            Event::Lost { card } => format!("{a} loses {}.", card.name()),
            Event::Over { bell, gold } => tell_end(self.round, *bell, gold),
        };
        Some(line)
    }

    fn room(&self) -> Option<Room> {
        match &self.phase {
            Phase::Fight(fight) => Some(fight.room),
            _ => None,
        }
    }

    /// The Power of the players and of the monster after an event, in a fight.
    fn totals(&self, event: &Event) -> Option<(u8, u8)> {
        let mut after = self.clone();
        after.fold(event);
        match &after.phase {
            Phase::Fight(fight) => Some((after.players_power(fight), fight.monster_power())),
            _ => None,
        }
    }

    fn against(&self, event: &Event) -> String {
        self.totals(event).map(|(ours, theirs)| format!(": {ours} against {theirs}")).unwrap_or_default()
    }

    /// Adds what there is to tell of a draw that was the last.
    fn with_last(&self, mut told: String, draw: &Draw) -> String {
        if !draw.shuffled.is_empty() {
            told += " The discards are shuffled for the last draw.";
        }
        if self.is_last(draw) {
            told += " That was the last Treasure.";
        }
        told
    }

    fn tell_entrance(&self, draw: &Draw, roll: Option<u8>, me: Option<Seat>) -> String {
        let a = self.turn.mark();
        let monster = roll.and_then(Room::of_roll).map(|room| room.title()).unwrap_or_default();
        let mine = draw.cards.first().filter(|_| me == Some(self.turn));
        let told = match (mine, roll) {
            (Some(card), Some(roll)) => {
                let card = card.name();
                format!("{a} steps into the Entrance. You draw {card}. {a} rolls {roll}: {monster}!")
            }
            (Some(card), None) => format!("{a} steps into the Entrance. You draw {}.", card.name()),
            (None, Some(roll)) => {
                format!("{a} steps into the Entrance, draws a Treasure and rolls {roll}: {monster}!")
            }
            (None, None) => format!("{a} steps into the Entrance and draws a Treasure."),
        };
        self.with_last(told, draw)
    }

    fn tell_change(&self, event: &Event, card: Treasure, to: u8, monsters: bool) -> String {
        let actor = self.acting().mark();
        let (whose, from) = match &self.phase {
            Phase::Rolled(roll) => ("the".to_owned(), Some(roll.value)),
            Phase::Fight(fight) if monsters => (format!("{}'s", fight.room.monster()), fight.die),
            Phase::Fight(fight) => ("the".to_owned(), fight.acting().dice.last().copied()),
            Phase::Between | Phase::Share(_) | Phase::Discard | Phase::Over => ("the".to_owned(), None),
        };
        let from = from.unwrap_or(to);
        let against = self.totals(event).map(|(ours, theirs)| format!(", {ours} against {theirs}")).unwrap_or_default();
        format!("{actor} uses {}: {whose} {from} becomes {to}{against}.", card.name())
    }

    fn tell_meeting(&self, event: &Event) -> String {
        let Event::Met { room, monsters, shuffled, die, roll } = event else { return String::new() };
        let a = self.turn.mark();
        let mut told = String::new();
        // MW-10: not yet in the Room, so it was a Monster space.
        if self.player(self.turn).place != room.place() {
            told += &format!("{a} is dragged to {}. ", room.place().name());
        }
        if !shuffled.is_empty() {
            told += "The Monsters are shuffled. ";
        }
        let monsters: Vec<&str> = monsters.iter().map(|monster| monster.title()).collect();
        let die = die.map(|die| format!(" and a {die}")).unwrap_or_default();
        let with = if monsters.is_empty() { String::new() } else { format!(" with {}", list(&monsters)) };
        let (ours, theirs) = self.totals(event).unwrap_or_default();
        told + &format!("{a} meets {}{with}{die}: {theirs} Power. {a} rolls {roll}: {ours}.", room.monster())
    }

    fn asked_before(&self, helper: Seat) -> impl Iterator<Item = Seat> {
        let asked = match &self.phase {
            Phase::Fight(fight) => &fight.asked[..],
            _ => &[],
        };
        asked.iter().copied().take_while(move |seat| *seat != helper)
    }

    fn tell_victory(&self, draw: &Draw, me: Option<Seat>) -> String {
        let Phase::Fight(fight) = &self.phase else { return self.with_last(String::new(), draw) };
        let (a, monster) = (fight.fighter.seat.mark(), fight.room.monster());
        let cards = names(&draw.cards);
        let told = match &fight.helper {
            Some(helper) if draw.cards.is_empty() => format!("{a} and {} beat {monster}.", helper.seat.mark()),
            Some(helper) => format!("{a} and {} beat {monster}. On the floor: {cards}.", helper.seat.mark()),
            None if draw.cards.is_empty() => format!("{a} beats {monster}. There is no Treasure left."),
            None if me == Some(fight.fighter.seat) => format!("{a} beats {monster}. You take {cards}."),
            None => {
                let number = draw.cards.len();
                let treasures = if number == 1 { "a Treasure".to_owned() } else { format!("{number} Treasures") };
                format!("{a} beats {monster} and takes {treasures}.")
            }
        };
        self.with_last(told, draw)
    }

    fn tell_taking(&self, card: Treasure) -> String {
        let Phase::Share(share) = &self.phase else { return format!("{} is taken.", card.title()) };
        let mut kept = share.cards.clone();
        if let Some(place) = kept.iter().position(|other| *other == card) {
            kept.remove(place);
        }
        let taken = format!("{} takes {}", share.helper.mark(), card.name());
        if kept.is_empty() { taken + "." } else { format!("{taken}; {} keeps {}.", share.seat.mark(), names(&kept)) }
    }
}

fn tell_end(round: u8, bell: bool, gold: &[u16]) -> String {
    let most = gold.iter().copied().max().unwrap_or(0);
    let seats = Seat::all(gold.len() as u8).zip(gold);
    let winners: Vec<String> =
        seats.filter(|(_, gold)| **gold == most).map(|(seat, _)| seat.mark().to_string()).collect();
    let bell = if bell { format!("The bell rings after round {round}. ") } else { String::new() };
    match &winners[..] {
        [winner] => format!("{bell}{winner} wins with {most} Gold."),
        several => format!("{bell}{} win with {most} Gold each.", list(several)),
    }
}

/// Cards in a row: “the Teapot, a Teacup and Beautiful Soup”.
pub fn names(cards: &[Treasure]) -> String {
    list(&cards.iter().map(|card| card.name()).collect::<Vec<_>>())
}
