//! Answers in advance.

use crate::db::column_types::SeatNumber;
use crate::db::{Connection, Result, Store};
use crate::tables::TableId;
use wonderpost_rules::Seat;

/// An answer as it stands in the database.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct AnswerRow {
    pub seat: Seat,
    pub prompt: String,
    pub lines: Vec<String>,
    pub once: bool,
    pub stretch: Option<i32>,
    pub trouble: Option<String>,
}

/// What becomes of a seat's answer to a prompt: it is kept instead of what was there, or gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerChange {
    Kept(AnswerRow),
    Gone { seat: Seat, prompt: String },
}

impl Store {
    /// The answers left at a table.
    pub async fn answers_at(&self, table: TableId) -> Result<Vec<AnswerRow>> {
        let rows = sqlx::query_as!(
            AnswerRow,
            r#"select seat as "seat: SeatNumber", prompt, lines, once, stretch, trouble from standing_answer where table_id = $1"#,
            table as _,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    /// Whether a seat is held by the one of whom the session, the token or the reply is, and they are not suspended.
    pub async fn holds_seat(&self, table: TableId, seat: Seat, token_digest: &[u8]) -> Result<bool> {
        let holds = sqlx::query_scalar!(
            r#"select exists (
                 select from seat
                 where table_id = $1 and seat = $2
                   and player_id = coalesce(
                       (select player_id from session where token_digest = $3 and expires_at > now()),
                       (select player_id from api_token where token_digest = $3),
                       (select player_id from inbox where digest = $3))
                   and not exists (select from suspension where suspension.player_id = seat.player_id)) as "holds!""#,
            table as _,
            SeatNumber(seat) as _,
            token_digest,
        )
        .fetch_one(&self.lookups)
        .await?;
        Ok(holds)
    }

    /// Changes answers by themselves, without a move.
    pub async fn change_answers(&self, table: TableId, changes: &[AnswerChange]) -> Result<()> {
        let mut transaction = self.pool.begin().await?;
        change_answers(&mut transaction, table, changes).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Changes answers as part of something larger.
pub(crate) async fn change_answers(
    connection: &mut Connection,
    table: TableId,
    changes: &[AnswerChange],
) -> Result<()> {
    for change in changes {
        match change {
            AnswerChange::Kept(row) => {
                sqlx::query!(
                    "insert into standing_answer (table_id, seat, prompt, lines, once, stretch, trouble)
                     values ($1, $2, $3, $4, $5, $6, $7)
                     on conflict (table_id, seat, prompt)
                         do update set lines = excluded.lines, once = excluded.once, stretch = excluded.stretch, trouble = excluded.trouble",
                    table as _,
                    SeatNumber(row.seat) as _,
                    row.prompt,
                    &row.lines,
                    row.once,
                    row.stretch,
                    row.trouble,
                )
                .execute(&mut *connection)
                .await?;
            }
            AnswerChange::Gone { seat, prompt } => {
                sqlx::query!(
                    "delete from standing_answer where table_id = $1 and seat = $2 and prompt = $3",
                    table as _,
                    SeatNumber(*seat) as _,
                    prompt,
                )
                .execute(&mut *connection)
                .await?;
            }
        }
    }
    Ok(())
}
