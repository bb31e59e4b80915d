//! Chance is even, independent from draw to draw, and derived as its documentation says.
//!
//! All seeds are fixed, and were not chosen: these tests give the same figures every time. The bounds are those that
//! even chance would go beyond about once in a thousand times, or wider where a note says so.

use std::collections::HashMap;
use std::hash::Hash;

use wonderpost_rules::seed::{Cut, Secret, Seed};
use wonderpost_rules::{Chance, Draw, Labels, Seat};

/// The sum of squared differences from what was expected, each divided by that.
fn chi_square(counts: impl IntoIterator<Item = u32>, expected: f64) -> f64 {
    counts.into_iter().map(|count| (f64::from(count) - expected).powi(2) / expected).sum()
}

fn count<T: Hash + Eq>(outcomes: impl IntoIterator<Item = T>) -> HashMap<T, u32> {
    let mut counts = HashMap::new();
    outcomes.into_iter().for_each(|outcome| *counts.entry(outcome).or_default() += 1);
    counts
}

/// The order of so many cards in the draw with this number.
fn shuffled(seed: &Seed, draw: u64, cards: usize) -> Vec<usize> {
    let cards: Vec<usize> = (0..cards).collect();
    let cards = cards.as_slice();
    seed.chance(draw).shuffle(&cards).unwrap()
}

fn permutations_are_even(cards: usize, number: u32, bound: f64) {
    let seed = Seed::of_number(1);
    let shuffles = 400 * number;
    let counts = count((0..shuffles).map(|draw| shuffled(&seed, draw.into(), cards)));
    assert_eq!(counts.len(), number as usize, "each order of {cards} cards comes up");
    let chi_square = chi_square(counts.into_values(), 400.0);
    assert!(chi_square < bound, "{cards} cards: {chi_square} is not below {bound}");
}

#[test]
fn all_orders_of_a_small_pile_are_equally_likely() {
    permutations_are_even(2, 2, 10.8);
    permutations_are_even(3, 6, 20.5);
    permutations_are_even(4, 24, 49.7);
    permutations_are_even(5, 120, 173.6);
}

#[test]
fn each_of_48_cards_is_equally_likely_in_each_place() {
    const CARDS: usize = 48;
    let seed = Seed::of_number(2);
    let mut places = vec![[0_u32; CARDS]; CARDS];
    let mut followers = vec![[0_u32; CARDS]; CARDS];
    for draw in 0..4800 {
        let order = shuffled(&seed, draw, CARDS);
        order.iter().enumerate().for_each(|(place, card)| places[*card][place] += 1);
        order.windows(2).for_each(|pair| followers[pair[0]][pair[1]] += 1);
    }
    // 47 times 47 degrees of freedom: a mean of 2209, and a standard deviation of 66.5.
    let even_places = chi_square(places.into_iter().flatten(), 100.0);
    assert!((even_places - 2209.0).abs() < 3.3 * 66.5, "{even_places}");
    // Who comes after whom: 47 pairs a shuffle, 48 times 47 that there can be, so each 100 times. The pairs of one shuffle
    // depend on each other a little; the bound is wider for that.
    let pairs = followers
        .iter()
        .enumerate()
        .flat_map(|(card, row)| row.iter().enumerate().filter(move |(next, _)| *next != card).map(|(_, count)| *count));
    let even_pairs = chi_square(pairs, 100.0);
    assert!((even_pairs - 2256.0).abs() < 4.0 * 67.2, "{even_pairs}");
}

#[test]
fn dice_are_fair_alone_and_together() {
    let seed = Seed::of_number(3);
    let rolls: Vec<Vec<u32>> = (0..7200).map(|draw| seed.chance(draw).roll(2, 6).unwrap()).collect();
    let first = chi_square(count(rolls.iter().map(|roll| roll[0])).into_values(), 1200.0);
    let second = chi_square(count(rolls.iter().map(|roll| roll[1])).into_values(), 1200.0);
    let both = count(rolls.iter().map(|roll| (roll[0], roll[1])));
    assert_eq!(both.len(), 36);
    let both = chi_square(both.into_values(), 200.0);
    assert!(first < 20.5 && second < 20.5 && both < 66.6, "{first} {second} {both}");
    for sides in [1, 2, 10, 20, u32::MAX] {
        assert!((0..200).all(|draw| (1..=sides).contains(&seed.chance(draw).roll(1, sides).unwrap()[0])));
    }
}

#[test]
fn picks_are_even() {
    let seed = Seed::of_number(4);
    let items: &[u8] = &[0; 7];
    let counts = count((0..7000).map(|draw| seed.chance(draw).pick(&items).unwrap()));
    let chi_square = chi_square(counts.into_values(), 1000.0);
    assert!(chi_square < 22.5, "{chi_square}");
}

