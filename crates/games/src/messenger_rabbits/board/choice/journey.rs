//! Where to go: roads, tickets and flights.

use super::super::super::cards::Cards;
use super::super::super::hexagon::{Hexagon, Place};
use super::super::super::moves::{Move, Transfer};
use super::super::super::phase::Action;
use super::super::control::{Group, Item, Spot, Target, Track, emblem};
use super::super::risk::Risk;
use super::Lister;
use crate::board_action::BoardAction;
use wonderpost_rules::Card;

/// The number of the way to the Underground, after those of the hexagons.
const UNDERGROUND: usize = Hexagon::COUNT;

impl Lister<'_> {
    pub(super) fn journeys(&self) -> Vec<Group> {
        let mut road = vec![];
        let mut ways: Vec<(Hexagon, Vec<Vehicle>)> = vec![];
        for mv in self.moves {
            let (to, by) = match mv {
                Move::Go(Place::On(to)) => {
                    road.push(self.to(*to, Item::say(mv, to.sign())).spoken(self.described(mv)));
                    continue;
                }
                Move::Act(Action::Travel(by, to), _) => (*to, Vehicle::Ticket(*by)),
                Move::Joker(to) => (*to, Vehicle::Joker),
                _ => continue,
            };
            match ways.iter_mut().find(|(hexagon, _)| *hexagon == to) {
                Some((_, known)) if known.contains(&by) => {}
                Some((_, known)) => known.push(by),
                None => ways.push((to, vec![by])),
            }
        }
        ways.sort_unstable_by_key(|(to, _)| *to);
        let paid = ways.into_iter().map(|(to, by)| {
            let words: Vec<&str> = by.iter().map(|vehicle| vehicle.word()).collect();
            let spoken = format!("Travel to {} by {}", to.in_words(), words.join(" or "));
            let item = self.to(to, Item::begin(format!("to {to}"), to.sign())).spoken(spoken);
            Item { icons: by.iter().map(|vehicle| vehicle.icon()).collect(), ..item }
        });
        let paid = paid.collect();
        let (stay, burrow, off) = (Move::Stay, Move::Go(Place::Underground), Move::Go(Place::Off));
        let rest = [
            Item::say(&stay, "Stay here"),
            Item::say(&burrow, "Underground").on_track(UNDERGROUND),
            Item::say(&off, "Off the board").looking("plain"),
        ];
        road.extend(rest.into_iter().filter(|item| item.way.say().is_some_and(|mv| self.moves.contains(mv))));
        let price = self.view.table.price().unwrap_or(0);
        vec![Group::of("Free", road), Group::of(format!("For {price}"), paid)]
    }

    /// A button that leads to a hexagon.
    fn to(&self, to: Hexagon, item: Item) -> Item {
        let risk = Risk::of(self.view, to, Cards::EMPTY).map(Risk::in_short).unwrap_or_default();
        Item { emblem: Some(emblem(to)), risk, track: Some(to.index()), ..item }
    }

    /// The way to each place that can be reached, with the first of its tickets.
    pub(super) fn journey_tracks(&self) -> Vec<Track> {
        let mut tracks: Vec<Track> = vec![];
        for mv in self.moves {
            let number = match mv {
                Move::Go(Place::On(to)) | Move::Joker(to) | Move::Fly { to, .. } => to.index(),
                Move::Act(Action::Travel(by, to), _) if *by != Transfer::Tavern => to.index(),
                Move::Go(Place::Underground) => UNDERGROUND,
                _ => continue,
            };
            if tracks.iter().all(|track| track.number != number) {
                tracks.push(Track { number, mv: *mv, always: false });
            }
        }
        tracks
    }

    pub(super) fn journey_goals(&self) -> Vec<Target> {
        let mut targets = vec![];
        let price = self.view.table.price().unwrap_or(0);
        for hexagon in self.view.table.board.hexagons.iter() {
            let (spot, track) = (Spot::Hexagon(hexagon), Some(hexagon.index()));
            let free = Move::Go(Place::On(hexagon));
            if self.moves.contains(&free) {
                let (label, tag) = (format!("{}, free", self.described(&free)), "free".to_owned());
                targets.push(Target { spot, way: BoardAction::Submit(free), label, tag, free: true, track });
                continue;
            }
            let paid = |mv: &Move| matches!(mv, Move::Act(Action::Travel(_, to), _) if *to == hexagon);
            let pays = self.moves.iter().any(paid);
            if pays || self.moves.contains(&Move::Joker(hexagon)) {
                let tag = if pays { price.to_string() } else { "joker".to_owned() };
                let cost = if pays { format!("for {price}") } else { "for a joker".to_owned() };
                let way = BoardAction::Begin(format!("to {hexagon}"));
                let label = format!("Travel to {}, {cost}; then choose how", hexagon.in_words());
                targets.push(Target { spot, way, label, tag, free: false, track });
            }
        }
        for (place, spot, label, track) in [
            (Place::Underground, Spot::Underground, "Slip underground, free", Some(UNDERGROUND)),
            (Place::Off, Spot::Off, "Wander off the board, free", None),
        ] {
            let mv = Move::Go(place);
            if self.moves.contains(&mv) {
                let (label, tag) = (label.to_owned(), "free".to_owned());
                targets.push(Target { spot, way: BoardAction::Submit(mv), label, tag, free: true, track });
            }
        }
        targets
    }

    /// All ways to a hexagon. Tickets that cost the same cards and lead to the same place are one.
    pub(super) fn ways_to(&self, to: Hexagon) -> (Vec<Group>, Vec<Track>) {
        let mut groups = vec![];
        let free = Move::Go(Place::On(to));
        if self.moves.contains(&free) {
            let hop = Item::say(&free, "Hop there, free").looking("primary").on_track(Vehicle::ROAD);
            groups.push(Group::of("By road", vec![hop]));
        }
        let tickets = self.tickets(to);
        groups.push(Group::of("Pay", tickets).folded());
        let tavern = self.payments(Action::Travel(Transfer::Tavern, to));
        let tavern = tavern.into_iter().map(|item| Item { icons: vec!["icon-tavern"], ..item });
        let number = Vehicle::Ticket(Transfer::Tavern).number();
        let tavern = tavern.map(|item| item.on_track(number)).collect();
        groups.push(Group::of("By road, and buy a joker on the way", tavern).folded());
        let joker = Move::Joker(to);
        if self.moves.contains(&joker) {
            let play = Item::say(&joker, "Play a joker").on_track(Vehicle::Joker.number());
            groups.push(Group::of("Or", vec![play]));
        }
        groups.retain(|group| !group.items.is_empty());
        let mut tracks: Vec<Track> = vec![];
        for item in groups.iter().flat_map(|group| &group.items) {
            if let (Some(number), Some(mv)) = (item.track, item.way.say())
                && tracks.iter().all(|track| track.number != number)
            {
                tracks.push(Track { number, mv: *mv, always: tracks.is_empty() });
            }
        }
        (groups, tracks)
    }

    /// The payments of all tickets to a hexagon, the cheapest first.
    fn tickets(&self, to: Hexagon) -> Vec<Item> {
        let mut tickets: Vec<(Move, Option<Cards>, Vec<Vehicle>)> = vec![];
        for mv in self.moves {
            let Move::Act(Action::Travel(by, there), paid) = mv else { continue };
            if *there != to || *by == Transfer::Tavern {
                continue;
            }
            match tickets.iter_mut().find(|(_, known, _)| paid.is_some() && known == paid) {
                Some((_, _, vehicles)) => vehicles.push(Vehicle::Ticket(*by)),
                None => tickets.push((*mv, *paid, vec![Vehicle::Ticket(*by)])),
            }
        }
        tickets.sort_by_cached_key(|(_, paid, _)| self.cheapness(paid.unwrap_or_default()));
        let items = tickets.into_iter().map(|(mv, paid, vehicles)| {
            let item = match paid {
                Some(cards) => self.payment(&mv, cards),
                None => Item::say(&mv, "Then choose the payment").spoken(self.described(&mv)),
            };
            let icons = vehicles.iter().map(|vehicle| vehicle.icon()).collect();
            let track = vehicles.first().map(|vehicle| vehicle.number());
            Item { icons, track, ..item }
        });
        primary_first(items.collect())
    }

    pub(super) fn take_offs(&self) -> Vec<Group> {
        let goals = self.flight_goals().into_iter().map(|target| {
            let words = match target.spot {
                Spot::Hexagon(to) => to.sign(),
                Spot::Underground | Spot::Off | Spot::Site(_) => target.label.clone(),
            };
            let item = match target.spot {
                Spot::Hexagon(to) => self.to(to, Item::begin("", words)),
                Spot::Underground | Spot::Off | Spot::Site(_) => Item::begin("", words),
            };
            Item { way: target.way, spoken: target.label, ..item }
        });
        vec![
            Group::of("Walk", vec![Item::say(&Move::Roll, "Roll the dice").looking("primary")]),
            Group::of("Or fly to", goals.collect()),
        ]
    }

    pub(super) fn flight_goals(&self) -> Vec<Target> {
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
                    track: Some(to.index()),
                });
            }
        }
        targets
    }

    pub(super) fn clubs_for(&self, goal: Hexagon) -> (Vec<Group>, Vec<Track>) {
        let mut clubs: Vec<(Move, Card)> = vec![];
        for mv in self.moves {
            if let Move::Fly { to, showing } = mv
                && *to == goal
            {
                clubs.push((*mv, *showing));
            }
        }
        clubs.sort_by_key(|(_, card)| std::cmp::Reverse(self.worths.of(*card)));
        let tracks = clubs.first().map(|(mv, _)| Track { number: goal.index(), mv: *mv, always: true });
        let items = clubs.iter().map(|(mv, card)| {
            let words = format!("lands on {} or less", self.worths.of(*card));
            Item::say(mv, words).with(Cards::one(*card)).spoken(self.described(mv))
        });
        (vec![Group::of("Show", items.collect())], tracks.into_iter().collect())
    }
}

