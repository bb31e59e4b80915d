//! Telling those who watch a table that it moved, whichever process it happened in.
//!
//! A notice in the database takes a lock that all commits share, so it is never part of a move: moves are told to this process at once
//! and to the others a moment later, many with one notice.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use data_encoding::HEXLOWER;
use tokio::sync::{broadcast, mpsc};

use crate::db::Store;
use crate::tables::TableId;
use crate::tables::state::record::Digest;
use crate::tables::state::table_state::TableState;
use wonderpost_rules::Seat;

/// How long moves are collected before other processes are notified of them.
const GATHERING: Duration = Duration::from_millis(60);

/// The longest wait for the last moves to be told before the process ends.
const FLUSH_LIMIT: Duration = Duration::from_millis(500);

/// The most tables that one notification names.
const MOST_IN_A_NOTICE: usize = 100;

/// How long to wait before listening again after the connection was lost.
const RECONNECTING: Duration = Duration::from_millis(250);

/// The beginning of an event's digest: enough to tell the states of a table apart.
pub type ShortDigest = [u8; 8];

/// The beginning of a digest.
pub fn short(digest: &Digest) -> ShortDigest {
    let mut short = [0; 8];
    short.copy_from_slice(&digest[..8]);
    short
}

/// What happened at a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// It has come to the state after this event.
    Reached(ShortDigest),
    /// The same by a move that is known to this seat alone: nobody else is told.
    ReachedBy(Seat, ShortDigest),
    /// Seats went to another player without an event.
    SeatsChanged,
    /// The talk has changed: the holder of a seat wrote to the table, or the host removed something.
    Talked(Option<Seat>),
    /// It is over, and somebody wants to play again.
    Rematch,
    /// The database went back in time: what was known of the table may never have been.
    WentBack,
}

/// What is heard.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    Of(TableId, News),
    /// Notices may have been missed: any table may have changed in any way.
    Missed,
}

/// Where moves are told and listened for.
pub struct Live {
    here: broadcast::Sender<Heard>,
    /// Where news go that other processes are to be told of, once they are connected.
    elsewhere: OnceLock<mpsc::UnboundedSender<(TableId, News)>>,
    /// How much news the other processes are still to be told.
    untold: Arc<AtomicUsize>,
}

impl Default for Live {
    fn default() -> Live {
        Live { here: broadcast::channel(1_024).0, elsewhere: OnceLock::new(), untold: Arc::default() }
    }
}

impl Live {
    /// A table has come from one state to another. Of moves that are concealed their movers are told, and nobody else.
    pub fn reached(&self, table: TableId, before: &TableState, now: &TableState) {
        if now.public_head != before.public_head {
            self.tell(table, News::Reached(short(&now.public_head)));
        }
        for concealed in now.concealed.iter().filter(|concealed| concealed.version > before.version) {
            self.tell(table, News::ReachedBy(concealed.seat, short(&concealed.head)));
        }
    }

    pub fn seats_changed(&self, table: TableId) {
        self.tell(table, News::SeatsChanged);
    }

    /// The holder of a seat wrote to the table, or the host removed something.
    pub fn talked(&self, table: TableId, seat: Option<Seat>) {
        self.tell(table, News::Talked(seat));
    }

    /// Somebody wants to play again.
    pub fn rematch(&self, table: TableId) {
        self.tell(table, News::Rematch);
    }

    /// Each process finds out by itself; only those who watch here are told.
    pub fn went_back(&self, table: TableId) {
        let _ = self.here.send(Heard::Of(table, News::WentBack));
    }

    fn tell(&self, table: TableId, news: News) {
        // Nobody listens: nobody needs to know.
        let _ = self.here.send(Heard::Of(table, news));
        if let Some(elsewhere) = self.elsewhere.get() {
            self.untold.fetch_add(1, Relaxed);
            let _ = elsewhere.send((table, news));
        }
    }

    /// Waits until the other processes have been told all news, but not for long.
    pub async fn flush(&self) {
        let told = async {
            while self.untold.load(Relaxed) > 0 {
                tokio::time::sleep(GATHERING / 4).await;
            }
        };
        let _ = tokio::time::timeout(FLUSH_LIMIT, told).await;
    }

    pub fn listen(&self) -> broadcast::Receiver<Heard> {
        self.here.subscribe()
    }

