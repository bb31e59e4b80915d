//! The state of a table: folded from its events, cached, refreshed and kept as snapshots.

pub mod concealed;
pub mod live;
pub mod load;
pub mod mark;
pub mod record;
pub mod snapshots;
pub mod standby;
pub mod table_state;
