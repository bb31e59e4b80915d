//! The outbox as the host sees it.

use chrono::{DateTime, Utc};

use crate::db::{Result, Store};
use crate::mail::StoredKind;

/// A letter that waits, without what it says.
pub struct QueuedLetter {
    pub id: i64,
    pub kind: StoredKind,
    /// What its reader is called, or where it goes if the house does not know them.
    pub reader: String,
    pub written_at: DateTime<Utc>,
    pub tries: i32,
    pub next_try: DateTime<Utc>,
    /// Why it could not be sent the last time.
    pub trouble: Option<String>,
}

/// How the outbox stands.
pub struct QueueFigures {
    /// All letters that are not sent yet, those among them that are due, and those that were tried in vain.
    pub waiting: i64,
    pub due: i64,
    pub tried: i64,
    /// Since when the oldest that is due waits.
    pub oldest: Option<DateTime<Utc>>,
    pub dead: i64,
}

impl Store {
    pub async fn queue_figures(&self) -> Result<QueueFigures> {
        let row = sqlx::query_as!(
            QueueFigures,
            r#"select count(*) as "waiting!", count(*) filter (where send_after <= $1) as "due!",
                 count(*) filter (where tries > 0) as "tried!",
                 min(coalesce(tried_at, send_after)) filter (where send_after <= $1 or tries > 0) as oldest,
                 (select count(*) from letter where dropped_at is not null and trouble is not null) as "dead!"
               from letter where sent_at is null and dropped_at is null"#,
            self.clock.now(),
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(row)
    }

    /// The letters that are tried next.
    pub async fn next_letters(&self, most: i64) -> Result<Vec<QueuedLetter>> {
        let rows = sqlx::query_as!(
            QueuedLetter,
            r#"select letter.id, kind as "kind: StoredKind", coalesce(player.name, letter.address, 'a former player') as "reader!",
                 written_at, tries, send_after as next_try, trouble
               from letter left join player on player.id = letter.player_id
               where sent_at is null and dropped_at is null order by send_after, letter.id limit $1"#,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
