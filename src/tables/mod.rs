//! One played game: open a table, sit down, say moves, look at it, check it.

pub mod analysis;
pub mod audit;
pub mod clock;
pub mod history;
mod id;
pub mod lifecycle;
pub mod play;
pub mod results;
pub mod state;
pub mod talk;

use std::sync::Arc;

use crate::tables::state::live::{Heard, Live, News};
use crate::tables::state::recently_moved::RecentlyMoved;
use chrono::{DateTime, Utc};
use quick_cache::sync::Cache;

use crate::tables::history::course::Course;
pub use crate::tables::history::recent_events::{HistoryView, LoggedMove};
pub use crate::tables::lifecycle::open::{LONGEST_CUT, OpenError, OpeningBot, SitError, TableOptions};
pub use crate::tables::play::plans::{Answer, Offer};
pub use crate::tables::play::preview::Preview;
pub use crate::tables::play::submit::{Credentials, MoveError, Said};
pub use crate::tables::play::undo::UndoForm;
pub use crate::tables::state::holders::{
    FORMER_PLAYER, Holder, HoldersAt, awaited_in_list, given_name, name_of, names_in_list, with_names,
    with_written_names,
};
pub use crate::tables::state::load::{CachedTable, LastEvent, ReadError};
pub use crate::tables::state::mark::{NoStep, StateMark, Step};
use crate::tables::state::record::Digest;
pub use crate::tables::talk::messages::LONGEST_TALK;
pub use crate::tables::talk::notes::LONGEST_NOTE;
pub use crate::tables::talk::reports::LONGEST_REPORT;
pub use id::{NoTableId, PlayerId, TableId};

use crate::app::metrics::Metrics;
use crate::db::Store;
use crate::db::standby::Standby;
use wonderpost_rules::Catalogue;

/// The most table states that are cached.
const KEPT_TABLES: usize = 1_000;

/// The most courses of finished games that are cached.
const KEPT_COURSES: usize = 256;

/// The tables of the house.
pub struct Tables {
    pub store: Store,
    pub catalogue: Catalogue,
    pub metrics: Arc<Metrics>,
    pub live: Live,
    pub recently_moved: RecentlyMoved,
    /// Somebody asked for the curve of a game.
    pub(crate) analysis_asked: tokio::sync::Notify,
    cache: Cache<TableId, Arc<CachedTable>>,
    /// The courses of finished games, by the digests of their last events.
    courses: Cache<Digest, Arc<Course>>,
    /// Where finished games and history are read, if not from the primary.
    standby: Option<Arc<Standby>>,
}

impl Tables {
    pub fn new(store: Store, catalogue: Catalogue, metrics: Arc<Metrics>) -> Tables {
        Tables {
            store,
            catalogue,
            metrics,
            live: Live::default(),
            recently_moved: RecentlyMoved::default(),
            analysis_asked: tokio::sync::Notify::new(),
            cache: Cache::new(KEPT_TABLES),
            courses: Cache::new(KEPT_COURSES),
            standby: None,
        }
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

    /// Forgets tables whose seats changed in another process or that are no longer what they were, and notes which move, for ever.
    pub async fn follow_seats(self: Arc<Tables>) {
        use tokio::sync::broadcast::error::RecvError;
        let mut moves = self.live.listen();
        loop {
            match moves.recv().await {
                Ok(Heard::Of(table, News::SeatsChanged | News::WentBack)) => self.forget(table),
                Ok(Heard::Of(table, News::Reached(_))) => self.recently_moved.note(table),
                Ok(Heard::Of(_, News::ReachedBy(..) | News::Talked(_) | News::Rematch)) => {}
                // Some notices were missed: any table may be meant.
                Ok(Heard::Missed) | Err(RecvError::Lagged(_)) => self.cache.clear(),
                Err(RecvError::Closed) => return,
            }
        }
    }
}
