//! Answers in advance.

use uuid::Uuid;

use crate::db::{Connection, Result, Store};

/// An answer as it stands in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRow {
    pub seat: i16,
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
    Gone { seat: i16, prompt: String },
}

impl Store {
    /// The answers left at a table.
    pub async fn answers_at(&self, table: Uuid) -> Result<Vec<AnswerRow>> {
        let rows = sqlx::query_as!(
            AnswerRow,
            "select seat, prompt, lines, once, stretch, trouble from standing_answer where table_id = $1",
            table,
        )
        .fetch_all(&self.lookups)
        .await?;
        Ok(rows)
    }

    /// Changes answers by themselves, without a move.
    pub async fn change_answers(&self, table: Uuid, changes: &[AnswerChange]) -> Result<()> {
        let mut transaction = self.pool.begin().await?;
        change_answers(&mut transaction, table, changes).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Changes answers as part of something larger.
pub(crate) async fn change_answers(connection: &mut Connection, table: Uuid, changes: &[AnswerChange]) -> Result<()> {
    for change in changes {
        match change {
            AnswerChange::Kept(row) => {
                sqlx::query!(
                    "insert into standing_answer (table_id, seat, prompt, lines, once, stretch, trouble)
                     values ($1, $2, $3, $4, $5, $6, $7)
                     on conflict (table_id, seat, prompt)
                         do update set lines = excluded.lines, once = excluded.once, stretch = excluded.stretch, trouble = excluded.trouble",
                    table,
                    row.seat,
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
                    table,
                    seat,
                    prompt,
                )
                .execute(&mut *connection)
                .await?;
            }
        }
    }
    Ok(())
}
