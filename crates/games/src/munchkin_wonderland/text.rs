//! The table as plain text, for letters and for those who listen to a page.

use super::MunchkinWonderland;
use super::log::names;
use super::moves::Move;
use super::named::list;
use super::treasure::{Treasure, best_first};
use super::view::{FightView, PrivateView, PublicView, SideView};
use super::words;
use wonderpost_rules::{Seat, View, Viewer};

pub fn text(view: &View<MunchkinWonderland>) -> String {
    let mut rolled = roll(view);
    rolled.extend(ways(view));
    in_parts(view, rolled)
}

/// The table without what can be done at it.
pub fn table_in_words(view: &View<MunchkinWonderland>) -> String {
    in_parts(view, roll(view))
}

fn in_parts(view: &View<MunchkinWonderland>, rolled: Vec<String>) -> String {
    let table = &view.table;
    let viewer = viewer(view);
    let parts = [
        end(view),
        rolled,
        table.fight.as_ref().map(|fight| fight_lines(table, fight, viewer)).unwrap_or_default(),
        share(table, viewer),
        view.mine.as_ref().map(|mine| hand(table, mine)).unwrap_or_default(),
        players(table, viewer),
        piles(table),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n") + "\n").collect();
    parts.join("\n")
}

/// Whoever reads it, for whom they are “you”.
fn viewer(view: &View<MunchkinWonderland>) -> Viewer {
    view.mine.as_ref().map_or(Viewer::Public, |mine| Viewer::Seat(mine.seat))
}

fn end(view: &View<MunchkinWonderland>) -> Vec<String> {
    let Some(hands) = &view.table.hands else { return vec![] };
    let viewer = viewer(view);
    let winners: Vec<String> = view.winners.iter().map(|seat| viewer.person(*seat).to_string()).collect();
    let mut lines = vec![format!("The game is over. The fullest purse: {}.", list(&winners))];
    for ((seat, hand), gold) in Seat::all(hands.len() as u8).zip(hands).zip(&view.scores) {
        let cards = if hand.is_empty() { "nothing".to_owned() } else { names(hand) };
        lines.push(format!("{}: {} Gold ({cards})", viewer.person(seat).capitalised(), gold.unwrap_or(0)));
    }
    lines
}

/// What was rolled, and where.
fn roll(view: &View<MunchkinWonderland>) -> Vec<String> {
    let table = &view.table;
    let Some(roll) = table.roll else { return vec![] };
    let a = viewer(view).person(table.turn);
    let place = table.places[table.turn.index()].name();
    vec![match roll.kind {
        super::phase::RollKind::Move => format!("{} rolled {} at {place}.", a.does("has"), roll.value),
        super::phase::RollKind::Entrance => {
            format!("{} at the Entrance, and the roll for a Room is {}.", a.does("is"), roll.value)
        }
        super::phase::RollKind::Run => format!("{} from {place} with a {}.", a.does("runs"), roll.value),
    }]
}

/// For the one who rolled: where it leads.
fn ways(view: &View<MunchkinWonderland>) -> Vec<String> {
    let goes = view.moves.iter().filter(|mv| matches!(mv, Move::Go(_)));
    goes.map(|mv| format!("  {mv}: {}", brings(view, mv))).collect()
}

/// What a move brings that its line does not say.
pub fn brings(view: &View<MunchkinWonderland>, mv: &Move) -> String {
    match (mv, view.table.roll.map(|roll| roll.kind)) {
        (Move::Go(to), Some(super::phase::RollKind::Run)) => {
            format!("{}, you hide there, and nothing happens", to.name())
        }
        (Move::Go(to), _) => format!("{}, {}", to.name(), words::effect(*to)),
        _ => String::new(),
    }
}

fn fight_lines(table: &PublicView, fight: &FightView, viewer: Viewer) -> Vec<String> {
    let room = fight.room;
    let mut monster: Vec<String> = vec![format!("{} {}", room.title(), room.facts().power)];
    monster.extend(fight.monsters.iter().map(|card| format!("{} {}", card.title(), card.badge())));
    monster.extend(fight.die.map(|die| format!("die {die}")));
    let mut lines = vec![format!("A fight in {}.", room.place().name())];
    lines.push(format!("{}: {} Power ({})", room.title(), fight.monster_power, monster.join(", ")));
    lines.push(side(table, fight, &fight.fighter, viewer));
    lines.extend(fight.helper.as_ref().map(|helper| side(table, fight, helper, viewer)));
    let prize = words::treasures(room.facts().treasures);
    lines.push(format!("{} more is needed. To be won: {prize}.", fight.gap()));
    let person = |seat: &Seat| viewer.person(*seat).to_string();
    let marks = |seats: &[Seat]| list(&seats.iter().map(person).collect::<Vec<_>>());
    if !fight.asked.is_empty() {
        lines.push(format!("Asked for help: {}.", marks(&fight.asked)));
    }
    if !fight.refused.is_empty() {
        lines.push(format!("Would rather not: {}.", marks(&fight.refused)));
    }
    if !fight.can_ask.is_empty() {
        lines.push(format!("In reach of a call for help: {}.", marks(&fight.can_ask)));
    }
    lines
}

fn side(table: &PublicView, fight: &FightView, side: &SideView, viewer: Viewer) -> String {
    let mut parts: Vec<String> = side.dice.iter().map(|die| format!("die {die}")).collect();
    let friends = &table.friends[side.seat.index()];
    parts.extend(friends.iter().map(|friend| format!("{} +{}", friend.title(), friend.bonus_in(fight.room))));
    parts.extend(side.used.iter().map(|card| match card.bonus_in(fight.room) {
        0 => format!("{} used", card.title()),
        bonus => format!("{} +{bonus}", card.title()),
    }));
    format!("{}: {} Power ({})", viewer.person(side.seat).capitalised(), side.power, parts.join(", "))
}

fn share(table: &PublicView, viewer: Viewer) -> Vec<String> {
    let Some(share) = &table.share else { return vec![] };
    let takes = viewer.person(share.helper).does("takes");
    let keeps = viewer.person(share.seat).then_does("keeps");
    let mut lines = vec![format!("{takes} one of these, {keeps} the rest:")];
    lines.extend(share.cards.iter().map(|card| format!("  {}", card_line(*card))));
    lines
}

fn hand(table: &PublicView, mine: &PrivateView) -> Vec<String> {
    let mut lines = vec![format!("Your hand, {} Gold:", mine.gold)];
    lines.extend(mine.hand.iter().map(|card| format!("  {}", card_line(*card))));
    if mine.hand.is_empty() {
        lines.push("  nothing".into());
    }
    if mine.hand.iter().any(|card| card.is_thimble()) {
        let mut lost: Vec<Treasure> =
            table.treasure_discard.iter().copied().filter(|card| !card.is_thimble()).collect();
        lost.sort_by_key(|card| best_first(*card));
        lost.dedup();
        lost.truncate(5);
        if !lost.is_empty() {
            lines.push(format!("Best in the discard pile for a Thimble: {}.", names(&lost)));
        }
    }
    lines
}

/// “The Teapot (teapot), +3, 2 Gold: Big enough for a dormouse.”
fn card_line(card: Treasure) -> String {
    let gold = if card.is_friend() { "Friend".to_owned() } else { format!("{} Gold", card.gold()) };
    let bonus = match card.bonus() {
        0 => String::new(),
        bonus => format!(", +{bonus}"),
    };
    format!("{} ({card}){bonus}, {gold}: {}", card.title(), card.facts().text)
}

fn players(table: &PublicView, viewer: Viewer) -> Vec<String> {
    let seats = Seat::all(table.places.len() as u8);
    let line = |seat: Seat| {
        let (place, friends) = (table.places[seat.index()].name(), &table.friends[seat.index()]);
        let with = if friends.is_empty() { String::new() } else { format!(" with {}", names(friends)) };
        let cards = match table.hand_counts[seat.index()] {
            1 => "1 card".to_owned(),
            number => format!("{number} cards"),
        };
        format!("{} at {place}{with}, {cards} in hand.", viewer.person(seat).does("is"))
    };
    seats.map(line).collect()
}

fn piles(table: &PublicView) -> Vec<String> {
    let aside = match table.aside {
        0 => String::new(),
        number => format!(" ({number} are put aside)"),
    };
    vec![
        format!("Round {}. Treasures left: {}{aside}.", table.round, table.treasure_deck),
        format!("Discarded: {} Treasures, {} Monsters.", table.treasure_discard.len(), table.monster_discard.len()),
    ]
}
