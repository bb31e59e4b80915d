//! The table as plain text, for letters and for those who listen to a page.

use super::OffWithTheirHeads;
use super::brings::Brings;
use super::cards::{and, list, short, suit_name};
use super::layout::layout;
use super::names::fully_at;
use super::points::Points;
use super::sheet::Sheet;
use super::space::{CELLS, COLUMNS, MUSHROOMS, Place, Space, TREES, Zone};
use super::task::Task;
use super::view::{Last, Made, Placed, PrivateView, PublicView, ShowdownSeen, TaskSeen};
use wonderpost_rules::{Seat, View, Viewer};

pub fn text(view: &View<OffWithTheirHeads>) -> String {
    let task = view.mine.as_ref().and_then(|mine| Some(task(mine.task.as_ref()?, &mine.sheet.0)));
    in_parts(view, task)
}

/// The table without what can be done at it.
pub fn table_in_words(view: &View<OffWithTheirHeads>) -> String {
    in_parts(view, None)
}

fn in_parts(view: &View<OffWithTheirHeads>, task: Option<String>) -> String {
    let table = &view.table;
    let mut parts = vec![standing(view)];
    let viewer = viewer(view);
    if let Some(showdown) = &table.showdown {
        parts.push(self::showdown(showdown, viewer));
    }
    if let Some(mine) = &view.mine {
        parts.extend(own(table, mine));
    }
    parts.extend(task);
    if let Some(last) = &table.last {
        parts.push(last_bout(last, viewer));
    }
    parts.extend(sheets(view));
    parts.join("\n\n") + "\n"
}

/// Whoever reads it, for whom they are “you”.
fn viewer(view: &View<OffWithTheirHeads>) -> Viewer {
    view.mine.as_ref().map_or(Viewer::Public, |mine| Viewer::Seat(mine.seat))
}

/// Round, Queen, cards on the table.
fn standing(view: &View<OffWithTheirHeads>) -> String {
    let table = &view.table;
    let mut lines = vec![];
    if view.over {
        let totals = view.winners.iter().filter_map(|seat| Some((*seat, view.scores.get(seat.index()).copied()??)));
        let wins = |seat| viewer(view).person(seat).does("wins");
        lines.extend(totals.map(|(seat, total)| format!("The game is over. {} with {total} VP.", wins(seat))));
        return lines.join("\n");
    }
    let suits = table.hierarchy.map(|place| suit_name(place.suit()).to_owned());
    lines.push(format!("Round {} of {}, bout {} of 7.", table.round, table.rounds, table.bout));
    lines.push(format!(
        "The Queen stands on {}. Suits from high to low: {}.",
        suit_name(table.queen.suit()),
        suits.join(", ")
    ));
    if table.ranking.is_empty() {
        if let Some(card) = table.face_up {
            lines.push(format!("Lying open: {}.", short(card)));
        }
    } else {
        lines.push(format!("On the table: {}.", ranking(&table.ranking, viewer(view))));
    }
    lines.join("\n")
}

/// “K♥ (name) in the Meadow, …”.
fn ranking(ranking: &[Placed], viewer: Viewer) -> String {
    let placed = ranking.iter().map(|placed| {
        let whose = placed.seat.map_or("from the deck".to_owned(), |seat| viewer.person(seat).to_string());
        format!("{} ({whose}) in the {}", short(placed.card), placed.zone.name())
    });
    and(placed.collect())
}

/// What the viewer is asked, in a sentence or two.
pub fn question(view: &View<OffWithTheirHeads>) -> String {
    match view.mine.as_ref().and_then(|mine| Some((mine.task.as_ref()?, &mine.sheet.0))) {
        Some((seen, sheet)) => {
            let teacups = match sheet.available() {
                0 => "You have no teacups to spend.".to_owned(),
                1 => "You have one teacup to spend.".to_owned(),
                number => format!("You have {number} teacups to spend."),
            };
            let then = if seen.then > 0 { " Another bonus mark comes after this one." } else { "" };
            format!("{} {teacups}{then}", ask(&seen.task))
        }
        None => "Choose a card. The highest paints in the Meadow, the lowest in the Keep, the others in the Woods."
            .to_owned(),
    }
}

