//! What a sheet is worth: its points, and what may become of it in the bouts left.

use super::super::layout::{Icon, ground, layout};
use super::super::sheet::Sheet;
use super::super::space::{CELLS, MUSHROOMS, TREES};

/// How much is made of what. Found by playing games with them.
#[derive(Copy, Clone, Debug)]
pub struct Weights {
    pub mushroom: f64,
    pub mushroom_power: f64,
    pub circle: f64,
    pub circle_power: f64,
    pub full_woods: f64,
    pub guest: f64,
    pub guest_power: f64,
    pub teacup: f64,
    pub red_keep: f64,
    pub star: f64,
    pub biscuit: f64,
    /// Marks to be expected of a bout, bonus marks included.
    pub marks_a_bout: f64,
}

pub const WEIGHTS: Weights = Weights {
    mushroom: 0.9,
    mushroom_power: 1.05,
    circle: 1.2,
    circle_power: 1.6,
    full_woods: 0.55,
    guest: 0.45,
    guest_power: 1.5,
    teacup: 1.8,
    red_keep: 7.5,
    star: 0.8,
    biscuit: 0.6,
    marks_a_bout: 0.7,
};

/// `left`: the bouts to come.
pub fn value(sheet: &Sheet, left: u8, weights: &Weights) -> f64 {
    let judge = Judge { sheet, left, marks_left: f64::from(left) * weights.marks_a_bout, weights };
    let mushrooms = judge.mushrooms();
    let now_and_then = mushrooms.value + judge.circles() + judge.full_woods() + judge.keep();
    now_and_then + judge.tea_party(&mushrooms) + judge.teacups() + judge.biscuits(&mushrooms)
}

/// A sheet, and how much time is left for it.
struct Judge<'a> {
    sheet: &'a Sheet,
    left: u8,
    marks_left: f64,
    weights: &'a Weights,
}

/// What the mushrooms come to.
#[derive(Default)]
struct Mushrooms {
    value: f64,
    full: u32,
    begun: u32,
    /// How near the fullest of those not full is.
    fullest: f64,
    /// Biscuits on the next spaces: within reach.
    biscuits: f64,
}

