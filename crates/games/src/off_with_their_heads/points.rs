//! OWH-36 to OWH-39: what a sheet is worth, part by part.

use serde::Serialize;

use super::layout::{ground, layout};
use super::sheet::Sheet;
use super::space::{CELLS, MUSHROOMS, TREES};

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Points {
    pub meadow: i64,
    /// The closed circles, once.
    pub woods: i64,
    /// The same again while the Jabberwock sleeps.
    pub jabberwock: i64,
    pub full_woods: i64,
    /// OWH-38: the numbers in starred cells.
    pub keep: i64,
    pub red_keep: i64,
    pub tea_party: i64,
    pub total: i64,
}

impl Sheet {
    pub fn points(&self) -> Points {
        let (layout, ground) = (layout(), ground());
        let (trees, cells) = (self.trees(), self.cells());
        let vp = |vp: u8, earned: bool| if earned { i64::from(vp) } else { 0 };
        let meadow = (0..MUSHROOMS).map(|index| vp(ground.worth[index], self.full(index))).sum();
        let woods = ground.circles.iter().map(|(round, worth)| vp(*worth, trees & round == *round)).sum();
        // OWH-38
        let starred = (0..CELLS).filter(|cell| ground.stars >> cell & 1 == 1);
        let keep = starred.filter_map(|cell| self.cell(cell)).map(i64::from).sum();
        let mut points = Points {
            meadow,
            woods,
            jabberwock: if self.keeps_jabberwock_asleep() { woods } else { 0 },
            full_woods: vp(layout.woods.full_bonus, trees.count_ones() as usize == TREES),
            keep,
            red_keep: vp(layout.keep.red_keep_vp, cells >> ground.red_keep & 1 == 1),
            tea_party: layout.tea_party_vp.get(self.guests().len()).copied().map_or(0, i64::from),
            total: 0,
        };
        points.total = points.meadow
            + points.woods
            + points.jabberwock
            + points.full_woods
            + points.keep
            + points.red_keep
            + points.tea_party;
        points
    }
}
