//! Playing the revealed card: what it can do, and what it does.

use super::WeAreNotAmused;
use super::card::{DeckCard, GardenCard};
use super::cell::{Cell, CellSet};
use super::event::{After, Event, PathChange};
use super::garden::Garden;
use super::moves::Move;
use wonderpost_rules::Refusal;

impl WeAreNotAmused {
    /// WNA-8: the cells that this card could be played on.
    pub(super) fn targets(&self, card: DeckCard) -> CellSet {
        let garden = &self.garden;
        let kinds = match card {
            // WNA-16: a Soldier goes for Soldiers and Gardeners.
            DeckCard::Soldier => garden.of(GardenCard::Soldier).or(garden.of(GardenCard::Gardener)),
            // WNA-19: a Gardener goes for white roses.
            DeckCard::Gardener => garden.of(GardenCard::White),
            // WNA-22: a Cat goes for Cats.
            DeckCard::Cat => garden.of(GardenCard::Cat),
            // WNA-25: an Alice goes for red roses.
            DeckCard::Alice => garden.of(GardenCard::Red),
            DeckCard::Bramble => return CellSet::EMPTY,
        };
        kinds.and(garden.exposed())
    }

    /// WNA-24: the card that a Cat could be swapped for.
    pub(super) fn swappable(&self) -> Option<DeckCard> {
        self.discard.last().copied().filter(|top| *top != DeckCard::Cat)
    }

    /// Whether this card could be played. (A Bramble is planted, not played.)
    pub(super) fn can_play(&self, card: DeckCard) -> bool {
        !self.targets(card).is_empty() || card == DeckCard::Cat && self.swappable().is_some()
    }

    /// Adds all plays of the revealed card.
    pub(super) fn list_plays(&self, card: DeckCard, moves: &mut Vec<Move>) {
        for at in self.targets(card).iter() {
            match card {
                DeckCard::Soldier => {
                    moves.extend(self.choices(at, GardenCard::Cat).map(|cat| Move::Attack { at, cat }));
                }
                DeckCard::Gardener => {
                    let guards = self.choices(at, GardenCard::Gardener);
                    moves.extend(guards.map(|gardener| Move::Paint { at, gardener }));
                }
                DeckCard::Cat => moves.push(Move::Vanish { at }),
                DeckCard::Alice => moves.push(Move::Collect { at }),
                DeckCard::Bramble => {}
            }
        }
        if card == DeckCard::Cat && self.swappable().is_some() {
            moves.push(Move::Swap);
        }
    }

    /// WNA-18, WNA-21: how the guards of a target are named: each of them if there are several, else none.
    fn choices(&self, at: Cell, guard: GardenCard) -> impl Iterator<Item = Option<Cell>> + use<> {
        let guards = self.garden.beside(at, guard);
        let several = guards.len() >= 2;
        let each = if several { guards } else { CellSet::EMPTY };
        each.iter().map(Some).chain((!several).then_some(None))
    }

    /// What a play of the revealed card brings about. Moves that are no plays are refused.
    pub(super) fn play(&self, revealed: DeckCard, mv: Move) -> Result<Event, Refusal> {
        match mv {
            Move::Attack { at, cat } => {
                let card = self.check_target(revealed, DeckCard::Soldier, at)?;
                // WNA-17: a Cat saves it.
                let cat = self.check_guard(mv, at, GardenCard::Cat, cat)?;
                Ok(Event::Attacked { at, card, cat, after: self.after_removal(cat.unwrap_or(at), self.collected) })
            }
            Move::Paint { at, gardener } => {
                self.check_target(revealed, DeckCard::Gardener, at)?;
                // WNA-20: a Queen's Gardener guards it.
                let gardener = self.check_guard(mv, at, GardenCard::Gardener, gardener)?;
                let after = gardener.map_or(After::NOTHING, |gone| self.after_removal(gone, self.collected));
                Ok(Event::Painted { at, gardener, after })
            }
            Move::Vanish { at } => {
                self.check_target(revealed, DeckCard::Cat, at)?;
                Ok(Event::Vanished { at, after: self.after_removal(at, self.collected) })
            }
            Move::Collect { at } => {
                self.check_target(revealed, DeckCard::Alice, at)?;
                Ok(Event::Collected { at, after: self.after_removal(at, self.collected.saturating_add(1)) })
            }
            Move::Swap => {
                self.check_card(revealed, DeckCard::Cat)?;
                match self.discard.last() {
                    None => Err(Refusal::new("The discard pile is empty: there is nothing to swap the Cat for.")),
                    Some(DeckCard::Cat) => Err(Refusal::new("A Cat lies on top of the discard pile already.")),
                    Some(card) => Ok(Event::Swapped { card: *card }),
                }
            }
            Move::Plant { .. } => {
                Err(Refusal::new(format!("Only a Bramble is planted, and the card turned over is {}.", revealed.one())))
            }
            Move::Pass | Move::PassAll | Move::Shuffle | Move::End => {
                Err(Refusal::new(format!("“{mv}” plays no card.")))
            }
        }
    }