impl Judge<'_> {
    /// How likely so many more marks are made in time.
    fn in_time(&self, missing: u32) -> f64 {
        let slack = (self.marks_left + 0.5 - f64::from(missing)) / (self.marks_left + 0.5);
        slack.clamp(0.0, 1.0).sqrt()
    }

    fn mushrooms(&self) -> Mushrooms {
        let ground = ground();
        let mut all = Mushrooms::default();
        for index in 0..MUSHROOMS {
            let (filled, size) = (self.sheet.mushroom(index).len(), ground.sizes[index]);
            let worth = f64::from(ground.worth[index]);
            all.begun += u32::from(filled > 0);
            if filled == size {
                all.full += 1;
                all.value += worth;
                continue;
            }
            let share = filled as f64 / size as f64;
            let in_time = self.in_time((size - filled) as u32);
            all.value += worth * share.powf(self.weights.mushroom_power) * self.weights.mushroom * in_time;
            all.fullest = all.fullest.max(share * in_time);
            if ground.spot_icons[index][filled] == Some(Icon::Biscuit) {
                all.biscuits += 1.0;
            }
        }
        all
    }

    fn circles(&self) -> f64 {
        let times = if self.sheet.keeps_jabberwock_asleep() { 2.0 } else { 1.0 };
        let circle = |(round, worth): &(u32, u8)| {
            let (size, painted) = (round.count_ones(), (self.sheet.trees() & round).count_ones());
            let worth = f64::from(*worth) * times;
            if painted == size {
                return worth;
            }
            let share = f64::from(painted) / f64::from(size);
            worth * share.powf(self.weights.circle_power) * self.weights.circle * self.in_time(size - painted)
        };
        ground().circles.iter().map(circle).sum()
    }

    fn full_woods(&self) -> f64 {
        let count = self.sheet.trees().count_ones();
        let bonus = f64::from(layout().woods.full_bonus);
        if count as usize == TREES {
            bonus
        } else if count > 7 {
            let share = f64::from(count - 7) / 11.0;
            bonus * share * share * self.weights.full_woods * self.in_time(TREES as u32 - count)
        } else {
            0.0
        }
    }

    fn keep(&self) -> f64 {
        let (ground, cells) = (ground(), self.sheet.cells());
        let starred = (0..CELLS).filter(|cell| cells & ground.stars >> cell & 1 == 1);
        let mut value: f64 = starred.map(|cell| self.sheet.cell(cell).map_or(0.0, f64::from)).sum();
        if self.left > 0 {
            value += f64::from((self.sheet.edge(cells) & ground.stars).count_ones()) * self.weights.star;
        }
        if cells >> ground.red_keep & 1 == 1 {
            return value + f64::from(layout().keep.red_keep_vp);
        }
        let steps = steps_to(cells, ground.red_keep);
        value + self.weights.red_keep * (1.0 - f64::from(steps.min(7)) / 7.0).powi(2) * self.in_time(steps)
    }

    /// Those who are here, and those who are on their way.
    fn tea_party(&self, mushrooms: &Mushrooms) -> f64 {
        let (sheet, ground) = (self.sheet, ground());
        let (trees, cells, points) = (sheet.trees(), sheet.cells(), &layout().tea_party_vp);
        let here = sheet.guests().len();
        let value = f64::from(points[here.min(7)]);
        if here >= 7 {
            return value;
        }
        let next = f64::from(points[here + 1] - points[here]);
        let gained = u32::from(sheet.gained());
        let coming = [
            if mushrooms.full > 0 { 0.0 } else { mushrooms.fullest },
            self.nearness(cells, ground.humpty),
            self.share(mushrooms.begun, 3),
            self.nearness(cells, ground.rabbit),
            self.share((trees & ground.two_coloured).count_ones(), ground.two_coloured.count_ones()),
            self.share(gained, 4),
            self.share((trees & ground.hare).count_ones(), ground.hare.count_ones()),
        ];
        let coming = coming.iter().map(|share| share.powf(self.weights.guest_power));
        value + coming.sum::<f64>() * next * self.weights.guest
    }

    /// How much is done of what brings a guest; nothing once the guest is here.
    fn share(&self, done: u32, size: u32) -> f64 {
        if done >= size { 0.0 } else { f64::from(done) / f64::from(size) * self.in_time(size - done) }
    }

    /// How near the marks are to the cell of a guest; nothing once the guest is here.
    fn nearness(&self, cells: u64, cell: usize) -> f64 {
        if cells >> cell & 1 == 1 {
            return 0.0;
        }
        let steps = steps_to(cells, cell);
        (1.0 - f64::from(steps.min(4)) / 4.0) * self.in_time(steps)
    }

    fn teacups(&self) -> f64 {
        f64::from(self.sheet.available()).min(f64::from(self.left)) * self.weights.teacup
    }

    fn biscuits(&self, mushrooms: &Mushrooms) -> f64 {
        if self.left == 0 {
            return 0.0;
        }
        let (ground, edge) = (ground(), self.sheet.edge(self.sheet.cells()));
        let within_reach = (0..CELLS).filter(|cell| edge >> cell & 1 == 1);
        let in_keep = within_reach.filter(|cell| ground.cell_icons[*cell] == Some(Icon::Biscuit)).count() as f64;
        (mushrooms.biscuits + in_keep) * self.weights.biscuit * self.in_time(2)
    }
}

/// How many marks it takes to reach a cell from the marked ones, or from the gates.
fn steps_to(marked: u64, cell: usize) -> u32 {
    let ground = ground();
    let mut reached = marked;
    let mut steps = 0;
    if reached == 0 {
        reached = ground.entrances.iter().fold(0, |set, entrance| set | 1 << entrance);
        steps = 1;
    }
    while reached >> cell & 1 == 0 && steps < 12 {
        reached |= (0..CELLS).filter(|cell| reached >> cell & 1 == 1).fold(0, |set, cell| set | ground.beside[cell]);
        steps += 1;
    }
    steps
}
