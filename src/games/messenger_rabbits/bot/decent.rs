//! The decent bot: weighs places by what it could win there, and uses the suits' tricks.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::super::cards::Cards;
use super::super::hexagon::{Hexagon, House, Kind, Place};
use super::super::moves::{Move, Transfer};
use super::super::options::Objective;
use super::super::payment::cheapness;
use super::super::phase::Action;
use super::sight::Sight;
use crate::rules::{Card, Suit};

/// What a journey of distance leaves of a value.
const PER_JOURNEY: f64 = 0.7;
/// What a claim that is possible now adds to a house.
const CLAIMABLE: f64 = 6.0;
/// What is paid counts half.
const COST: f64 = 0.5;
/// What a joker in hand is worth.
const JOKER: f64 = 4.0;
/// What it costs to be thrown off the board.
const THROWN_OFF: f64 = 6.0;
/// Hearts that contest and prove.
const HEARTS: u16 = 6;

pub fn choose(sight: &Sight, rng: &mut dyn rand::Rng) -> Option<Move> {
    match sight.phase {
        "build" => sight.moves.choose(&mut { rng }).copied(),
        "takeoff" => take_off(sight),
        "lottery" => sight.moves.iter().filter(|mv| matches!(mv, Move::Show(_))).max_by_key(|mv| shown(mv)).copied(),
        "discard" => discard(sight),
        "journey" => journey(sight),
        "flight" => land(sight),
        "contest" => Some(contest(sight, rng)),
        "visit" => Some(visit(sight, rng)),
        "fight" => throw(sight),
        // The defaults are good enough.
        _ => None,
    }
}

fn shown(mv: &Move) -> usize {
    match mv {
        Move::Show(cards) => cards.len(),
        _ => 0,
    }
}

/// What a hand is worth at a place: the best house to go for, and something for the next best.
fn value(sight: &Sight, hand: Cards, place: Place) -> f64 {
    let distances = sight.distances(place);
    let home = sight.distances(Place::CITADEL);
    // With two royals already the way home matters.
    let last = sight.table.options.objective.lacks(sight.royals()) <= 1;
    let (mut best, mut second) = (0.0, 0.0);
    for house in sight.wanted() {
        let hexagon = Hexagon::House(house);
        let points = f64::from(sight.points(hand, house.suit).min(10));
        let mut worth = points + if sight.can_claim(hand, house) { CLAIMABLE } else { 0.0 };
        worth *= promise(sight, house);
        worth *= PER_JOURNEY.powi(distances.to(hexagon) as i32);
        if last {
            worth *= 0.85f64.powi(home.to(hexagon) as i32);
        }
        if worth > best {
            (best, second) = (worth, best);
        } else if worth > second {
            second = worth;
        }
    }
    best + 0.25 * second
}

/// For three of one suit, keep away from suits that others have begun.
fn promise(sight: &Sight, house: House) -> f64 {
    let taken = |suit: Suit| {
        let others = sight.table.seats().filter(|seat| *seat != sight.seat);
        others.map(|seat| (sight.table.royals[seat.index()] & Cards::of_suit(suit)).len()).sum::<usize>()
    };
    match sight.table.options.objective {
        Objective::Tribal => 0.3f64.powi(taken(house.suit) as i32),
        Objective::Simple | Objective::Diverse | Objective::Monarchic | Objective::DiverseMonarchic => 1.0,
    }
}

/// What may happen on the doorstep of a palace without hearts.
fn doorstep(sight: &Sight, hand: Cards, to: Hexagon) -> f64 {
    let guarded = match to {
        Hexagon::House(house) => house.kind == Kind::Palace && !sight.hand.contains(house.royal()),
        Hexagon::Citadel => sight.table.options.advanced_citadel,
    };
    let intro = sight.table.options.level == super::super::options::Level::Intro;
    let hearts = sight.worths.of_all(hand & Cards::of_suit(Suit::Hearts));
    if intro || !guarded || hearts >= HEARTS || !sight.table.suits.contains(Suit::Hearts) {
        return 0.0;
    }
    let askers = sight.table.seats().filter(|seat| *seat != sight.seat);
    askers.filter(|seat| sight.table.rabbits[seat.index()] != Place::Off).count() as f64 * 0.8
}

