//! Devices on which players want notices, and the notices on their way.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::{Result, Store};
use crate::push::encryption::BrowserKeys;
use crate::push::notice::NewNotice;
use crate::tables::{PlayerId, TableId};

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

/// A notice that one worker is to send.
pub struct ClaimedNotice {
    pub id: i64,
    pub device_id: Uuid,
    pub endpoint: String,
    pub public_key: Vec<u8>,
    pub secret: Vec<u8>,
    pub table_id: Option<TableId>,
    pub urgent: bool,
    pub title: String,
    pub body: String,
    pub expires_at: DateTime<Utc>,
    pub tries: i32,
    /// The player has moved, or looked at the table, since it was written.
    pub is_stale: bool,
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

    /// Writes a notice for each device of a player, unless all that it tells was told by notices before. May be repeated.
    pub async fn write_notices(&self, player: PlayerId, letters: &[i64], notice: &NewNotice) -> Result<()> {
        sqlx::query!(
            "with fresh as (
                 update letter set noticed_at = $3 where id = any ($2) and noticed_at is null returning id
             )
             insert into notice (device_id, table_id, of_turn, urgent, title, body, written_at, send_after, expires_at)
             select id, $4, $5, $6, $7, $8, $3, $3, $9 from device
             where player_id = $1 and exists (select from fresh)",
            player as _,
            letters,
            self.clock.now(),
            notice.table as _,
            notice.of_turn,
            notice.is_urgent,
            notice.title,
            notice.body,
            notice.expires_at,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Takes notices that are due, so that no other worker sends them: each is put off until it would be tried again.
    pub async fn claim_notices(&self, most: i64) -> Result<Vec<ClaimedNotice>> {
        let rows = sqlx::query_as!(
            ClaimedNotice,
            r#"with due as materialized (
                 select id from notice where send_after <= $2 order by send_after limit $1 for update skip locked
             ), claimed as (
                 update notice set tries = tries + 1,
                     send_after = $2 + least(interval '30 seconds' * power(3, least(tries, 8)), interval '4 hours')
                 from due where notice.id = due.id
                 returning notice.*
             )
             select claimed.id, device_id, endpoint, public_key, secret, claimed.table_id as "table_id: TableId", urgent, claimed.title, body,
                 expires_at, tries,
                 coalesce(seat.last_look_at > claimed.written_at, false)
                   or (of_turn and claimed.table_id is not null
                       and not coalesce(game_table.status = 'playing' and seat.seat = any (game_table.awaiting), false)) as "is_stale!"
             from claimed
               join device on device.id = claimed.device_id
               left join seat on seat.table_id = claimed.table_id and seat.player_id = device.player_id
               left join game_table on game_table.id = claimed.table_id"#,
            most,
            self.clock.now(),
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// A notice went.
    pub async fn notice_went(&self, id: i64, device: Uuid) -> Result<()> {
        sqlx::query!(
            "with gone as (delete from notice where id = $1) update device set sent_at = $3, failures = 0 where id = $2",
            id,
            device,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    pub async fn drop_notice(&self, id: i64) -> Result<()> {
        sqlx::query!("delete from notice where id = $1", id).execute(&self.pool).await?;
        Ok(())
    }

    /// A notice will never go. A device with so many of them in a row is forgotten.
    pub async fn notice_failed(&self, id: i64, device: Uuid, most: i32) -> Result<()> {
        let failures = sqlx::query_scalar!(
            "with gone as (delete from notice where id = $1)
             update device set failures = failures + 1 where id = $2 returning failures",
            id,
            device,
        )
        .fetch_optional(&self.pool)
        .await?;
        match failures {
            Some(failures) if failures >= most => self.forget_device(device).await,
            Some(_) | None => Ok(()),
        }
    }

    pub async fn postpone_notice(&self, id: i64, at: DateTime<Utc>) -> Result<()> {
        sqlx::query!("update notice set send_after = $2 where id = $1", id, at).execute(&self.pool).await?;
        Ok(())
    }
}
