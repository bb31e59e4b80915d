//! The bout: where the Queen stands, the cards on the table and in hand, and what is asked for.

use super::super::OffWithTheirHeads;
use super::super::Phase;
use super::super::cards::{short, suit_name};
use super::super::space::Zone;
use super::super::task::Task;
use super::super::text::ask;
use super::super::view::{Placed, PublicView};
use super::super::wonderland::Queen;
use super::choice::Choices;
use crate::playing_cards;
use wonderpost_rules::{Card, Seat, View};

/// The ring of suits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wonderland {
    pub title: String,
    pub label: String,
    pub suits: Vec<SuitSpace>,
}

/// A space of the ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuitSpace {
    /// The letter of its pip.
    pub sign: char,
    pub name: &'static str,
    pub red: bool,
    /// 1 is the highest.
    pub rank: usize,
    pub x: i32,
    pub y: i32,
    pub queen: bool,
}

impl Wonderland {
    pub fn new(table: &PublicView) -> Wonderland {
        let names = table.hierarchy.map(|place| suit_name(place.suit()).to_owned());
        let places = [(100, 38), (162, 100), (100, 162), (38, 100)];
        let suits = Queen::ROUND.into_iter().zip(places).map(|(place, (x, y))| SuitSpace {
            sign: place.suit().letter().to_ascii_lowercase(),
            name: suit_name(place.suit()),
            red: matches!(place, Queen::OnHearts | Queen::OnDiamonds),
            rank: table.hierarchy.iter().position(|other| *other == place).unwrap_or(3) + 1,
            x,
            y,
            queen: place == table.queen,
        });
        Wonderland {
            title: format!("Round {} of {}, bout {} of 7", table.round, table.rounds, table.bout),
            label: format!(
                "The Queen stands on {}. From high to low: {}.",
                suit_name(table.queen.suit()),
                names.join(", ")
            ),
            suits: suits.collect(),
        }
    }
}

/// The cards on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cards {
    /// This bout's, in ranking order.
    pub now: Vec<PlacedCard>,
    /// The extra cards before the reveal.
    pub open: Option<String>,
    pub face_down: Option<String>,
    /// Who has chosen and who has not, before the reveal; who is done and who is not, after it.
    pub waiting: Vec<Waiting>,
    pub last: Option<LastCards>,
}

/// A card in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedCard {
    pub picture: String,
    pub card: String,
    pub whose: String,
    pub own: bool,
    pub zone: Zone,
    pub place: &'static str,
    /// What its player painted, for the bout before.
    pub painted: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastCards {
    pub title: String,
    pub cards: Vec<PlacedCard>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub name: String,
    pub awaited: bool,
    pub words: &'static str,
}

const PLACES: [&str; 4] = ["high", "between", "between", "low"];

impl Cards {
    pub fn new(view: &View<OffWithTheirHeads>) -> Cards {
        let table = &view.table;
        let own = view.mine.as_ref().map(|mine| mine.seat);
        let placed = |ranking: &[Placed], marks: Option<&Vec<Vec<super::super::view::Made>>>| {
            let card = |(placed, place): (&Placed, &'static str)| PlacedCard {
                picture: playing_cards::silent(placed.card, ""),
                card: playing_cards::name(placed.card),
                whose: match placed.seat {
                    Some(seat) if Some(seat) == own => "you".to_owned(),
                    Some(seat) => seat.mark().to_string(),
                    None => "from the deck".to_owned(),
                },
                own: placed.seat.is_some() && placed.seat == own,
                zone: placed.zone,
                place,
                painted: marks.zip(placed.seat).and_then(|(marks, seat)| {
                    let made = marks.get(seat.index())?;
                    let words: Vec<String> =
                        made.iter().map(|made| format!("{} in {}", made.number, made.space)).collect();
                    Some(if words.is_empty() { "nothing painted".to_owned() } else { words.join(", ") })
                }),
            };
            ranking.iter().zip(PLACES).map(card).collect::<Vec<_>>()
        };
        let choosing = matches!(view.phase, Phase::Between | Phase::Choose);
        let waiting = |seat: Seat| {
            let awaited = view.awaiting.contains(&seat);
            Waiting {
                name: if Some(seat) == own { "You".to_owned() } else { seat.mark().to_string() },
                awaited,
                words: match (choosing, awaited, Some(seat) == own) {
                    (true, true, false) => "is choosing",
                    (true, true, true) => "are choosing",
                    (true, false, false) => "has chosen",
                    (true, false, true) => "have chosen",
                    (false, true, false) => "is painting",
                    (false, true, true) => "are painting",
                    (false, false, false) => "is done",
                    (false, false, true) => "are done",
                },
            }
        };
        Cards {
            now: placed(&table.ranking, None),
            open: table.face_up.filter(|_| choosing).map(|card| playing_cards::picture(card, "")),
            face_down: (choosing && table.players.len() == 2)
                .then(|| playing_cards::back("", Some("a card face down"))),
            waiting: match view.over {
                true => vec![],
                false => table.players.iter().map(|player| waiting(player.seat)).collect(),
            },
            last: table.last.as_ref().map(|last| LastCards {
                title: format!(
                    "Round {}, bout {}, with the Queen on {}",
                    last.round,
                    last.bout,
                    suit_name(last.queen.suit())
                ),
                cards: placed(&last.ranking, Some(&last.marks)),
            }),
        }
    }
}

