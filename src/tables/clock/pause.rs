//! Agreeing on a pause, coming back to a seat, going on without waiting any longer.

use chrono::{DateTime, TimeDelta, Utc};

use crate::tables::state::record::TableFact;
use crate::tables::talk::messages::refused;
use crate::tables::{Credentials, MoveError, ReadError, TableId, Tables};

/// The most days that a pause with a date lasts.
const LONGEST_PAUSE_DAYS: i64 = 366;

impl Tables {
    /// Says that one wants a pause, for good or until then, or no longer does. When all people at the table want the same, it pauses.
    pub async fn agree_to_pause(
        &self,
        caller: &Credentials,
        id: TableId,
        to_pause: bool,
        until: Option<DateTime<Utc>>,
    ) -> Result<(), MoveError> {
        let now = self.now();
        if to_pause && until.is_some_and(|until| until <= now || until > now + TimeDelta::days(LONGEST_PAUSE_DAYS)) {
            return Err(refused("A pause ends on a day to come, within a year."));
        }
        self.act(caller, id, |now, chain, seat| {
            if now.times.paused {
                return Ok(false);
            }
            let wanted = now.times.pausing.contains(seat);
            if wanted == to_pause && (!to_pause || now.times.pause_until == until) {
                return Ok(false);
            }
            let fact = TableFact::PauseAgreed { seat, to_pause, until };
            now.record(chain, now.moves, Some(seat), &fact).map_err(ReadError::from)?;
            if now.present().iter().all(|seat| now.times.pausing.contains(seat)) {
                now.record(chain, now.moves, None, &TableFact::Paused { until }).map_err(ReadError::from)?;
            }
            Ok(true)
        })
        .await
    }

    /// Ends a pause: anybody at the table may.
    pub async fn resume(&self, caller: &Credentials, id: TableId) -> Result<(), MoveError> {
        self.act(caller, id, |now, chain, seat| {
            if !now.times.paused {
                return Ok(false);
            }
            let fact = TableFact::Resumed { seat: Some(seat) };
            now.record(chain, now.moves, Some(seat), &fact).map_err(ReadError::from)?;
            Ok(true)
        })
        .await
    }

    /// Takes one's seat back from the bot that keeps it.
    pub async fn come_back(&self, caller: &Credentials, id: TableId) -> Result<(), MoveError> {
        self.act(caller, id, |now, chain, seat| {
            if !now.times.kept.contains(seat) {
                return Ok(false);
            }
            now.record(chain, now.moves, Some(seat), &TableFact::Returned { seat }).map_err(ReadError::from)?;
            Ok(true)
        })
        .await
    }

    /// Goes on though somebody has missed many moves: the question comes again only when they have missed as many more.
    pub async fn go_on(&self, caller: &Credentials, id: TableId) -> Result<(), MoveError> {
        self.act(caller, id, |now, chain, seat| {
            if now.missing().is_empty() || now.missing().contains(seat) {
                return Ok(false);
            }
            now.record(chain, now.moves, Some(seat), &TableFact::WentOn { seat }).map_err(ReadError::from)?;
            Ok(true)
        })
        .await
    }
}
