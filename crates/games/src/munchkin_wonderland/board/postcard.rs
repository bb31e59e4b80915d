//! The board as a picture for letters: the ring with the standies, a fight if there is one, the players and the viewer's hand.

use std::sync::LazyLock;

use askama::Template;

use super::super::MunchkinWonderland;
use super::Sight;
use super::begun::Begun;
use super::fight::FightPanel;
use super::hand::Hand;
use super::map::{Door, Link, Map, Spot, doors, links, spots};
use super::people::{People, Purse};
use super::prompt::Prompt;
use super::ways::Way;
use crate::drawing::{self, Drawings};
use wonderpost_rules::{Picture, Seat, View};

/// The emblems of the game, as a page has them.
#[derive(Template)]
#[template(path = "munchkin-wonderland/emblems.html")]
struct Emblems;

/// The drawings that all pictures refer to.
pub fn emblems() -> &'static str {
    &EMBLEMS
}

/// The board without anything on it.
#[derive(Template)]
#[template(path = "munchkin-wonderland/ground.html")]
struct Ground {
    links: Vec<Link>,
    spots: Vec<Spot>,
    doors: Vec<Door>,
}

/// What never changes of the map.
pub fn ground() -> &'static str {
    &GROUND
}

static EMBLEMS: LazyLock<String> = LazyLock::new(|| Emblems.render().unwrap_or_default());
static GROUND: LazyLock<String> = LazyLock::new(|| {
    let ground = Ground { links: links(), spots: spots(), doors: doors() };
    ground.render().unwrap_or_default()
});
pub(super) static DRAWINGS: LazyLock<Drawings> = LazyLock::new(|| Drawings::of(&[&EMBLEMS, &GROUND]));

const WIDTH: u32 = 720;
/// Where the map ends.
const BELOW_MAP: usize = 712;

#[derive(Template)]
#[template(path = "munchkin-wonderland/postcard.html")]
struct Postcard {
    map: Map,
    ways: Vec<Way>,
    prompt: Prompt,
    fight: Option<FightPanel>,
    people: People,
    purses: Vec<Purse>,
    hand: Option<Hand>,
    /// Where these begin.
    fight_from: usize,
    people_from: usize,
    hand_from: usize,
}

pub fn picture(view: &View<MunchkinWonderland>) -> Picture {
    let me = view.mine.as_ref().map(|mine| mine.seat);
    let sight = Sight { view, moves: &view.moves, acts: false, me, begun: Begun::Nothing, ended_early: false };
    let ways = Way::all(&sight);
    let (fight, people, hand) = (FightPanel::new(&sight), People::new(&sight), Hand::new(&sight));
    let fight_from = BELOW_MAP + 50;
    let people_from = fight_from + if fight.is_some() { 156 } else { 0 };
    let hand_from = people_from + 42 * people.all.len() + 6;
    let rows = hand.as_ref().map_or(0, |hand| hand.cards.len().div_ceil(2));
    let height = if rows > 0 { hand_from + 36 + 46 * rows + 8 } else { hand_from + 6 };
    let postcard = Postcard {
        // The ways are drawn, and listed in the letter: the words for those who do not see it need not repeat them.
        map: Map::new(&sight, None, &[]),
        ways,
        prompt: Prompt::new(&sight),
        fight,
        people,
        purses: Purse::all(&sight),
        hand,
        fight_from,
        people_from,
        hand_from,
    };
    let alt = alt(&postcard);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, (WIDTH, height as u32), &postcard.render().unwrap_or_default(), alt)
}

impl Postcard {
    /// The first of what the prompt says: a title has one line.
    fn title(&self) -> &str {
        self.prompt.words.split(['.', ':']).next().unwrap_or_default()
    }

    /// The gold of a player at the end.
    fn gold(&self, seat: &Seat) -> Option<i64> {
        self.purses.iter().find(|purse| purse.seat == *seat).map(|purse| purse.gold)
    }
}

fn alt(postcard: &Postcard) -> String {
    let mut alt = format!("{} {}.", postcard.map.label, postcard.prompt.words.trim_end_matches('.'));
    if let Some(fight) = &postcard.fight {
        alt += &format!(" {} has Power {}, against it stands {}.", fight.title, fight.monster_power, fight.ours);
    }
    if let Some(hand) = postcard.hand.as_ref().filter(|hand| !hand.cards.is_empty()) {
        let cards: Vec<&str> = hand.cards.iter().map(|card| card.title).collect();
        alt += &format!(" Your hand: {}.", cards.join(", "));
    }
    alt
}
