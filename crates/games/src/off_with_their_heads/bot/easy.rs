//! The easy bot: a card from the middle, and whatever looks good at first sight.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::super::brings::Brings;
use super::super::cards::CardSet;
use super::super::moves::Move;
use super::super::sheet::Sheet;
use super::super::task::{Mark, Task};
use super::super::wonderland::Queen;
use wonderpost_rules::Card;

/// A random card of the middle half of the hand.
pub fn choose(queen: Queen, hand: CardSet, rng: &mut dyn Rng) -> Option<Move> {
    let ranked: Vec<Card> = queen.rank(hand);
    let quarter = ranked.len() / 4;
    ranked[quarter..ranked.len() - quarter].choose(rng).map(|card| Move::Play(*card))
}

/// The first of: an icon, something completed, any mark that lets the Jabberwock sleep. A teacup only if the mark would be lost.
pub fn mark(task: &Task, sheet: &Sheet, rng: &mut dyn Rng) -> Option<Move> {
    let marks = task.marks(sheet);
    let fewest = marks.iter().map(Mark::teacups).min();
    let cheap: Vec<(&Mark, Brings)> = marks
        .iter()
        .filter(|mark| Some(mark.teacups()) == fewest)
        .map(|mark| (mark, Brings::of(sheet, mark.space, mark.number)))
        .collect();
    let icon = |brings: &Brings| brings.icon.is_some();
    let completes = |brings: &Brings| {
        brings.mushroom.is_some() || !brings.circles.is_empty() || !brings.guests.is_empty() || brings.red_keep
    };
    let harmless = |brings: &Brings| !brings.wakes_jabberwock;
    let wishes: [&dyn Fn(&Brings) -> bool; 4] = [
        &|brings| icon(brings) && harmless(brings),
        &|brings| completes(brings) && harmless(brings),
        &harmless,
        &|_| true,
    ];
    for wish in wishes {
        let liked: Vec<&Mark> = cheap.iter().filter(|(_, brings)| wish(brings)).map(|(mark, _)| *mark).collect();
        if let Some(mark) = liked.choose(rng) {
            return Some(task.say(mark));
        }
    }
    task.way_out(&marks)
}
