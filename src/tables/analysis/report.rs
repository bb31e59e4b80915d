//! A curve as plain text, for the command line.

use std::fmt;

use crate::tables::analysis::curve::{Curve, Measure, TurningPoint};
use crate::tables::analysis::finished_game::FinishedGame;
use wonderpost_rules::Seat;

/// A game's curve, to be printed.
pub struct Report<'a> {
    pub game: &'a FinishedGame,
    pub curve: &'a Curve,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Curve { level, playouts, milliseconds, points, turning_points, measure } = self.curve;
        let title = self.game.game.info().title;
        let seconds = f64::from(*milliseconds) / 1_000.0;
        writeln!(f, "{title}: {playouts} games played on by {} bots in {seconds:.1} s\n", level.title())?;
        write!(f, "{:>6}", "move")?;
        match measure {
            Measure::BestResult => writeln!(f, "{:>10}", "best")?,
            Measure::Chances => {
                Seat::all(self.game.seats).try_for_each(|seat| write!(f, "{:>14}", format!("seat {seat}")))?;
                writeln!(f)?;
            }
        }
        for point in points {
            write!(f, "{:>6}", point.move_no)?;
            if let Some(best) = point.best {
                write!(f, "{best:>10}")?;
            }
            for estimate in &point.chances {
                let (chance, margin) = (estimate.chance * 100.0, estimate.margin * 100.0);
                write!(f, "{:>14}", format!("{chance:.0} % ± {margin:.0}"))?;
            }
            writeln!(f)?;
        }
        if !turning_points.is_empty() {
            writeln!(f, "\nWhere it turned")?;
        }
        turning_points.iter().try_for_each(|turn| self.turn(f, turn))
    }
}

impl Report<'_> {
    fn turn(&self, f: &mut fmt::Formatter<'_>, turn: &TurningPoint) -> fmt::Result {
        let step = self.game.steps.iter().find(|step| step.move_no == turn.move_no);
        let log = step.map(|step| step.log.join(" ")).unwrap_or_default();
        let log = in_seats(&log);
        match self.curve.measure {
            Measure::BestResult => writeln!(f, "move {}: {log} From {} to {}.", turn.move_no, turn.from, turn.to)?,
            Measure::Chances => {
                let (from, to) = (turn.from * 100.0, turn.to * 100.0);
                writeln!(f, "move {}: {log} Seat {}: from {from:.0} % to {to:.0} %.", turn.move_no, turn.seat)?;
            }
        }
        match &turn.better {
            Some(better) => {
                let (chance, made) = (better.chance * 100.0, better.made * 100.0);
                writeln!(f, "    better: {} ({chance:.0} % instead of {made:.0} %)", better.line)
            }
            None => Ok(()),
        }
    }
}

/// A file knows no names.
fn in_seats(text: &str) -> String {
    Seat::fill_marks(text, |seat| format!("Seat {seat}"))
}
