//! Telling those who watch a table that it moved, whichever process it happened in.
//!
//! A notice in the database takes a lock that all commits share, so it is never part of a move: moves are told to this process at once
//! and to the others a moment later, many with one notice.

use std::sync::OnceLock;
use std::time::Duration;

use tokio::sync::{broadcast, mpsc};

use super::TableId;
use crate::store::Store;

/// So long moves are gathered before the other processes are told.
const GATHERING: Duration = Duration::from_millis(60);

/// So many tables fit into one notice.
const MOST_IN_A_NOTICE: usize = 100;

/// Told instead of a version where seats went to another player.
pub const SEATS_CHANGED: i64 = 0;

/// Told instead of a version where somebody wrote to the table.
pub const TALKED: i64 = -1;

/// A table reached a version.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub table: TableId,
    pub version: i64,
}

/// Where moves are told and listened for.
pub struct Live {
    here: broadcast::Sender<Moved>,
    /// Where moves go that other processes are to be told of, once they are connected.
    elsewhere: OnceLock<mpsc::UnboundedSender<Moved>>,
}

impl Default for Live {
    fn default() -> Live {
        Live { here: broadcast::channel(1_024).0, elsewhere: OnceLock::new() }
    }
}

impl Live {
    pub fn moved(&self, table: TableId, version: i64) {
        let moved = Moved { table, version };
        // Nobody listens: nobody needs to know.
        let _ = self.here.send(moved);
        if let Some(elsewhere) = self.elsewhere.get() {
            let _ = elsewhere.send(moved);
        }
    }

    pub fn listen(&self) -> broadcast::Receiver<Moved> {
        self.here.subscribe()
    }

    /// Tells the other processes of our moves, and this one of theirs, until the program ends.
    pub fn connect(&self, store: Store) {
        let (elsewhere, mut to_tell) = mpsc::unbounded_channel();
        if self.elsewhere.set(elsewhere).is_err() {
            return;
        }
        let teller = store.clone();
        tokio::spawn(async move {
            while let Some(first) = to_tell.recv().await {
                tokio::time::sleep(GATHERING).await;
                let mut moves = vec![first];
                while moves.len() < MOST_IN_A_NOTICE
                    && let Ok(more) = to_tell.try_recv()
                {
                    moves.push(more);
                }
                let words: Vec<String> =
                    moves.iter().map(|moved| format!("{} {}", moved.table, moved.version)).collect();
                if let Err(error) = teller.tell_moves(&words.join(",")).await {
                    tracing::warn!(%error, "other processes were not told of a move");
                }
            }
        });
        let here = self.here.clone();
        tokio::spawn(async move {
            loop {
                match store.listen_for_moves().await {
                    Ok(mut listener) => {
                        while let Ok(notice) = listener.recv().await {
                            for moved in notice.payload().split(',').filter_map(read) {
                                let _ = here.send(moved);
                            }
                        }
                    }
                    Err(error) => tracing::warn!(%error, "cannot listen for moves of other processes"),
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
    }
}

fn read(words: &str) -> Option<Moved> {
    let (table, version) = words.split_once(' ')?;
    Some(Moved { table: table.parse().ok()?, version: version.parse().ok()? })
}
