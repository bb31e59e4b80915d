//! The row of seats on a table's page, and where the table stands in a few words.

use chrono::{DateTime, Utc};

use crate::app::clock::time_left;
use crate::http::pages::table::help::found_in;
use crate::http::render::{Moment, in_words};
use crate::tables::state::record::Ending;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{Holder, name_of};
use wonderpost_rules::{Seat, Word};

/// A seat in the row at the top.
pub struct SeatLine {
    pub number: u8,
    pub name: String,
    /// The page of whoever holds it, for those who share the table.
    pub page: Option<String>,
    pub is_me: bool,
    pub score: Option<i64>,
    /// What the game says of the seat, as HTML: public numbers.
    pub words: String,
    /// The words of the game among them.
    pub explained: Vec<&'static Word>,
    pub won: bool,
    pub resigned: bool,
    /// Until when the holder has days off.
    pub away: Option<Moment>,
    /// A bot keeps the seat until its owner returns.
    pub kept: bool,
    /// Since when and until when the seat is awaited.
    pub awaited: Option<Awaited>,
}

pub struct Awaited {
    pub since: Option<Moment>,
    pub until: Option<(Moment, String)>,
}

/// All seats of a table; `words` is what the game says of each.
pub fn seat_lines(
    now: &TableState,
    holders: &[Holder],
    mine: Option<Seat>,
    words: &[String],
    at: DateTime<Utc>,
) -> Vec<SeatLine> {
    let scores = now.position.scores();
    let awaiting = now.awaiting();
    let winners = now.winners();
    Seat::all(now.opened.seats)
        .map(|seat| SeatLine {
            number: seat.number(),
            name: name_of(holders, seat),
            page: mine.and_then(|_| page_of(holders, seat)),
            is_me: mine == Some(seat),
            score: scores.get(seat.index()).copied().flatten(),
            explained: words.get(seat.index()).map_or(Vec::new(), |words| found_in(words, now.game)),
            words: words.get(seat.index()).cloned().unwrap_or_default(),
            won: now.status() == Status::Over && winners.contains(seat),
            resigned: now.resigned.contains(seat),
            away: now.times.away_at(seat, at).filter(|_| now.status() == Status::Playing).map(|away| away.until.into()),
            kept: now.times.kept.contains(seat) && now.status() == Status::Playing,
            awaited: awaiting.contains(seat).then(|| Awaited {
                since: now.clocks[seat.index()].since.map(Moment::from),
                until: now.deadline_of(seat).map(|until| (until.into(), in_words(until - at))),
            }),
        })
        .collect()
}

fn page_of(holders: &[Holder], seat: Seat) -> Option<String> {
    let player = holders.iter().find(|holder| holder.seat == seat)?.player?;
    Some(format!("/players/{player}"))
}

/// Whose turn it is and for how long, in a few words: “Your move · 23 h left”.
pub fn state_words(now: &TableState, holders: &[Holder], mine: Option<Seat>, at: DateTime<Utc>) -> String {
    match (now.status(), now.ended) {
        (Status::Over, Some(Ending::Agreed)) => return "Ended by agreement".to_owned(),
        (Status::Over, Some(Ending::Resigned)) => return "Ended by resignation".to_owned(),
        (Status::Over, Some(Ending::Abandoned)) => return "Closed: nobody played any more".to_owned(),
        (Status::Over, Some(Ending::ClosedByHost)) => return "Closed by the host".to_owned(),
        (Status::Over, _) => return "The game is over".to_owned(),
        (Status::Open, _) => return "Waiting for players".to_owned(),
        (Status::Playing | Status::Gone, _) => {}
    }
    let awaiting = now.awaiting();
    let left = |seat: Seat| match now.deadline_of(seat) {
        Some(until) if !now.times.paused => format!(" · {}", time_left(until - at)),
        _ => String::new(),
    };
    if let Some(seat) = mine.filter(|seat| awaiting.contains(*seat) && !now.resigned.contains(*seat)) {
        return format!("Your move{}", left(seat));
    }
    if now.times.paused {
        return "Paused".to_owned();
    }
    let seats: Vec<Seat> = awaiting.iter().collect();
    match seats.as_slice() {
        [] => "One moment".to_owned(),
        [seat] => format!("{}'s move{}", name_of(holders, *seat), left(*seat)),
        [one, other] => format!("Waiting for {} and {}", name_of(holders, *one), name_of(holders, *other)),
        seats => format!("Waiting for {} players", seats.len()),
    }
}
