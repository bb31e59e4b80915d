//! The table as plain text, for letters and for those who listen to a page.

use super::MessengerRabbits;
use super::cards::Cards;
use super::hexagon::{Hexagon, House, Place};
use super::log;
use super::moves::Move;
use super::nets::Net;
use super::phase::Action;
use super::view::{PrivateView, PublicView};
use crate::playing_cards::suit_name;
use wonderpost_rules::{Seat, View, Viewer};

/// Who reads this.
pub fn reader(view: &View<MessengerRabbits>) -> Viewer {
    view.mine.as_ref().map_or(Viewer::Public, |mine| Viewer::Seat(mine.seat))
}

pub fn text(view: &View<MessengerRabbits>) -> String {
    let mut parts = parts(view);
    parts.extend(moves(view));
    parts.join("\n\n") + "\n"
}

/// The table without what can be done at it.
pub fn table_in_words(view: &View<MessengerRabbits>) -> String {
    parts(view).join("\n\n") + "\n"
}

fn parts(view: &View<MessengerRabbits>) -> Vec<String> {
    let mut parts = vec![standing(view)];
    let mut lines = under_way(view);
    if !view.table.shown.is_empty() {
        lines.push(format!("Shown this turn: {}.", view.table.shown.in_words()));
    }
    parts.extend(tableau(view, lines));
    parts
}

/// The text of a table that was ended before the game was: nobody is to move.
pub fn stopped(view: &View<MessengerRabbits>) -> String {
    tableau(view, vec![]).join("\n\n") + "\n"
}

/// What lies on the table.
fn tableau(view: &View<MessengerRabbits>, under_way: Vec<String>) -> Vec<String> {
    let mut parts = vec![rabbits(view)];
    parts.extend(under_way);
    if let Some(mine) = &view.mine {
        parts.push(hand(&view.table, mine));
    }
    parts.push(houses(view));
    parts.push(roads(&view.table));
    parts.push(piles(&view.table));
    parts
}

/// Round, dice and objective; or who has won.
fn standing(view: &View<MessengerRabbits>) -> String {
    let table = &view.table;
    if let Some(winner) = view.winners.first() {
        return format!("The game is over: {} won.", reader(view).person(*winner).then_does("has"));
    }
    let mut line = match table.turn {
        Some(seat) => format!("Round {}, {} turn.", table.round, reader(view).person(seat).whose()),
        None => "The land is being built.".to_owned(),
    };
    if let (Some([a, b]), Some(price)) = (table.dice, table.price()) {
        line += &format!(" The dice show {a} and {b}: the price is {price}.");
    }
    if let Some(building) = &table.building {
        let next = building.house.map_or_else(|| "none".to_owned(), House::in_words);
        line += &format!(" Next house: {next}; {} to be placed.", building.left);
    }
    line + &format!("\nBring home {}.", table.options.objective.in_words())
}

