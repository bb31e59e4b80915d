//! The bout: where the Queen stands, and the cards on the table.

use super::super::OffWithTheirHeads;
use super::super::Phase;
use super::super::cards::suit_name;
use super::super::names::at;
use super::super::space::Zone;
use super::super::view::{Made, Placed, PublicView};
use super::super::wonderland::Queen;
use crate::playing_cards;
use wonderpost_rules::View;

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
    /// The suits from high to low.
    pub fn order(&self) -> Vec<&SuitSpace> {
        let mut suits: Vec<&SuitSpace> = self.suits.iter().collect();
        suits.sort_by_key(|suit| suit.rank);
        suits
    }

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

const PLACES: [&str; 4] = ["high", "between", "between", "low"];

impl Cards {
    pub fn new(view: &View<OffWithTheirHeads>) -> Cards {
        let table = &view.table;
        let own = view.mine.as_ref().map(|mine| mine.seat);
        let placed = |ranking: &[Placed], marks: Option<&Vec<Vec<Made>>>| {
            let card = |(placed, place): (&Placed, &'static str)| PlacedCard {
                picture: playing_cards::silent(placed.card, ""),
                card: playing_cards::name(placed.card),
                whose: match placed.seat {
                    Some(seat) if Some(seat) == own => "you".to_owned(),
                    Some(seat) => seat.mark().to_string(),
                    None => "deck".to_owned(),
                },
                own: placed.seat.is_some() && placed.seat == own,
                zone: placed.zone,
                place,
                painted: marks.zip(placed.seat).and_then(|(marks, seat)| {
                    let made = marks.get(seat.index())?;
                    let words: Vec<String> =
                        made.iter().map(|made| format!("{} {}", made.number, at(made.space))).collect();
                    Some(if words.is_empty() { "nothing painted".to_owned() } else { words.join(", ") })
                }),
            };
            ranking.iter().zip(PLACES).map(card).collect::<Vec<_>>()
        };
        let choosing = matches!(view.phase, Phase::Between | Phase::Choose);
        Cards {
            now: placed(&table.ranking, None),
            open: table.face_up.filter(|_| choosing).map(|card| playing_cards::picture(card, "")),
            face_down: (choosing && table.players.len() == 2)
                .then(|| playing_cards::back("", Some("a card face down"))),
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
