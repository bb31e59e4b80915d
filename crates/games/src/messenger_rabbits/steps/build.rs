//! MR-75: building the land together; MR-9: surveying it by chance.

use super::super::event::Event;
use super::super::hexagon::House;
use super::super::moves::Move;
use super::super::survey::Survey;
use super::super::tile::{SquareTile, TriangleTile};
use super::{MessengerRabbits, Record, set_up};
use wonderpost_rules::{Refusal, Seat, SeatSet, Step};

/// MR-9.1: the orders of houses, squares and triangles.
fn orders(record: &mut Record) -> Result<Survey, Refusal> {
    let suits = record.suits;
    let houses = record.shuffle(&House::of_suits(suits).collect::<Vec<_>>())?;
    let squares = record.shuffle(&SquareTile::of_suits(suits))?;
    let triangles = record.shuffle(&TriangleTile::of_suits(suits))?;
    Ok(Survey::new(suits, houses, squares, triangles))
}

/// MR-9: a new land, all by chance.
pub fn survey(record: &mut Record) -> Result<(), Refusal> {
    let mut survey = orders(record)?;
    loop {
        if survey.wants_closing() {
            survey.close(record.pick(&survey.closings())?);
        }
        let grounds = survey.grounds();
        if grounds.is_empty() {
            break;
        }
        survey.place(record.pick(&grounds)?);
    }
    loop {
        let fillings = survey.fillings();
        if fillings.is_empty() {
            break;
        }
        survey.fill(record.pick(&fillings)?);
    }
    record.record(Event::Surveyed { layout: survey.layout });
    Ok(())
}

/// MR-75: a new land, to be built house by house.
pub fn begin(record: &mut Record) -> Result<(), Refusal> {
    let Survey { houses, squares, triangles, .. } = orders(record)?;
    record.record(Event::Ordered { houses, squares, triangles });
    Ok(())
}

/// MR-75: the players place the houses in turn.
pub struct Build;

impl Step<MessengerRabbits> for Build {
    fn name(&self) -> &'static str {
        "build"
    }

    /// Whose house is next.
    fn awaiting(&self, state: &MessengerRabbits) -> SeatSet {
        let placed = state.survey.as_ref().map(|survey| survey.placed());
        let builder = placed.and_then(|placed| state.seats().nth(placed % usize::from(state.seats)));
        builder.map_or(SeatSet::EMPTY, SeatSet::one)
    }

    fn moves(&self, state: &MessengerRabbits, _seat: Seat) -> Vec<Move> {
        let grounds = state.survey.as_ref().map(|survey| survey.grounds()).unwrap_or_default();
        grounds.into_iter().map(Move::Place).collect()
    }

    fn default_move(&self, state: &MessengerRabbits, seat: Seat) -> Option<Move> {
        self.moves(state, seat).first().copied()
    }

    fn refusal(&self, _state: &MessengerRabbits) -> Refusal {
        Refusal::new("The land is still being built: place the next house.")
    }

    fn decide(&self, record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
        let Move::Place(ground) = mv else { return Err(self.refusal(record)) };
        let Some(survey) = record.survey.clone() else { return Err(Refusal::new("The land is built.")) };
        let Some(house) = survey.houses.first().copied().filter(|_| survey.grounds().contains(&ground)) else {
            return Err(Refusal::new(format!("The next house cannot go to {ground}.")));
        };
        record.record(Event::Placed { seat, house, site: ground.site, by: ground.by });
        finish(record)
    }
}

/// What chance adds as soon as it is due; with the last house the land is finished and the cards are dealt.
fn finish(record: &mut Record) -> Result<(), Refusal> {
    let Some(mut survey) = record.survey.clone() else { return Ok(()) };
    if survey.wants_closing() {
        let at = record.pick(&survey.closings())?;
        survey.close(at);
        record.record(Event::Closed { at });
    }
    if !survey.houses.is_empty() {
        return Ok(());
    }
    let mut filled = vec![];
    loop {
        let fillings = survey.fillings();
        if fillings.is_empty() {
            break;
        }
        let at = record.pick(&fillings)?;
        survey.fill(at);
        filled.push(at);
    }
    record.record(Event::Filled { at: filled });
    set_up::deal(record)
}
