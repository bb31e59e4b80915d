//! What places and Rooms are worth to somebody with these Friends and this hand, in Gold.

use super::super::monster::Monster;
use super::super::place::{Kind, Place};
use super::super::room::Room;
use super::super::tables::tables;
use super::Eyes;
use super::plan::costs;
use wonderpost_rules::Seat;

/// What a Treasure not yet seen is worth.
pub const TREASURE: f64 = 2.0;
/// A new roll from who knows where.
const ROLL_AGAIN: f64 = 1.6;
/// Monsters are rarely stronger than this beyond the Power of their Room.
const MOST: usize = 32;

type Odds = [f64; MOST];

/// How worthwhile everything is, worked out once a decision.
pub struct Worth<'a> {
    eyes: &'a Eyes<'a>,
    rooms: Vec<f64>,
}

impl<'a> Worth<'a> {
    pub fn new(eyes: &'a Eyes<'a>) -> Worth<'a> {
        let one = one_card(eyes);
        let rooms = Room::all().map(|room| of_room(eyes, room, &one)).collect();
        Worth { eyes, rooms }
    }

    pub fn room(&self, room: Room) -> f64 {
        self.rooms[room.index()] + self.ending(room.facts().treasures)
    }

    /// What it is worth to end a walk there.
    pub fn place(&self, place: Place) -> f64 {
        self.landing(place, true)
    }

    fn landing(&self, place: Place, ahead: bool) -> f64 {
        match place.kind() {
            Kind::Plain => 0.0,
            Kind::Treasure => TREASURE + self.ending(1),
            Kind::Room(room) | Kind::Monster(room) => self.room(room),
            Kind::Entrance => {
                let mean = Room::all().map(|room| self.room(room)).sum::<f64>() / self.rooms.len() as f64;
                TREASURE + self.ending(1) + mean
            }
            Kind::Roll if ahead => (1..=6).map(|roll| self.walk(place, roll, false)).sum::<f64>() / 6.0,
            Kind::Roll => ROLL_AGAIN,
        }
    }

    /// The best that a walk can bring.
    pub fn best_walk(&self, from: Place, steps: u8) -> f64 {
        self.walk(from, steps, true)
    }

    fn walk(&self, from: Place, steps: u8, ahead: bool) -> f64 {
        from.walk(steps).iter().map(|end| self.landing(end, ahead)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// What it is worth that so many Treasures might be the last.
    fn ending(&self, treasures: usize) -> f64 {
        if treasures < self.eyes.table.treasure_deck {
            return 0.0;
        }
        let theirs = Seat::all(self.eyes.seats() as u8).filter(|seat| *seat != self.eyes.mine.seat);
        // A card in another's hand is worth what cards are worth on average.
        let most = theirs.map(|seat| 1.7 * self.eyes.table.hand_counts[seat.index()] as f64).fold(0.0, f64::max);
        if f64::from(self.eyes.mine.gold) + TREASURE * treasures as f64 >= most { 3.0 } else { -4.0 }
    }
}

/// What a Friend does for one in the rest of the game.
pub fn of_friend(eyes: &Eyes, bonus: u8) -> f64 {
    let left = eyes.table.treasure_deck as f64 / 60.0;
    f64::from(bonus) * (0.2 + 1.1 * left.min(1.0))
}

/// MW-36: what running away costs: the least of the Friends, else the least of the hand.
pub fn of_losing(eyes: &Eyes) -> f64 {
    let friends = eyes.friends().iter().map(|friend| of_friend(eyes, friend.bonus()));
    let hand = eyes.mine.hand.iter().map(|card| f64::from(card.gold()));
    let least = |worths: &mut dyn Iterator<Item = f64>| worths.fold(f64::INFINITY, f64::min);
    let lost = if eyes.friends().is_empty() { least(&mut hand.into_iter()) } else { least(&mut friends.into_iter()) };
    if lost.is_finite() { lost } else { 0.0 }
}

/// What winning in a Room brings, alone or with a helper who takes the best.
pub fn of_prize(treasures: usize, helped: bool) -> f64 {
    let treasures = treasures as f64;
    if helped { (treasures - 1.0) * TREASURE * 0.85 } else { treasures * TREASURE }
}

/// What the best of so many Treasures is worth.
pub fn of_best(treasures: usize) -> f64 {
    TREASURE + 0.55 * (treasures as f64 - 1.0)
}

fn of_room(eyes: &Eyes, room: Room, one: &Odds) -> f64 {
    let facts = room.facts();
    let mut extra = nothing();
    (0..facts.cards).for_each(|_| extra = both(&extra, one));
    if room.has_die() {
        extra = both(&extra, &die());
    }
    let friends: u8 = eyes.friends().iter().map(|friend| friend.bonus_in(room)).sum();
    let prize = of_prize(facts.treasures, false);
    let loss = of_losing(eyes);
    let costs = costs(room, &eyes.mine.hand);
    let helpers = others_near(eyes, room);
    let mut worth = 0.0;
    for (power, chance) in extra.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        for roll in 1..=6usize {
            let gap = (usize::from(facts.power) + power).saturating_sub(usize::from(friends) + roll);
            let alone = prize - costs.get(gap).copied().unwrap_or(f64::INFINITY);
            let helped = helpers * of_prize(facts.treasures, true) * closes(gap) - (1.0 - helpers * closes(gap)) * loss;
            let best = if gap == 0 { prize } else { alone.max(helped).max(-loss) };
            worth += chance / 6.0 * best;
        }
    }
    worth
}

