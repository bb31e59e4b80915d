//! The decent bot: reckons how many turns each choice would still take, and uses the suits' tricks.

use rand::seq::IndexedRandom;

use super::super::cards::Cards;
use super::super::hexagon::{Hexagon, House, Kind, Place};
use super::super::moves::{Move, Transfer};
use super::super::options::{Level, Objective};
use super::super::payment::cheapness;
use super::super::phase::Action;
use super::super::phase::Phase;
use super::plan::Planner;
use super::sight::Sight;
use wonderpost_rules::{Card, Suit};

// All of it in turns.

/// What a point in hand is worth wherever it may be spent.
const POINT: f64 = 0.04;
/// What a joker in hand is worth.
const JOKER: f64 = 0.05;
/// What it costs to be thrown off the board.
const THROWN_OFF: f64 = 1.5;
/// What it costs a visitor to be thrown off in the middle of the turn.
const TURNED_AWAY: f64 = 2.0;
/// How likely somebody contests, each of those asked.
const CONTESTED: f64 = 0.1;

/// Hearts that contest and prove.
const HEARTS: u16 = 6;

pub fn choose(sight: &Sight, rng: &mut dyn rand::Rng) -> Option<Move> {
    match sight.phase {
        Phase::Build => sight.moves.choose(&mut { rng }).copied(),
        Phase::Takeoff => take_off(sight, rng),
        Phase::Lottery => lottery(sight),
        Phase::Discard(_) => discard(sight, rng),
        Phase::Journey => journey(sight, Tickets::IfWorthIt, rng),
        Phase::Flight => land(sight),
        Phase::Contest => Some(contest(sight, rng)),
        Phase::Visit => Some(visit(sight, rng)),
        Phase::Fight => throw(sight),
        Phase::Release(_) => Planner::new(sight, rng).release().map(Move::Release),
        // The defaults are good enough.
        _ => None,
    }
}

/// As many cards as can be shown.
fn lottery(sight: &Sight) -> Option<Move> {
    let shows = sight.moves.iter().filter_map(|mv| match mv {
        Move::Show(cards) => Some((cards.len(), *mv)),
        _ => None,
    });
    shows.max_by_key(|(count, _)| *count).map(|(_, mv)| mv)
}

/// What a hand is worth besides the plan.
fn spare(sight: &Sight, hand: Cards) -> f64 {
    POINT * f64::from(sight.worths.of_all(hand & Cards::COMMON)) + JOKER * (hand & Cards::JOKERS).len() as f64
}

/// What may happen on the doorstep of a palace without hearts.
fn doorstep(sight: &Sight, hand: Cards, to: Hexagon) -> f64 {
    let options = &sight.table.options;
    let guarded = match to {
        Hexagon::House(house) => house.kind == Kind::Palace && !sight.hand.contains(house.royal()),
        Hexagon::Citadel => options.advanced_citadel,
    };
    let hearts = sight.worths.of_all(hand & Cards::of_suit(Suit::Hearts));
    if !guarded || options.level == Level::Intro || hearts >= HEARTS || !sight.table.suits.contains(Suit::Hearts) {
        return 0.0;
    }
    let others = sight.table.seats().filter(|seat| *seat != sight.seat);
    let asked = others.filter(|seat| sight.table.rabbits[seat.index()] != Place::Off).count();
    CONTESTED * TURNED_AWAY * asked as f64
}

fn best(scored: impl Iterator<Item = (f64, Move)>) -> Option<Move> {
    scored.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, mv)| mv)
}

/// Whether tickets are bought.
#[derive(Copy, Clone, PartialEq)]
pub enum Tickets {
    Never,
    IfWorthIt,
}

pub fn journey(sight: &Sight, tickets: Tickets, rng: &mut dyn rand::Rng) -> Option<Move> {
    let planner = Planner::new(sight, rng);
    if !sight.is_complete() && planner.is_hopeless() {
        return sight.wander(rng);
    }
    let score = |mv: &Move| -> Option<f64> {
        let (to, hand) = match mv {
            Move::Stay => (sight.place(), sight.hand),
            Move::Go(Place::Off) => return None,
            Move::Go(place) => (*place, sight.hand),
            Move::Joker(to) => {
                let joker = (sight.hand & Cards::JOKERS).first()?;
                (Place::On(*to), sight.hand - Cards::one(joker))
            }
            Move::Act(..) if tickets == Tickets::Never => return None,
            // What is asked bare is not known to be worth it.
            Move::Act(Action::Travel(by, to), Some(paid)) => {
                let paid = *paid;
                if !(paid & Cards::ROYALS).is_empty() && !spare_royals(sight, paid) {
                    return None;
                }
                let bought = if *by == Transfer::Tavern { sight.table.court & Cards::JOKERS } else { Cards::EMPTY };
                let bought: Cards = bought.first().into_iter().collect();
                (Place::On(*to), (sight.hand - paid) | bought)
            }
            _ => return None,
        };
        let risk = to.hexagon().filter(|_| to != sight.place()).map_or(0.0, |to| doorstep(sight, hand, to));
        Some(spare(sight, hand) - planner.turns(to, hand) - risk)
    };
    best(sight.moves.iter().filter_map(|mv| Some((score(mv)?, *mv))))
}

/// For three of one suit, royals of other suits are small change.
fn spare_royals(sight: &Sight, paid: Cards) -> bool {
    let objective = sight.table.options.objective;
    objective == Objective::Tribal && objective.lacks(sight.royals() - paid) == objective.lacks(sight.royals())
}