/// By what a ticket takes one there.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Vehicle {
    Ticket(Transfer),
    Joker,
}

impl Vehicle {
    /// The number of the way by road, among those to one place.
    const ROAD: usize = 6;

    fn number(self) -> usize {
        match self {
            Vehicle::Ticket(by) => by as usize,
            Vehicle::Joker => 5,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Vehicle::Ticket(Transfer::Hike) => "hike",
            Vehicle::Ticket(Transfer::Horse) => "horse",
            Vehicle::Ticket(Transfer::Boat) => "boat",
            Vehicle::Ticket(Transfer::Hole) => "rabbit hole",
            Vehicle::Ticket(Transfer::Tavern) => "road and tavern",
            Vehicle::Joker => "joker",
        }
    }

    fn icon(self) -> &'static str {
        match self {
            Vehicle::Ticket(Transfer::Hike) => "icon-hike",
            Vehicle::Ticket(Transfer::Horse) => "icon-horse",
            Vehicle::Ticket(Transfer::Boat) => "icon-boat",
            Vehicle::Ticket(Transfer::Hole) => "icon-cave",
            Vehicle::Ticket(Transfer::Tavern) => "icon-tavern",
            Vehicle::Joker => "icon-joker",
        }
    }
}

pub(super) fn primary_first(mut items: Vec<Item>) -> Vec<Item> {
    if let Some(first) = items.first_mut() {
        first.look = "primary";
    }
    items
}
