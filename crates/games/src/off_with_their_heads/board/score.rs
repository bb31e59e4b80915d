//! The points, part by part, and the showdown.

use super::super::OffWithTheirHeads;
use super::super::points::Points;
use super::super::view::SheetSeen;
use crate::playing_cards;
use wonderpost_rules::{Seat, View};

/// The points of all players, a column each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    pub title: &'static str,
    pub players: Vec<Column>,
    pub lines: Vec<Line>,
    pub total: Line,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub winner: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub name: &'static str,
    pub points: Vec<i64>,
}

type Part = (&'static str, fn(&Points) -> i64);

impl Scores {
    pub fn new(view: &View<OffWithTheirHeads>) -> Scores {
        let own = view.mine.as_ref();
        // One's own with the marks of this bout, which nobody else sees yet.
        let sheet = |seat: Seat, shown: &SheetSeen| match own {
            Some(mine) if mine.seat == seat => mine.sheet.0,
            _ => shown.0,
        };
        let points: Vec<Points> =
            view.table.players.iter().map(|player| sheet(player.seat, &player.sheet).points()).collect();
        let parts: [Part; 7] = [
            ("Meadow", |points| points.meadow),
            ("Woods", |points| points.woods),
            ("Jabberwock asleep", |points| points.jabberwock),
            ("Full Woods", |points| points.full_woods),
            ("Stars of the Keep", |points| points.keep),
            ("Red Keep", |points| points.red_keep),
            ("Tea party", |points| points.tea_party),
        ];
        let mut lines: Vec<Line> =
            parts.iter().map(|(name, part)| Line { name, points: points.iter().map(part).collect() }).collect();
        let mut totals: Vec<i64> = points.iter().map(|points| points.total).collect();
        if let Some(showdown) = &view.table.showdown {
            let poker = showdown.iter().map(|shown| shown.vp).collect();
            let best = showdown.iter().map(|shown| shown.bonus).collect();
            lines.push(Line { name: "Poker hand", points: poker });
            lines.push(Line { name: "Best hand", points: best });
            totals = view.scores.iter().map(|score| score.unwrap_or_default()).collect();
        }
        Scores {
            title: if view.over { "The final scores" } else { "Points so far" },
            players: view
                .table
                .players
                .iter()
                .map(|player| Column {
                    name: match own {
                        Some(mine) if mine.seat == player.seat => "You".to_owned(),
                        _ => player.seat.mark().to_string(),
                    },
                    winner: view.winners.contains(&player.seat),
                })
                .collect(),
            lines,
            total: Line { name: "Total", points: totals },
        }
    }
}

/// A player's poker hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub name: String,
    pub words: String,
    pub cards: Vec<ShownCard>,
    pub best: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownCard {
    pub picture: String,
    /// One of the five.
    pub raised: bool,
}

impl Shown {
    pub fn all(view: &View<OffWithTheirHeads>) -> Vec<Shown> {
        let Some(showdown) = &view.table.showdown else { return vec![] };
        let own = view.mine.as_ref().map(|mine| mine.seat);
        let shown = showdown.iter().map(|shown| Shown {
            name: if Some(shown.seat) == own { "You".to_owned() } else { shown.seat.mark().to_string() },
            words: match shown.bonus {
                0 => format!("{}, {} VP", shown.rank.name(), shown.vp),
                bonus => format!("{}, {} VP, and {bonus} for the best hand", shown.rank.name(), shown.vp),
            },
            cards: shown
                .aside
                .iter()
                .map(|card| ShownCard { picture: playing_cards::picture(card, ""), raised: shown.hand.contains(&card) })
                .collect(),
            best: shown.bonus > 0,
        });
        shown.collect()
    }
}
