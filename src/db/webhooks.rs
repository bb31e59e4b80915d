//! Webhooks of players, and what became of the messages to them.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::db::{Result, Store};
use crate::push::webhook::{HELLO, HELLO_BODY, HELLO_TITLE, NEWS_FOR, WebhookForm};
use crate::tables::{PlayerId, TableId};

/// For how long messages that were given up are kept.
const DEAD_KEPT: TimeDelta = TimeDelta::days(30);

/// A webhook that a player adds.
pub struct NewWebhook<'a> {
    pub player: PlayerId,
    /// `None`: for all tables without one of their own.
    pub table: Option<TableId>,
    pub form: WebhookForm,
    pub url: &'a str,
    pub secret: &'a [u8],
}

/// A webhook as messages to it need to know it.
pub struct WebhookTarget {
    pub id: Uuid,
    pub url: String,
    pub form: WebhookForm,
    pub secret: Vec<u8>,
    /// What its player is called.
    pub player: Option<String>,
}

/// A webhook as its player sees it.
pub struct WebhookRow {
    pub id: Uuid,
    pub table_id: Option<TableId>,
    /// The game that is played there.
    pub game: Option<String>,
    pub form: WebhookForm,
    pub url: String,
    pub created_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
    /// Why the last try failed, if it did.
    pub trouble: Option<String>,
    pub off_since: Option<DateTime<Utc>>,
    /// How many messages were given up.
    pub dead: i64,
}

impl Store {
    /// Adds a webhook, in place of the one that the player had for the same, and writes a first message to it. Whether there was
    /// room for one more.
    pub async fn add_webhook(&self, new: &NewWebhook<'_>, most: i64) -> Result<bool> {
        let (id, now) = (Uuid::now_v7(), self.clock.now());
        let mut tx = self.pool.begin().await?;
        // One after the other, or many at once would slip through.
        sqlx::query!("select from player where id = $1 for update", new.player as _).execute(&mut *tx).await?;
        sqlx::query!(
            "delete from webhook where player_id = $1 and table_id is not distinct from $2",
            new.player as _,
            new.table as _,
        )
        .execute(&mut *tx)
        .await?;
        let added = sqlx::query!(
            "insert into webhook (id, player_id, table_id, form, url, secret, created_at)
             select $1, $2, $3, $4, $5, $6, $7 from player
             where id = $2 and deleted_at is null and (select count(*) from webhook where player_id = $2) < $8",
            id,
            new.player as _,
            new.table as _,
            new.form as _,
            new.url,
            new.secret,
            now,
            most,
        )
        .execute(&mut *tx)
        .await?;
        if added.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query!(
            "insert into notice (webhook_id, of_turn, urgent, kind, title, body, written_at, send_after, expires_at)
             values ($1, false, false, $2, $3, $4, $5, $5, $6)",
            id,
            HELLO,
            HELLO_TITLE,
            HELLO_BODY,
            now,
            now + NEWS_FOR,
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// The webhooks of a player, the one for all tables first.
    pub async fn webhooks(&self, player: PlayerId) -> Result<Vec<WebhookRow>> {
        let rows = sqlx::query_as!(
            WebhookRow,
            r#"select webhook.id, table_id as "table_id: TableId", game as "game?", form as "form: WebhookForm", url, created_at, sent_at,
                 trouble, off_since,
                 (select count(*) from notice where webhook_id = webhook.id and dead_at is not null) as "dead!"
               from webhook left join game_table on game_table.id = table_id
               where player_id = $1 order by table_id is not null, created_at"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Removes a webhook of a player; whether there was one.
    pub async fn remove_webhook(&self, player: PlayerId, id: Uuid) -> Result<bool> {
        let removed = sqlx::query!("delete from webhook where player_id = $1 and id = $2", player as _, id)
            .execute(&self.pool)
            .await?;
        Ok(removed.rows_affected() == 1)
    }

    /// Uses a webhook again that was turned off, and tries what was given up once more. Whether there is such a webhook.
    pub async fn try_webhook_again(&self, player: PlayerId, id: Uuid) -> Result<bool> {
        let now = self.clock.now();
        let tried = sqlx::query!(
            "with mine as (
                 update webhook set off_since = null, failures = 0, trouble = null where player_id = $1 and id = $2 returning id
             ), revived as (
                 update notice set dead_at = null, trouble = null, tries = 0, written_at = $3, send_after = $3,
                     expires_at = case when deadline is null then $4 else expires_at end
                 from mine where webhook_id = mine.id and dead_at is not null
             )
             select id from mine",
            player as _,
            id,
            now,
            now + NEWS_FOR,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(tried.is_some())
    }

    /// A message went to a webhook.
    pub async fn webhook_told(&self, notice: i64, webhook: Uuid) -> Result<()> {
        sqlx::query!(
            "with gone as (delete from notice where id = $1)
             update webhook set sent_at = $3, failures = 0, trouble = null where id = $2",
            notice,
            webhook,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// A message could not be delivered this time.
    pub async fn webhook_in_trouble(&self, webhook: Uuid, trouble: &str) -> Result<()> {
        sqlx::query!("update webhook set trouble = $2 where id = $1", webhook, trouble).execute(&self.pool).await?;
        Ok(())
    }

    /// A message was given up. A webhook with so many of them in a row is turned off.
    pub async fn webhook_failed(&self, notice: i64, webhook: Uuid, trouble: &str, most: i32) -> Result<()> {
        sqlx::query!(
            "with dead as (update notice set dead_at = $4, trouble = $3 where id = $1)
             update webhook set failures = failures + 1, trouble = $3,
                 off_since = case when failures + 1 >= $5 then coalesce(off_since, $4) else off_since end
             where id = $2",
            notice,
            webhook,
            trouble,
            self.clock.now(),
            most,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Forgets messages that were given up long ago.
    pub async fn forget_dead_notices(&self) -> Result<()> {
        sqlx::query!("delete from notice where dead_at < $1", self.clock.now() - DEAD_KEPT).execute(&self.pool).await?;
        Ok(())
    }
}
