//! One played game: open a table, sit down, say moves, look at it, check it.

mod absence;
mod advance;
mod answers;
pub mod check;
pub mod daily;
mod deciding;
pub mod duties;
mod endings;
pub mod export;
pub mod folded;
mod id;
mod invite;
mod late;
pub mod live;
mod notes;
mod open;
pub mod pace;
mod pause;
mod read;
pub mod rebuild;
pub mod record;
mod say;
mod talk;
mod tell;
pub mod times;
pub mod timetable;
mod window;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use live::Live;
use quick_cache::sync::Cache;

pub use answers::{Answer, Offer};
pub use id::{NoTableId, PlayerId, TableId};
pub use notes::LONGEST_NOTE;
pub use open::{LONGEST_CUT, OpenError, SitError, Wishes};
pub use read::{FORMER_PLAYER, Holder, HoldersAt, Kept, ReadError, awaited_in_list, names_in_list};
pub use say::{Caller, Preview, Said, SayError};
pub use talk::LONGEST_TALK;
pub use window::{Leaf, LoggedMove};

use crate::metrics::Metrics;
use crate::rules::Catalogue;
use crate::store::Store;

/// So many tables are kept folded in memory.
const KEPT_TABLES: usize = 1_000;

/// The tables of the house.
pub struct Tables {
    pub store: Store,
    pub catalogue: Catalogue,
    pub metrics: Arc<Metrics>,
    pub live: Live,
    kept: Cache<TableId, Arc<Kept>>,
}

impl Tables {
    pub fn new(store: Store, catalogue: Catalogue, metrics: Arc<Metrics>) -> Tables {
        Tables { store, catalogue, metrics, live: Live::default(), kept: Cache::new(KEPT_TABLES) }
    }

    /// What time it is.
    pub fn now(&self) -> DateTime<Utc> {
        self.store.clock.now()
    }

    /// Seats of a table went to another player without an event: what is remembered of it, here and elsewhere, is read again.
    pub fn seats_changed(&self, id: TableId) {
        self.forget(id);
        self.live.moved(id, live::SEATS_CHANGED);
    }

    /// Forgets tables whose seats changed in another process, for ever.
    pub async fn follow_seats(self: Arc<Tables>) {
        use tokio::sync::broadcast::error::RecvError;
        let mut moves = self.live.listen();
        loop {
            match moves.recv().await {
                Ok(moved) if moved.version == live::SEATS_CHANGED => self.forget(moved.table),
                Ok(_) => {}
                // Some notices were missed: any table may be meant.
                Err(RecvError::Lagged(_)) => self.kept.clear(),
                Err(RecvError::Closed) => return,
            }
        }
    }
}