#[test]
fn one_draw_tells_nothing_of_the_next() {
    let seed = Seed::of_number(5);
    let next = count((0..14_400).map(|draw| (shuffled(&seed, 2 * draw, 3), shuffled(&seed, 2 * draw + 1, 3))));
    assert_eq!(next.len(), 36);
    let next = chi_square(next.into_values(), 400.0);
    assert!(next < 66.6, "{next}");
    let kinds =
        count((0..14_400).map(|draw| (shuffled(&seed, 2 * draw, 3), seed.chance(2 * draw + 1).roll(1, 6).unwrap())));
    let kinds = chi_square(kinds.into_values(), 400.0);
    assert!(kinds < 66.6, "{kinds}");
}

#[test]
fn one_seed_tells_nothing_of_the_next() {
    let order = |number| shuffled(&Seed::of_number(number), 0, 3);
    let pairs = count((0..14_400).map(|number| (order(2 * number), order(2 * number + 1))));
    assert_eq!(pairs.len(), 36);
    let pairs = chi_square(pairs.into_values(), 400.0);
    assert!(pairs < 66.6, "{pairs}");
}

#[test]
fn a_draw_depends_on_its_number_alone_and_not_on_those_before() {
    let seed = Seed::of_number(6);
    let mut running = seed.chance(0);
    let cards: &[usize] = &(0..44).collect::<Vec<_>>();
    running.roll(3, 6).unwrap();
    running.pick(&cards).unwrap();
    assert_eq!(running.shuffle(&cards).unwrap(), shuffled(&seed, 2, 44));
}

#[test]
fn secret_deal_and_cuts_all_change_the_seed() {
    let secret = |byte| Secret::new([byte; 32]);
    let cut = |seat, word: &str| Cut { seat: Seat::new(seat).unwrap(), word: word.into() };
    let orders = [
        shuffled(&secret(1).seed("a", &[]), 0, 48),
        shuffled(&secret(2).seed("a", &[]), 0, 48),
        shuffled(&secret(1).seed("b", &[]), 0, 48),
        shuffled(&secret(1).seed("a", &[cut(1, "x")]), 0, 48),
        shuffled(&secret(1).seed("a", &[cut(1, "y")]), 0, 48),
        shuffled(&secret(1).seed("a", &[cut(2, "x")]), 0, 48),
        shuffled(&secret(1).seed("a", &[cut(1, "x"), cut(2, "x")]), 0, 48),
    ];
    assert_eq!(count(orders).len(), 7);
}

/// Computed apart from this program, in Python, from the description in `rules::seed`: hmac.new(key, message, sha256).
#[test]
fn draws_are_derived_as_described() {
    let secret = Secret::new(std::array::from_fn(|index| index as u8));
    assert_eq!(secret.promise().to_string(), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
    let cut = |seat, word: &str| Cut { seat: Seat::new(seat).unwrap(), word: word.into() };
    // 47fc59116b79d07f57bf296f8922f0f73ba59548645379718ac6b865eb61a2ef
    let seed = secret.seed("table-7", &[cut(1, "marmalade"), cut(2, "café")]);
    assert_eq!(shuffled(&seed, 0, 12), [9, 11, 3, 2, 5, 6, 0, 4, 7, 8, 1, 10]);
    assert_eq!(seed.chance(1).roll(10, 6).unwrap(), [1, 1, 1, 2, 3, 6, 6, 2, 4, 4]);
    let items: &[u8] = &[0; 7];
    assert_eq!(seed.chance(2).pick(&items).unwrap(), 3);
    assert_eq!(
        shuffled(&seed, 3, 48),
        [
            26, 4, 31, 7, 10, 23, 14, 18, 3, 28, 17, 22, 1, 32, 39, 33, 12, 2, 20, 46, 35, 43, 38, 0, 44, 42, 5, 40,
            19, 29, 8, 15, 11, 13, 47, 6, 45, 24, 21, 36, 41, 30, 27, 37, 9, 16, 25, 34
        ]
    );
    assert_eq!(shuffled(&Seed::of_number(42), 5, 9), [1, 8, 2, 7, 5, 6, 0, 3, 4]);
}

#[test]
fn a_recorded_draw_is_checked_against_the_seed() {
    let seed = Seed::of_number(7);
    let pile: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).into();
    let order = shuffled(&seed, 3, 5);
    let gave: Vec<String> = order.iter().map(|index| pile[*index].clone()).collect();
    let mut wrong = gave.clone();
    wrong.swap(0, 1);
    let draw = |gave| Draw::Shuffle { of: pile.clone(), gave };
    assert!(seed.gives(3, &draw(gave.clone())));
    assert!(!seed.gives(4, &draw(gave)) && !seed.gives(3, &draw(wrong)));
    let faces = seed.chance(9).roll(4, 6).unwrap();
    assert!(seed.gives(9, &Draw::Roll { sides: 6, gave: faces.clone() }));
    assert!(!seed.gives(9, &Draw::Roll { sides: 0, gave: faces }));
    let index = seed.chance(1).pick(&pile.as_slice()).unwrap();
    assert!(seed.gives(1, &Draw::Pick { of: pile.clone(), gave: pile.as_slice().label(index) }));
    assert!(!seed.gives(1, &Draw::Pick { of: vec![], gave: "a".into() }));
}
