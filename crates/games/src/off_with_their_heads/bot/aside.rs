//! What the cards that stay in hand are worth: they become a poker hand.

use super::super::cards::CardSet;
use super::super::poker::Hand;
use wonderpost_rules::Card;

/// The worth of the best cards of a hand to set aside, with those set aside already.
pub fn worth(aside: CardSet, hand: CardSet, keep: usize) -> f64 {
    let cards: Vec<Card> = hand.iter().collect();
    let mut best = 0.0_f64;
    choose(&cards, keep.min(cards.len()), aside, &mut |set| best = best.max(potential(set)));
    best
}

/// Goes through all ways to add so many of the cards.
fn choose(cards: &[Card], number: usize, set: CardSet, each: &mut dyn FnMut(CardSet)) {
    if number == 0 {
        return each(set);
    }
    for (index, card) in cards.iter().enumerate() {
        if cards.len() - index < number {
            return;
        }
        let mut with = set;
        with.insert(*card);
        choose(&cards[index + 1..], number - 1, with, each);
    }
}

/// What a set is likely to become: of six cards what it is, of fewer what can still be hoped for.
fn potential(set: CardSet) -> f64 {
    if set.len() >= 6 {
        let hand = Hand::best(set);
        // The better the hand, the likelier it is the best.
        return hand.rank.vp() as f64 + [0.2, 0.6, 1.3, 1.8, 2.8, 3.5, 4.2, 4.7, 5.0][hand.rank as usize];
    }
    let mut suits = [0_usize; 4];
    let mut ranks = [0_u8; 13];
    for card in set.iter() {
        if let Card::Plain(suit, rank) = card {
            suits[suit as usize] += 1;
            ranks[rank as usize] += 1;
        }
    }
    let most = suits.into_iter().max().unwrap_or(0);
    let (left, missing) = (6 - set.len(), 5_usize.saturating_sub(most));
    let flush = match left.checked_sub(missing) {
        None => 0.0,
        // Each card that has to come, comes of a hand of nine or so.
        Some(spare) => 14.5 * [0.82_f64, 0.93, 0.97][spare.min(2)].powi(missing as i32),
    };
    let pairs = ranks.iter().filter(|count| **count == 2).count();
    let three = ranks.contains(&3);
    let four = ranks.contains(&4);
    let alike = match (four, three, pairs) {
        (true, _, _) => 22.0,
        (_, true, 1..) => 17.0,
        (_, true, 0) => 10.0,
        (_, _, 2..) => 8.5,
        (_, _, 1) => 4.5,
        _ => 2.0,
    };
    f64::max(flush, alike)
}
