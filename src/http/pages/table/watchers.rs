//! How many may watch at a time: each holds a connection open.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::settings::WatcherLimits;
use crate::http::extract::network::Network;
use crate::http::problem::Problem;
use crate::tables::TableId;

/// After how many seconds somebody who was refused may try again.
const RETRY_SECONDS: u64 = 30;

/// Those who watch tables by this process.
pub struct Watchers {
    limits: WatcherLimits,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    tables: HashMap<TableId, u32>,
    networks: HashMap<Network, u32>,
}

impl Watchers {
    pub fn new(limits: WatcherLimits) -> Arc<Watchers> {
        Arc::new(Watchers { limits, counts: Mutex::default() })
    }

    /// Counts one more who watches a table, until what this returns is dropped.
    pub fn admit(self: &Arc<Watchers>, table: TableId, network: Network) -> Result<Watching, Problem> {
        let mut counts = self.lock();
        let of = |count: Option<&u32>| count.copied().unwrap_or_default();
        let sentence = if of(counts.networks.get(&network)) >= self.limits.per_network {
            "Too many tables are watched from your network just now. Load the page to see what is new."
        } else if of(counts.tables.get(&table)) >= self.limits.per_table {
            "Too many people watch this table just now. Load the page to see what is new."
        } else {
            *counts.tables.entry(table).or_default() += 1;
            *counts.networks.entry(network).or_default() += 1;
            return Ok(Watching { watchers: self.clone(), table, network });
        };
        Err(Problem::Throttled { sentence, retry_seconds: RETRY_SECONDS })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who watches a table.
pub struct Watching {
    watchers: Arc<Watchers>,
    table: TableId,
    network: Network,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut counts = self.watchers.lock();
        leave(&mut counts.tables, self.table);
        leave(&mut counts.networks, self.network);
    }
}

fn leave<K: Eq + Hash>(counts: &mut HashMap<K, u32>, key: K) {
    if let Some(count) = counts.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn each_limit_holds_by_itself_and_those_who_leave_make_room() {
        let network =
            |peer: &str| Network::of(&TestRequest::default().peer_addr(peer.parse().unwrap()).to_http_request(), false);
        let (one, other) = (network("192.0.2.1:1"), network("192.0.2.2:1"));
        let (table, elsewhere) = (TableId::fresh(), TableId::fresh());
        let watchers = Watchers::new(WatcherLimits { per_table: 2, per_network: 2 });
        let first = watchers.admit(table, one).ok().unwrap();
        let second = watchers.admit(elsewhere, one).ok().unwrap();
        assert!(watchers.admit(elsewhere, one).is_err(), "the network is full");
        let third = watchers.admit(table, other).ok().unwrap();
        assert!(watchers.admit(table, other).is_err(), "the table is full");
        drop(first);
        assert!(watchers.admit(table, other).is_ok(), "there is room again");
        drop((second, third));
        assert!(watchers.lock().tables.is_empty() && watchers.lock().networks.is_empty(), "nothing is left");
    }
}
