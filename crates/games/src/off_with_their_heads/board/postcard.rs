//! The viewer's own sheet as a picture for letters, with the hierarchy of the bout, the cards on the table and the hand above it.

use std::sync::LazyLock;

use askama::Template;

use super::super::OffWithTheirHeads;
use super::super::Phase;
use super::super::cards::short;
use super::super::layout::{Mushroom, layout};
use super::super::sheet::Sheet;
use super::super::space::{COLUMNS, Zone};
use super::super::task::Task;
use super::art::art;
use super::bout::{Cards, PlacedCard, Wonderland};
use super::choice::Choices;
use super::hand::{Hand, HandCard};
use super::party::{Invited, Tag, TagState, tea_party, teacups};
use super::picture::{Picture as ZonePicture, pictures};
use super::{first_zone, last_marks};
use crate::drawing::{self, Drawings};
use crate::playing_cards;
use wonderpost_rules::{Picture, Seat, View};

pub(super) static DRAWINGS: LazyLock<Drawings> =
    LazyLock::new(|| Drawings::of(&[playing_cards::symbols(), drawing::emblems(), art()]));

const WIDTH: u32 = 640;
const HAND_CARD: u32 = 62;

#[derive(Template)]
#[template(path = "off-with-their-heads/postcard.html")]
struct Postcard {
    wonderland: Wonderland,
    title: String,
    hand: String,
    hand_words: &'static str,
    /// How it ended, a line for each player.
    totals: Vec<String>,
    /// This bout's cards in ranking order, or the extra ones before the reveal.
    table: Vec<OnTable>,
    /// Whose sheet it is, if it is not the viewer's.
    whose: Option<Seat>,
    zones: Vec<DrawnZone>,
    teacups: Vec<Tag>,
    guests: Vec<Invited>,
    /// Where the teacups and the guests stand.
    party: u32,
}

/// A card on the table, with whose it is and where it paints.
struct OnTable {
    x: u32,
    card: String,
    own: bool,
    whose: String,
    zone: &'static str,
}

/// A zone and where it is drawn.
struct DrawnZone {
    y: u32,
    height: u32,
    picture: ZonePicture,
    labels: Vec<Label>,
}

/// What one writes for a space, where it is drawn: the numbers of mushrooms, the columns and rows of the Keep. Trees have theirs anyway.
struct Label {
    x: i32,
    y: i32,
    words: String,
}

pub fn picture(view: &View<OffWithTheirHeads>) -> Picture {
    let choices = match (&view.mine, view.moves.is_empty()) {
        (Some(mine), false) => Choices::new(mine, &view.moves, None),
        _ => Choices::default(),
    };
    // Whoever has no sheet looks at the winner's, or at the first one.
    let shown = view.winners.first().copied().unwrap_or(Seat::FIRST);
    let (sheet, made) = match &view.mine {
        Some(mine) if view.phase == Phase::Mark => (mine.sheet.0, mine.made.clone()),
        Some(mine) => (mine.sheet.0, last_marks(view, mine.seat)),
        None => (view.table.players[shown.index()].sheet.0, last_marks(view, shown)),
    };
    let mut hand = Hand::new(view, false).cards;
    hand.retain(|card| !card.open);
    let table = on_table(Cards::new(view));
    let zones = zones(view, pictures(&sheet, &made, Some(&choices)), !table.is_empty());
    let party = zones.last().map_or(0, |zone| zone.y + zone.height) + 16;
    let postcard = Postcard {
        wonderland: Wonderland::new(&view.table),
        title: title(view),
        hand_words: match (&view.mine, hand.iter().any(|card| card.chosen)) {
            (Some(_), true) => "Your hand; the card that you chose is raised",
            (Some(_), false) if !hand.is_empty() => "Your hand",
            _ => "",
        },
        hand: hand_in_drawing(&hand),
        totals: totals(view),
        table,
        whose: view.mine.is_none().then_some(shown),
        zones,
        teacups: teacups(&sheet),
        guests: tea_party(&sheet),
        party,
    };
    let alt = alt(view, &sheet, &postcard);
    // Writing into a string fails only if a value refuses to be written, and none of ours does.
    drawing::picture(&DRAWINGS, (WIDTH, party + 74), &postcard.render().unwrap_or_default(), alt)
}

fn title(view: &View<OffWithTheirHeads>) -> String {
    if view.over {
        let winner = view.winners.first().map_or(' ', |seat| seat.mark());
        let won = view.mine.as_ref().is_some_and(|mine| view.winners.contains(&mine.seat));
        return if won { "You win!".to_owned() } else { format!("{winner} wins") };
    }
    let choosing = matches!(view.phase, Phase::Between | Phase::Choose);
    let task = view.mine.as_ref().and_then(|mine| mine.task.as_ref());
    match (&view.mine, task.map(|seen| seen.task)) {
        (None, _) if choosing => "Everybody chooses a card".to_owned(),
        (None, _) => "Everybody paints".to_owned(),
        (Some(_), Some(Task::Card { zone, .. })) => format!("Paint in the {}", zone.name()),
        (Some(_), Some(Task::Repeat { .. })) => "Once more".to_owned(),
        (Some(_), Some(Task::RedKeep { zone })) => format!("The Red Keep: a mark in the {}", zone.name()),
        (Some(mine), None) if choosing => match mine.chosen {
            None => "Choose a card".to_owned(),
            Some(card) => format!("You chose the {}", short(card)),
        },
        (Some(_), None) => "Your marks are made".to_owned(),
    }
}

