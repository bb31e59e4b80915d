//! How many connections a pool may have where the server has no room for as many as it wishes for.
//!
//! Each refusal makes it one less. After a while one more is tried. As long as room is scarce every pool also gives one up now and then, so that another
//! process that has fewer can get it.

use std::time::{Duration, Instant};

/// How much time passes between two changes of the size, unless a connection was refused.
const STEP: Duration = Duration::from_secs(1);

/// How long connections count as scarce after one was refused.
const SCARCE: Duration = Duration::from_secs(10);

/// The fewest connections that are kept, whatever others need.
const FLOOR: usize = 2;

/// How many connections a pool may have.
pub(crate) struct Room {
    limit: usize,
    allowed: usize,
    refused: Option<Instant>,
    changed: Instant,
}

impl Room {
    pub fn new(limit: usize) -> Room {
        Room { limit, allowed: limit, refused: None, changed: Instant::now() }
    }

    fn refused_within(&self, time: Duration) -> bool {
        self.refused.is_some_and(|refused| refused.elapsed() < time)
    }

    /// The server refused another connection. Whether one less is allowed from now on; one always is.
    pub fn shrink(&mut self) -> bool {
        let now = Instant::now();
        (self.refused, self.changed) = (Some(now), now);
        let shrinks = self.allowed > 1;
        self.allowed -= usize::from(shrinks);
        shrinks
    }

    /// Whether the server is not to be asked for another connection as long as there is one at hand.
    pub fn is_tight(&self) -> bool {
        self.refused_within(STEP)
    }

    /// Whether it is time to try one more.
    pub fn may_grow(&mut self) -> bool {
        let grows = self.allowed < self.limit && self.changed.elapsed() >= STEP;
        if grows {
            self.allowed += 1;
            self.changed = Instant::now();
        }
        grows
    }

    /// Whether it is time to give one up for others.
    pub fn yields(&mut self) -> bool {
        let yields = self.allowed > FLOOR && self.refused_within(SCARCE) && self.changed.elapsed() >= STEP;
        if yields {
            self.allowed -= 1;
            self.changed = Instant::now();
        }
        yields
    }
}

/// Whether the server has no room for another connection.
pub(crate) fn is_full(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().is_some_and(|code| code == "53300"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later(room: &mut Room, time: Duration) {
        room.changed -= time;
        room.refused = room.refused.map(|refused| refused - time);
    }

    #[test]
    fn refusals_leave_one_connection_and_time_brings_them_back_one_by_one() {
        let mut room = Room::new(4);
        assert!(!room.may_grow() && !room.is_tight() && !room.yields());
        assert_eq!([(); 5].map(|()| room.shrink()), [true, true, true, false, false]);
        assert!(room.is_tight() && !room.may_grow());
        for _ in 0..3 {
            later(&mut room, SCARCE);
            assert!(room.may_grow());
            assert!(!room.may_grow(), "one at a time");
        }
        later(&mut room, SCARCE);
        assert!(!room.may_grow(), "as many as were wished for");
    }

    #[test]
    fn as_long_as_room_is_scarce_some_is_left_to_others_but_never_the_last() {
        let mut room = Room::new(4);
        room.shrink();
        assert!(!room.yields());
        later(&mut room, STEP);
        assert!(room.yields());
        later(&mut room, STEP);
        assert!(!room.yields(), "two are kept");
        assert!(room.may_grow());
        later(&mut room, SCARCE);
        assert!(!room.yields(), "there is room again");
    }
}
