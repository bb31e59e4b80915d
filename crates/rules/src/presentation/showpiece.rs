//! A game up to a moment worth a picture: what lists show of a game that nobody plays.

use crate::seed::Seed;
use crate::{Refusal, Rules, Seat, deal, decide_line};

/// A game from its deal to a fine moment, as it was once played.
#[derive(Debug, PartialEq, Eq)]
pub struct Showpiece {
    /// How many play.
    pub seats: u8,
    /// From which number the deal and all other chance are derived.
    pub deal: u64,
    /// The moves, a line each: the seat, and what it says.
    pub moves: &'static str,
}

impl Showpiece {
    /// The deal alone, for so many.
    pub const fn deal(seats: u8) -> Showpiece {
        Showpiece { seats, deal: 1865, moves: "" }
    }

    /// Plays it.
    pub(crate) fn play<R: Rules>(&self) -> Result<R, Refusal> {
        let seed = Seed::of_number(self.deal);
        let dealt = deal::<R>(R::Options::default(), self.seats, &mut seed.chance(0))?;
        let (mut state, mut drawn) = (dealt.state, dealt.draws.len() as u64);
        for line in self.moves.lines() {
            let (seat, said) = line.split_once(' ').unwrap_or((line, ""));
            let seat = seat.parse().ok().and_then(Seat::new);
            let seat = seat.ok_or_else(|| Refusal::new(format!("“{line}” names no seat.")))?;
            let decision = decide_line(&state, seat, said, &mut seed.chance(drawn))?;
            drawn += decision.draws.len() as u64;
            state = decision.state;
        }
        Ok(state)
    }
}
