//! The table as plain text, for letters and for those who listen to a page.

use std::fmt::Write;

use super::WeAreNotAmused;
use super::card::{DeckCard, GardenCard};
use super::cell::Cell;
use super::deck::TURN;
use super::garden::Garden;
use super::phase::Verdict;
use super::turn::ROSES;
use super::view::PublicView;
use wonderpost_rules::View;

pub fn text(view: &View<WeAreNotAmused>) -> String {
    let table = &view.table;
    let mut text = garden(&table.garden);
    text += "Q Queen  W white rose  R red rose  B bramble  S Soldier  G Gardener  C Cat  . gap\n\n";
    facts(table).into_iter().for_each(|fact| text += &(fact + "\n"));
    text
}

/// Seven lines of letters under the names of the columns.
fn garden(garden: &Garden) -> String {
    let mut text = "   a b c d e f g\n".to_owned();
    for row in 0..Cell::SIDE {
        let cells = (0..Cell::SIDE).filter_map(|column| Cell::new(column, row));
        let letters: Vec<String> =
            cells.map(|cell| garden.card(cell).map_or('.', GardenCard::letter).to_string()).collect();
        // Writing to a text does not fail.
        let _ = writeln!(text, "{}  {}", row + 1, letters.join(" "));
    }
    text + "\n"
}

fn facts(table: &PublicView) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(verdict) = table.verdict {
        facts.push(format!("The game is over. {}", sentence(verdict)));
    }
    if let Some(card) = table.revealed {
        facts.push(format!("Turned over: {}.", card.one()));
    }
    let way = if table.path_open { "clear" } else { "closed" };
    facts.push(format!(
        "Roses: {} collected, {} of {ROSES} delivered. The way to the Queen is {way}.",
        table.collected, table.delivered
    ));
    facts.push(match table.discard.last() {
        None => "The discard pile is empty.".into(),
        Some(top) => format!("Discard pile: {}, {} on top.", cards(table.discard.len()), top.one()),
    });
    facts.push(ahead(table));
    let shuffles = match table.shuffles_left {
        0 => "no shuffle left".to_owned(),
        1 => "one shuffle left".to_owned(),
        number => format!("{number} shuffles left"),
    };
    facts.push(format!("Cycle {}, turn {}, {shuffles}.", table.cycle, table.turns));
    if table.last_chance {
        facts.push("Take care: nothing was played in the last cycle, nor so far in this one. If that is so at its end, you are stuck.".into());
    }
    facts
}

/// How many cards are ahead, and every third of them as far as it is known.
fn ahead(table: &PublicView) -> String {
    let count = table.ahead.len();
    let thirds = table.ahead.iter().enumerate().filter(|(place, _)| (place + 1) % TURN == 0 || place + 1 == count);
    let known: Vec<&str> = thirds.map_while(|(_, card)| card.map(DeckCard::name)).collect();
    if known.is_empty() {
        format!("Deck: {} ahead.", cards(count))
    } else {
        format!("Deck: {} ahead; each turn's last: {}.", cards(count), known.join(", "))
    }
}

fn cards(number: usize) -> String {
    if number == 1 { "1 card".into() } else { format!("{number} cards") }
}

fn sentence(verdict: Verdict) -> String {
    let title = verdict.title();
    if title.ends_with('!') { title.into() } else { format!("{title}.") }
}
