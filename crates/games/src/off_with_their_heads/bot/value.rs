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
    let (ground, layout) = (ground(), layout());
    let (trees, cells) = (sheet.trees(), sheet.cells());
    let marks_left = f64::from(left) * weights.marks_a_bout;
    // How likely so many more marks are made in time.
    let in_time = |missing: u32| {
        let slack = (marks_left + 0.5 - f64::from(missing)) / (marks_left + 0.5);
        slack.clamp(0.0, 1.0).sqrt()
    };
    let mut value = 0.0;
    let mut biscuits = 0.0;

    let mut full = 0;
    let mut begun = 0;
    let mut fullest = 0.0_f64;
    for index in 0..MUSHROOMS {
        let (filled, size) = (sheet.mushroom(index).len(), ground.sizes[index]);
        let worth = f64::from(ground.worth[index]);
        begun += u32::from(filled > 0);
        if filled == size {
            full += 1;
            value += worth;
        } else {
            let share = filled as f64 / size as f64;
            let in_time = in_time((size - filled) as u32);
            value += worth * share.powf(weights.mushroom_power) * weights.mushroom * in_time;
            fullest = fullest.max(share * in_time);
            // The next space holds a biscuit: within reach.
            if ground.spot_icons[index][filled] == Some(Icon::Biscuit) {
                biscuits += 1.0;
            }
        }
    }

    let asleep = sheet.keeps_jabberwock_asleep();
    let times = if asleep { 2.0 } else { 1.0 };
    for (round, worth) in &ground.circles {
        let (size, painted) = (round.count_ones(), (trees & round).count_ones());
        let worth = f64::from(*worth) * times;
        value += if painted == size {
            worth
        } else {
            let share = f64::from(painted) / f64::from(size);
            worth * share.powf(weights.circle_power) * weights.circle * in_time(size - painted)
        };
    }
    let count = trees.count_ones();
    let bonus = f64::from(layout.woods.full_bonus);
    if count as usize == TREES {
        value += bonus;
    } else if count > 7 {
        let share = f64::from(count - 7) / 11.0;
        value += bonus * share * share * weights.full_woods * in_time(TREES as u32 - count);
    }

    for cell in 0..CELLS {
        if cells & ground.stars >> cell & 1 == 1 {
            value += sheet.cell(cell).map_or(0.0, f64::from);
        }
    }
    let edge = sheet.edge(cells);
    if left > 0 {
        value += f64::from((edge & ground.stars).count_ones()) * weights.star;
        let within_reach = (0..CELLS).filter(|cell| edge >> cell & 1 == 1);
        biscuits += within_reach.filter(|cell| ground.cell_icons[*cell] == Some(Icon::Biscuit)).count() as f64;
    }
    if cells >> ground.red_keep & 1 == 1 {
        value += f64::from(layout.keep.red_keep_vp);
    } else {
        let steps = steps_to(cells, ground.red_keep);
        value += weights.red_keep * (1.0 - f64::from(steps.min(7)) / 7.0).powi(2) * in_time(steps);
    }

    // The tea party: those who are here, and those who are on their way.
    let guests = sheet.guests();
    let here = guests.len();
    value += f64::from(layout.tea_party_vp[here.min(7)]);
    if here < 7 {
        let next = f64::from(layout.tea_party_vp[here + 1] - layout.tea_party_vp[here]);
        let share = |painted: u32, size: u32| f64::from(painted) / f64::from(size) * in_time(size - painted);
        let near = |cell: usize| {
            let steps = steps_to(cells, cell);
            (1.0 - f64::from(steps.min(4)) / 4.0) * in_time(steps)
        };
        let coming = [
            if full > 0 { 0.0 } else { fullest },
            if cells >> ground.humpty & 1 == 1 { 0.0 } else { near(ground.humpty) },
            if begun >= 3 { 0.0 } else { share(begun, 3) },
            if cells >> ground.rabbit & 1 == 1 { 0.0 } else { near(ground.rabbit) },
            share_unless_full(trees, ground.two_coloured, &share),
            if sheet.gained() >= 4 { 0.0 } else { share(u32::from(sheet.gained()), 4) },
            share_unless_full(trees, ground.hare, &share),
        ];
        let coming = coming.iter().map(|share| share.powf(weights.guest_power));
        value += coming.sum::<f64>() * next * weights.guest;
    }

    let available = f64::from(sheet.available());
    if left > 0 {
        value += available.min(f64::from(left)) * weights.teacup;
        value += biscuits * weights.biscuit * in_time(2);
    }
    value
}

fn share_unless_full(trees: u32, wanted: u32, share: &dyn Fn(u32, u32) -> f64) -> f64 {
    let (painted, size) = ((trees & wanted).count_ones(), wanted.count_ones());
    if painted == size { 0.0 } else { share(painted, size) }
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