/// The card that is missed least.
fn discard(sight: &Sight, rng: &mut dyn rand::Rng) -> Option<Move> {
    let planner = Planner::new(sight, rng);
    let score = |cards: Cards| {
        let left = sight.hand - cards;
        let royals = if (cards & Cards::ROYALS).is_empty() { 0.0 } else { 5.0 };
        spare(sight, left) - planner.turns(sight.place(), left) - royals
    };
    best(sight.moves.iter().filter_map(|mv| match mv {
        Move::Discard(cards) => Some((score(*cards), *mv)),
        _ => None,
    }))
}

/// A flight, if what it promises is worth the risk of falling.
fn take_off(sight: &Sight, rng: &mut dyn rand::Rng) -> Option<Move> {
    let planner = Planner::new(sight, rng);
    let near = sight
        .table
        .board
        .hexagons
        .iter()
        .map(Place::On)
        .filter(|place| place.hexagon().is_some_and(|hexagon| planner.atlas.distance(sight.place(), hexagon) <= 1));
    let by_road = near.map(|place| planner.turns(place, sight.hand)).fold(f64::INFINITY, f64::min);
    let fallen = planner.turns(Place::Underground, sight.hand) + THROWN_OFF;
    let score = |to: Hexagon, club: Card| {
        let lands = chance_of_at_most(sight.worths.of(club));
        let landed = planner.turns(Place::On(to), sight.hand) + doorstep(sight, sight.hand, to);
        by_road - (lands * landed + (1.0 - lands) * fallen)
    };
    let flights = sight.moves.iter().filter_map(|mv| match mv {
        Move::Fly { to, showing } => Some((score(*to, *showing), *mv)).filter(|(score, _)| *score > 0.2),
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
    let Some((shown, cheapest)) = sets.min_by_key(|(cards, _)| cheapness(*cards, &sight.worths)) else {
        return Move::Pass;
    };
    let royals = sight.table.royals[contest.visitor.index()];
    let wins = royals.len() == 3 && sight.table.options.objective.fits(royals);
    if wins && contest.at == Hexagon::Citadel {
        return cheapest;
    }
    let proof = sight.likelihood(contest.visitor, Suit::Hearts, HEARTS, rng);
    // The visitor loses this turn and the next one; who contests in vain loses the next one and the hearts.
    let planner = Planner::new(sight, rng);
    let lost = planner.turns(sight.place(), sight.hand - shown) - planner.turns(sight.place(), sight.hand);
    let rivals = sight.table.seats().count() as f64 - 1.0;
    let gain = (1.0 - proof) * TURNED_AWAY / rivals - proof * (THROWN_OFF + lost);
    if gain > 0.0 { cheapest } else { Move::Pass }
}

fn visit(sight: &Sight, rng: &mut dyn rand::Rng) -> Move {
    let planner = Planner::new(sight, rng);
    if let Some(attack) = attack(sight, &planner, rng) {
        return attack;
    }
    if let Some(purchase) = purchase(sight, &planner) {
        return purchase;
    }
    if !sight.is_complete() && planner.is_hopeless() {
        return sight.any_claim().unwrap_or(Move::Done);
    }
    // What helps is claimed at once; to begin anew with other royals must be worth it.
    let later = planner.turns_after_this(sight.place(), sight.hand);
    let worth = |house: House, paid: Cards| {
        let hand = (sight.hand - paid) | Cards::one(house.royal());
        later - planner.turns(sight.place(), hand) - spare(sight, paid)
    };
    let anew =
        || best(sight.claims().map(|(house, paid, mv)| (worth(house, paid), mv)).filter(|(worth, _)| *worth > 1.0));
    sight.claim().or_else(anew).unwrap_or(Move::Done)
}

/// Against a rabbit that holds royals, if one throw is likely to be the end of it.
fn attack(sight: &Sight, planner: &Planner, rng: &mut dyn rand::Rng) -> Option<Move> {
    let mut scored = vec![];
    for mv in sight.moves {
        let Move::Attack { target, with } = mv else { continue };
        let royals = sight.table.royals[target.index()].len() as f64;
        if royals == 0.0 || !(*with & Cards::ROYALS).is_empty() {
            continue;
        }
        let answered = sight.likelihood(*target, Suit::Spades, sight.worths.of_all(*with) + 1, rng);
        let left = sight.hand - *with;
        let loss = planner.turns(sight.place(), left) - planner.turns(sight.place(), sight.hand) + spare(sight, *with);
        let score = (1.0 - answered) * (0.5 * THROWN_OFF + 0.6 * royals) - answered * THROWN_OFF - loss;
        if score > 0.0 {
            scored.push((score, *mv));
        }
    }
    best(scored.into_iter())
}

/// The card that makes most of a hand, if it is worth its price.
fn purchase(sight: &Sight, planner: &Planner) -> Option<Move> {
    let worth = |hand: Cards| spare(sight, hand) - planner.turns(sight.place(), hand);
    let now = worth(sight.hand);
    let purchases = sight.moves.iter().filter_map(|mv| match mv {
        Move::Act(Action::Buy(card), Some(paid)) if (*paid & Cards::ROYALS).is_empty() => {
            let hand = (sight.hand - *paid) | Cards::one(*card);
            Some((worth(hand) - now, *mv)).filter(|(gain, _)| *gain > 0.1)
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
