//! Each level of bots plays better than the one below it, in each game for several.

#![allow(clippy::unwrap_used)]

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Decided, Game, Level, Seat, SeatSet};

/// How many deals are played, each once with either seat for the better bot.
const DEALS: u64 = 15;

/// Who wins a game of two on this deal.
fn winners(game: &dyn Game, deal: u64, levels: [Level; 2]) -> SeatSet {
    let seed = Seed::of_number(deal);
    let mut rng = SmallRng::seed_from_u64(deal);
    let begun = game.begin(&game.default_options(), 2).unwrap();
    let Decided { mut position, draws, .. } = begun.set_up(&mut seed.chance(0)).unwrap();
    let mut drawn = draws.len() as u64;
    while let Some(seat) = position.awaiting().iter().next() {
        let moves = position.bot(levels[seat.index()], seat, &mut rng);
        let decided = position.decide_move(seat, &moves[0], &mut seed.chance(drawn)).unwrap();
        drawn += decided.draws.len() as u64;
        position = decided.position;
    }
    position.result().unwrap().winners
}

/// How many games more the better bot wins.
fn lead(game: &dyn Game, worse: Level, better: Level) -> i32 {
    let count = |winners: SeatSet, seat: Seat| i32::from(winners.contains(seat));
    let [first, second] = [1, 2].map(|number| Seat::new(number).unwrap());
    let of_deal = |deal| {
        let (there, back) = (winners(game, deal, [better, worse]), winners(game, deal, [worse, better]));
        count(there, first) - count(there, second) + count(back, second) - count(back, first)
    };
    (0..DEALS).map(of_deal).sum()
}

#[test]
fn each_level_of_bots_is_better_than_the_one_below() {
    for game in wonderpost_games::catalogue().iter().filter(|game| game.info().seats.1 > 1) {
        for pair in Level::ALL.windows(2) {
            let lead = lead(game, pair[0], pair[1]);
            assert!(lead > 0, "{}: {:?} leads {:?} by {lead}", game.info().slug, pair[1], pair[0]);
        }
    }
}
