//! Live updates: a stream of events that says when a table has moved, whichever process it moved in.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, web};
use futures_util::stream;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::http::AppState;
use crate::http::extract::network::Network;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::table::page::visible;
use crate::http::pages::table::watchers::Watching;
use crate::http::problem::Problem;
use crate::http::shutdown::Shutdown;
use crate::tables::state::live::{Heard, News, ShortDigest, short};
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::{SeatSet, Viewer};

/// How often a silent stream carries a heartbeat, so that both ends know that the other is there.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// After how many milliseconds those who watch connect again when the service stops.
const COME_BACK_MILLIS: RangeInclusive<u32> = 200..=1_200;
/// How many states that were told are remembered.
const REMEMBERED: usize = 32;

/// `GET /t/{id}/live`
pub async fn stream(
    app: web::Data<AppState>,
    id: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    follow(app, &id, user.player(), user.network).await
}

/// A mark of the table as it is now, and of each state that it reaches. How many events there have been is nobody's business: with few
/// possibilities one could tell from it what is hidden.
pub(crate) async fn follow(
    app: web::Data<AppState>,
    id: &str,
    player: Option<PlayerId>,
    network: Network,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, id, player).await?;
    let id = cached.id;
    let watching = app.watchers.admit(id, network)?;
    // That players talk while they play is nobody else's business.
    let hears_talk = cached.seat_of(player).is_some() || cached.now.status() == Status::Over;
    let muted = app.tables.muted_seats(id, player).await?;
    let key = app.stamp_key().await?.clone();
    let moves = app.tables.live.listen();
    // Read after listening began: nothing is missed in between.
    let cached = app.tables.load_fresh(id).await?;
    let viewer = cached.viewer(player);
    let next = Some(short(cached.now.head_for(viewer)));
    let shutdown = app.shutdown.clone();
    let told = VecDeque::new();
    let is_over = false;
    let begin = Following { moves, viewer, told, next, hears_talk, muted, shutdown, is_over, _watching: watching };
    let events = stream::unfold(begin, move |mut following| {
        let key = key.clone();
        async move {
            let word = match following.next_word(id).await? {
                Word::Reached(head) => moved(&key.mark(id, head)),
                Word::Talk => Bytes::from_static(b"event: talk\ndata: new\n\n"),
                Word::Missed => moved("unknown"),
                Word::Silence => Bytes::from_static(b": still here\n\n"),
                Word::Closing => come_back(),
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
    moves: Receiver<Heard>,
    /// Others' moves that are concealed from this viewer are not told.
    viewer: Viewer,
    /// The last states that were told: what happens here is heard a second time, from the database.
    told: VecDeque<ShortDigest>,
    /// A state to be told without waiting.
    next: Option<ShortDigest>,
    /// Whether it is told that somebody wrote to the table.
    hears_talk: bool,
    /// Those whom they do not want to hear.
    muted: SeatSet,
    shutdown: Shutdown,
    /// Whether the last word was said.
    is_over: bool,
    _watching: Watching,
}

/// What there is to tell.
enum Word {
    Reached(ShortDigest),
    /// Somebody wrote to the table.
    Talk,
    /// Too many moves elsewhere to keep up with, or the database went back: look for oneself.
    Missed,
    Silence,
    /// The service stops.
    Closing,
}

impl Following {
    /// Notes that a state is told; whether it is new.
    fn note(&mut self, head: ShortDigest) -> bool {
        if self.told.contains(&head) {
            return false;
        }
        if self.told.len() == REMEMBERED {
            self.told.pop_front();
        }
        self.told.push_back(head);
        true
    }

    /// Waits for something to tell; `None` when there will be nothing any more. What was told already is not told again.
    async fn next_word(&mut self, table: TableId) -> Option<Word> {
        if self.is_over {
            return None;
        }
        let shutdown = self.shutdown.clone();
        tokio::select! {
            word = self.next_move(table) => word,
            () = shutdown.closing() => {
                self.is_over = true;
                Some(Word::Closing)
            }
        }
    }

    async fn next_move(&mut self, table: TableId) -> Option<Word> {
        if let Some(head) = self.next.take() {
            self.note(head);
            return Some(Word::Reached(head));
        }
        loop {
            match tokio::time::timeout(HEARTBEAT, self.moves.recv()).await {
                Err(_) => return Some(Word::Silence),
                Ok(Ok(Heard::Of(moved, news))) if moved == table => match news {
                    News::Talked(seat) => {
                        if self.hears_talk && !seat.is_some_and(|seat| self.muted.contains(seat)) {
                            return Some(Word::Talk);
                        }
                    }
                    News::SeatsChanged => {}
                    News::ReachedBy(seat, _) if self.viewer != Viewer::Seat(seat) => {}
                    News::Reached(head) | News::ReachedBy(_, head) => {
                        if self.note(head) {
                            return Some(Word::Reached(head));
                        }
                    }
                    // Nothing has moved, but the page has something new to say.
                    News::Rematch | News::WentBack => return Some(Word::Missed),
                },
                Ok(Ok(Heard::Of(..))) => {}
                Ok(Ok(Heard::Missed) | Err(RecvError::Lagged(_))) => return Some(Word::Missed),
                Ok(Err(RecvError::Closed)) => return None,
            }
        }
    }
}

/// The last word: connect again in a moment. Not all at the same moment.
fn come_back() -> Bytes {
    let pause = rand::random_range(COME_BACK_MILLIS);
    Bytes::from(format!("retry: {pause}\nevent: restart\ndata: connect again\n\n"))
}

fn moved(mark: &str) -> Bytes {
    Bytes::from(format!("event: moved\ndata: {mark}\n\n"))
}
