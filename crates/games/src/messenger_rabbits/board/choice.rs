//! What the viewer can do: controls on the map, and the same and more as buttons in groups beside it.

mod journey;
mod visit;

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::hexagon::Hexagon;
use super::super::moves::Move;
use super::super::payment::cheapness;
use super::super::phase::Action;
use super::super::phase::Phase;
use super::super::site::Site;
use super::super::values::Worths;
use super::control::{Group, Item, Spot, Target};
use super::ticks::Ticks;
use crate::playing_cards;
use wonderpost_rules::{Card, View, fold_line};

/// All that the viewer can do now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// What was begun, and is to be finished here.
    pub begun: Option<String>,
    pub groups: Vec<Group>,
    pub targets: Vec<Target>,
    /// The place that was chosen.
    pub chosen: Option<Spot>,
    pub ticks: Option<Ticks>,
}

/// Puts the listed moves of a view into controls.
struct Lister<'a> {
    view: &'a View<MessengerRabbits>,
    moves: &'a [Move],
    worths: Worths,
}

impl Choices {
    /// `begun` is what the viewer has begun, from the page's address: anything may stand there.
    pub fn new(view: &View<MessengerRabbits>, begun: Option<&str>) -> Choices {
        let Some(mine) = &view.mine else { return Choices::default() };
        let lister = Lister { view, moves: &view.moves, worths: view.table.worths(mine.seat) };
        let begun = begun.map(fold_line);
        let choices = begun.and_then(|begun| lister.finish(&begun)).unwrap_or_else(|| lister.first());
        Choices { ticks: Ticks::of(&choices.groups, mine.hand), ..choices }
    }
}

impl Lister<'_> {
    /// The page on which nothing is begun.
    fn first(&self) -> Choices {
        let (groups, targets) = match self.view.phase {
            Phase::Build => (vec![], self.sites()),
            Phase::Takeoff => (self.take_offs(), self.flight_goals()),
            Phase::Journey => (self.journeys(), self.journey_goals()),
            Phase::Visit => (self.visit(), vec![]),
            _ => (vec![self.simple()], vec![]),
        };
        Choices { groups, targets, ..Choices::default() }
    }

    /// The page that finishes what is begun; nothing if that is no choice here.
    fn finish(&self, begun: &str) -> Option<Choices> {
        let words: Vec<&str> = begun.split(' ').collect();
        let (title, groups, chosen) = match words[..] {
            ["to", place] => {
                let hexagon: Hexagon = place.parse().ok()?;
                (format!("To {}", hexagon.in_words()), self.ways_to(hexagon), Some(Spot::Hexagon(hexagon)))
            }
            ["fly", place] => {
                let hexagon: Hexagon = place.parse().ok()?;
                let title = format!("A flight to {}: show a club", hexagon.in_words());
                (title, self.clubs_for(hexagon), Some(Spot::Hexagon(hexagon)))
            }
            ["buy", card] => {
                let card: Card = card.parse().ok()?;
                (format!("Buy the {}", playing_cards::name(card)), self.prices_of(card), None)
            }
            ["offer", card] => {
                let card: Card = card.parse().ok()?;
                (format!("Offer the {}", playing_cards::name(card)), self.offers_of(card), None)
            }
            ["at", site] => {
                let site: Site = site.parse().ok()?;
                (format!("Build at {site}"), self.neighbours_of(site), Some(Spot::Site(site)))
            }
            _ => return None,
        };
        let some = groups.iter().any(|group| !group.items.is_empty());
        some.then_some(Choices { begun: Some(title), groups, chosen, ..Choices::default() })
    }

    fn cheapest_first(&self, mut payments: Vec<(Move, Cards)>) -> Vec<(Move, Cards)> {
        payments.sort_by_cached_key(|(_, cards)| cheapness(*cards, &self.worths));
        payments
    }

    /// Payments of an action as buttons, the cheapest first.
    fn payments(&self, wanted: Action) -> Vec<Item> {
        let paid = self.moves.iter().filter_map(|mv| match mv {
            Move::Act(action, Some(cards)) if *action == wanted => Some((*mv, *cards)),
            _ => None,
        });
        let mut items: Vec<Item> = self
            .cheapest_first(paid.collect())
            .iter()
            .map(|(mv, cards)| Item::say(mv, self.priced(*cards)).with(*cards))
            .collect();
        if self.moves.contains(&Move::Act(wanted, None)) {
            items.push(Item::say(&Move::Act(wanted, None), "Choose this, then the payment"));
        }
        if let Some(first) = items.first_mut() {
            first.look = "primary";
        }
        items
    }

    /// “4S and 5S, worth 9”
    fn priced(&self, cards: Cards) -> String {
        format!("{}, worth {}", cards.in_words(), self.worths.of_all(cards))
    }

    /// Prompts with few moves: each a button.
    fn simple(&self) -> Group {
        let title = match self.view.phase {
            Phase::Lottery => "Show a card that matches",
            Phase::Discard(_) => "Discard",
            Phase::Pay => "Pay with",
            Phase::Flight => "Land by paying",
            Phase::Contest => "Contest with hearts",
            Phase::Prove => "Prove with hearts",
            Phase::Fight => "Throw spades",
            Phase::Release(_) => "Release",
            Phase::Trade => "Give",
            _ => "Your choice",
        };
        let mut cards: Vec<(Move, Cards)> = vec![];
        let mut others = vec![];
        for mv in self.moves {
            match mv {
                Move::Show(shown)
                | Move::Discard(shown)
                | Move::Pay(shown)
                | Move::Contest(shown)
                | Move::Prove(shown)
                | Move::Throw(shown)
                | Move::Act(_, Some(shown)) => cards.push((*mv, *shown)),
                Move::Release(card) | Move::Give(card) => cards.push((*mv, Cards::one(*card))),
                Move::Pass if self.view.phase == Phase::Contest => {
                    others.push(Item::say(mv, "Let the visit pass").looking("primary"));
                }
                Move::Pass => others.push(Item::say(mv, "Show nothing")),
                Move::Fall => others.push(Item::say(mv, "Fall off the board").looking("danger")),
                Move::Concede => others.push(Item::say(mv, "Concede, and leave the board").looking("danger")),
                Move::Yield => others.push(Item::say(mv, "Yield, and leave the board").looking("danger")),
                Move::Decline => others.push(Item::say(mv, "Decline the offer")),
                _ => others.push(Item::say(mv, mv.to_string())),
            }
        }
        // Single cards stay in the order of the hand.
        if !matches!(self.view.phase, Phase::Lottery | Phase::Discard(_) | Phase::Release(_) | Phase::Trade) {
            cards = self.cheapest_first(cards);
        } else {
            cards.sort_by_key(|(_, cards)| (cards.len(), cards.to_vec()));
        }
        let words = |cards: Cards| if cards.len() == 1 { cards.in_words() } else { self.priced(cards) };
        let mut items: Vec<Item> = cards.iter().map(|(mv, cards)| Item::say(mv, words(*cards)).with(*cards)).collect();
        items.extend(others);
        Group::of(title, items)
    }
}
