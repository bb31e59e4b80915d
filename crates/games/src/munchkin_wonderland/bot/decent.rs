//! The decent bot: weighs each choice in Gold.

use rand::{Rng, RngExt};

use super::super::moves::Move;
use super::super::odds::{Totals, prospects};
use super::super::phase::RollKind;
use super::super::room::Room;
use super::super::treasure::{Change, Kind, Treasure, best_first};
use super::super::view::{FightView, SideView};
use super::Eyes;
use super::plan::{cheapest, price};
use super::worth::{TREASURE, Worth, of_best, of_friend, of_losing, of_prize};
use wonderpost_rules::Seat;

/// What a change must bring beyond its price.
const MARGIN: f64 = 0.4;

/// Nothing stands for the default move.
pub fn choose(eyes: &Eyes, rng: &mut dyn Rng) -> Vec<Move> {
    if let Some(play) = eyes.better_friend() {
        return vec![play];
    }
    match eyes.prompt {
        "move" => thimble(eyes).or_else(|| by_roll(eyes)).into_iter().collect(),
        "entrance" => by_roll(eyes).into_iter().collect(),
        "fight" => fight(eyes),
        "help" => vec![if helps(eyes, rng) { Move::Help } else { Move::Refuse }],
        "assist" => assist(eyes),
        "share" => share(eyes).into_iter().collect(),
        "discard" => discard(eyes).into_iter().collect(),
        // Where one hides does not matter.
        _ => vec![],
    }
}

/// Goes to the best place, or changes the roll if that opens something better than the card is worth.
fn by_roll(eyes: &Eyes) -> Option<Move> {
    let roll = eyes.table.roll?;
    let worth = Worth::new(eyes);
    let from = eyes.table.places[eyes.mine.seat.index()];
    let value = |value: u8| match roll.kind {
        RollKind::Entrance => Room::of_roll(value).map_or(0.0, |room| worth.room(room)),
        RollKind::Move | RollKind::Run => worth.best_walk(from, value),
    };
    let choices = eyes.moves.iter().filter_map(|mv| match mv {
        Move::Go(place) => Some((worth.place(*place), mv)),
        Move::Use { card, .. } => {
            let brings = match card.change_on(roll.kind.die())? {
                Change::Reroll => (1..=6).map(value).sum::<f64>() / 6.0,
                change @ (Change::Add { .. } | Change::Flip) => value(change.of(roll.value)?),
            };
            Some((brings - price(*card) - MARGIN, mv))
        }
        _ => None,
    });
    choices.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, mv)| mv.clone())
}

/// A Thimble for Gold, when it brings much or the end is near.
fn thimble(eyes: &Eyes) -> Option<Move> {
    let near_the_end = eyes.table.treasure_deck < 6;
    let gains = eyes.moves.iter().filter_map(|mv| match mv {
        Move::Recover { thimble, card } => Some((i16::from(card.gold()) - i16::from(thimble.gold()), mv)),
        _ => None,
    });
    let (gain, mv) = gains.max_by_key(|(gain, _)| *gain)?;
    (gain >= if near_the_end { 1 } else { 3 }).then(|| mv.clone())
}

/// The best of: winning with cards, trying one's luck, calling for help, getting away, running.
fn fight(eyes: &Eyes) -> Vec<Move> {
    let Some(fight) = &eyes.table.fight else { return vec![] };
    let side = &fight.fighter;
    let treasures = fight.room.facts().treasures;
    let prize = of_prize(treasures, fight.helper.is_some());
    let run = -of_losing(eyes);
    let mut best = (run, vec![Move::Run]);
    let mut consider = |worth: f64, moves: Vec<Move>| {
        if worth > best.0 {
            best = (worth, moves);
        }
    };
    let alone = cheapest(fight, side, &eyes.mine.hand, fight.gap());
    let alone_worth = alone.as_ref().map_or(run, |plan| (prize - plan.cost).max(run));
    for mv in eyes.moves {
        let Move::Use { card, .. } = mv else { continue };
        match card.kind() {
            Kind::Escape { draw, .. } => consider(TREASURE * *draw as f64 - price(*card), vec![mv.clone()]),
            Kind::Dice { .. } | Kind::Changer { .. } => {
                let luck = prospects(fight, side, mv);
                if luck.len() > 1 {
                    consider(try_luck(eyes, fight, side, *card, &luck, prize, run), vec![mv.clone()]);
                }
            }
            Kind::Boost { .. } | Kind::Friend { .. } | Kind::Recover => {}
        }
    }
    if let Some((worth, order)) = call(eyes, fight, treasures, alone_worth) {
        consider(worth, vec![Move::Ask(order)]);
    }
    if let Some(plan) = alone {
        consider(prize - plan.cost, plan.moves);
    }
    best.1
}