/// The hand, and what was done with it.
fn own(table: &PublicView, mine: &PrivateView) -> Option<String> {
    let mut lines = vec![];
    if !mine.hand.is_empty() {
        lines.push(format!("Your hand, high to low: {}.", list(table.queen.rank(mine.hand))));
    }
    if let Some(card) = mine.chosen.filter(|_| table.ranking.is_empty()) {
        lines.push(format!("You chose the {}.", short(card)));
    }
    if !mine.aside.is_empty() {
        lines.push(format!("You set aside: {}.", list(mine.aside.iter())));
    }
    if !mine.made.is_empty() {
        lines.push(format!("Painted in this bout: {}.", marks(&mine.made)));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The mark asked for, and the spaces with what each brings.
fn task(seen: &TaskSeen, sheet: &Sheet) -> String {
    let mut lines = vec![ask(&seen.task)];
    let marks = seen.task.marks(sheet);
    match seen.task {
        // A line a number would be too many.
        Task::RedKeep { .. } => {
            let mut spaces: Vec<Space> = marks.iter().map(|mark| mark.space).collect();
            spaces.dedup();
            lines.push(format!("Spaces: {}.", and(spaces.iter().map(Space::to_string).collect())));
        }
        Task::Card { .. } | Task::Repeat { .. } => {
            for mark in &marks {
                let brings = Brings::of(sheet, mark.space, mark.number).words();
                let brings = if brings.is_empty() { String::new() } else { format!(": {}", brings.join("; ")) };
                lines.push(format!("  {}{brings}", seen.task.say(mark)));
            }
        }
    }
    lines.extend(seen.task.way_out(&marks).map(|way_out| format!("  {way_out}")));
    lines.push(format!("Teacups to spend: {}.", sheet.available()));
    if seen.then > 0 {
        lines.push("Another bonus mark comes after this one.".to_owned());
    }
    lines.join("\n")
}

/// What is asked for, in a sentence.
fn ask(task: &Task) -> String {
    let numbers = and(task.numbers().iter().map(u8::to_string).collect()).replace(" and ", " or ");
    let colour = task.colour().map(|colour| format!("{} ", colour.name())).unwrap_or_default();
    match task {
        Task::Card { card, zone } => {
            format!("Your {} marks in the {}: paint a {colour}{numbers} there.", short(*card), zone.name())
        }
        Task::Repeat { not_in, .. } => format!(
            "A biscuit! Paint the {colour}{numbers} once more, in the {}, or leave it.",
            and(Zone::ALL.iter().filter(|zone| *zone != not_in).map(|zone| zone.name().to_owned()).collect())
                .replace(" and ", " or the ")
        ),
        Task::RedKeep { zone } => {
            format!("The Red Keep gives you a mark in the {}: any number from 1 to 11, any colour.", zone.name())
        }
    }
}

fn last_bout(last: &Last, viewer: Viewer) -> String {
    let mut lines = vec![format!(
        "The bout before (round {}, bout {}, the Queen on {}): {}.",
        last.round,
        last.bout,
        suit_name(last.queen.suit()),
        ranking(&last.ranking, viewer)
    )];
    for (seat, made) in Seat::all(last.marks.len() as u8).zip(&last.marks) {
        lines.push(match made.is_empty() {
            true => format!("{} painted nothing.", viewer.person(seat).capitalised()),
            false => format!("{} painted {}.", viewer.person(seat).capitalised(), marks(made)),
        });
    }
    lines.join("\n")
}

fn marks(made: &[Made]) -> String {
    and(made.iter().map(|made| format!("{} {}", made.number, fully_at(made.space))).collect())
}

/// A sheet each; one's own with the marks of this bout.
fn sheets(view: &View<OffWithTheirHeads>) -> Vec<String> {
    let own = view.mine.as_ref();
    let mut sheets: Vec<String> = vec![];
    sheets.extend(own.map(|mine| format!("Your sheet\n{}", sheet(&mine.sheet.0))));
    let others = view.table.players.iter().filter(|player| own.is_none_or(|mine| mine.seat != player.seat));
    for player in others {
        let cards = format!("{} in hand, {} set aside", player.hand, player.aside);
        sheets.push(format!("The sheet of {} ({cards})\n{}", player.seat.mark(), sheet(&player.sheet.0)));
    }
    sheets
}

fn sheet(sheet: &Sheet) -> String {
    let numbers = |numbers: &[u8]| numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    let mut lines = vec![];
    let mushrooms = (0..MUSHROOMS).map(|index| {
        let mushroom = &layout().meadow.mushrooms[index];
        let filled = sheet.mushroom(index);
        format!("{} [{}] {} of {}", mushroom.name, numbers(filled), filled.len(), mushroom.spaces.len())
    });
    lines.push(format!("Meadow: {}", mushrooms.collect::<Vec<_>>().join(", ")));
    let painted = |space: Space| match space.place() {
        Place::Tree(index) => sheet.tree(index).map(|number| format!("{}={number}", index + 1)),
        Place::Mushroom(_) | Place::Cell(_) => None,
    };
    let trees: Vec<String> = Space::of(Zone::Woods).filter_map(painted).collect();
    lines.push(format!("Woods, {} of {TREES} trees: {}", trees.len(), or_none(&trees.join(" "))));
    lines.push("Keep, a to g:".to_owned());
    for row in 0..CELLS / COLUMNS {
        let cells =
            (0..COLUMNS).map(|column| sheet.cell(row * COLUMNS + column).map_or("-".to_owned(), |n| n.to_string()));
        lines.push(format!("  {} {}", row + 1, cells.collect::<Vec<_>>().join(" ")));
    }
    let guests: Vec<&str> = sheet.guests().iter().map(|guest| guest.name()).collect();
    lines.push(format!("Tea party: {}", or_none(&guests.join(", "))));
    let asleep = if sheet.keeps_jabberwock_asleep() { "asleep" } else { "awake" };
    lines.push(format!("Teacups: {} gained, {} spent. The Jabberwock is {asleep}.", sheet.gained(), sheet.spent()));
    lines.push(points(&sheet.points()));
    lines.join("\n")
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

fn points(points: &Points) -> String {
    let parts = [
        ("Meadow", points.meadow),
        ("Woods", points.woods),
        ("the Jabberwock asleep", points.jabberwock),
        ("full Woods", points.full_woods),
        ("stars", points.keep),
        ("Red Keep", points.red_keep),
        ("tea party", points.tea_party),
    ];
    let parts: Vec<String> = parts.iter().filter(|(_, vp)| *vp > 0).map(|(name, vp)| format!("{name} {vp}")).collect();
    match parts.is_empty() {
        true => "Points: 0".to_owned(),
        false => format!("Points: {} ({})", points.total, parts.join(", ")),
    }
}

fn showdown(showdown: &[ShowdownSeen], viewer: Viewer) -> String {
    let mut lines = vec!["The showdown".to_owned()];
    for shown in showdown {
        let bonus = if shown.bonus > 0 { format!(", and {} for the best hand", shown.bonus) } else { String::new() };
        lines.push(format!(
            "{}: {}: {}, {} VP{bonus}",
            viewer.person(shown.seat).capitalised(),
            list(shown.hand.iter().copied()),
            shown.rank.name(),
            shown.vp
        ));
    }
    lines.join("\n")
}
