//! The log: what an event is told as, to whom.

use super::MunchkinWonderland;
use super::event::{Draw, Event};
use super::named::{list, within};
use super::phase::Phase;
use super::room::Room;
use super::treasure::Treasure;
use wonderpost_rules::{Person, Seat, Viewer};

impl MunchkinWonderland {
    /// The line of an event; `self` is the table before it.
    pub(super) fn describe(&self, event: &Event, viewer: Viewer) -> Option<String> {
        let a = viewer.person(self.turn);
        let line = match event {
            Event::Dealt { first, .. } => format!("The doors are open. {} first.", viewer.person(*first).does("goes")),
            Event::Turn { seat, roll, .. } => format!("{} {roll}.", viewer.person(*seat).does("rolls")),
            Event::Went { to } => format!("{} to {}.", a.does("goes"), to.name()),
            Event::RolledAgain { roll } => format!("{} again: {roll}.", a.does("rolls")),
            Event::Drew { to, draw } => self.tell_draw(to, draw, viewer),
            Event::Entered { draw, roll } => self.tell_entrance(draw, *roll, a),
            Event::Played { friend, instead } => {
                let sends = instead.map(|old| format!(" and {} {} away", a.verb("sends"), old.name()));
                format!("{} {} (+{}){}.", a.does("brings"), friend.name(), friend.bonus(), sends.unwrap_or_default())
            }
            Event::Changed { card, to, monsters } => self.tell_change(event, *card, *to, *monsters, viewer),
            Event::Boosted { card } => self.tell_boost(event, *card, viewer),
            Event::Threw { card, faces } => self.tell_dice(event, *card, faces, viewer),
            Event::Escaped { card, .. } => format!("{} away with {}.", a.does("gets"), card.name()),
            Event::Recovered { thimble, card } => {
                let who = viewer.person(self.acting());
                format!("{} {} and {} back {}.", who.does("uses"), thimble.name(), who.verb("takes"), card.name())
            }
            Event::Met { .. } => self.tell_meeting(event, a),
            Event::Asked { seats } => {
                let asked: Vec<String> = seats.iter().map(|seat| viewer.person(*seat).to_string()).collect();
                format!("{} {} for help.", a.does("calls"), list(&asked))
            }
            Event::Answered { seat, willing } => return self.tell_answer(*seat, *willing, viewer),
            Event::Joined { helper, roll } => self.tell_joining(event, *helper, *roll, viewer),
            Event::Unaided => format!("Nobody comes to help {a}."),
            Event::Done => {
                let b = viewer.person(self.acting());
                format!("{} done what {b} could.", b.does("has"))
            }
            Event::Won { draw } => self.tell_victory(draw, viewer),
            Event::Took { card } => self.tell_taking(*card, viewer),
            Event::Ran { roll } => {
                let from = self.room().map(|room| format!(" from {}", room.monster())).unwrap_or_default();
                format!("{}{from} and {} {roll}.", a.does("runs"), a.verb("rolls"))
            }
            Event::Hid { at, .. } => format!("{} at {}.", a.does("hides"), at.name()),
            Event::Lost { card } => format!("{} {}.", a.does("loses"), card.name()),
            Event::Over { bell, gold } => tell_end(self.round, *bell, gold, viewer),
        };
        Some(line)
    }

    /// MW-40: an answer is secret. That there is one is not; where it settles the call, that is told instead.
    fn tell_answer(&self, seat: Seat, willing: bool, viewer: Viewer) -> Option<String> {
        if viewer == Viewer::Seat(seat) {
            return Some(if willing { "You will help." } else { "You will not help." }.to_owned());
        }
        let mut after = self.clone();
        after.fold(&Event::Answered { seat, willing });
        match &after.phase {
            Phase::Fight(fight) if fight.settled().is_none() => Some(format!("{} has answered.", seat.mark())),
            _ => None,
        }
    }

