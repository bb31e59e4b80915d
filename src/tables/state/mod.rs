//! The state of a table: folded from its events, cached, refreshed and kept as snapshots.

pub mod concealed;
pub mod glance;
pub mod holders;
pub mod live;
pub mod load;
pub mod mark;
pub mod open_moves;
pub mod recently_moved;
pub mod record;
mod snapshot_format;
pub mod snapshots;
pub mod standby;
pub mod status;
pub mod table_state;
pub mod undoing;
