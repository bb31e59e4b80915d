//! Where to go: roads, tickets and flights.

use super::super::super::cards::Cards;
use super::super::super::hexagon::{Hexagon, Place};
use super::super::super::moves::{Move, Transfer};
use super::super::super::phase::Action;
use super::super::control::{Group, Item, Spot, Target};
use super::Lister;
use crate::board_action::BoardAction;
use wonderpost_rules::Card;

impl Lister<'_> {
    pub(super) fn journeys(&self) -> Vec<Group> {
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

    pub(super) fn journey_goals(&self) -> Vec<Target> {
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
    pub(super) fn ways_to(&self, to: Hexagon) -> Vec<Group> {
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

    pub(super) fn take_offs(&self) -> Vec<Group> {
        let goals = self.flight_goals().into_iter().map(|target| match target.spot {
            Spot::Hexagon(to) => Item { way: target.way, ..Item::begin("", to.in_short()) },
            Spot::Underground | Spot::Off | Spot::Site(_) => Item { way: target.way, ..Item::begin("", target.label) },
        });
        vec![
            Group::of("An ordinary turn", vec![Item::say(&Move::Roll, "Roll the dice").looking("primary")]),
            Group::of("Or fly, before you know the dice, to", goals.collect()),
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
                });
            }
        }
        targets
    }

    pub(super) fn clubs_for(&self, goal: Hexagon) -> Vec<Group> {
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
