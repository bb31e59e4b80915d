//! The log: what an event is told as. All of it is public.

use super::WeAreNotAmused;
use super::card::DeckCard;
use super::event::{After, Event, PathChange, Turn};
use super::phase::{Ended, Verdict};

impl WeAreNotAmused {
    /// The line of an event; `self` is the table before it.
    pub(super) fn describe(&self, event: &Event) -> String {
        match event {
            Event::WalledIn { .. } => "The Queen was walled in by brambles; the garden is laid out anew.".into(),
            Event::LaidOut { .. } => "The garden is laid out; the Queen is not amused.".into(),
            Event::Turned { cards, to } => tell_turn(cards, *to),
            Event::Passed { card } => format!("The {} is left in the deck.", card.name()),
            Event::PassedAll { .. } => "The rest of the deck is let pass.".into(),
            Event::Attacked { at, card, cat: None, after } => {
                self.with(format!("A Soldier drives off the Queen's {} at {at}.", card.name()), after)
            }
            Event::Attacked { at, card, cat: Some(cat), after } => {
                let attack = format!(
                    "A Soldier attacks the Queen's {} at {at}; the Cheshire Cat at {cat} vanishes in its stead.",
                    card.name()
                );
                self.with(attack, after)
            }
            Event::Painted { at, gardener: None, after } => {
                self.with(format!("The rose at {at} is painted red."), after)
            }
            Event::Painted { at, gardener: Some(gardener), after } => {
                let sent =
                    format!("The Gardener goes for the rose at {at}; the Queen's Gardener at {gardener} is sent away.");
                self.with(sent, after)
            }
            Event::Vanished { at, after } => {
                self.with(format!("The Cheshire Cat at {at} vanishes, grin and all."), after)
            }
            Event::Swapped { card } => {
                format!("The Cat slips into the discard pile and brings back the {}.", card.name())
            }
            Event::Collected { at, after } => self.with(format!("Alice picks the red rose at {at}."), after),
            Event::Planted { at, after } => self.with(format!("Brambles grow at {at}."), after),
            Event::Filled { at, after } => self.with(format!("Brambles fill the only gap, at {at}."), after),
            Event::CameRound { cycle, idle: false } => format!("The deck is turned over: cycle {cycle}."),
            Event::CameRound { cycle, idle: true } => format!(
                "The deck is turned over: cycle {cycle}. Nothing was played this time round. Once more, and you are stuck."
            ),
            Event::Stuck => "The deck has come round with nothing to play.".into(),
            Event::Shuffled { deck } => {
                format!("The discard pile is shuffled into the deck: {} cards.", deck.len())
            }
            Event::Over { why, score } => tell_end(*why, *score),
        }
    }

    /// A play and what followed it.
    fn with(&self, mut line: String, after: &After) -> String {
        for at in after.withered.iter() {
            line += &format!(" Cut off from everything, the bramble at {at} withers.");
        }
        match after.path {
            Some(PathChange::Opened) => line += " The way to the Queen is clear.",
            Some(PathChange::Closed) => line += " The way to the Queen is closed.",
            None => {}
        }
        if after.laid > 0 {
            let total = self.delivered.saturating_add(after.laid);
            line += &format!(" {} red {} laid before the Queen: {total} so far.", after.laid, roses(after.laid));
        }
        line
    }
}

fn tell_turn(cards: &[DeckCard], to: Turn) -> String {
    let Some((revealed, before)) = cards.split_last() else { return "Nothing was turned over.".into() };
    let names: Vec<&str> = before.iter().map(|card| card.name()).collect();
    let names = match names.is_empty() {
        true => revealed.name().to_owned(),
        false => format!("{} and {}", names.join(", "), revealed.name()),
    };
    match to {
        Turn::Play | Turn::Plant | Turn::Pass => format!("Turned over {names}: {}.", revealed.one()),
        Turn::Nothing if *revealed == DeckCard::Bramble => {
            format!("Turned over {names}. A Bramble finds no gap and stays in the deck.")
        }
        Turn::Nothing => format!("Turned over {names}: nothing to be done with the {}.", revealed.name()),
    }
}

fn tell_end(why: Ended, score: u8) -> String {
    let over = format!("The game is over: {score} {}.", roses(score));
    let title = Verdict::of(score).title();
    let stop = if title.ends_with('!') { "" } else { "." };
    match why {
        Ended::Quit | Ended::Delivered => format!("{over} {title}{stop}"),
        Ended::Stuck => format!("The deck has come round with nothing to play. {over} {title}{stop}"),
        Ended::Surrounded => format!("Brambles close around the Queen. {title} {over}"),
    }
}

fn roses(number: u8) -> &'static str {
    if number == 1 { "rose" } else { "roses" }
}