    fn check_card(&self, revealed: DeckCard, needed: DeckCard) -> Result<(), Refusal> {
        if revealed == needed {
            return Ok(());
        }
        Err(Refusal::new(format!("That takes {}, and the card turned over is {}.", needed.one(), revealed.one())))
    }

    /// WNA-8: the target must be of a kind that the card affects, and exposed.
    fn check_target(&self, revealed: DeckCard, needed: DeckCard, at: Cell) -> Result<GardenCard, Refusal> {
        self.check_card(revealed, needed)?;
        let card = self.garden.card(at).ok_or_else(|| Refusal::new(format!("There is nothing at {at}.")))?;
        if self.targets(needed).contains(at) {
            return Ok(card);
        }
        let (does, fits) = match needed {
            DeckCard::Soldier => {
                ("attacks only Soldiers and Gardeners", matches!(card, GardenCard::Soldier | GardenCard::Gardener))
            }
            DeckCard::Gardener => ("paints only white roses", card == GardenCard::White),
            DeckCard::Cat => ("makes only Cheshire Cats vanish", card == GardenCard::Cat),
            DeckCard::Alice => ("collects only red roses", card == GardenCard::Red),
            DeckCard::Bramble => ("is planted in a gap", false),
        };
        Err(Refusal::new(if fits {
            format!("The {} at {at} has no free short edge.", card.name())
        } else {
            format!("{} {does}, and at {at} is {}.", capital(needed.one()), card.one())
        }))
    }

    /// WNA-18, WNA-21: the guard that goes instead of the target. It is named if, and only if, there are several.
    fn check_guard(&self, mv: Move, at: Cell, guard: GardenCard, named: Option<Cell>) -> Result<Option<Cell>, Refusal> {
        let guards = self.garden.beside(at, guard);
        match named {
            None if guards.len() >= 2 => {
                let cells: Vec<String> = guards.iter().map(|cell| cell.to_string()).collect();
                let cells = cells.join(" or ");
                Err(Refusal::new(format!(
                    "More than one {} stands beside {at}: name the one to go as well, {cells}.",
                    guard.name()
                )))
            }
            None => Ok(guards.first()),
            Some(cell) if guards.len() >= 2 && guards.contains(cell) => Ok(Some(cell)),
            Some(cell) if guards.len() >= 2 => {
                Err(Refusal::new(format!("There is no {} at {cell} beside {at}.", guard.name())))
            }
            Some(_) => {
                let verb = if matches!(mv, Move::Attack { .. }) { "attack" } else { "paint" };
                Err(Refusal::new(format!("There is no choice to make: say “{verb} {at}” alone.")))
            }
        }
    }

    /// WNA-33: what follows when the card at this cell is gone and so many roses are collected.
    fn after_removal(&self, gone: Cell, collected: u8) -> After {
        let mut garden = self.garden;
        garden.take(gone);
        // WNA-29: Brambles beside it that now have no card on any side.
        let company = garden.taken();
        let withered: CellSet = garden
            .beside(gone, GardenCard::Bramble)
            .iter()
            .filter(|bramble| bramble.neighbours().and(company).is_empty())
            .collect();
        withered.iter().for_each(|bramble| garden.take(bramble));
        self.after(withered, &garden, collected)
    }

    /// What follows when a Bramble is planted at this cell. WNA-30: nothing withers.
    pub(super) fn after_planting(&self, at: Cell) -> After {
        let mut garden = self.garden;
        garden.put(at, GardenCard::Bramble);
        self.after(CellSet::EMPTY, &garden, self.collected)
    }

    fn after(&self, withered: CellSet, garden: &Garden, collected: u8) -> After {
        let open = garden.path_open();
        let path = match (self.garden.path_open(), open) {
            (false, true) => Some(PathChange::Opened),
            (true, false) => Some(PathChange::Closed),
            _ => None,
        };
        // WNA-32: with an open path all collected roses are delivered at once.
        After { withered, path, laid: if open { collected } else { 0 } }
    }
}

/// The words with a capital first letter.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
