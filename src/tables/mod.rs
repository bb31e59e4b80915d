//! One played game: open a table, sit down, say moves, look at it, check it.

mod advance;
pub mod check;
pub mod duties;
pub mod daily;
mod endings;
pub mod export;
pub mod folded;
mod id;
mod invite;
pub mod live;
mod open;
mod read;
pub mod rebuild;
pub mod record;
mod say;
mod window;

use std::sync::Arc;

use live::{Live, ToTell};
use quick_cache::sync::Cache;

pub use id::{NoTableId, PlayerId, TableId};
pub use open::{LONGEST_CUT, OpenError, SitError, Wishes};
pub use read::{Holder, Kept, ReadError};
pub use say::{Caller, Preview, Said, SayError};
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
    /// The tables, and what has to be told to other processes (see [`Live::connect`]).
    pub fn new(store: Store, catalogue: Catalogue, metrics: Arc<Metrics>) -> (Tables, ToTell) {
        let (live, to_tell) = Live::new();
        (Tables { store, catalogue, metrics, live, kept: Cache::new(KEPT_TABLES) }, to_tell)
    }

    /// Seats of a table went to another player without an event: what is remembered of it is read again.
    pub fn seats_changed(&self, id: TableId) {
        self.kept.remove(&id);
    }
}
