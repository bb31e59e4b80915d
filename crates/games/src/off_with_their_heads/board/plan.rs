//! Planning ahead: a mark for each zone, left along with the card, so that a bout is one visit whatever the others play.

use super::super::brings::Brings;
use super::super::cards::short;
use super::super::moves::Move;
use super::super::names::at;
use super::super::space::Zone;
use super::super::task::Task;
use super::super::view::PrivateView;
use wonderpost_rules::{Card, fold_line};

/// A card whose marks are being planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub say: Move,
    pub card: String,
    pub zones: Vec<PlanZone>,
}

/// Where the card may mark in one zone without a teacup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanZone {
    pub zone: Zone,
    /// When the card marks there.
    pub when: &'static str,
    /// What to say, and what it is in words.
    pub options: Vec<(Move, String)>,
}

impl Plan {
    /// `begun` is what the viewer has begun, from the page's address: anything may stand there.
    pub fn new(mine: &PrivateView, moves: &[Move], begun: Option<&str>) -> Option<Plan> {
        let Ok(Move::Play(card)) = fold_line(begun?).parse::<Move>() else { return None };
        let say = Move::Play(card);
        if !moves.contains(&say) {
            return None;
        }
        let zones = Zone::ALL.into_iter().map(|zone| PlanZone::new(mine, card, zone)).collect();
        Some(Plan { say, card: short(card), zones })
    }
}

impl PlanZone {
    fn new(mine: &PrivateView, card: Card, zone: Zone) -> PlanZone {
        let task = Task::Card { card, zone };
        let sheet = &mine.sheet.0;
        let free = task.marks(sheet).into_iter().filter(|mark| mark.teacups() == 0);
        let options = free.map(|mark| {
            let brings = Brings::of(sheet, mark.space, mark.number).words().join("; ");
            let brings = if brings.is_empty() { brings } else { format!(": {brings}") };
            (task.say(&mark), format!("{} {}{brings}", mark.number, at(mark.space)))
        });
        let when = match zone {
            Zone::Meadow => "If yours is the highest card",
            Zone::Woods => "If it is neither the highest nor the lowest",
            Zone::Keep => "If it is the lowest",
        };
        PlanZone { zone, when, options: options.collect() }
    }
}
