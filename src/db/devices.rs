//! Devices on which players want notices.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::{Result, Store};
use crate::push::encryption::BrowserKeys;
use crate::tables::PlayerId;

/// A browser that is to get notices.
pub struct NewDevice<'a> {
    pub player: PlayerId,
    /// The digest of the session: the device ends with it.
    pub session: &'a [u8],
    pub title: &'a str,
    pub endpoint: &'a str,
    pub keys: &'a BrowserKeys,
}

/// A device as its player sees it.
pub struct DeviceRow {
    pub id: Uuid,
    pub title: String,
    pub created_at: DateTime<Utc>,
    /// When a notice last went there.
    pub sent_at: Option<DateTime<Utc>>,
    /// The digest of its session.
    pub session: Vec<u8>,
}

impl Store {
    /// Adds a device, in place of what this session or the browser had before. Whether there was room for one more.
    pub async fn add_device(&self, new: &NewDevice<'_>, most: i64) -> Result<bool> {
        let mut tx = self.pool.begin().await?;
        // One after the other, or many at once would slip through.
        sqlx::query!("select from player where id = $1 for update", new.player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from device where session = $1 or endpoint = $2", new.session, new.endpoint)
            .execute(&mut *tx)
            .await?;
        let added = sqlx::query!(
            "insert into device (id, player_id, session, title, endpoint, public_key, secret, created_at)
             select $1, player_id, token_digest, $4, $5, $6, $7, $8 from session
             where token_digest = $3 and player_id = $2 and (select count(*) from device where player_id = $2) < $9",
            Uuid::now_v7(),
            new.player as _,
            new.session,
            new.title,
            new.endpoint,
            &new.keys.public_key,
            &new.keys.secret,
            self.clock.now(),
            most,
        )
        .execute(&mut *tx)
        .await?;
        if added.rows_affected() == 0 {
            return Ok(false);
        }
        tx.commit().await?;
        Ok(true)
    }

    pub async fn devices(&self, player: PlayerId) -> Result<Vec<DeviceRow>> {
        let rows = sqlx::query_as!(
            DeviceRow,
            "select id, title, created_at, sent_at, session from device where player_id = $1 order by created_at",
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    pub async fn remove_device(&self, player: PlayerId, id: Uuid) -> Result<()> {
        sqlx::query!("delete from device where player_id = $1 and id = $2", player as _, id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Forgets a device that is no more.
    pub async fn forget_device(&self, id: Uuid) -> Result<()> {
        sqlx::query!("delete from device where id = $1", id).execute(&self.pool).await?;
        Ok(())
    }
}