/// A card of the hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCard {
    pub picture: String,
    pub name: String,
    /// The move that plays it, if it can be played now.
    pub say: Option<String>,
    pub chosen: bool,
}

impl HandCard {
    /// The hand, highest first.
    pub fn all(view: &View<OffWithTheirHeads>, asked: bool) -> Vec<HandCard> {
        let Some(mine) = &view.mine else { return vec![] };
        let playable = asked && view.prompt == Some("choose");
        let card = |card: Card| HandCard {
            picture: playing_cards::silent(card, ""),
            name: playing_cards::name(card),
            say: playable.then(|| format!("play {card}")),
            chosen: mine.chosen == Some(card),
        };
        view.table.queen.rank(mine.hand).into_iter().map(card).collect()
    }
}

/// What the viewer is asked for, or what is going on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    pub title: String,
    pub words: String,
    pub card: Option<String>,
    pub hint: Option<&'static str>,
    /// The viewer is asked for something.
    pub asked: bool,
    pub over: bool,
}

impl Ask {
    pub fn new(view: &View<OffWithTheirHeads>, asked: bool, choices: &Choices) -> Ask {
        let plain = |title: &str, words: String| Ask {
            title: title.to_owned(),
            words,
            card: None,
            hint: None,
            asked: false,
            over: view.over,
        };
        if view.over {
            let winner = view.winners.first().map_or(' ', |seat| seat.mark());
            let total = view.winners.first().and_then(|seat| view.scores.get(seat.index()).copied().flatten());
            let won = view.mine.as_ref().is_some_and(|mine| view.winners.contains(&mine.seat));
            let title = if won { "You win!".to_owned() } else { format!("{winner} wins") };
            return plain(&title, format!("With {} VP. Off with the others' heads!", total.unwrap_or_default()));
        }
        let Some(mine) = &view.mine else {
            return match view.phase {
                Phase::Between | Phase::Choose => {
                    plain("Everybody chooses a card", "In secret, until all have chosen.".to_owned())
                }
                _ => plain("Everybody paints", "The sheets are shown when all are done.".to_owned()),
            };
        };
        if let Some(seen) = &mine.task {
            let title = match seen.task {
                Task::Card { zone, .. } => format!("Paint in the {}", zone.name()),
                Task::Repeat { .. } => "Once more".to_owned(),
                Task::RedKeep { zone } => format!("The Red Keep: a mark in the {}", zone.name()),
            };
            let card = match seen.task {
                Task::Card { card, .. } => Some(playing_cards::silent(card, "")),
                Task::Repeat { .. } | Task::RedKeep { .. } => None,
            };
            let hint = match (asked, choices.some_cost()) {
                (true, true) => Some("Spaces that glow are free; those with a broken rim and a cup cost a teacup."),
                (true, false) => Some("Choose one of the spaces that glow."),
                (false, _) => None,
            };
            return Ask { title, words: ask(&seen.task), card, hint, asked, over: false };
        }
        match (view.phase, mine.chosen) {
            (Phase::Between | Phase::Choose, None) => Ask {
                hint: Some("Your choice is secret, and final."),
                asked,
                ..plain("Choose a card", chances(&view.table))
            },
            (Phase::Between | Phase::Choose, Some(card)) => plain(
                &format!("You chose the {}", short(card)),
                "Nobody else knows it yet. The cards are shown when all have chosen.".to_owned(),
            ),
            _ => plain("Your marks are made", "Nobody else sees them until all are done.".to_owned()),
        }
    }
}

fn chances(table: &PublicView) -> String {
    let suits = table.hierarchy.map(|place| suit_name(place.suit()));
    format!(
        "{} are high, then {}, {} and {}. The highest card paints in the Meadow, the lowest in the Keep, the others in the Woods.",
        suits[0], suits[1], suits[2], suits[3]
    )
}
