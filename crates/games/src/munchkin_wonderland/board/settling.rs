//! Treasures on the floor after a fight, and cards that are lost after running.

use super::super::moves::Move;
use super::super::phase::Step;
use super::super::treasure::Treasure;
use super::Sight;
use super::control::Control;
use super::hand::Card;

/// Cards to choose one from.
pub struct Settling {
    pub title: &'static str,
    pub cards: Vec<Card>,
}

impl Settling {
    pub fn new(sight: &Sight) -> Option<Settling> {
        let view = sight.view;
        if let Some(share) = &view.table.share {
            let taking = |card: Treasure| (Move::Take(card), "Take");
            return Some(Settling { title: "On the floor", cards: cards(sight, &share.cards, taking) });
        }
        if view.phase != Step::Discard {
            return None;
        }
        // Friends in play are open; a hand is its owner's alone.
        let friends = &view.table.friends[view.table.turn.index()];
        let owner = view.mine.as_ref().filter(|mine| mine.seat == view.table.turn);
        let at_stake = match owner {
            _ if !friends.is_empty() => friends,
            Some(mine) => &mine.hand,
            None => return None,
        };
        let losing = |card: Treasure| (Move::Discard(card), "Lose");
        Some(Settling { title: "One of these is lost", cards: cards(sight, at_stake, losing) })
    }
}

fn cards(sight: &Sight, all: &[Treasure], choice: impl Fn(Treasure) -> (Move, &'static str)) -> Vec<Card> {
    let mut cards: Vec<Card> = vec![];
    for card in all {
        match cards.last_mut() {
            Some(last) if last.id == card.id() => last.copies += 1,
            _ => {
                let (mv, words) = choice(*card);
                let control = Control::say(&mv, words).more(card.title());
                let controls = if sight.acts && sight.moves.contains(&mv) { vec![control] } else { vec![] };
                cards.push(Card { controls, ..Card::new(*card) });
            }
        }
    }
    cards
}