fn journey(sight: &Sight) -> Option<Move> {
    let complete = sight.is_complete();
    let score = |mv: &Move| -> Option<f64> {
        let (to, hand, cost) = match mv {
            Move::Stay => (sight.place(), sight.hand, 0.0),
            Move::Go(Place::Off) => return None,
            Move::Go(place) => (*place, sight.hand, 0.0),
            Move::Joker(to) => (Place::On(*to), sight.hand, JOKER),
            Move::Act(Action::Travel(by, to), paid) => {
                let paid = paid.unwrap_or_default();
                if !(paid & Cards::ROYALS).is_empty() && !spare_royals(sight, paid) {
                    return None;
                }
                let mut cost = COST * f64::from(sight.worths.of_all(paid));
                if *by == Transfer::Tavern {
                    let cheap = sight.table.price().unwrap_or(12) <= 5;
                    cost -= if cheap { JOKER } else { 0.5 * JOKER };
                }
                (Place::On(*to), sight.hand - paid, cost)
            }
            _ => return None,
        };
        let risk = to.hexagon().filter(|_| to != sight.place()).map_or(0.0, |to| doorstep(sight, hand, to));
        if complete {
            // Home as soon as possible, whatever it costs but royals.
            let distance = sight.distances(to).to(Hexagon::Citadel) as f64;
            return Some(-20.0 * distance - 0.1 * cost - risk);
        }
        Some(value(sight, hand, to) - cost - risk)
    };
    best(sight.moves.iter().filter_map(|mv| Some((score(mv)?, *mv))))
}

/// For three of one suit, royals of other suits are small change.
fn spare_royals(sight: &Sight, paid: Cards) -> bool {
    let objective = sight.table.options.objective;
    objective == Objective::Tribal && objective.lacks(sight.royals() - paid) == objective.lacks(sight.royals())
}

fn best(scored: impl Iterator<Item = (f64, Move)>) -> Option<Move> {
    scored.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, mv)| mv)
}

/// The card that is missed least.
fn discard(sight: &Sight) -> Option<Move> {
    let score = |cards: Cards| {
        let left = sight.hand - cards;
        let royals = if (cards & Cards::ROYALS).is_empty() { 0.0 } else { -50.0 };
        let jokers = JOKER * (left & Cards::JOKERS).len() as f64;
        value(sight, left, sight.place()) + 0.2 * f64::from(sight.worths.of_all(left & Cards::COMMON)) + jokers + royals
    };
    best(sight.moves.iter().filter_map(|mv| match mv {
        Move::Discard(cards) => Some((score(*cards), *mv)),
        _ => None,
    }))
}

/// A club of seven or more towards a valuable place that is more than one journey away.
fn take_off(sight: &Sight) -> Option<Move> {
    let distances = sight.distances(sight.place());
    let stay = value(sight, sight.hand, sight.place());
    let score = |to: Hexagon, club: Card| {
        let lands = chance_of_at_most(sight.worths.of(club));
        if distances.to(to) <= 1 || sight.worths.of(club) < 7 {
            return None;
        }
        if sight.is_complete() {
            let nearer = sight.distances(Place::On(to)).to(Hexagon::Citadel) < distances.to(Hexagon::Citadel);
            return nearer.then_some(lands * 10.0);
        }
        let gain = value(sight, sight.hand, Place::On(to)) - doorstep(sight, sight.hand, to);
        let score = lands * gain - (1.0 - lands) * THROWN_OFF - PER_JOURNEY * stay;
        (score > 0.0).then_some(score)
    };
    let flights = sight.moves.iter().filter_map(|mv| match mv {
        Move::Fly { to, showing } => Some((score(*to, *showing)?, *mv)),
        _ => None,
    });
    best(flights)
}

/// How likely two dice come to no more than this.
fn chance_of_at_most(worth: u16) -> f64 {
    let throws = (1..=6).flat_map(|a| (1..=6).map(move |b| a + b)).filter(|sum| *sum <= worth).count();
    throws as f64 / 36.0
}

