//! What would have done better than a move that was made.
//!
//! Moves are judged by what their mover could know: all of them are tried on the same deals, in which whatever was hidden from the mover
//! is dealt anew. Half of them drop out after each round, and the next round is twice as long.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;

use crate::tables::analysis::curve::Better;
use crate::tables::analysis::effort::{Budget, Stopped};
use crate::tables::analysis::finished_game::FinishedGame;
use crate::tables::analysis::tally::{Count, rounded};
use wonderpost_rules::{AnyMove, PlayoutPlan, Position, Seat, Viewer};

/// The most moves that are tried; of more than that, some at random.
const MOST_TRIED: usize = 16;

/// How many games each move is tried in at first.
const FIRST_ROUND: u64 = 16;

/// How many games the last two are compared in, at least and at most.
const LEAST_COMPARED: u32 = 64;
const MOST_COMPARED: u32 = 512;

/// By how much a move must do better to be worth a word.
const NOTABLE: f64 = 0.05;

const FOR_ALTERNATIVES: u64 = 3;

/// A move that is tried.
struct Tried {
    mv: AnyMove,
    words: String,
    count: Count,
    was_made: bool,
}

/// The move that would have done best instead of the one that led to a step, if it would have done better.
pub(super) fn find(
    game: &FinishedGame,
    step: usize,
    plan: &PlayoutPlan,
    budget: &mut Budget,
    playouts: &mut u32,
) -> Result<Option<Better>, Stopped> {
    let Some((mover, made)) = game.made(step) else { return Ok(None) };
    let before = &*game.steps[step - 1].position;
    let mut rng = SmallRng::seed_from_u64(game.number(FOR_ALTERNATIVES, step, u64::MAX));
    let mut tried = choose(before, mover, &made, &mut rng);
    let (mut done, mut round) = (0, FIRST_ROUND);
    while tried.len() > 1 {
        for count in done..done + round {
            if !budget.lasts(1.0)? {
                return Ok(verdict(tried));
            }
            let seed = game.number(FOR_ALTERNATIVES, step, count);
            let dealt = before.resample_hidden(Viewer::Seat(mover), &mut SmallRng::seed_from_u64(seed));
            for tried in &mut tried {
                let played = dealt.play_out_after(mover, &tried.mv, &PlayoutPlan { seed, ..*plan });
                tried.count.add(played.is_some_and(|played| played.winners.contains(mover)));
                *playouts += 1;
            }
        }
        done += round;
        round *= 2;
        if tried.len() == 2 && tried[0].count.of >= MOST_COMPARED {
            break;
        }
        keep_better_half(&mut tried);
    }
    Ok(verdict(tried))
}

/// The moves to try: the one that was made, and others.
fn choose(before: &dyn Position, mover: Seat, made: &AnyMove, rng: &mut SmallRng) -> Vec<Tried> {
    let offers = before.offers(mover);
    let others = offers.into_iter().filter(|offer| offer.line != made.as_str());
    let others = others.sample(rng, MOST_TRIED - 1);
    let others = others.into_iter().filter_map(|offer| {
        let mv = before.read_line(&offer.line).ok()?;
        Some(Tried { mv, words: offer.words, count: Count::default(), was_made: false })
    });
    let made = Tried { mv: made.clone(), words: String::new(), count: Count::default(), was_made: true };
    std::iter::once(made).chain(others).collect()
}

/// The move that was made stays to be compared with.
fn keep_better_half(tried: &mut Vec<Tried>) {
    tried.sort_by_key(|tried| (!tried.was_made, std::cmp::Reverse(tried.count.wins)));
    let others = tried.len() - 1;
    tried.truncate(1 + others.div_ceil(2));
}

/// Whether the best of the others did better than what was made, beyond chance.
fn verdict(tried: Vec<Tried>) -> Option<Better> {
    let made = tried.iter().find(|tried| tried.was_made)?.count;
    let best = tried.into_iter().filter(|tried| !tried.was_made).max_by_key(|tried| tried.count.wins)?;
    let gain = best.count.share() - made.share();
    let is_sure = gain >= 2.0 * best.count.deviation().hypot(made.deviation());
    (made.of >= LEAST_COMPARED && gain >= NOTABLE && is_sure).then(|| Better {
        line: best.mv.to_string(),
        words: best.words,
        chance: rounded(best.count.share()),
        made: rounded(made.share()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wonderpost_games::catalogue;
    use wonderpost_rules::seed::Seed;

    fn tried(was_made: bool, wins: u32, of: u32) -> Tried {
        let game = catalogue().find("red-queen").unwrap();
        let begun = game.begin(&game.default_options(), 2).unwrap();
        let dealt = begun.set_up(&mut Seed::of_number(1).chance(0)).unwrap().position;
        let mv = dealt.read_line("draw").unwrap();
        Tried { mv, words: "Draw a card".to_owned(), count: Count { wins, of }, was_made }
    }

    #[test]
    fn only_what_did_better_beyond_chance_is_told() {
        let told = |made, other| verdict(vec![tried(true, made, 200), tried(false, other, 200)]);
        assert_eq!(told(60, 120).map(|better| (better.chance, better.made)), Some((0.6, 0.3)));
        assert_eq!(told(60, 66), None, "three in a hundred are nothing");
        assert_eq!(told(60, 75), None, "this may be chance");
        assert_eq!(verdict(vec![tried(true, 1, 16), tried(false, 14, 16)]), None, "too few games");
        assert_eq!(verdict(vec![tried(true, 1, 200)]), None, "there was nothing else to do");
    }
}
