//! From whose place one looks back at a game.
//!
//! Everything comes from the views of seats, so nothing is shown that nobody at the table knew. What a Red Queen's shuffle did is known to
//! herself alone: no page, log, letter or answer of the API tells it to anybody else before the game is over. Then one may look from her
//! place, too; and the file of a finished game holds every event, because it could not be checked without them.

use crate::http::problem::Problem;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, HistoryView, Tables};
use wonderpost_rules::{Seat, Viewer};

/// From whose place one looks at a finished game.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Place {
    Of(Viewer),
    All,
}

impl Place {
    pub fn read(text: &str) -> Option<Place> {
        match text {
            "public" => Some(Place::Of(Viewer::Public)),
            "all" => Some(Place::All),
            seat => Some(Place::Of(Viewer::Seat(Seat::new(seat.parse().ok()?)?))),
        }
    }

    pub fn name(self) -> String {
        match self {
            Place::All => "all".to_owned(),
            Place::Of(Viewer::Public) => "public".to_owned(),
            Place::Of(Viewer::Seat(seat)) => seat.to_string(),
        }
    }
}

/// A table as it was after a move, as it is seen from a place.
pub struct LookBack {
    pub place: Place,
    /// Those whose views are shown.
    pub viewers: Vec<Viewer>,
    pub leaf: HistoryView,
}

impl LookBack {
    /// While the game runs everybody looks from their own place, wherever they want to.
    pub async fn at(
        tables: &Tables,
        cached: &CachedTable,
        number: u32,
        wanted: Option<Place>,
        own: Viewer,
    ) -> Result<LookBack, Problem> {
        let place = wanted.filter(|_| cached.now.status() == Status::Over).unwrap_or(Place::Of(own));
        let seats = cached.now.opened.seats;
        let viewer = match place {
            Place::Of(viewer) if viewer.seat().is_some_and(|seat| seat.number() > seats) => {
                return Err(Problem::NoPage);
            }
            Place::Of(viewer) => viewer,
            Place::All => Viewer::Public,
        };
        match place {
            Place::Of(_) => {
                let leaf = tables.table_at_move(cached, number, viewer).await?;
                Ok(LookBack { place, viewers: vec![viewer], leaf })
            }
            Place::All => {
                let leaf = tables.revealed_at_move(cached, number).await?;
                Ok(LookBack { place, viewers: Seat::all(seats).map(Viewer::Seat).collect(), leaf })
            }
        }
    }
}