    fn tell_draw(&self, to: &[Seat], draw: &Draw, viewer: Viewer) -> String {
        let drawn = to.iter().zip(&draw.cards).map(|(seat, card)| match viewer.person(*seat) {
            who if who.is_reader() => format!("You draw {}.", card.name()),
            who => format!("{} a Treasure.", who.does("draws")),
        });
        self.with_last(drawn.collect::<Vec<_>>().join(" "), draw)
    }

    fn tell_boost(&self, event: &Event, card: Treasure, viewer: Viewer) -> String {
        let bonus = self.room().map_or(card.bonus(), |room| card.bonus_in(room));
        let uses = viewer.person(self.acting()).does("uses");
        format!("{uses} {} (+{bonus}){}.", card.name(), self.against(event))
    }

    fn tell_dice(&self, event: &Event, card: Treasure, faces: &[u8], viewer: Viewer) -> String {
        let added = faces.iter().max().copied().unwrap_or(0);
        let who = viewer.person(self.acting());
        format!("{} {} and {} {added}{}.", who.does("uses"), card.name(), who.verb("adds"), self.against(event))
    }

    fn tell_joining(&self, event: &Event, helper: Seat, roll: u8, viewer: Viewer) -> String {
        let (a, b) = (viewer.person(self.turn), viewer.person(helper));
        let refused: String = self
            .asked_before(helper)
            .map(|seat| format!("{} would rather not. ", viewer.person(seat).capitalised()))
            .collect();
        let together = self.totals(event).map(|(ours, theirs)| format!(": together {ours} against {theirs}"));
        let sum = self.sum(roll, helper, self.room());
        let rolls = b.verb("rolls");
        format!("{refused}{} to help {a} and {rolls} {sum}{}.", b.does("comes"), together.unwrap_or_default())
    }

