//! Events: appended, read, never changed.

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;
use sqlx::types::Json;

use crate::db::column_types::SeatNumber;
use crate::db::{Result, Store};
use crate::tables::TableId;
use wonderpost_rules::Seat;

/// An event as it stands in the database.
pub struct EventRow {
    pub seq: i64,
    pub move_no: i32,
    /// As it stands there: whether there is such a seat is found out with the rest of what may be damaged.
    pub seat: Option<i16>,
    pub at: DateTime<Utc>,
    pub kind: String,
    pub body: Json<Box<RawValue>>,
    pub digest: Vec<u8>,
}

impl Store {
    /// The events of a table from this one on, in order: the first tells whether it is the event that the caller knows.
    pub async fn events_from(&self, table: TableId, seq: i64) -> Result<Vec<EventRow>> {
        let rows = sqlx::query_as!(
            EventRow,
            r#"select seq, move_no, seat, at, kind, body as "body: Json<Box<RawValue>>", digest
               from event where table_id = $1 and seq >= $2 order by seq"#,
            table as _,
            seq,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    /// The events of a table from this one on, up to the end of a move. The first snapshot behind that move bounds what is read.
    pub async fn events_until_move(&self, table: TableId, seq: i64, move_no: i32) -> Result<Vec<EventRow>> {
        let rows = sqlx::query_as!(
            EventRow,
            r#"select seq, move_no, seat, at, kind, body as "body: Json<Box<RawValue>>", digest
               from event
               where table_id = $1 and seq >= $2 and move_no <= $3
                 and seq <= coalesce((select min(seq) from sound_checkpoint where table_id = $1 and move_no > $3), 9223372036854775807)
               order by seq"#,
            table as _,
            seq,
            move_no,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    /// What a seat has said or undone since a move, in order: the bodies of those events.
    pub async fn said_since(&self, table: TableId, seat: Seat, move_no: i32) -> Result<Vec<(i32, String)>> {
        let rows = sqlx::query!(
            r#"select move_no, body::text as "body!" from event
               where table_id = $1 and kind in ('table-said', 'table-undone') and seat = $2 and move_no > $3
                 and seq > coalesce((select max(seq) from sound_checkpoint where table_id = $1 and move_no <= $3), 0)
               order by seq"#,
            table as _,
            SeatNumber(seat) as _,
            move_no,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|row| (row.move_no, row.body)).collect())
    }
}
