//! What the viewer can do: controls on the map, and the same and more as buttons in groups beside it.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::hexagon::{Hexagon, Place};
use super::super::moves::{Move, Transfer};
use super::super::payment::cheapness;
use super::super::phase::Action;
use super::super::phase::Phase;
use super::super::site::Site;
use super::super::values::Worths;
use super::ticks::Ticks;
use crate::board_action::BoardAction;
use crate::playing_cards::{self, suit_name};
use wonderpost_rules::{Card, Seat, View, fold_line};

/// A place on the map that can be chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    Hexagon(Hexagon),
    Underground,
    Off,
    Site(Site),
}

/// A control on the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub spot: Spot,
    pub way: BoardAction<Move>,
    pub label: String,
    /// A word drawn on the map: what it costs.
    pub tag: String,
    pub free: bool,
}

/// A button beside the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub way: BoardAction<Move>,
    pub words: String,
    /// Cards drawn on it.
    pub cards: Vec<Card>,
    pub look: &'static str,
}

impl Item {
    fn say(mv: &Move, words: impl Into<String>) -> Item {
        Item { way: BoardAction::Submit(mv.clone()), words: words.into(), cards: vec![], look: "" }
    }

    fn begin(begun: impl Into<String>, words: impl Into<String>) -> Item {
        Item { way: BoardAction::Begin(begun.into()), words: words.into(), cards: vec![], look: "" }
    }

    fn with(mut self, cards: Cards) -> Item {
        self.cards = cards.to_vec();
        self
    }

    fn looking(mut self, look: &'static str) -> Item {
        self.look = look;
        self
    }

    /// The cards on the button as pictures; the words tell them as well.
    pub fn pictures(&self) -> String {
        self.cards.iter().map(|card| playing_cards::small_silent(*card, "")).collect()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub title: String,
    pub items: Vec<Item>,
    /// Those that are folded away: dearer payments.
    pub more: Vec<Item>,
}

/// So many payments are shown before the rest is folded away.
const SHOWN_PAYMENTS: usize = 6;

impl Group {
    fn of(title: impl Into<String>, items: Vec<Item>) -> Group {
        Group { title: title.into(), items, more: vec![] }
    }

    fn folded(mut self) -> Group {
        if self.items.len() > SHOWN_PAYMENTS + 1 {
            self.more = self.items.split_off(SHOWN_PAYMENTS);
        }
        self
    }
}

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