    /// A roll with what Friends add to it: “4 + Friends 3 = 7”.
    fn sum(&self, roll: u8, seat: Seat, room: Option<Room>) -> String {
        let bonus = |friend: &Treasure| room.map_or(friend.bonus(), |room| friend.bonus_in(room));
        let friends: u8 = self.player(seat).friends.iter().map(bonus).sum();
        if friends == 0 { roll.to_string() } else { format!("{roll} + Friends {friends} = {}", roll + friends) }
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

    fn tell_entrance(&self, draw: &Draw, roll: Option<u8>, a: Person) -> String {
        let drawn = match draw.cards.first().filter(|_| a.is_reader()) {
            Some(card) => card.name(),
            None => "a Treasure".to_owned(),
        };
        let (steps, draws) = (a.does("steps"), a.verb("draws"));
        let told = match roll {
            Some(roll) => {
                let monster = Room::of_roll(roll).map(|room| room.title()).unwrap_or_default();
                format!("{steps} into the Entrance, {draws} {drawn} and {} {roll}: {monster}!", a.verb("rolls"))
            }
            None => format!("{steps} into the Entrance and {draws} {drawn}."),
        };
        self.with_last(told, draw)
    }

    fn tell_change(&self, event: &Event, card: Treasure, to: u8, monsters: bool, viewer: Viewer) -> String {
        let uses = viewer.person(self.acting()).does("uses");
        let (whose, from) = match &self.phase {
            Phase::Rolled(roll) => ("the".to_owned(), Some(roll.value)),
            Phase::Fight(fight) if monsters => (format!("{}'s", fight.room.monster()), fight.die),
            Phase::Fight(fight) => ("the".to_owned(), fight.acting().dice.last().copied()),
            Phase::Between | Phase::Share(_) | Phase::Discard | Phase::Over => ("the".to_owned(), None),
        };
        let from = from.unwrap_or(to);
        let against = self.totals(event).map(|(ours, theirs)| format!(", {ours} against {theirs}")).unwrap_or_default();
        format!("{uses} {}: {whose} {from} becomes {to}{against}.", card.name())
    }

    fn tell_meeting(&self, event: &Event, a: Person) -> String {
        let Event::Met { room, monsters, shuffled, die, roll } = event else { return String::new() };
        let mut told = String::new();
        // MW-10: not yet in the Room, so it was a Monster space.
        if self.player(self.turn).place != room.place() {
            told += &format!("{} dragged to {}. ", a.does("is"), room.place().name());
        }
        if !shuffled.is_empty() {
            told += "The Monsters are shuffled. ";
        }
        let monsters: Vec<String> = monsters.iter().map(|monster| within(monster.title())).collect();
        let die = die.map(|die| format!(" and a {die}")).unwrap_or_default();
        let with = if monsters.is_empty() { String::new() } else { format!(" with {}", list(&monsters)) };
        let (_, theirs) = self.totals(event).unwrap_or_default();
        let sum = self.sum(*roll, self.turn, Some(*room));
        let (meets, rolls) = (a.does("meets"), a.does("rolls"));
        told + &format!("{meets} {}{with}{die}: {theirs} Power. {rolls} {sum}.", room.monster())
    }

    fn asked_before(&self, helper: Seat) -> impl Iterator<Item = Seat> {
        let asked = match &self.phase {
            Phase::Fight(fight) => &fight.asked[..],
            _ => &[],
        };
        asked.iter().copied().take_while(move |seat| *seat != helper)
    }

    fn tell_victory(&self, draw: &Draw, viewer: Viewer) -> String {
        let Phase::Fight(fight) = &self.phase else { return self.with_last(String::new(), draw) };
        let (a, monster) = (viewer.person(fight.fighter.seat), fight.room.monster());
        let cards = names(&draw.cards);
        let beats = a.does("beats");
        let told = match &fight.helper {
            Some(helper) => {
                let both = format!("{} and {} beat {monster}.", a.capitalised(), viewer.person(helper.seat));
                if draw.cards.is_empty() { both } else { format!("{both} On the floor: {cards}.") }
            }
            None if draw.cards.is_empty() => format!("{beats} {monster}. There is no Treasure left."),
            None if a.is_reader() => format!("{beats} {monster} and take {cards}."),
            None => {
                let number = draw.cards.len();
                let treasures = if number == 1 { "a Treasure".to_owned() } else { format!("{number} Treasures") };
                format!("{beats} {monster} and takes {treasures}.")
            }
        };
        self.with_last(told, draw)
    }

    fn tell_taking(&self, card: Treasure, viewer: Viewer) -> String {
        let Phase::Share(share) = &self.phase else { return format!("{} is taken.", card.title()) };
        let mut kept = share.cards.clone();
        if let Some(place) = kept.iter().position(|other| *other == card) {
            kept.remove(place);
        }
        let taken = format!("{} {}", viewer.person(share.helper).does("takes"), card.name());
        let keeps = viewer.person(share.seat).then_does("keeps");
        if kept.is_empty() { taken + "." } else { format!("{taken}; {keeps} {}.", names(&kept)) }
    }
}

fn tell_end(round: u8, bell: bool, gold: &[u16], viewer: Viewer) -> String {
    let most = gold.iter().copied().max().unwrap_or(0);
    let seats = Seat::all(gold.len() as u8).zip(gold).filter(|(_, gold)| **gold == most);
    let winners: Vec<Person> = seats.map(|(seat, _)| viewer.person(seat)).collect();
    let bell = if bell { format!("The bell rings after round {round}. ") } else { String::new() };
    match &winners[..] {
        [winner] => format!("{bell}{} with {most} Gold.", winner.does("wins")),
        several => {
            let mut names: Vec<String> = several.iter().map(ToString::to_string).collect();
            if let (Some(name), Some(winner)) = (names.first_mut(), several.first()) {
                *name = winner.capitalised();
            }
            format!("{bell}{} win with {most} Gold each.", list(&names))
        }
    }
}

/// Cards in a row: “the Teapot, a Teacup and Beautiful Soup”.
pub fn names(cards: &[Treasure]) -> String {
    list(&cards.iter().map(|card| card.name()).collect::<Vec<_>>())
}