/// A line for each seat.
fn rabbits(view: &View<MessengerRabbits>) -> String {
    let table = &view.table;
    let lines = table.seats().map(|seat| {
        let place = seat.index();
        let name = reader(view).person(seat).capitalised();
        let mut line = format!("{name}: {}, {}", whereabouts(table.rabbits[place]), cards(table.hands[place]));
        let royals = table.royals[place];
        if !royals.is_empty() {
            line += &format!(", royals {}", royals.in_words());
        }
        if !table.jokers[place].is_empty() {
            line += &format!(", {}", table.jokers[place].in_words());
        }
        if let Some(ace) = table.capital[place] {
            line += &format!(", {} laid down", ace.with_sign());
        }
        match &table.final_hands {
            Some(hands) => line += &format!(", hand {}", hands[place].iter().copied().collect::<Cards>().in_words()),
            None if !table.known[place].is_empty() => {
                line += &format!(", known to hold {}", table.known[place].in_words());
            }
            None => {}
        }
        line + &format!("; {}.", nearness(view, seat))
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
pub fn nearness(view: &View<MessengerRabbits>, seat: Seat) -> String {
    let table = &view.table;
    let held = table.royals[seat.index()].len();
    match table.options.objective.lacks(table.royals[seat.index()]) {
        _ if view.winners.contains(&seat) => "home with the trio".to_owned(),
        _ if view.over => format!("{held} of three royals"),
        0 => "the trio is complete: on to the Citadel".to_owned(),
        lacks if held + lacks > 3 => {
            let odd = held + lacks - 3;
            format!("needs {}: {odd} of {held} {} not fit", royals(lacks), if odd == 1 { "does" } else { "do" })
        }
        lacks => format!("needs {}", royals(lacks)),
    }
}

fn royals(number: usize) -> String {
    if number == 1 { "1 more royal".to_owned() } else { format!("{number} more royals") }
}

pub fn cards(number: usize) -> String {
    if number == 1 { "1 card".to_owned() } else { format!("{number} cards") }
}

/// Flight, contest, fight, offer, what is due.
pub fn under_way(view: &View<MessengerRabbits>) -> Vec<String> {
    let table = &view.table;
    let person = |seat: Seat| reader(view).person(seat);
    let mut lines = vec![];
    if let Some(flight) = &table.flight {
        let (from, to, shown) = (flight.from.in_words(), flight.to.in_words(), flight.shown.with_sign());
        lines.push(format!("A flight from {from} to {to}, showing {shown}: worth {}.", flight.worth));
    }
    if let Some(contest) = &table.contest {
        let mut line = format!("{} at {}.", person(contest.visitor).does("arrives"), contest.at.in_words());
        for (seat, shown) in contest.asked.iter().zip(contest.shown.iter().flatten()) {
            let shown: Cards = shown.iter().copied().collect();
            if !shown.is_empty() {
                line += &format!(" {} {}.", person(*seat).does("shows"), shown.in_words());
            }
        }
        lines.push(line);
    }
    if let Some(fight) = &table.fight {
        let [one, other] = fight.totals;
        let (attacker, target) = (person(fight.attacker), person(fight.target));
        lines.push(format!("A fight: {} thrown {one}, {target} {other}.", attacker.then_does("has")));
    }
    if let Some(offer) = &table.offer {
        let what = match view.mine.as_ref().and_then(|mine| mine.offered) {
            Some(card) => card.with_sign(),
            None => "a diamond".to_owned(),
        };
        let suit = suit_name(offer.suit);
        lines.push(format!("{} {} {what} for a card of {suit}.", person(offer.from).does("offers"), person(offer.to)));
    }
    if let Some(due) = &table.due {
        lines.push(format!("To be paid: {}, to {}.", due.price, log::intent(due.what)));
    }
    lines
}

/// One's own hand by suit, with what each suit comes to.
fn hand(table: &PublicView, mine: &PrivateView) -> String {
    let mut lines = vec![format!("Your hand, {}:", cards(mine.hand.len()))];
    for suit in table.suits.iter() {
        let held = mine.hand & Cards::of_suit(suit);
        if !held.is_empty() {
            lines.push(format!("  {}: {}", suit_name(suit), held.in_words()));
        }
    }
    let jokers = mine.hand & Cards::JOKERS;
    if !jokers.is_empty() {
        lines.push(format!("  {}", jokers.in_words()));
    }
    lines.join("\n")
}

/// Who holds which royal.
fn houses(view: &View<MessengerRabbits>) -> String {
    let table = &view.table;
    let lines = House::of_suits(table.suits).map(|house| {
        let site = table.board.layout.site_of(Hexagon::House(house));
        let at = site.map_or_else(|| "to be placed".to_owned(), |site| site.to_string());
        match table.holder(house.royal()) {
            Some(seat) => format!("  {house} {at}: won by {}", reader(view).person(seat)),
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
    let spent = if table.spent.is_empty() { "none".to_owned() } else { table.spent.in_words() };
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
