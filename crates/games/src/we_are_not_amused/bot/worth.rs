//! What a position is worth to a bot.

use super::super::WeAreNotAmused;
use super::super::card::{DeckCard, GardenCard};
use super::super::cell::{Cell, CellSet};
use super::super::garden::Garden;

/// In two-hundredths of a delivered rose.
pub type Worth = i32;

/// What it costs if no path to the Queen can be cut.
const NO_PATH: Worth = 400;

/// What the garden and the roses are worth.
pub fn of_garden(state: &WeAreNotAmused) -> Worth {
    let garden = &state.garden;
    let path = path_cost(garden);
    let exposed = garden.exposed();
    let white = garden.of(GardenCard::White);
    let red = garden.of(GardenCard::Red);
    let guards = garden.of(GardenCard::Gardener).and(white.grown());
    let people = garden.count(GardenCard::Soldier) + garden.count(GardenCard::Gardener) + garden.count(GardenCard::Cat);
    let number = |cells: CellSet| cells.len() as Worth;
    200 * Worth::from(state.delivered)
        + if path.is_some() { 180 } else { 10 } * Worth::from(state.collected)
        + 120 * number(red.and(exposed))
        + 80 * number(red.without(exposed))
        + 30 * number(white.and(exposed))
        - 16 * number(guards)
        - 16 * people as Worth
        - path.unwrap_or(NO_PATH)
}

/// What it costs that a rose can never be reached any more.
const LOST_ROSE: Worth = 100;

/// What it costs that Brambles have shut in roses. The easy bot does not see it.
pub fn of_lost_roses(garden: &Garden) -> Worth {
    -LOST_ROSE * lost_roses(garden).len() as Worth
}

/// The roses that are shut in for good: at both short edges there is a Bramble, the Queen, or a card that is shut in itself.
fn lost_roses(garden: &Garden) -> CellSet {
    let [white, gardeners, cats] =
        [GardenCard::White, GardenCard::Gardener, GardenCard::Cat].map(|card| garden.of(card));
    let roses = white.or(garden.of(GardenCard::Red));
    let people = garden.of(GardenCard::Soldier).or(gardeners);
    let removable = roses.or(people).or(cats);
    let mut free = garden.gaps();
    loop {
        // WNA-17, WNA-20: guards go although they are not exposed, once what they guard is.
        let guards = cats.and(people.and(free).grown()).or(gardeners.and(white.and(free).grown()));
        let more = free.or(guards).or(free.open_at_short_edges().and(removable));
        if more == free {
            return roses.without(free);
        }
        free = more;
    }
}

/// What the cards of the deck are still good for.
pub fn of_deck(state: &WeAreNotAmused) -> Worth {
    let cards: Worth = state.deck.cards().iter().map(|card| of_card(*card)).sum();
    // Once no shuffle is left, what is in the deck is all there is.
    let cards = if state.shuffles_left == 0 { 2 * cards } else { cards };
    cards + if state.discard.last() == Some(&DeckCard::Alice) { 16 } else { 0 }
}

/// What the cards of deck and discard pile are good for once they are shuffled together.
pub fn of_shuffle(state: &WeAreNotAmused) -> Worth {
    state.deck.cards().iter().chain(state.discard.iter()).map(|card| of_card(*card)).sum()
}

const fn of_card(card: DeckCard) -> Worth {
    match card {
        DeckCard::Alice => 30,
        DeckCard::Cat => 10,
        DeckCard::Gardener => 7,
        DeckCard::Soldier => 5,
        DeckCard::Bramble => -10,
    }
}

/// The cost of the cheapest path from the border to the Queen; `None` if there is none.
pub fn path_cost(garden: &Garden) -> Option<Worth> {
    const MOST: usize = 512;
    let costs = Costs::of(garden);
    // For each cost so far, the cells that can be entered at it.
    let mut reached = [CellSet::EMPTY; MOST];
    let mut left = costs.passable;
    for cell in costs.passable.iter().filter(|cell| cell.on_border()) {
        reached[costs.at(cell)].insert(cell);
    }
    let goal = Cell::QUEEN.neighbours();
    for cost in 0..MOST {
        loop {
            let here = reached[cost].and(left);
            if here.is_empty() {
                break;
            }
            if !here.and(goal).is_empty() {
                return Some(cost as Worth);
            }
            left = left.without(here);
            for cell in here.grown().and(left).iter() {
                if let Some(cells) = reached.get_mut(cost + costs.at(cell)) {
                    cells.insert(cell);
                }
            }
        }
    }
    None
}

/// What it costs to clear the cells of a garden.
struct Costs<'a> {
    garden: &'a Garden,
    passable: CellSet,
    gaps: CellSet,
    attackable: CellSet,
    white: CellSet,
}

impl<'a> Costs<'a> {
    fn of(garden: &'a Garden) -> Costs<'a> {
        let barred = garden.of(GardenCard::Bramble).or(garden.of(GardenCard::Queen));
        Costs {
            garden,
            passable: CellSet::ALL.without(barred),
            gaps: garden.gaps(),
            attackable: garden.of(GardenCard::Soldier).or(garden.of(GardenCard::Gardener)),
            white: garden.of(GardenCard::White),
        }
    }

    fn at(&self, cell: Cell) -> usize {
        if self.gaps.contains(cell) {
            0
        } else if self.attackable.contains(cell) {
            20 + 14 * self.garden.beside(cell, GardenCard::Cat).len()
        } else if self.white.contains(cell) {
            44 + 14 * self.garden.beside(cell, GardenCard::Gardener).len()
        } else {
            20
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(letters: &str) -> CellSet {
        let letters: String = letters.split_whitespace().collect();
        lost_roses(&super::super::super::garden::letters::deserialize(serde_json::Value::from(letters)).unwrap())
    }

    #[test]
    fn a_rose_is_lost_between_two_brambles_at_its_short_edges() {
        assert_eq!(lost("....... ...B... ...W... ...Q... ....... ....... .......").len(), 0);
        assert_eq!(lost("...B... ...W... ...B... ...Q... ....... ....... .......").len(), 1);
    }

    #[test]
    fn a_guard_in_between_goes_only_if_what_it_guards_can_be_reached() {
        assert_eq!(lost("...B... ...W... ..BGB.. ...Q... ....... ....... .......").len(), 1);
        assert_eq!(lost("...B... ...W... ..BGBW. ...Q... ....... ....... .......").len(), 1);
        assert_eq!(lost("...B... ...W... ..BGWW. ...Q... ....... ....... .......").len(), 0);
    }
}
