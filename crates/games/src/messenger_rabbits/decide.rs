//! Deciding: each phase has a file of its own, which lists its moves, knows its default and decides.

use super::event::Event;
use super::land::Layout;
use super::moves::Move;
use super::options::Map;
use super::phase::Phase;
use super::{
    MessengerRabbits, Record, build, contests, fights, flights, journey, limit, lottery, pay, release, trade, turn,
    visit,
};
use wonderpost_rules::{Refusal, Seat};

/// MR-10: the map, the deal and the first turn.
pub fn set_up(record: &mut Record) -> Result<(), Refusal> {
    match record.options.board {
        Map::Sample => {
            let layout = Layout::sample(record.suits);
            record.record(Event::Surveyed { layout });
        }
        Map::Random => build::survey(record)?,
        Map::Built => return build::begin(record),
    }
    turn::deal(record)?;
    turn::carry_on(record)
}

pub fn decide(record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
    match record.phase {
        Phase::Build => build::decide(record, seat, mv)?,
        Phase::Takeoff => flights::take_off(record, mv)?,
        Phase::Lottery => lottery::decide(record, mv)?,
        Phase::Discard(_) => limit::decide(record, mv)?,
        Phase::Journey => journey::decide(record, mv)?,
        Phase::Pay => pay::decide(record, mv)?,
        Phase::Flight => flights::come_down(record, mv)?,
        Phase::Contest => contests::answer(record, seat, mv)?,
        Phase::Prove => contests::prove(record, mv)?,
        Phase::Visit => visit::decide(record, mv)?,
        Phase::Fight => fights::decide(record, mv)?,
        Phase::Release(_) => release::decide(record, mv)?,
        Phase::Trade => trade::decide(record, mv)?,
        Phase::Setting | Phase::Turning | Phase::Sinking | Phase::Increment | Phase::Over => {
            return Err(Refusal::new("There is nothing to decide."));
        }
    }
    turn::carry_on(record)
}

impl MessengerRabbits {
    pub(super) fn list(&self, seat: Seat) -> Vec<Move> {
        match self.phase {
            Phase::Build => self.list_grounds(),
            Phase::Takeoff => self.list_flights(),
            Phase::Lottery => self.list_lottery(),
            Phase::Discard(_) => self.list_discards(),
            Phase::Journey => self.list_journeys(),
            Phase::Pay => self.list_payments(),
            Phase::Flight => self.list_landings(),
            Phase::Contest => self.list_answers(seat),
            Phase::Prove => self.list_proofs(),
            Phase::Visit => self.list_visit(),
            Phase::Fight => self.list_throws(),
            Phase::Release(_) => self.list_releases(),
            Phase::Trade => self.list_gifts(),
            Phase::Setting | Phase::Turning | Phase::Sinking | Phase::Increment | Phase::Over => vec![],
        }
    }

    /// What is done for a seat whose time has run out.
    pub(super) fn default_for(&self, _seat: Seat) -> Option<Move> {
        match self.phase {
            Phase::Build => self.list_grounds().first().copied(),
            Phase::Takeoff => Some(Move::Roll),
            Phase::Lottery => Some(self.default_show()),
            Phase::Discard(_) => self.default_discard(),
            Phase::Journey => Some(Move::Stay),
            Phase::Pay => self.default_payment(),
            Phase::Flight => Some(self.default_landing()),
            Phase::Contest => Some(Move::Pass),
            Phase::Prove => Some(self.default_proof()),
            Phase::Visit => Some(Move::Done),
            Phase::Fight => Some(Move::Yield),
            Phase::Release(_) => self.default_release(),
            Phase::Trade => Some(Move::Decline),
            Phase::Setting | Phase::Turning | Phase::Sinking | Phase::Increment | Phase::Over => None,
        }
    }
}