/// Lands for anything but royals.
fn land(sight: &Sight) -> Option<Move> {
    let landings = sight.moves.iter().filter_map(|mv| match mv {
        Move::Act(Action::Land, Some(paid)) if (*paid & Cards::ROYALS).is_empty() => Some((*paid, *mv)),
        _ => None,
    });
    let cheapest = landings.min_by_key(|(paid, _)| cheapness(*paid, &sight.worths));
    Some(cheapest.map_or(Move::Fall, |(_, mv)| mv))
}

/// With pips only, the sooner the more royals the visitor has, and the less likely a proof is.
fn contest(sight: &Sight, rng: &mut dyn rand::Rng) -> Move {
    let Some(contest) = &sight.table.contest else { return Move::Pass };
    let sets = sight.moves.iter().filter_map(|mv| match mv {
        Move::Contest(cards) if (*cards & Cards::ROYALS).is_empty() => Some((*cards, *mv)),
        _ => None,
    });
    let Some((_, cheapest)) = sets.min_by_key(|(cards, _)| cheapness(*cards, &sight.worths)) else {
        return Move::Pass;
    };
    let royals = sight.table.royals[contest.visitor.index()];
    let wins = royals.len() == 3 && sight.table.options.objective.fits(royals);
    if wins && contest.at == Hexagon::Citadel {
        return cheapest;
    }
    let proof = sight.likelihood(contest.visitor, Suit::Hearts, HEARTS, rng);
    let bold = 0.2 + 0.1 * royals.len() as f64;
    if proof < bold && rng.random_bool(0.8) { cheapest } else { Move::Pass }
}

fn visit(sight: &Sight, rng: &mut dyn rand::Rng) -> Move {
    if let Some(attack) = attack(sight, rng) {
        return attack;
    }
    if let Some(claim) = sight.claim() {
        return claim;
    }
    purchase(sight).unwrap_or(Move::Done)
}

/// With a spade of six or more against a rabbit that holds royals, if that is likely to be the end of it.
fn attack(sight: &Sight, rng: &mut dyn rand::Rng) -> Option<Move> {
    let now = value(sight, sight.hand, sight.place());
    let mut scored = vec![];
    for mv in &sight.moves {
        let Move::Attack { target, with } = mv else { continue };
        let worth = sight.worths.of_all(*with);
        let royals = sight.table.royals[target.index()].len() as f64;
        if worth < 6 || royals == 0.0 || !(*with & Cards::ROYALS).is_empty() {
            continue;
        }
        let answered = sight.likelihood(*target, Suit::Spades, worth + 1, rng);
        let loss = now - value(sight, sight.hand - *with, sight.place()) + 0.3 * f64::from(worth);
        let score = (1.0 - answered) * (THROWN_OFF * 0.6 + 2.0 * royals) - answered * THROWN_OFF - loss;
        if score > 0.0 {
            scored.push((score, *mv));
        }
    }
    best(scored.into_iter())
}

/// The card that makes most of a hand, if it is worth its price.
fn purchase(sight: &Sight) -> Option<Move> {
    let now = value(sight, sight.hand, sight.place());
    let score = |card: Card, paid: Cards| {
        let hand = (sight.hand - paid) | Cards::one(card);
        let kept = f64::from(sight.worths.of_all(hand & Cards::COMMON))
            - f64::from(sight.worths.of_all(sight.hand & Cards::COMMON));
        value(sight, hand, sight.place()) - now + 0.1 * kept
    };
    let purchases = sight.moves.iter().filter_map(|mv| match mv {
        Move::Act(Action::Buy(card), Some(paid)) if (*paid & Cards::ROYALS).is_empty() => {
            Some((score(*card, *paid), *mv)).filter(|(score, _)| *score > 0.5)
        }
        _ => None,
    });
    best(purchases)
}

/// The cheapest throw of pips.
fn throw(sight: &Sight) -> Option<Move> {
    let throws = sight.moves.iter().filter_map(|mv| match mv {
        Move::Throw(cards) if (*cards & Cards::ROYALS).is_empty() => Some((*cards, *mv)),
        _ => None,
    });
    let cheapest = throws.min_by_key(|(cards, _)| cheapness(*cards, &sight.worths));
    Some(cheapest.map_or(Move::Yield, |(_, mv)| mv))
}
