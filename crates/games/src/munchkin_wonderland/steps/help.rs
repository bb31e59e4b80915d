//! MW-40: those asked for help answer in secret.

use super::super::event::Event;
use super::super::moves::Move;
use super::super::phase::{Phase, Settled};
use super::dice::roll;
use super::{MunchkinWonderland, Record};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

pub struct Help;

impl Step<MunchkinWonderland> for Help {
    fn name(&self) -> &'static str {
        "help"
    }

    fn awaiting(&self, state: &MunchkinWonderland) -> SeatSet {
        match &state.phase {
            Phase::Fight(fight) => fight.unheard().collect(),
            Phase::Between | Phase::Rolled(_) | Phase::Share(_) | Phase::Discard | Phase::Over => SeatSet::EMPTY,
        }
    }

    fn moves(&self, _state: &MunchkinWonderland, _seat: Seat) -> Vec<Move> {
        vec![Move::Help, Move::Refuse]
    }

    fn default_move(&self, _state: &MunchkinWonderland, _seat: Seat) -> Option<Move> {
        Some(Move::Refuse)
    }

    fn refusal(&self, _state: &MunchkinWonderland) -> Refusal {
        Refusal::new("You are asked for help: say help or refuse.")
    }

    fn decide(&self, record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
        let willing = match mv {
            Move::Help => true,
            Move::Refuse => false,
            _ => return Err(self.refusal(record)),
        };
        record.record(Event::Answered { seat, willing });
        Ok(())
    }

    /// MW-40: the question is settled as soon as the answers settle it.
    fn run(&self, record: &mut Record) -> Result<bool, Refusal> {
        let Phase::Fight(fight) = &record.phase else { return Ok(false) };
        match fight.settled() {
            None => return Ok(false),
            Some(Settled::Nobody) => record.record(Event::Unaided),
            // MW-41
            Some(Settled::Helper(helper)) => {
                let roll = roll(record)?;
                record.record(Event::Joined { helper, roll });
            }
        }
        Ok(true)
    }
}