/// When it is over.
fn totals(view: &View<OffWithTheirHeads>) -> Vec<String> {
    let seats = view.table.players.iter().map(|player| player.seat).zip(&view.scores);
    let mut totals: Vec<(Seat, i64)> = seats.map(|(seat, score)| (seat, score.unwrap_or_default())).collect();
    totals.sort_by_key(|(seat, score)| (!view.winners.contains(seat), std::cmp::Reverse(*score)));
    let lines = totals.into_iter().filter(|_| view.over);
    lines.map(|(seat, score)| format!("{}: {score} VP", seat.mark())).collect()
}

fn hand_in_drawing(hand: &[HandCard]) -> String {
    let step = playing_cards::step(hand.len(), HAND_CARD, WIDTH - 206);
    let place = |(card, x): (&HandCard, u32)| {
        playing_cards::row(&card.picture, x, if card.chosen { 96 } else { 104 }, HAND_CARD, 0)
    };
    hand.iter().zip((0..).map(|number| 190 + number * step)).map(place).collect()
}

fn on_table(cards: Cards) -> Vec<OnTable> {
    let placed = |(card, x): (PlacedCard, u32)| OnTable {
        x,
        card: playing_cards::row(&card.picture, x + 6, 208, 50, 0),
        own: card.own,
        whose: card.whose,
        zone: card.zone.name(),
    };
    let extra = |(card, x): (String, u32)| OnTable {
        x,
        card: playing_cards::row(&card, x + 6, 208, 50, 0),
        own: false,
        whose: "extra card".to_owned(),
        zone: "",
    };
    let places = (0..).map(|number| 16 + number * 154);
    match cards.now.is_empty() {
        false => cards.now.into_iter().zip(places).map(placed).collect(),
        true => cards.open.into_iter().chain(cards.face_down).zip(places).map(extra).collect(),
    }
}

/// The zone in question first, as on the page.
fn zones(view: &View<OffWithTheirHeads>, pictures: [ZonePicture; 3], cards: bool) -> Vec<DrawnZone> {
    let mut pictures = pictures.to_vec();
    let first = first_zone(view);
    pictures.sort_by_key(|picture| Some(picture.zone) != first);
    let mut y = if cards { 318 } else { 214 };
    let mut zones = vec![];
    for picture in pictures {
        // As wide as the paper but for its margins.
        let height = match picture.zone {
            Zone::Meadow => 263,
            Zone::Woods => 507,
            Zone::Keep => 431,
        };
        let labels = labels(picture.zone);
        zones.push(DrawnZone { y: y + 30, height, picture, labels });
        y += 30 + height + 8;
    }
    zones
}

fn labels(zone: Zone) -> Vec<Label> {
    match zone {
        Zone::Meadow => {
            let numbered = (1..).zip(&layout().meadow.mushrooms);
            let label = |(number, mushroom): (u32, &Mushroom)| Label {
                x: mushroom.x - 36,
                y: mushroom.y + 50,
                words: number.to_string(),
            };
            numbered.map(label).collect()
        }
        Zone::Woods => vec![],
        Zone::Keep => {
            let (cells, half) = (&layout().keep.cells, layout().keep.cell / 2);
            let columns = cells.iter().take(COLUMNS).zip('a'..);
            let columns =
                columns.map(|(cell, letter)| Label { x: cell.x, y: cell.y - half - 15, words: letter.to_string() });
            let rows = (1..).zip(cells.iter().step_by(COLUMNS));
            let rows = rows.map(|(number, cell): (u32, _)| Label {
                x: cell.x - half - 23,
                y: cell.y + 7,
                words: number.to_string(),
            });
            columns.chain(rows).collect()
        }
    }
}

fn alt(view: &View<OffWithTheirHeads>, sheet: &Sheet, postcard: &Postcard) -> String {
    let whose = postcard.whose.map_or("Your sheet".to_owned(), |seat| format!("The sheet of {}", seat.mark()));
    let guests = sheet.guests().len();
    let hand = match &view.mine {
        Some(mine) if !mine.hand.is_empty() => {
            let cards: Vec<String> = view.table.queen.rank(mine.hand).into_iter().map(short).collect();
            format!(" Your hand: {}.", cards.join(", "))
        }
        _ => String::new(),
    };
    format!(
        "{whose} with the Meadow, the Woods and the Keep: {} teacup{} to spend, {guests} guest{} at the tea party. {}. {}{hand}",
        sheet.available(),
        if sheet.available() == 1 { "" } else { "s" },
        if guests == 1 { "" } else { "s" },
        postcard.wonderland.title,
        postcard.wonderland.label,
    )
}

impl Tag {
    pub fn is_spent(&self) -> bool {
        self.state == TagState::Spent
    }

    pub fn is_empty(&self) -> bool {
        self.state == TagState::Empty
    }
}
