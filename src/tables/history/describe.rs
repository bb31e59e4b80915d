//! What the log says of events that are the house's and not the game's.

use chrono::{DateTime, Utc};

use crate::tables::state::record::{By, Ending, Record, TableFact};

/// The log line of an event of the house, with marks for names.
pub(crate) fn tell_of_the_house(record: &Record, fact: &TableFact) -> Option<String> {
    Some(match fact {
        // The move that ends a chain of them tells of it.
        TableFact::Said { concealed: true, .. } => return None,
        TableFact::Said { by: By::Clock, .. } => format!("Time ran out for {}.", record.seat?.mark()),
        TableFact::Said { by: By::Keeper, .. } => format!("A bot moves for {}.", record.seat?.mark()),
        TableFact::Resigned { seat } => format!("{} resigns.", seat.mark()),
        TableFact::Agreed { seat, to_end: true } => format!("{} would like to end the game here.", seat.mark()),
        TableFact::Agreed { seat, to_end: false } => format!("{} would rather play on.", seat.mark()),
        TableFact::Ended { how: Ending::Resigned } => "The game ends here.".to_owned(),
        TableFact::Ended { how: Ending::Agreed } => "All agree: the game ends here.".to_owned(),
        TableFact::Ended { how: Ending::Expired } => "Nobody started this table, and it was cleared away.".to_owned(),
        TableFact::Ended { how: Ending::Abandoned } => "Nobody plays here any more: the table is closed.".to_owned(),
        TableFact::Ended { how: Ending::ClosedByHost } => "The host has closed this table.".to_owned(),
        TableFact::ClosedByHost { reason } => format!("The host has closed this table: {reason}"),
        TableFact::Held { seat } => format!("The host lets a bot play for {} for now.", seat.mark()),
        TableFact::Away { seat, until, .. } => format!("{} takes days off until {}.", seat.mark(), day(until)),
        TableFact::Back { seat, .. } => format!("{} is back from days off.", seat.mark()),
        TableFact::PauseAgreed { seat, to_pause: true, until: None } => format!("{} would like a pause.", seat.mark()),
        TableFact::PauseAgreed { seat, to_pause: true, until: Some(until) } => {
            format!("{} would like a pause until {}.", seat.mark(), day(until))
        }
        TableFact::PauseAgreed { seat, to_pause: false, .. } => format!("{} needs no pause after all.", seat.mark()),
        TableFact::Paused { until: None } => "All agree: the game pauses, and clocks stand.".to_owned(),
        TableFact::Paused { until: Some(until) } => {
            format!("All agree: the game pauses until {}, and clocks stand.", day(until))
        }
        TableFact::Resumed { seat: Some(seat) } => format!("{} ends the pause. Clocks run again.", seat.mark()),
        TableFact::Resumed { seat: None } => "The pause is over. Clocks run again.".to_owned(),
        TableFact::Kept { seat } => {
            format!("Time ran out for {0}. A bot keeps the seat until {0} returns.", seat.mark())
        }
        TableFact::Returned { seat } => format!("{} is back and takes the seat again.", seat.mark()),
        TableFact::Missed { seat } => format!("Time ran out for {}.", seat.mark()),
        TableFact::WentOn { seat } => format!("{} goes on with the game.", seat.mark()),
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
