//! What the host tells everybody.

use chrono::{DateTime, Utc};

use crate::db::host::log::{Concerns, Deed, NewDeed, write_deed};
use crate::db::{Result, Store};
use crate::tables::PlayerId;

/// Something that the host tells everybody for a while.
#[derive(Clone, Debug)]
pub struct AnnouncementRow {
    pub id: i64,
    pub words: String,
    pub from_at: DateTime<Utc>,
    pub until_at: DateTime<Utc>,
}

impl Store {
    /// The announcements that are not over, those to come included.
    pub async fn announcements(&self) -> Result<Vec<AnnouncementRow>> {
        let rows = sqlx::query_as!(
            AnnouncementRow,
            "select id, words, from_at, until_at from announcement where until_at > $1 order by from_at, id",
            self.clock.now(),
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The announcements that are over, the latest first.
    pub async fn past_announcements(&self, most: i64) -> Result<Vec<AnnouncementRow>> {
        let rows = sqlx::query_as!(
            AnnouncementRow,
            "select id, words, from_at, until_at from announcement where until_at <= $1 order by until_at desc, id desc limit $2",
            self.clock.now(),
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Announces something. The words are kept in the log, too.
    pub async fn announce(&self, host: PlayerId, words: &str, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<()> {
        let now = self.clock.now();
        let mut tx = self.pool.begin().await?;
        let id = sqlx::query_scalar!(
            "insert into announcement (words, from_at, until_at, made_at) values ($1, $2, $3, $4) returning id",
            words,
            from,
            until,
            now,
        )
        .fetch_one(&mut *tx)
        .await?;
        let concerns = Concerns { announcement: Some(id), ..Concerns::default() };
        write_deed(&mut tx, now, &NewDeed { host, deed: Deed::Announced, concerns, reason: words.to_owned() }).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Ends an announcement now. Whether it was not over.
    pub async fn end_announcement(&self, host: PlayerId, id: i64) -> Result<bool> {
        let now = self.clock.now();
        let mut tx = self.pool.begin().await?;
        let ended = sqlx::query!(
            "update announcement set until_at = $2, from_at = least(from_at, $2) where id = $1 and until_at > $2",
            id,
            now,
        )
        .execute(&mut *tx)
        .await?;
        if ended.rows_affected() == 0 {
            return Ok(false);
        }
        let concerns = Concerns { announcement: Some(id), ..Concerns::default() };
        let deed = NewDeed { host, deed: Deed::AnnouncementEnded, concerns, reason: String::new() };
        write_deed(&mut tx, now, &deed).await?;
        tx.commit().await?;
        Ok(true)
    }
}
