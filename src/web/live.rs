//! Live updates: a stream of events that says when a table has moved, whichever process it moved in.

use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, web};
use futures_util::stream;
use tokio::sync::broadcast::error::RecvError;

use super::House;
use super::problem::Problem;
use super::session::Visitor;
use super::table_page::visible;
use crate::tables::folded::Status;
use crate::tables::live::TALKED;

/// So often a word is said into a silent stream, so that both ends know that the other is there.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// `GET /t/{id}/live`: the version of the table now, and each that it reaches.
pub async fn stream(house: web::Data<House>, id: web::Path<String>, visitor: Visitor) -> Result<HttpResponse, Problem> {
    let kept = visible(&house, &id, visitor.player()).await?;
    let id = kept.id;
    // That players talk while they play is nobody else's business.
    let hears_talk = kept.seat_of(visitor.player()).is_some() || kept.now.status() == Status::Over;
    let moves = house.tables.live.listen();
    // Read after listening began: nothing is missed in between.
    let version = house.tables.read(id).await?.now.version;
    let events = stream::unfold((moves, Some(version)), move |(mut moves, first)| async move {
        if let Some(version) = first {
            return Some((Ok::<_, actix_web::Error>(moved(version)), (moves, None)));
        }
        loop {
            match tokio::time::timeout(HEARTBEAT, moves.recv()).await {
                Err(_) => return Some((Ok(Bytes::from_static(b": still here\n\n")), (moves, None))),
                Ok(Ok(told)) if told.table != id || (told.version == TALKED && !hears_talk) => {}
                Ok(Ok(told)) if told.version == TALKED => {
                    return Some((Ok(Bytes::from_static(b"event: talk\ndata: new\n\n")), (moves, None)));
                }
                Ok(Ok(told)) => return Some((Ok(moved(told.version)), (moves, None))),
                // Too many moves elsewhere to keep up with: look for oneself.
                Ok(Err(RecvError::Lagged(_))) => return Some((Ok(moved(i64::MAX)), (moves, None))),
                Ok(Err(RecvError::Closed)) => return None,
            }
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

fn moved(version: i64) -> Bytes {
    Bytes::from(format!("event: moved\ndata: {version}\n\n"))
}
