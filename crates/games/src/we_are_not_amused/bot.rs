//! Bots: for hints, demonstrations and tests. They know what the view shows, and nothing else.

mod greedy;
mod playout;
mod search;
mod worth;

use rand::Rng;
use rand::seq::SliceRandom;

use super::WeAreNotAmused;
use super::card::DeckCard;
use super::deck::Deck;
use super::moves::Move;
use super::phase::Phase;
use super::view::PublicView;
use wonderpost_rules::{Level, View};

/// What a bot says at this view: moves to be made one after the other as long as nothing new comes up.
pub fn bot(level: Level, view: &View<WeAreNotAmused>, rng: &mut dyn Rng) -> Vec<Move> {
    let Some(state) = resampled(view, rng) else { return vec![] };
    match level {
        // A game for one has nobody to be matched with: two levels will do.
        Level::Easy | Level::Middle => greedy::next_move(&state, rng).into_iter().collect(),
        Level::Decent if known(&view.table) => search::plan(&state, rng),
        Level::Decent => look(&state).into_iter().collect(),
    }
}

/// Whether the whole order of the deck is known: then there is no more chance in it until a shuffle.
fn known(table: &PublicView) -> bool {
    table.ahead.iter().all(Option::is_some)
}

/// Looks through a deck of unknown order, with as little done as can be.
fn look(state: &WeAreNotAmused) -> Option<Move> {
    match state.phase {
        Phase::Play => Some(Move::PassAll),
        Phase::Plant => state.default_planting().map(|at| Move::Plant { at }),
        Phase::Stuck => Some(Move::Shuffle),
        Phase::Turning | Phase::Over(_) => None,
    }
}

/// A table that looks like this view; the cards that nobody knows are in any order.
fn resampled(view: &View<WeAreNotAmused>, mut rng: &mut dyn Rng) -> Option<WeAreNotAmused> {
    let table = &view.table;
    let mut unseen: Vec<DeckCard> =
        DeckCard::ALL.into_iter().flat_map(|card| std::iter::repeat_n(card, table.unseen.count(card).into())).collect();
    unseen.shuffle(&mut rng);
    let ahead = table.ahead.iter().filter_map(|card| card.or_else(|| unseen.pop()));
    let mut deck = Deck::face_down(table.turned.iter().copied().chain(ahead).collect());
    deck.turn(table.turned.len());
    if view.over {
        return None;
    }
    Some(WeAreNotAmused {
        garden: table.garden,
        deck,
        discard: table.discard.iter().copied().collect(),
        aside: table.aside,
        collected: table.collected,
        delivered: table.delivered,
        shuffles_left: table.shuffles_left,
        cycle: table.cycle,
        turns: table.turns,
        // The view does not tell whether something was played in this cycle. If it was not, the player is stuck
        // sooner; a plan that holds then holds all the more if it was.
        played: false,
        playable: true,
        idle_before: table.last_chance,
        phase: view.phase,
    })
}
