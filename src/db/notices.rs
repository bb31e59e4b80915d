//! Notices on their way: to devices, and to webhooks.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::webhooks::WebhookTarget;
use crate::db::{Result, Store};
use crate::push::notice::{NewNotice, NoticeTo};
use crate::push::webhook::WebhookForm;
use crate::tables::{PlayerId, TableId};

/// A notice that one worker is to send.
pub struct ClaimedNotice {
    pub id: i64,
    pub to: Recipient,
    pub table_id: Option<TableId>,
    /// The game that is played there.
    pub game: Option<String>,
    /// The kind of letter that would tell it.
    pub kind: String,
    pub urgent: bool,
    pub title: String,
    pub body: String,
    pub written_at: DateTime<Utc>,
    /// When time runs out for the player.
    pub deadline: Option<DateTime<Utc>>,
    pub expires_at: DateTime<Utc>,
    pub tries: i32,
    /// The player has moved, or looked at the table, since it was written.
    pub is_stale: bool,
}

/// Where a notice goes.
pub enum Recipient {
    Device(DeviceTarget),
    Webhook(WebhookTarget),
}

/// A browser, as its push service and its messages need to know it.
pub struct DeviceTarget {
    pub id: Uuid,
    pub endpoint: String,
    pub public_key: Vec<u8>,
    pub secret: Vec<u8>,
}

impl Store {
    /// Writes notices of what these letters tell, unless all of it was told by notices before. May be repeated.
    pub async fn write_notices(&self, player: PlayerId, letters: &[i64], notices: &[NewNotice]) -> Result<()> {
        let webhooks: Vec<Option<Uuid>> = notices.iter().map(|notice| notice.to.webhook()).collect();
        let tables: Vec<Option<TableId>> = notices.iter().map(|notice| notice.table).collect();
        let of_turn: Vec<bool> = notices.iter().map(|notice| notice.of_turn).collect();
        let urgent: Vec<bool> = notices.iter().map(|notice| notice.is_urgent).collect();
        let kinds: Vec<String> = notices.iter().map(|notice| notice.kind.to_owned()).collect();
        let titles: Vec<String> = notices.iter().map(|notice| notice.title.clone()).collect();
        let bodies: Vec<String> = notices.iter().map(|notice| notice.body.clone()).collect();
        let deadlines: Vec<Option<DateTime<Utc>>> = notices.iter().map(|notice| notice.deadline).collect();
        let ends: Vec<DateTime<Utc>> = notices.iter().map(|notice| notice.expires_at).collect();
        sqlx::query!(
            "with fresh as (
                 update letter set noticed_at = $3 where id = any ($2) and noticed_at is null returning id
             )
             insert into notice (device_id, webhook_id, table_id, of_turn, urgent, kind, title, body, deadline, written_at, send_after, expires_at)
             select device.id, webhook.id, given.table_id, given.of_turn, given.urgent, given.kind, given.title, given.body, given.deadline,
                 $3, $3, given.expires_at
             from unnest($4::uuid[], $5::uuid[], $6::boolean[], $7::boolean[], $8::text[], $9::text[], $10::text[], $11::timestamptz[],
                     $12::timestamptz[])
                 as given (webhook, table_id, of_turn, urgent, kind, title, body, deadline, expires_at)
               left join device on given.webhook is null and device.player_id = $1
               left join webhook on webhook.id = given.webhook and webhook.player_id = $1
             where (device.id is not null or webhook.id is not null) and exists (select from fresh)",
            player as _,
            letters,
            self.clock.now(),
            &webhooks as &[Option<Uuid>],
            &tables as _,
            &of_turn,
            &urgent,
            &kinds,
            &titles,
            &bodies,
            &deadlines as &[Option<DateTime<Utc>>],
            &ends,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Takes notices that are due, so that no other worker sends them: each is put off until it would be tried again.
    pub async fn claim_notices(&self, most: i64) -> Result<Vec<ClaimedNotice>> {
        let rows = sqlx::query!(
            r#"with due as materialized (
                 select id from notice where send_after <= $2 and dead_at is null order by send_after limit $1 for update skip locked
             ), claimed as (
                 update notice set tries = tries + 1,
                     send_after = $2 + least(interval '30 seconds' * power(3, least(tries, 8)), interval '4 hours')
                 from due where notice.id = due.id
                 returning notice.*
             )
             select claimed.id, claimed.table_id as "table_id: TableId", game_table.game as "game?", kind, urgent, claimed.title, body,
                 written_at, deadline, expires_at, tries,
                 device_id, endpoint as "endpoint?", public_key as "public_key?", device.secret as "device_secret?",
                 webhook_id, url as "url?", form as "form?: WebhookForm", webhook.secret as "webhook_secret?", player.name as "player?",
                 webhook.off_since is not null
                   or coalesce(seat.last_look_at > claimed.written_at, false)
                   or (of_turn and claimed.table_id is not null
                       and not coalesce(game_table.status = 'playing' and seat.seat = any (game_table.awaiting), false)) as "is_stale!"
             from claimed
               left join device on device.id = claimed.device_id
               left join webhook on webhook.id = claimed.webhook_id
               left join player on player.id = webhook.player_id
               left join seat on seat.table_id = claimed.table_id and seat.player_id = coalesce(device.player_id, webhook.player_id)
               left join game_table on game_table.id = claimed.table_id"#,
            most,
            self.clock.now(),
        )
        .fetch_all(&self.pool)
        .await?;
        let notices = rows.into_iter().filter_map(|row| {
            let to = match (row.device_id, row.webhook_id) {
                (Some(id), _) => Recipient::Device(DeviceTarget {
                    id,
                    endpoint: row.endpoint?,
                    public_key: row.public_key?,
                    secret: row.device_secret?,
                }),
                (None, Some(id)) => Recipient::Webhook(WebhookTarget {
                    id,
                    url: row.url?,
                    form: row.form?,
                    secret: row.webhook_secret?,
                    player: row.player,
                }),
                (None, None) => return None,
            };
            Some(ClaimedNotice {
                id: row.id,
                to,
                table_id: row.table_id,
                game: row.game,
                kind: row.kind,
                urgent: row.urgent,
                title: row.title,
                body: row.body,
                written_at: row.written_at,
                deadline: row.deadline,
                expires_at: row.expires_at,
                tries: row.tries,
                is_stale: row.is_stale,
            })
        });
        Ok(notices.collect())
    }

    /// A notice went to a device.
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

    /// Deletes a notice that is no news any more.
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

    /// Puts a notice off until then.
    pub async fn postpone_notice(&self, id: i64, at: DateTime<Utc>) -> Result<()> {
        sqlx::query!("update notice set send_after = $2 where id = $1", id, at).execute(&self.pool).await?;
        Ok(())
    }
}

impl NoticeTo {
    fn webhook(self) -> Option<Uuid> {
        match self {
            NoticeTo::Devices => None,
            NoticeTo::Webhook(id) => Some(id),
        }
    }
}
