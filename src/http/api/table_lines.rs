//! Lines about tables: in lists, of seats, of the log.

use chrono::{DateTime, Utc};

use crate::db::tables::lists::TableRow;
use crate::http::api::types::tables as types;
use crate::http::render::in_words;
use crate::tables::state::table_state::TableState;
use crate::tables::{Holder, LoggedMove, awaited_in_list, names_in_list, with_names};
use wonderpost_rules::Seat;

/// A table as lists show it at this time.
pub fn table_row(row: TableRow, at: DateTime<Utc>) -> types::TableRow {
    types::TableRow {
        id: row.id.to_string(),
        names: names_in_list(&row).into_iter().map(|(_, name)| name).collect(),
        awaited: awaited_in_list(&row),
        game: row.game,
        status: row.status.name(),
        seats: row.seats,
        private: row.private,
        moves: row.moves,
        waits_for_me: row.waits_for_me,
        deadline: row.deadline,
        deadline_in: row.deadline.map(|deadline| in_words(deadline - at)),
        opened_at: row.opened_at,
        moved_at: row.moved_at,
        day: row.day,
    }
}

/// The log with the names of those who sit there.
pub fn log_lines(log: &[LoggedMove], holders: &[Holder]) -> Vec<types::LoggedMove> {
    log.iter()
        .map(|entry| types::LoggedMove {
            number: entry.number,
            seat: entry.seat.map(Seat::number),
            at: entry.at,
            lines: entry.lines.iter().map(|line| with_names(line, holders)).collect(),
        })
        .collect()
}

/// A seat at this time.
pub fn seat_line(now: &TableState, holders: &[Holder], seat: Seat, at: DateTime<Utc>) -> types::SeatLine {
    let deadline = now.deadline_of(seat);
    types::SeatLine {
        seat: seat.number(),
        name: holders.iter().find(|holder| holder.seat == seat).map(|holder| holder.name.clone()),
        bot: now.bots.iter().any(|(bot, _)| *bot == seat),
        resigned: now.resigned.contains(seat),
        agrees_to_end: now.agreed.contains(seat),
        agrees_to_pause: now.times.pausing.contains(seat),
        awaited_since: now.clocks[seat.index()].since,
        deadline,
        deadline_in: deadline.map(|deadline| in_words(deadline - at)),
        away_until: now.times.away_at(seat, at).map(|away| away.until),
        kept_by_bot: now.times.kept.contains(seat),
        misses: now.clocks[seat.index()].misses,
    }
}