    /// Tells the other processes of our moves, and this one of theirs, until the program ends.
    pub fn connect(&self, store: Store) {
        let (elsewhere, mut to_tell) = mpsc::unbounded_channel();
        if self.elsewhere.set(elsewhere).is_err() {
            return;
        }
        let (teller, untold) = (store.clone(), self.untold.clone());
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
                    moves.iter().map(|(table, news)| format!("{table} {}", write(*news))).collect();
                if let Err(error) = teller.tell_moves(&words.join(",")).await {
                    tracing::warn!(%error, "other processes were not told of a move");
                }
                untold.fetch_sub(moves.len(), Relaxed);
            }
        });
        let here = self.here.clone();
        tokio::spawn(async move {
            let mut lost = false;
            loop {
                match store.listen_for_moves().await {
                    Ok(mut listener) => {
                        if std::mem::replace(&mut lost, true) {
                            let _ = here.send(Heard::Missed);
                        }
                        // A connection that is renewed in silence would hide what was told meanwhile.
                        while let Ok(words) = listener.next().await {
                            for (table, news) in words.split(',').filter_map(read) {
                                let _ = here.send(Heard::Of(table, news));
                            }
                        }
                    }
                    Err(error) => tracing::warn!(%error, "cannot listen for moves of other processes"),
                }
                tokio::time::sleep(RECONNECTING).await;
            }
        });
    }
}

/// A process of an earlier version takes a word that it does not know for a reason to read the table again.
fn write(news: News) -> String {
    match news {
        News::Reached(head) => format!("h{}", HEXLOWER.encode(&head)),
        News::ReachedBy(seat, head) => format!("s{seat}h{}", HEXLOWER.encode(&head)),
        News::SeatsChanged => "seats".to_owned(),
        News::Talked(None) => "talk".to_owned(),
        News::Talked(Some(seat)) => format!("talk{seat}"),
        News::Rematch => "again".to_owned(),
        News::WentBack => "back".to_owned(),
    }
}

/// Processes of earlier versions tell of seats and talk with numbers up to 0, and of moves with the number of events; which state that
/// is nobody knows.
fn read(words: &str) -> Option<(TableId, News)> {
    let (table, word) = words.split_once(' ')?;
    let news = if let Some(seat) = word.strip_prefix("talk") {
        News::Talked(read_seat(seat))
    } else if let Some((seat, head)) = word.split_once('h') {
        match seat {
            "" => News::Reached(read_head(head)?),
            seat => News::ReachedBy(read_seat(seat.strip_prefix('s')?)?, read_head(head)?),
        }
    } else {
        match word {
            "seats" | "0" => News::SeatsChanged,
            "again" => News::Rematch,
            "-1" => News::Talked(None),
            _ => match word.strip_prefix('-') {
                Some(number) => News::Talked(Seat::new(number.parse::<u8>().ok()?.checked_sub(1)?)),
                None => News::WentBack,
            },
        }
    };
    Some((table.parse().ok()?, news))
}

fn read_seat(number: &str) -> Option<Seat> {
    Seat::new(number.parse().ok()?)
}

fn read_head(text: &str) -> Option<ShortDigest> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_are_read_as_they_are_told() {
        let table = TableId::fresh();
        let by = News::ReachedBy(Seat::FIRST, [9; 8]);
        let talked = [News::Talked(None), News::Talked(Some(Seat::FIRST))];
        for news in
            [News::Reached([7; 8]), by, News::SeatsChanged, News::Rematch, News::WentBack].into_iter().chain(talked)
        {
            assert_eq!(read(&format!("{table} {}", write(news))), Some((table, news)));
        }
        assert_eq!(read(&format!("{table} 95")), Some((table, News::WentBack)), "an older program moved it");
        assert_eq!(read(&format!("{table} -2")), Some((table, News::Talked(Some(Seat::FIRST)))), "so did its talk");
        assert_eq!(read("nonsense"), None);
    }

    #[test]
    fn a_full_notice_fits_into_what_the_database_carries() {
        let one = format!("{} {},", TableId::fresh(), write(News::ReachedBy(Seat::FIRST, [255; 8])));
        assert!(one.len() * MOST_IN_A_NOTICE < 8_000);
    }
}
