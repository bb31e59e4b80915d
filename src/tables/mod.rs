//! One played game: open a table, sit down, say moves, look at it, check it.

mod absence;
mod advance;
mod answers;
pub mod check;
mod checkpoints;
mod close;
pub mod concealed;
pub mod daily;
mod deciding;
pub mod duties;
mod endings;
pub mod export;
pub mod folded;
mod id;
pub mod invite;
mod late;
pub mod live;
mod mark;
mod notes;
mod open;
pub mod pace;
mod pause;
mod preview;
mod read;
mod reading;
pub mod rebuild;
pub mod record;
mod reports;
mod say;
mod suspend;
mod talk;
mod tell;
pub mod times;
pub mod timetable;
mod window;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use live::{Heard, Live, News};
use quick_cache::sync::Cache;

pub use answers::{Answer, Offer};
pub use id::{NoTableId, PlayerId, TableId};
pub use mark::{NoStep, StateMark, Step};
pub use notes::LONGEST_NOTE;
pub use open::{LONGEST_CUT, OpenError, SitError, Wishes};
pub use preview::Preview;
pub use read::{
    FORMER_PLAYER, Holder, HoldersAt, Kept, LastEvent, ReadError, awaited_in_list, name_of, names_in_list, with_names,
};
pub use reports::LONGEST_REPORT;
pub use say::{Caller, Said, SayError};
pub use talk::LONGEST_TALK;
pub use window::{Leaf, LoggedMove};

use crate::metrics::Metrics;
use crate::store::Store;
use crate::store::standby::Standby;
use wonderpost_rules::Catalogue;

/// So many tables are kept folded in memory.
const KEPT_TABLES: usize = 1_000;

/// The tables of the house.
pub struct Tables {
    pub store: Store,
    pub catalogue: Catalogue,
    pub metrics: Arc<Metrics>,
    pub live: Live,
    kept: Cache<TableId, Arc<Kept>>,
    /// Where finished games and history are read, if not from the primary.
    standby: Option<Arc<Standby>>,
}

impl Tables {
    pub fn new(store: Store, catalogue: Catalogue, metrics: Arc<Metrics>) -> Tables {
        Tables { store, catalogue, metrics, live: Live::default(), kept: Cache::new(KEPT_TABLES), standby: None }
    }

    /// What time it is.
    pub fn now(&self) -> DateTime<Utc> {
        self.store.clock.now()
    }

    /// Seats of a table went to another player without an event: what is remembered of it, here and elsewhere, is read again.
    pub fn seats_changed(&self, id: TableId) {
        self.forget(id);
        self.live.seats_changed(id);
    }

    /// Forgets tables whose seats changed in another process or that are no longer what they were, for ever.
    pub async fn follow_seats(self: Arc<Tables>) {
        use tokio::sync::broadcast::error::RecvError;
        let mut moves = self.live.listen();
        loop {
            match moves.recv().await {
                Ok(Heard::Of(table, News::SeatsChanged | News::WentBack)) => self.forget(table),
                Ok(Heard::Of(_, News::Reached(_) | News::ReachedBy(..) | News::Talked(_))) => {}
                // Some notices were missed: any table may be meant.
                Ok(Heard::Missed) | Err(RecvError::Lagged(_)) => self.kept.clear(),
                Err(RecvError::Closed) => return,
            }
        }
    }
}
