//! Live updates: a stream of events that says when a table has moved, whichever process it moved in.

use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, web};
use futures_util::stream;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::House;
use super::problem::Problem;
use super::session::Visitor;
use super::table_page::visible;
use crate::tables::folded::Status;
use crate::tables::live::{Moved, TALKED};
use crate::tables::{PlayerId, TableId};

/// So often a word is said into a silent stream, so that both ends know that the other is there.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// `GET /t/{id}/live`
pub async fn stream(house: web::Data<House>, id: web::Path<String>, visitor: Visitor) -> Result<HttpResponse, Problem> {
    follow(house, &id, visitor.player()).await
}

/// A mark of the table as it is now, and of each state that it reaches. How many events there have been is nobody's business: with few
/// possibilities one could tell from it what is hidden.
pub(super) async fn follow(
    house: web::Data<House>,
    id: &str,
    player: Option<PlayerId>,
) -> Result<HttpResponse, Problem> {
    let kept = visible(&house, id, player).await?;
    let id = kept.id;
    // That players talk while they play is nobody else's business.
    let hears_talk = kept.seat_of(player).is_some() || kept.now.status() == Status::Over;
    let key = house.stamp_key().await?.clone();
    let moves = house.tables.live.listen();
    // Read after listening began: nothing is missed in between.
    let version = house.tables.read(id).await?.now.version;
    let begin = Following { moves, told: 0, next: Some(version), hears_talk };
    let events = stream::unfold(begin, move |mut following| {
        let key = key.clone();
        async move {
            let word = match following.next_word(id).await? {
                Word::Reached(version) => moved(&key.mark(id, version)),
                Word::Talk => Bytes::from_static(b"event: talk\ndata: new\n\n"),
                Word::Missed => moved("unknown"),
                Word::Silence => Bytes::from_static(b": still here\n\n"),
            };
            Some((Ok::<_, actix_web::Error>(word), following))
        }
    });
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        // Packed events would wait for each other.
        .insert_header((CONTENT_ENCODING, "identity"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(events))
}

/// Where somebody who follows a table has come to.
struct Following {
    moves: Receiver<Moved>,
    /// The last version that was told.
    told: i64,
    /// A version to be told without waiting.
    next: Option<i64>,
    /// Whether it is told that somebody wrote to the table.
    hears_talk: bool,
}

/// What there is to tell.
enum Word {
    Reached(i64),
    /// Somebody wrote to the table.
    Talk,
    /// Too many moves elsewhere to keep up with: look for oneself.
    Missed,
    Silence,
}

impl Following {
    /// Waits for something to tell; `None` when there will be nothing any more. What was told already is not told again.
    async fn next_word(&mut self, table: TableId) -> Option<Word> {
        if let Some(version) = self.next.take() {
            self.told = version;
            return Some(Word::Reached(version));
        }
        loop {
            match tokio::time::timeout(HEARTBEAT, self.moves.recv()).await {
                Err(_) => return Some(Word::Silence),
                Ok(Ok(moved)) if moved.table == table && moved.version == TALKED => {
                    if self.hears_talk {
                        return Some(Word::Talk);
                    }
                }
                Ok(Ok(moved)) if moved.table == table && moved.version > self.told => {
                    self.told = moved.version;
                    return Some(Word::Reached(moved.version));
                }
                Ok(Ok(_)) => {}
                Ok(Err(RecvError::Lagged(_))) => return Some(Word::Missed),
                Ok(Err(RecvError::Closed)) => return None,
            }
        }
    }
}

fn moved(mark: &str) -> Bytes {
    Bytes::from(format!("event: moved\ndata: {mark}\n\n"))
}
