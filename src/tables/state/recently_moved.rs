//! Which tables moved lately, for whoever would like to watch one. In memory alone: after a start it fills with the first moves.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::tables::TableId;

/// How many tables are remembered.
const MOST: usize = 8;

/// Tables that moved lately, in any process.
#[derive(Default)]
pub struct RecentlyMoved(Mutex<VecDeque<TableId>>);

impl RecentlyMoved {
    pub fn note(&self, table: TableId) {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|other| *other != table);
        tables.push_front(table);
        tables.truncate(MOST);
    }

    /// The latest first.
    pub fn tables(&self) -> Vec<TableId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_come_first_and_the_oldest_are_forgotten() {
        let moved = RecentlyMoved::default();
        let tables: Vec<TableId> = (0..MOST + 2).map(|_| TableId::fresh()).collect();
        tables.iter().chain([&tables[4]]).for_each(|table| moved.note(*table));
        assert_eq!(moved.tables()[..2], [tables[4], tables[MOST + 1]]);
        assert_eq!(moved.tables().len(), MOST);
        assert!(!moved.tables().contains(&tables[1]));
    }
}
