//! The viewer's hand: cards with what they are, what they would do now, and a button for each form of use.

use super::super::moves::Move;
use super::super::odds::{self, prospects};
use super::super::phase::RollKind;
use super::super::room::Room;
use super::super::treasure::best_first;
use super::super::treasure::{Change, Kind, Treasure};
use super::super::words;
use super::Sight;
use super::begun::Begun;
use super::control::Control;

pub struct Hand {
    pub gold: u16,
    pub cards: Vec<Card>,
    /// For a Thimble: what may come back.
    pub discards: Option<Vec<Card>>,
}

/// A Treasure as a card.
#[derive(Clone, Debug)]
pub struct Card {
    pub id: &'static str,
    pub title: &'static str,
    pub text: &'static str,
    pub badge: String,
    /// Friends are worth nothing.
    pub gold: Option<u8>,
    pub symbol: &'static str,
    /// How many there are of it.
    pub copies: usize,
    /// What it would do now.
    pub outlook: Vec<String>,
    pub controls: Vec<Control>,
}

impl Card {
    pub fn new(card: Treasure) -> Card {
        Card {
            id: card.id(),
            title: card.title(),
            text: &card.facts().text,
            badge: words::badge(card),
            gold: (!card.is_friend()).then(|| card.gold()),
            symbol: symbol(card),
            copies: 1,
            outlook: vec![],
            controls: vec![],
        }
    }
}

/// The drawing of a kind of card.
fn symbol(card: Treasure) -> &'static str {
    match card.kind() {
        Kind::Friend { .. } => "mw-friend",
        Kind::Boost { .. } => "mw-boost",
        Kind::Changer { .. } => "mw-changer",
        Kind::Dice { .. } => "mw-dice",
        Kind::Escape { .. } => "mw-escape",
        Kind::Recover => "mw-recover",
    }
}

impl Hand {
    pub fn new(sight: &Sight) -> Option<Hand> {
        // When the game is over the purses are laid open.
        let mine = sight.view.mine.as_ref().filter(|_| !sight.view.over)?;
        let mut cards: Vec<Card> = vec![];
        for card in &mine.hand {
            match cards.last_mut() {
                Some(last) if last.id == card.id() => last.copies += 1,
                _ => cards.push(in_hand(sight, *card)),
            }
        }
        let discards = (sight.begun == Begun::Thimble).then(|| to_recover(sight));
        Some(Hand { gold: mine.gold, cards, discards })
    }
}

fn in_hand(sight: &Sight, card: Treasure) -> Card {
    let mut shown = Card::new(card);
    // Losing a card is another matter, with a panel of its own.
    for mv in sight.moves.iter().filter(|mv| spends(mv) == Some(card)) {
        shown.outlook.extend(outlook(sight, mv));
        if sight.acts && sight.begun == Begun::Nothing {
            let control = control(sight, mv);
            if !shown.controls.contains(&control) {
                shown.controls.push(control);
            }
        }
    }
    shown.outlook.dedup();
    shown
}

/// The card of the hand that a move uses or plays.
fn spends(mv: &Move) -> Option<Treasure> {
    match mv {
        Move::Play { friend, .. } => Some(*friend),
        Move::Use { card, .. } => Some(*card),
        Move::Recover { thimble, .. } => Some(*thimble),
        Move::Go(_)
        | Move::Ask(_)
        | Move::Help
        | Move::Refuse
        | Move::Done
        | Move::Take(_)
        | Move::Run
        | Move::Discard(_) => None,
    }
}

fn control(sight: &Sight, mv: &Move) -> Control {
    let fighting = sight.view.table.fight.is_some();
    match mv {
        Move::Play { friend, instead: None } => Control::say(mv, "Bring").more(friend.title()),
        Move::Play { friend, instead: Some(old) } => {
            Control::say(mv, format!("Bring for {}", old.name())).more(friend.title())
        }
        Move::Use { card, on: Some(room) } => {
            Control::say(mv, format!("Use on {}'s die", room.monster())).more(card.title())
        }
        Move::Use { card, on: None } => match card.kind() {
            Kind::Changer { .. } if fighting => Control::say(mv, "Use on my die").more(card.title()),
            Kind::Changer { .. } => Control::say(mv, "Use on the roll").more(card.title()),
            _ => Control::say(mv, "Use").more(card.title()),
        },
        Move::Recover { thimble, .. } => Control::begin(format!("use {thimble}"), "Look in the discards"),
        _ => Control::say(mv, mv.to_string()),
    }
}

/// What a card would do now, in words.
fn outlook(sight: &Sight, mv: &Move) -> Option<String> {
    let table = &sight.view.table;
    if let Some(fight) = &table.fight {
        let side = match &fight.helper {
            Some(helper) if sight.me == Some(helper.seat) => helper,
            _ => &fight.fighter,
        };
        let told = odds::words(&prospects(fight, side, mv))?;
        return Some(match mv {
            Move::Play { instead: Some(old), .. } => format!("For {}: {told}", old.name()),
            Move::Use { on: Some(room), .. } => format!("On {}'s die: {told}", room.monster()),
            _ => told,
        });
    }
    let (Move::Use { card, on: None }, Some(roll)) = (mv, table.roll) else { return None };
    let change = card.change_on(roll.kind.die())?;
    let Some(to) = change.of(roll.value) else {
        debug_assert!(matches!(change, Change::Reroll));
        return Some(format!("The {} is rolled again", roll.value));
    };
    let leads = match roll.kind {
        RollKind::Entrance => Room::of_roll(to).map(|room| room.title().to_owned()).unwrap_or_default(),
        RollKind::Move | RollKind::Run => {
            let ends = table.places[table.turn.index()].walk(to);
            ends.iter().map(|place| place.name()).collect::<Vec<_>>().join("; ")
        }
    };
    Some(format!("The {} becomes {to}: {leads}", roll.value))
}

/// MW-25: the discards that a Thimble can bring back, the best first.
fn to_recover(sight: &Sight) -> Vec<Card> {
    let mut back: Vec<(Treasure, &Move)> = sight
        .moves
        .iter()
        .filter_map(|mv| match mv {
            Move::Recover { card, .. } => Some((*card, mv)),
            _ => None,
        })
        .collect();
    back.sort_by_key(|(card, _)| best_first(*card));
    let shown = back.into_iter().map(|(card, mv)| {
        let control = Control::say(mv, "Take it back").more(card.title());
        Card { controls: vec![control], ..Card::new(card) }
    });
    shown.collect()
}
