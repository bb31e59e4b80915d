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
use super::control::{Group, Item, Spot, Target, Track};
use super::describe::describe;
use super::risk::Risk;
use super::ticks::Ticks;
use wonderpost_rules::{Card, View, fold_line};

/// All that the viewer can do now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// What was begun, and is to be finished here.
    pub begun: Option<String>,
    pub groups: Vec<Group>,
    pub targets: Vec<Target>,
    /// The journeys whose ways are drawn.
    pub tracks: Vec<Track>,
    /// The place that was chosen.
    pub chosen: Option<Spot>,
    pub ticks: Option<Ticks>,
    /// Who may contest a visit, before one goes there.
    pub warning: Option<String>,
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
        let (groups, targets, tracks) = match self.view.phase {
            Phase::Build => (vec![], self.sites(), vec![]),
            Phase::Takeoff => (self.take_offs(), self.flight_goals(), self.journey_tracks()),
            Phase::Journey => (self.journeys(), self.journey_goals(), self.journey_tracks()),
            Phase::Visit => (self.visit(), vec![], vec![]),
            _ => (vec![self.simple()], vec![], vec![]),
        };
        let goals = targets.iter().filter_map(|target| self.risk(target.spot));
        let warning = goals.max_by_key(|risk| risk.rabbits).map(|risk| format!("♥ {}.", risk.in_words()));
        Choices { groups, targets, tracks, warning, ..Choices::default() }
    }

    /// The page that finishes what is begun; nothing if that is no choice here.
    fn finish(&self, begun: &str) -> Option<Choices> {
        let words: Vec<&str> = begun.split(' ').collect();
        let (title, (groups, tracks), chosen) = match words[..] {
            ["to", place] => {
                let hexagon: Hexagon = place.parse().ok()?;
                (format!("To {}", hexagon.in_words()), self.ways_to(hexagon), Some(Spot::Hexagon(hexagon)))
            }
            ["fly", place] => {
                let hexagon: Hexagon = place.parse().ok()?;
                let title = format!("Fly to {}: show a club", hexagon.in_words());
                (title, self.clubs_for(hexagon), Some(Spot::Hexagon(hexagon)))
            }
            ["buy", card] => {
                let card: Card = card.parse().ok()?;
                (format!("Buy {}", card.with_sign()), (self.prices_of(card), vec![]), None)
            }
            ["offer", card] => {
                let card: Card = card.parse().ok()?;
                (format!("Offer {}", card.with_sign()), (self.offers_of(card), vec![]), None)
            }
            ["at", site] => {
                let site: Site = site.parse().ok()?;
                ("Build here".to_owned(), (self.neighbours_of(site), vec![]), Some(Spot::Site(site)))
            }
            _ => return None,
        };
        let some = groups.iter().any(|group| !group.items.is_empty());
        let warning = chosen.and_then(|spot| self.risk(spot)).map(|risk| format!("♥ {}.", risk.in_words()));
        some.then_some(Choices { begun: Some(title), groups, tracks, chosen, warning, ..Choices::default() })
    }

    fn risk(&self, spot: Spot) -> Option<Risk> {
        match spot {
            Spot::Hexagon(hexagon) => Risk::of(self.view, hexagon, Cards::EMPTY),
            Spot::Underground | Spot::Off | Spot::Site(_) => None,
        }
    }

    fn described(&self, mv: &Move) -> String {
        describe(self.view, mv)
    }

    fn cheapness(&self, cards: Cards) -> impl Ord {
        cheapness(cards, &self.worths)
    }

    fn cheapest_first(&self, mut payments: Vec<(Move, Cards)>) -> Vec<(Move, Cards)> {
        payments.sort_by_cached_key(|(_, cards)| self.cheapness(*cards));
        payments
    }

    /// A payment as a button: its cards, and what they are worth.
    fn payment(&self, mv: &Move, cards: Cards) -> Item {
        let words = if cards.len() == 1 { String::new() } else { format!("= {}", self.worths.of_all(cards)) };
        Item::say(mv, words).with(cards).spoken(self.described(mv))
    }

    /// Payments of an action as buttons, the cheapest first.
    fn payments(&self, wanted: Action) -> Vec<Item> {
        let paid = self.moves.iter().filter_map(|mv| match mv {
            Move::Act(action, Some(cards)) if *action == wanted => Some((*mv, *cards)),
            _ => None,
        });
        let mut items: Vec<Item> =
            self.cheapest_first(paid.collect()).iter().map(|(mv, cards)| self.payment(mv, *cards)).collect();
        let bare = Move::Act(wanted, None);
        if self.moves.contains(&bare) {
            items.push(Item::say(&bare, "Then choose the payment").spoken(self.described(&bare)));
        }
        journey::primary_first(items)
    }

    /// Prompts with few moves: each a button.
    fn simple(&self) -> Group {
        let title = match self.view.phase {
            Phase::Lottery => "Show",
            Phase::Discard(_) => "Discard",
            Phase::Pay | Phase::Flight => "Pay",
            Phase::Contest => "Contest with",
            Phase::Prove => "Prove with",
            Phase::Fight => "Throw",
            Phase::Release(_) => "Release",
            Phase::Trade => "Give",
            _ => "Choose",
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
                Move::Fall | Move::Concede | Move::Yield => {
                    others.push(Item::say(mv, self.described(mv)).looking("danger"));
                }
                _ => others.push(Item::say(mv, self.described(mv))),
            }
        }
        // Single cards stay in the order of the hand.
        if !matches!(self.view.phase, Phase::Lottery | Phase::Discard(_) | Phase::Release(_) | Phase::Trade) {
            cards = self.cheapest_first(cards);
        } else {
            cards.sort_by_key(|(_, cards)| (cards.len(), cards.to_vec()));
        }
        let mut items: Vec<Item> = cards.iter().map(|(mv, cards)| self.payment(mv, *cards)).collect();
        items.extend(others);
        Group::of(title, items)
    }
}
