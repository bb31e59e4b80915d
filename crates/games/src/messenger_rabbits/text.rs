//! The table as plain text, for letters and for those who listen to a page.

use super::MessengerRabbits;
use super::cards::Cards;
use super::hexagon::{Hexagon, House, Place};
use super::moves::Move;
use super::phase::Action;
use super::roads::Net;
use super::view::{PrivateView, PublicView};
use crate::playing_cards::suit_name;
use wonderpost_rules::{Seat, View};

pub fn text(view: &View<MessengerRabbits>) -> String {
    let mut parts = vec![standing(view), rabbits(&view.table)];
    parts.extend(under_way(&view.table));
    if let Some(mine) = &view.mine {
        parts.push(hand(&view.table, mine));
    }
    parts.push(houses(&view.table));
    parts.push(roads(&view.table));
    parts.push(piles(&view.table));
    parts.extend(moves(view));
    parts.join("\n\n") + "\n"
}

/// Round, dice and objective; or who has won.
fn standing(view: &View<MessengerRabbits>) -> String {
    let table = &view.table;
    if let Some(winner) = view.winners.first() {
        return format!("The game is over: {} has won.", winner.mark());
    }
    let mut line = match table.turn {
        Some(seat) => format!("Round {}, the turn of {}.", table.round, seat.mark()),
        None => "The land is being built.".to_owned(),
    };
    if let (Some([a, b]), Some(price)) = (table.dice, table.price()) {
        line += &format!(" The dice show {a} and {b}: the price is {price}.");
    }
    if let Some(building) = &table.building {
        let next = building.house.map_or_else(|| "none".to_owned(), |house| house.to_string());
        line += &format!(" Next house: {next}; {} to be placed.", building.left);
    }
    line + &format!("\nBring home {}.", table.options.objective.in_words())
}

