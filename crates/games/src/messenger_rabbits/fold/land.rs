//! MR-75: building the land.

use super::super::MessengerRabbits;
use super::super::hexagon::House;
use super::super::phase::Phase;
use super::super::roads::Land;
use super::super::site::TriangleSlot;
use super::super::survey::Survey;
use super::super::tile::{SquareTile, TriangleTile};

impl MessengerRabbits {
    pub(super) fn order(&mut self, houses: &[House], squares: &[SquareTile], triangles: &[TriangleTile]) {
        let survey = Survey::resumed(self.suits, houses.to_vec(), squares.to_vec(), triangles.to_vec());
        self.survey = Some(Box::new(survey));
        self.phase = Phase::Build;
    }

    pub(super) fn build(&mut self, change: impl FnOnce(&mut Survey)) {
        if let Some(survey) = &mut self.survey {
            change(survey);
            self.land = Land::unturned(survey.layout.clone(), self.suits);
        }
    }

    /// MR-9.5: the triangles left over.
    pub(super) fn finish_land(&mut self, at: &[TriangleSlot]) {
        self.build(|survey| at.iter().for_each(|slot| survey.fill(*slot)));
        if let Some(survey) = self.survey.take() {
            self.land = Land::finished(survey.layout, self.suits);
        }
    }
}
