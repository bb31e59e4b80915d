//! How often something may happen from one network, counted in this process.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::network::Network;

const HOUR: Duration = Duration::from_secs(3600);

/// So many networks are counted before those whose hour is over are forgotten.
const MOST_NETWORKS: usize = 10_000;

/// At most so many an hour.
pub struct HourlyLimit {
    most: u32,
    counts: Mutex<HashMap<Network, (Instant, u32)>>,
}

impl HourlyLimit {
    pub fn new(most: u32) -> HourlyLimit {
        HourlyLimit { most, counts: Mutex::default() }
    }

    /// Counts one more; whether it is within the limit.
    pub fn admits(&self, network: Network) -> bool {
        self.admits_at(network, Instant::now())
    }

    fn admits_at(&self, network: Network, now: Instant) -> bool {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= MOST_NETWORKS {
            counts.retain(|_, (since, _)| now.duration_since(*since) < HOUR);
        }
        let (since, count) = counts.entry(network).or_insert((now, 0));
        if now.duration_since(*since) >= HOUR {
            (*since, *count) = (now, 0);
        }
        *count = count.saturating_add(1);
        *count <= self.most
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn network(peer: &str) -> Network {
        Network::of(&TestRequest::default().peer_addr(peer.parse().unwrap()).to_http_request(), false)
    }

    #[test]
    fn so_many_an_hour_and_no_more() {
        let (limit, start) = (HourlyLimit::new(2), Instant::now());
        let (one, other) = (network("192.0.2.1:1"), network("192.0.2.2:1"));
        assert!(limit.admits_at(one, start) && limit.admits_at(one, start));
        assert!(!limit.admits_at(one, start + HOUR / 2));
        assert!(limit.admits_at(other, start + HOUR / 2));
        assert!(limit.admits_at(one, start + HOUR));
    }
}