/// A line for each seat.
fn rabbits(table: &PublicView) -> String {
    let lines = table.seats().map(|seat| {
        let place = seat.index();
        let mut line = format!("{}: {}", seat.mark(), whereabouts(table.rabbits[place]));
        line += &format!(", {}", cards(table.hands[place]));
        let royals = table.royals[place];
        if !royals.is_empty() {
            line += &format!(", royals {}", royals.in_words());
        }
        if !table.jokers[place].is_empty() {
            line += &format!(", {}", table.jokers[place].in_words());
        }
        if let Some(ace) = table.capital[place] {
            line += &format!(", {ace} laid down");
        }
        if let Some(hands) = &table.final_hands {
            line += &format!(", hand {}", hands[place].iter().copied().collect::<Cards>().in_words());
        }
        line + &format!("; {}.", nearness(table, seat))
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub fn whereabouts(place: Place) -> String {
    match place {
        Place::On(hexagon) => format!("at {}", hexagon.in_words()),
        Place::Underground => "underground".to_owned(),
        Place::Off => "off the board".to_owned(),
    }
}

/// How near a seat is to the objective.
pub fn nearness(table: &PublicView, seat: Seat) -> String {
    let royals = table.royals[seat.index()];
    match (table.options.objective.lacks(royals), royals.len()) {
        (0, _) => "the trio is complete, and is to be brought to the Citadel".to_owned(),
        (lacks, held) if held + lacks > 3 => {
            format!("{held} royals, {lacks} of them the wrong one{}", if lacks == 1 { "" } else { "s" })
        }
        (lacks, _) => format!("lacks {lacks} of three royals"),
    }
}

pub fn cards(number: usize) -> String {
    if number == 1 { "1 card".to_owned() } else { format!("{number} cards") }
}

/// Flight, contest, fight, offer, what is due.
pub fn under_way(table: &PublicView) -> Vec<String> {
    let mut lines = vec![];
    if let Some(flight) = &table.flight {
        let (from, to) = (flight.from.in_words(), flight.to.in_words());
        lines.push(format!("A flight from {from} to {to}, showing {}: worth {}.", flight.shown, flight.worth));
    }
    if let Some(contest) = &table.contest {
        let mut line = format!("{} arrives at {}.", contest.visitor.mark(), contest.at.in_words());
        match &contest.shown {
            None => line += " Those asked may contest it.",
            Some(shown) => {
                for (seat, shown) in contest.asked.iter().zip(shown).filter(|(_, shown)| !shown.is_empty()) {
                    let shown: Cards = shown.iter().copied().collect();
                    line += &format!(" {} shows {}.", seat.mark(), shown.in_words());
                }
            }
        }
        lines.push(line);
    }
    if let Some(fight) = &table.fight {
        let (attacker, target) = (fight.attacker.mark(), fight.target.mark());
        let [one, other] = fight.totals;
        lines.push(format!("A fight: {attacker} has thrown {one}, {target} {other}."));
    }
    if let Some(offer) = &table.offer {
        let (from, to) = (offer.from.mark(), offer.to.mark());
        lines.push(format!("{from} offers {to} a diamond for a card of {}.", suit_name(offer.suit)));
    }
    if let Some(due) = &table.due {
        lines.push(format!("To be paid: {} for “{}”.", due.price, due.action));
    }
    if !table.shown.is_empty() {
        lines.push(format!("Shown this turn: {}.", table.shown.in_words()));
    }
    lines
}

/// One's own hand by suit, with what each suit comes to.
fn hand(table: &PublicView, mine: &PrivateView) -> String {
    let mut lines = vec![format!("Your hand, {}:", cards(mine.hand.len()))];
    for suit in table.suits.iter() {
        let held = mine.hand & Cards::of_suit(suit);
        if !held.is_empty() {
            lines.push(format!("  {}: {held}", suit_name(suit)));
        }
    }
    let jokers = mine.hand & Cards::JOKERS;
    if !jokers.is_empty() {
        lines.push(format!("  jokers: {jokers}"));
    }
    if let Some(card) = mine.offered {
        lines.push(format!("The card on offer: {card}."));
    }
    lines.join("\n")
}

/// Who holds which royal.
fn houses(table: &PublicView) -> String {
    let lines = House::of_suits(table.suits).map(|house| {
        let site = table.board.layout.site_of(Hexagon::House(house));
        let at = site.map_or_else(|| "to be placed".to_owned(), |site| site.to_string());
        match table.holder(house.royal()) {
            Some(seat) => format!("  {house} {at}: won by {}", seat.mark()),
            None => format!("  {house} {at}: in the court"),
        }
    });
    format!("Houses:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// The nets of roads, each with what it joins.
fn roads(table: &PublicView) -> String {
    let land = &table.board;
    let lines = (0..land.touched.len()).map(|net: Net| {
        let joined: Vec<String> = land.touched[net].iter().map(|hexagon| hexagon.to_string()).collect();
        let mut line = format!("  {}", joined.join(" - "));
        let caves = land.caves.iter().filter(|cave| cave.net == net).count();
        let taverns = land.taverns.iter().filter(|tavern| tavern.net == net).count();
        let merchants: Vec<String> = land
            .merchants
            .iter()
            .filter(|merchant| merchant.net == net)
            .map(|merchant| merchant.tile.to_string())
            .collect();
        let mut holds = vec![];
        holds.extend((caves > 0).then_some("a rabbit hole".to_owned()));
        holds.extend((taverns > 0).then_some("a tavern".to_owned()));
        holds.extend((!merchants.is_empty()).then(|| format!("merchants {}", merchants.join(" "))));
        holds.extend(land.open.contains(net).then_some("leads off the board".to_owned()));
        if !holds.is_empty() {
            line += &format!(": {}", holds.join(", "));
        }
        line
    });
    format!("Roads:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

fn piles(table: &PublicView) -> String {
    let court = (table.court & Cards::JOKERS).len();
    let jokers = if court == 1 { "1 joker".to_owned() } else { format!("{court} jokers") };
    let spent = if table.spent.is_empty() { "none".to_owned() } else { table.spent.to_string() };
    format!("Pile: {}. In the court: {jokers}. Spent: {spent}.", cards(table.pile))
}

/// What the viewer can do, grouped.
fn moves(view: &View<MessengerRabbits>) -> Option<String> {
    if view.moves.is_empty() {
        return None;
    }
    let (mut road, mut paid, mut other) = (vec![], vec![], vec![]);
    for mv in &view.moves {
        match mv {
            Move::Go(_) => road.push(mv.to_string()),
            Move::Act(Action::Travel(..), _) => paid.push(mv.to_string()),
            _ => other.push(mv.to_string()),
        }
    }
    let price = view.table.price().unwrap_or(0);
    let groups = [("By road", road), ("For the price", paid), ("Other moves", other)];
    let lines = groups.into_iter().filter(|(_, moves)| !moves.is_empty()).map(|(title, moves)| {
        let title = if title == "For the price" { format!("For the price of {price}") } else { title.to_owned() };
        format!("{title}:\n  {}", moves.join("\n  "))
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}