/// What a throw of dice is worth, with the rest of the hand to make up for bad luck.
fn try_luck(
    eyes: &Eyes,
    fight: &FightView,
    side: &SideView,
    card: Treasure,
    luck: &[Totals],
    prize: f64,
    run: f64,
) -> f64 {
    let mut rest = eyes.mine.hand.clone();
    if let Some(place) = rest.iter().position(|other| *other == card) {
        rest.remove(place);
    }
    // The gaps are few, the ways to them many.
    let mut known: Vec<(u8, f64)> = vec![];
    let mut sum = 0.0;
    for totals in luck {
        let gap = totals.short();
        let worth = match known.iter().find(|(other, _)| *other == gap) {
            Some((_, worth)) => *worth,
            None => {
                let worth = match gap {
                    0 => prize,
                    _ => cheapest(fight, side, &rest, gap).map_or(run, |plan| (prize - plan.cost).max(run)),
                };
                known.push((gap, worth));
                worth
            }
        };
        sum += worth;
    }
    sum / luck.len() as f64 - price(card)
}

/// What a call for help is worth, and whom to ask in which order.
fn call(eyes: &Eyes, fight: &FightView, treasures: usize, alone: f64) -> Option<(f64, Vec<Seat>)> {
    let friends = |seat: Seat| eyes.table.friends[seat.index()].iter().map(|friend| friend.bonus_in(fight.room)).sum();
    let mut order: Vec<(Seat, u8)> = fight.can_ask.iter().map(|seat| (*seat, friends(*seat))).collect();
    order.sort_by_key(|(_, friends)| std::cmp::Reverse(*friends));
    let two = eyes.seats() == 2;
    let willing = if two && treasures >= 3 { 0.35 } else { 0.7 };
    let (mut nobody, mut won) = (1.0, 0.0);
    for (_, friends) in &order {
        won += nobody * willing * die_shows(fight.gap().saturating_sub(*friends)).max(0.1);
        nobody *= 1.0 - willing;
    }
    // What the helper gets hurts more the fewer rivals there are.
    let rival = of_best(treasures) / (eyes.seats() - 1) as f64;
    let worth = won * (of_prize(treasures, true) - rival) + (1.0 - won) * alone - 0.3;
    (!order.is_empty()).then(|| (worth, order.into_iter().map(|(seat, _)| seat).collect()))
}

/// How likely a die shows at least so much.
fn die_shows(least: u8) -> f64 {
    (7.0 - f64::from(least.max(1))).max(0.0) / 6.0
}

fn helps(eyes: &Eyes, rng: &mut dyn Rng) -> bool {
    let Some(fight) = &eyes.table.fight else { return false };
    let treasures = fight.room.facts().treasures;
    // With two players the fighter's gain is the helper's loss.
    if eyes.seats() == 2 && treasures >= 3 && !rng.random_bool(0.1) {
        return false;
    }
    let friends: u8 = eyes.friends().iter().map(|friend| friend.bonus_in(fight.room)).sum();
    die_shows(fight.gap().saturating_sub(friends)) >= 0.3
}

/// A helper spends cards only if the best Treasure is worth more.
fn assist(eyes: &Eyes) -> Vec<Move> {
    let Some(fight) = &eyes.table.fight else { return vec![] };
    let Some(side) = &fight.helper else { return vec![] };
    let treasures = fight.room.facts().treasures;
    let rival = of_prize(treasures, true) / (eyes.seats() - 1) as f64;
    match cheapest(fight, side, &eyes.mine.hand, fight.gap()) {
        Some(plan) if plan.cost < of_best(treasures) - 0.6 * rival => plan.moves,
        _ => vec![Move::Done],
    }
}

fn share(eyes: &Eyes) -> Option<Move> {
    let cards = eyes.moves.iter().filter_map(|mv| match mv {
        Move::Take(card) => Some(*card),
        _ => None,
    });
    cards.max_by(|one, other| in_hand(eyes, *one).total_cmp(&in_hand(eyes, *other))).map(Move::Take)
}

fn discard(eyes: &Eyes) -> Option<Move> {
    let cards = eyes.moves.iter().filter_map(|mv| match mv {
        Move::Discard(card) => Some(*card),
        _ => None,
    });
    let least = cards.min_by(|one, other| {
        let worth = in_hand(eyes, *one).total_cmp(&in_hand(eyes, *other));
        worth.then_with(|| best_first(*other).cmp(&best_first(*one)))
    });
    least.map(Move::Discard)
}

/// What a card is worth to have.
fn in_hand(eyes: &Eyes, card: Treasure) -> f64 {
    match card.kind() {
        Kind::Friend { .. } => {
            // Only as far as it is better than the company one has.
            let weakest = match eyes.friends() {
                [one, other] => one.bonus().min(other.bonus()),
                _ => 0,
            };
            let playing = eyes.friends().contains(&card);
            of_friend(eyes, if playing { card.bonus() } else { card.bonus().saturating_sub(weakest) })
        }
        Kind::Boost { .. } | Kind::Changer { .. } | Kind::Dice { .. } | Kind::Escape { .. } | Kind::Recover => {
            price(card)
        }
    }
}
