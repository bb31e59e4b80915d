//! The end of a game as a moment of its own: who has won, and with what.

use crate::tables::state::record::Ending;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{Holder, name_of};
use wonderpost_rules::{Seat, SeatSet};

/// The panel above the board once a game is over.
pub struct EndingPanel {
    pub title: String,
    /// How it came to an end, where that is not plain.
    pub words: String,
    /// The best first; empty where a game keeps no points.
    pub scores: Vec<ScoreLine>,
}

pub struct ScoreLine {
    pub name: String,
    pub points: i64,
    pub won: bool,
}

impl EndingPanel {
    /// `None` while the game goes on, and for games for one, whose boards say it themselves.
    pub fn new(now: &TableState, holders: &[Holder], mine: Option<Seat>) -> Option<EndingPanel> {
        if now.status() != Status::Over || now.opened.seats == 1 {
            return None;
        }
        let winners = now.winners();
        let points = now.position.scores();
        let mut scores: Vec<ScoreLine> = Seat::all(now.opened.seats)
            .filter_map(|seat| {
                let points = points.get(seat.index()).copied().flatten()?;
                Some(ScoreLine { name: name_for(holders, seat, mine), points, won: winners.contains(seat) })
            })
            .collect();
        scores.sort_by_key(|line| (!line.won, -line.points));
        Some(EndingPanel { title: title(winners, holders, mine), words: how(now), scores })
    }
}

fn name_for(holders: &[Holder], seat: Seat, mine: Option<Seat>) -> String {
    if mine == Some(seat) { "You".to_owned() } else { name_of(holders, seat) }
}

fn title(winners: SeatSet, holders: &[Holder], mine: Option<Seat>) -> String {
    let mut names: Vec<String> = Vec::new();
    let i_won = mine.is_some_and(|seat| winners.contains(seat));
    if i_won {
        names.push("You".to_owned());
    }
    names.extend(winners.iter().filter(|seat| mine != Some(*seat)).map(|seat| name_of(holders, seat)));
    match names.as_slice() {
        [] => "Nobody wins".to_owned(),
        [_] if i_won => "You win!".to_owned(),
        [name] => format!("{name} wins"),
        [names @ .., last] => format!("{} and {last} win together", names.join(", ")),
    }
}

fn how(now: &TableState) -> String {
    match now.ended {
        Some(Ending::Agreed) => "You agreed to end the game here.".to_owned(),
        Some(Ending::Resigned) => "The game ended by resignation.".to_owned(),
        Some(Ending::Abandoned) => "The table was closed because nobody played any more.".to_owned(),
        Some(Ending::ClosedByHost) => "The host closed the table.".to_owned(),
        Some(Ending::Expired) | None => String::new(),
    }
}
