//! What the log says of events that are the house's and not the game's.

use chrono::{DateTime, Utc};

use crate::tables::state::record::{By, Ending, Record, TableFact, TakeBackWord};
use wonderpost_rules::{Seat, Viewer};

/// The log line of an event of the house, with marks for names.
pub(crate) fn tell_of_the_house(record: &Record, fact: &TableFact, viewer: Viewer) -> Option<String> {
    let person = |seat: &Seat| viewer.person(*seat);
    let mover = || record.seat.map(|seat| viewer.person(seat));
    Some(match fact {
        // The move that ends a chain of them tells of it.
        TableFact::Said { concealed: true, .. } => return None,
        TableFact::Said { by: By::Clock, .. } => format!("Time ran out for {}.", mover()?),
        TableFact::Said { by: By::Keeper, .. } => format!("A bot moves for {}.", mover()?),
        TableFact::Undone { by_consent: false, .. } => format!("{} back a move.", mover()?.does("takes")),
        TableFact::Undone { by_consent: true, moves, .. } => match moves.as_slice() {
            [_] => format!("All agree: {} back a move.", mover()?.then_does("takes")),
            _ => format!("All agree: {} back a move, and what came after it.", mover()?.then_does("takes")),
        },
        TableFact::TakeBack { seat, word, .. } => match word {
            TakeBackWord::Ask => format!("{} would like to take back a move.", person(seat).capitalised()),
            TakeBackWord::Withdraw => format!("{} the move as it is after all.", person(seat).does("leaves")),
            TakeBackWord::Grant => format!("{} to it.", person(seat).does("agrees")),
            TakeBackWord::Refuse => format!("{} would rather leave the move as it is.", person(seat).capitalised()),
        },
        TableFact::Resigned { seat } => format!("{}.", person(seat).does("resigns")),
        TableFact::Agreed { seat, to_end: true } => format!("{} would like to end the game here.", person(seat).capitalised()),
        TableFact::Agreed { seat, to_end: false } => format!("{} would rather play on.", person(seat).capitalised()),
        TableFact::Ended { how: Ending::Resigned } => "The game ends here.".to_owned(),
        TableFact::Ended { how: Ending::Agreed } => "All agree: the game ends here.".to_owned(),
        TableFact::Ended { how: Ending::Expired } => "Nobody started this table, and it was cleared away.".to_owned(),
        TableFact::Ended { how: Ending::Abandoned } => "Nobody plays here any more: the table is closed.".to_owned(),
        TableFact::Ended { how: Ending::ClosedByHost } => "The host has closed this table.".to_owned(),
        TableFact::ClosedByHost { reason } => format!("The host has closed this table: {reason}"),
        TableFact::Held { seat } => format!("The host lets a bot play for {} for now.", person(seat)),
        TableFact::Away { seat, until, .. } => format!("{} days off until {}.", person(seat).does("takes"), day(until)),
        TableFact::Back { seat, .. } => format!("{} back from days off.", person(seat).does("is")),
        TableFact::PauseAgreed { seat, to_pause: true, until: None } => format!("{} would like a pause.", person(seat).capitalised()),
        TableFact::PauseAgreed { seat, to_pause: true, until: Some(until) } => {
            format!("{} would like a pause until {}.", person(seat).capitalised(), day(until))
        }
        TableFact::PauseAgreed { seat, to_pause: false, .. } => format!("{} no pause after all.", person(seat).does("needs")),
        TableFact::Paused { until: None } => "All agree: the game pauses, and clocks stand.".to_owned(),
        TableFact::Paused { until: Some(until) } => {
            format!("All agree: the game pauses until {}, and clocks stand.", day(until))
        }
        TableFact::Resumed { seat: Some(seat) } => format!("{} the pause. Clocks run again.", person(seat).does("ends")),
        TableFact::Resumed { seat: None } => "The pause is over. Clocks run again.".to_owned(),
        TableFact::Kept { seat } => {
            format!("Time ran out for {}. A bot keeps the seat until {}.", person(seat), person(seat).then_does("returns"))
        }
        TableFact::Returned { seat } => format!("{} back and {} the seat again.", person(seat).does("is"), person(seat).verb("takes")),
        TableFact::Missed { seat } => format!("Time ran out for {}.", person(seat)),
        TableFact::WentOn { seat } => format!("{} on with the game.", person(seat).does("goes")),
        TableFact::Closed { .. } => "The house was closed for a while. That time does not count.".to_owned(),
        TableFact::Opened(_)
        | TableFact::Sat { .. }
        | TableFact::Stood { .. }
        | TableFact::Said { by: By::Holder | By::StandIn | By::Standing, .. }
        | TableFact::Drew(_)
        | TableFact::Revealed { .. }
        // When somebody sleeps is between them and the clock.
        | TableFact::Hours { .. } => return None,
    })
}

fn day(at: &DateTime<Utc>) -> String {
    at.format("%-d %B %Y, %H:%M UTC").to_string()
}