    fn journeys(&self) -> Vec<Group> {
        let mut road = vec![];
        let mut ways: Vec<(Hexagon, Vec<&'static str>)> = vec![];
        for mv in self.moves {
            let (to, word) = match mv {
                Move::Go(Place::On(to)) => {
                    road.push(Item::say(mv, to.in_short()));
                    continue;
                }
                Move::Act(Action::Travel(by, to), _) => (*to, transfer_word(*by)),
                Move::Joker(to) => (*to, "joker"),
                _ => continue,
            };
            match ways.iter_mut().find(|(hexagon, _)| *hexagon == to) {
                Some((_, words)) if words.contains(&word) => {}
                Some((_, words)) => words.push(word),
                None => ways.push((to, vec![word])),
            }
        }
        ways.sort_unstable();
        let paid = ways
            .iter()
            .map(|(to, words)| Item::begin(format!("to {to}"), format!("{}: {}", to.in_short(), words.join(", "))));
        let paid = paid.collect();
        let mut rest = vec![];
        for mv in self.moves {
            match mv {
                Move::Stay => rest.push(Item::say(mv, "Stay where you are")),
                Move::Go(Place::Underground) => rest.push(Item::say(mv, "Slip underground")),
                Move::Go(Place::Off) => rest.push(Item::say(mv, "Wander off the board").looking("plain")),
                _ => {}
            }
        }
        let price = self.view.table.price().unwrap_or(0);
        vec![
            Group::of("By road, free", road),
            Group::of(format!("With a ticket, for the price of {price}"), paid),
            Group::of("Or", rest),
        ]
    }

    fn journey_goals(&self) -> Vec<Target> {
        let mut targets = vec![];
        let price = self.view.table.price().unwrap_or(0);
        for hexagon in self.view.table.board.hexagons.iter() {
            let free = Move::Go(Place::On(hexagon));
            if self.moves.contains(&free) {
                targets.push(Target {
                    spot: Spot::Hexagon(hexagon),
                    way: BoardAction::Submit(free.clone()),
                    label: format!("Hop to {}, free", hexagon.in_words()),
                    tag: "free".to_owned(),
                    free: true,
                });
                continue;
            }
            let paid = |mv: &Move| matches!(mv, Move::Act(Action::Travel(_, to), _) if *to == hexagon);
            let pays = self.moves.iter().any(paid);
            if pays || self.moves.contains(&Move::Joker(hexagon)) {
                let tag = if pays { price.to_string() } else { "joker".to_owned() };
                let cost = if pays { format!("for {price}") } else { "for a joker".to_owned() };
                targets.push(Target {
                    spot: Spot::Hexagon(hexagon),
                    way: BoardAction::Begin(format!("to {hexagon}")),
                    label: format!("Travel to {}, {cost}; then choose how", hexagon.in_words()),
                    tag,
                    free: false,
                });
            }
        }
        for (place, spot, label) in [
            (Place::Underground, Spot::Underground, "Slip underground, free"),
            (Place::Off, Spot::Off, "Wander off the board, free"),
        ] {
            let mv = Move::Go(place);
            if self.moves.contains(&mv) {
                let way = BoardAction::Submit(mv.clone());
                targets.push(Target { spot, way, label: label.to_owned(), tag: "free".to_owned(), free: true });
            }
        }
        targets
    }

    /// All ways to a hexagon, each with its payments.
    fn ways_to(&self, to: Hexagon) -> Vec<Group> {
        let mut groups = vec![];
        let free = Move::Go(Place::On(to));
        if self.moves.contains(&free) {
            groups.push(Group::of("By road", vec![Item::say(&free, "Hop there, free").looking("primary")]));
        }
        let joker = Move::Joker(to);
        if self.moves.contains(&joker) {
            groups.push(Group::of("With a joker", vec![Item::say(&joker, "Play a joker")]));
        }
        for by in Transfer::ALL {
            let items = self.payments(Action::Travel(by, to));
            if !items.is_empty() {
                groups.push(Group::of(transfer_title(by), items).folded());
            }
        }
        groups
    }

    fn take_offs(&self) -> Vec<Group> {
        let goals = self.flight_goals().into_iter().map(|target| match target.spot {
            Spot::Hexagon(to) => Item { way: target.way, ..Item::begin("", to.in_short()) },
            Spot::Underground | Spot::Off | Spot::Site(_) => Item { way: target.way, ..Item::begin("", target.label) },
        });
        vec![
            Group::of("An ordinary turn", vec![Item::say(&Move::Roll, "Roll the dice").looking("primary")]),
            Group::of("Or fly, before you know the dice, to", goals.collect()),
        ]
    }

    fn flight_goals(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = vec![];
        for mv in self.moves {
            let Move::Fly { to, .. } = mv else { continue };
            if targets.iter().all(|target| target.spot != Spot::Hexagon(*to)) {
                targets.push(Target {
                    spot: Spot::Hexagon(*to),
                    way: BoardAction::Begin(format!("fly {to}")),
                    label: format!("Fly to {}; then choose the club to show", to.in_words()),
                    tag: "fly".to_owned(),
                    free: false,
                });
            }
        }
        targets
    }

    fn clubs_for(&self, goal: Hexagon) -> Vec<Group> {
        let mut clubs: Vec<(Move, Card)> = vec![];
        for mv in self.moves {
            if let Move::Fly { to, showing } = mv
                && *to == goal
            {
                clubs.push((*mv, *showing));
            }
        }
        clubs.sort_by_key(|(_, card)| std::cmp::Reverse(self.worths.of(*card)));
        let items = clubs.iter().map(|(mv, card)| {
            Item::say(mv, format!("{card}: good for {}", self.worths.of(*card))).with(Cards::one(*card))
        });
        vec![Group::of("The dice come to 7 more often than not", items.collect())]
    }

    fn visit(&self) -> Vec<Group> {
        let mut groups = vec![];
        let (mut claims, mut wares, mut fights, mut offers) = (vec![], vec![], vec![], vec![]);
        for mv in self.moves {
            match mv {
                Move::Act(Action::Claim(house), _) if !claims.contains(house) => claims.push(*house),
                Move::Act(Action::Buy(card), _) if !wares.contains(card) => wares.push(*card),
                Move::Attack { target, with } => {
                    let words = format!("{} with {}", target.mark(), with.in_words());
                    fights.push(Item::say(mv, words).with(*with));
                }
                Move::Offer { card, .. } if !offers.contains(card) => offers.push(*card),
                _ => {}
            }
        }
        for house in claims {
            let title = format!("Win over the {}: pay 10 or more", playing_cards::name(house.royal()));
            groups.push(Group::of(title, self.payments(Action::Claim(house))).folded());
        }
        wares.sort_unstable();
        let wares: Vec<Item> = wares
            .into_iter()
            .map(|card| {
                let mut payments = self.payments(Action::Buy(card));
                match payments.len() {
                    1 => {
                        let only = payments.remove(0);
                        Item { words: format!("{card} for {}", only.words), cards: vec![card], look: "", ..only }
                    }
                    _ => Item::begin(format!("buy {card}"), card.to_string()).with(Cards::one(card)),
                }
            })
            .collect();
        groups.push(Group::of("Buy from the spent cards", wares));
        groups.push(Group::of("Attack", fights));
        offers.sort_unstable();
        let offers = offers
            .into_iter()
            .map(|card| Item::begin(format!("offer {card}"), card.to_string()).with(Cards::one(card)));
        groups.push(Group::of("Offer a diamond", offers.collect()));
        groups.push(Group::of("Or", vec![Item::say(&Move::Done, "End the visit and draw a card")]));
        groups.retain(|group| !group.items.is_empty());
        groups
    }

    fn prices_of(&self, card: Card) -> Vec<Group> {
        vec![Group::of("Pay with", self.payments(Action::Buy(card))).folded()]
    }

    fn offers_of(&self, offered: Card) -> Vec<Group> {
        let mut groups: Vec<(Seat, Group)> = vec![];
        for mv in self.moves {
            let Move::Offer { card, to, suit } = mv else { continue };
            if *card != offered {
                continue;
            }
            let item = Item::say(mv, format!("for a card of {}", suit_name(*suit)));
            match groups.iter_mut().find(|(seat, _)| seat == to) {
                Some((_, group)) => group.items.push(item),
                None => groups.push((*to, Group::of(format!("To {}", to.mark()), vec![item]))),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    fn sites(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = vec![];
        for mv in self.moves {
            let Move::Place(ground) = mv else { continue };
            let spot = Spot::Site(ground.site);
            if let Some(target) = targets.iter_mut().find(|target| target.spot == spot) {
                target.way = BoardAction::Begin(format!("at {}", ground.site));
                target.label = format!("Build at {}; then choose which neighbour it is joined to", ground.site);
                continue;
            }
            let label = match ground.by {
                Some(by) => format!("Build at {}, joined to {by}", ground.site),
                None => format!("Build at {}, out at sea", ground.site),
            };
            let tag = ground.site.to_string();
            targets.push(Target { spot, way: BoardAction::Submit(mv.clone()), label, tag, free: true });
        }
        targets
    }

    fn neighbours_of(&self, site: Site) -> Vec<Group> {
        let layout = &self.view.table.board.layout;
        let items = self.moves.iter().filter_map(|mv| match mv {
            Move::Place(ground) if ground.site == site => {
                let by = ground.by?;
                let name =
                    layout.hexagon_at(by).map_or_else(String::new, |hexagon| format!(", {}", hexagon.in_words()));
                Some(Item::say(mv, format!("{by}{name}")))
            }
            _ => None,
        });
        vec![Group::of("Joined to", items.collect())]
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

fn transfer_word(by: Transfer) -> &'static str {
    match by {
        Transfer::Hike => "hike",
        Transfer::Horse => "horse",
        Transfer::Boat => "boat",
        Transfer::Hole => "rabbit hole",
        Transfer::Tavern => "road and tavern",
    }
}

fn transfer_title(by: Transfer) -> &'static str {
    match by {
        Transfer::Hike => "Hike off-road",
        Transfer::Horse => "Ride a merchant's horse",
        Transfer::Boat => "Take a merchant's boat",
        Transfer::Hole => "Go through a rabbit hole",
        Transfer::Tavern => "Go by road, and buy a joker at a tavern",
    }
}