/// How likely it is that one of those in reach comes when called.
fn others_near(eyes: &Eyes, room: Room) -> f64 {
    let others = Seat::all(eyes.seats() as u8).filter(|seat| *seat != eyes.mine.seat);
    let near =
        others.filter(|seat| room.place().distance(eyes.table.places[seat.index()]) <= tables().limits.range).count();
    match (near, eyes.seats()) {
        (0, _) => 0.0,
        (_, 2) => 0.4,
        (1, _) => 0.6,
        _ => 0.75,
    }
}

/// How likely a helper with some Friend closes a gap.
fn closes(gap: usize) -> f64 {
    ((8.0 - gap as f64) / 6.0).clamp(0.0, 1.0)
}

/// What one Monster card adds, with those that it brings along.
fn one_card(eyes: &Eyes) -> Odds {
    let table = eyes.table;
    let known = |card: &Monster| table.monster_discard.contains(card);
    let mut cards: Vec<Monster> = Monster::all().filter(|card| !known(card)).collect();
    if cards.len() < 4 {
        cards = Monster::all().collect();
    }
    let mut odds = plain(&cards, &nothing());
    // Those brought along may bring others: twice is far enough.
    for _ in 0..2 {
        odds = plain(&cards, &odds);
    }
    odds
}

fn plain(cards: &[Monster], brought: &Odds) -> Odds {
    let mut odds = [0.0; MOST];
    let share = 1.0 / cards.len() as f64;
    for card in cards {
        match card.facts().draw {
            0 => odds[usize::from(card.bonus()).min(MOST - 1)] += share,
            more => {
                let mut all = nothing();
                (0..more).for_each(|_| all = both(&all, brought));
                all.iter().zip(&mut odds).for_each(|(chance, sum)| *sum += share * chance);
            }
        }
    }
    odds
}

fn nothing() -> Odds {
    let mut odds = [0.0; MOST];
    odds[0] = 1.0;
    odds
}

fn die() -> Odds {
    let mut odds = [0.0; MOST];
    odds[1..=6].fill(1.0 / 6.0);
    odds
}

fn both(one: &Odds, other: &Odds) -> Odds {
    let mut odds = [0.0; MOST];
    for (here, chance) in one.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        for (there, more) in other.iter().enumerate().filter(|(_, more)| **more > 0.0) {
            odds[(here + there).min(MOST - 1)] += chance * more;
        }
    }
    odds
}
