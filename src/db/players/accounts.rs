//! Accounts of players, their sessions and their tokens.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::db::host::about_player::forget_moderation;
use crate::db::{Result, Store};
use crate::players::Suspension;
use crate::tables::PlayerId;

/// Whose session it is, and what every page needs to know of them.
pub struct SessionRow {
    pub player_id: PlayerId,
    /// `None` for a former player.
    pub name: Option<String>,
    pub has_address: bool,
    /// The confirmed address.
    pub email: Option<String>,
    /// JSON.
    pub settings: String,
    pub expires_at: DateTime<Utc>,
    pub suspended_since: Option<DateTime<Utc>>,
    pub suspension_reason: Option<String>,
}

/// Whose token it is.
#[derive(Debug, PartialEq, Eq)]
pub struct TokenHolder {
    pub player: PlayerId,
    pub suspension: Option<Suspension>,
}

/// What a player sees of themselves.
pub struct ProfileRow {
    pub name: Option<String>,
    pub email: Option<String>,
    pub created_at: DateTime<Utc>,
    /// How many browsers are signed in.
    pub sessions: i64,
    /// How the player wants letters; JSON.
    pub letters: String,
}

/// A token for programs, without its secret.
#[derive(Serialize)]
pub struct TokenRow {
    pub id: Uuid,
    pub title: String,
    pub created_at: DateTime<Utc>,
    pub used_at: Option<DateTime<Utc>>,
}

impl Store {
    /// Welcomes somebody who came without a session. A duplicate means that the name is taken.
    pub async fn add_guest(
        &self,
        player: PlayerId,
        name: &str,
        name_key: &str,
        token_digest: &[u8],
        expires_at: DateTime<Utc>,
    ) -> Result<()> {
        sqlx::query!(
            "with guest as (insert into player (id, name, name_key) values ($1, $4, $5) returning id)
             insert into session (token_digest, player_id, expires_at) select $2, id, $3 from guest",
            player as _,
            token_digest,
            expires_at,
            name,
            name_key,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Whose session this is.
    pub async fn session(&self, token_digest: &[u8]) -> Result<Option<SessionRow>> {
        let row = sqlx::query_as!(
            SessionRow,
            r#"select player_id as "player_id: PlayerId", name, email is not null as "has_address!", email, settings::text as "settings!", expires_at,
                 since as "suspended_since?", reason as "suspension_reason?"
               from session join player on player.id = session.player_id left join suspension using (player_id)
               where token_digest = $1 and expires_at > now()"#,
            token_digest,
        )
        .fetch_optional(&self.lookups)
        .await?;
        Ok(row)
    }

    /// A session that is in use ends later.
    pub async fn renew_session(&self, token_digest: &[u8], expires_at: DateTime<Utc>) -> Result<()> {
        sqlx::query!(
            "update session set expires_at = $2 where token_digest = $1 and expires_at > now() and expires_at < $2",
            token_digest,
            expires_at,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    pub async fn end_session(&self, token_digest: &[u8]) -> Result<()> {
        sqlx::query!("delete from session where token_digest = $1", token_digest).execute(&self.pool).await?;
        Ok(())
    }

    /// Signs a player out of all browsers, and ends the tokens of their programs and the addresses of their feeds.
    pub async fn end_all_sessions(&self, player: PlayerId) -> Result<()> {
        sqlx::query!(
            "with tokens as (delete from api_token where player_id = $1), feeds as (delete from feed_token where player_id = $1)
             delete from session where player_id = $1",
            player as _,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    pub async fn profile(&self, player: PlayerId) -> Result<Option<ProfileRow>> {
        let row = sqlx::query_as!(
            ProfileRow,
            r#"select name, email, created_at, letters::text as "letters!",
                 (select count(*) from session where player_id = $1 and expires_at > now()) as "sessions!"
               from player where id = $1"#,
            player as _,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Whether the name was free.
    pub async fn rename(&self, player: PlayerId, name: &str, name_key: &str) -> Result<bool> {
        let renamed = sqlx::query!(
            "update player set name = $2, name_key = $3 where id = $1 and deleted_at is null",
            player as _,
            name,
            name_key,
        )
        .execute(&self.pool)
        .await
        .map_err(crate::db::StoreError::from);
        match renamed {
            Ok(done) => Ok(done.rows_affected() == 1),
            Err(error) if error.is_duplicate() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// How a player likes the pages, as JSON.
    pub async fn settings(&self, player: PlayerId) -> Result<Option<String>> {
        let settings =
            sqlx::query_scalar!(r#"select settings::text as "settings!" from player where id = $1"#, player as _)
                .fetch_optional(&self.pool)
                .await?;
        Ok(settings)
    }

    pub async fn keep_settings(&self, player: PlayerId, settings: &str) -> Result<()> {
        sqlx::query!("update player set settings = $2::text::json where id = $1", player as _, settings)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Whether there was room for one more.
    pub async fn add_api_token(
        &self,
        id: Uuid,
        token_digest: &[u8],
        player: PlayerId,
        title: &str,
        most: i64,
    ) -> Result<bool> {
        let added = sqlx::query!(
            "insert into api_token (id, token_digest, player_id, title)
             select $1, $2, $3, $4 where (select count(*) from api_token where player_id = $3) < $5",
            id,
            token_digest,
            player as _,
            title,
            most,
        )
        .execute(&self.pool)
        .await?;
        Ok(added.rows_affected() == 1)
    }

    pub async fn api_tokens(&self, player: PlayerId) -> Result<Vec<TokenRow>> {
        let rows = sqlx::query_as!(
            TokenRow,
            "select id, title, created_at, used_at from api_token where player_id = $1 order by created_at",
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    pub async fn revoke_api_token(&self, player: PlayerId, id: Uuid) -> Result<()> {
        sqlx::query!("delete from api_token where player_id = $1 and id = $2", player as _, id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Whose token this is. That it was used is noted now and then.
    pub async fn player_of_api_token(&self, token_digest: &[u8]) -> Result<Option<TokenHolder>> {
        let row = sqlx::query!(
            r#"with used as (
                 update api_token set used_at = now()
                 where token_digest = $1 and (used_at is null or used_at < now() - interval '5 minutes')
             )
             select player_id as "player_id: PlayerId", since as "since?", reason as "reason?"
             from api_token join player on player.id = player_id left join suspension using (player_id)
             where token_digest = $1 and deleted_at is null"#,
            token_digest,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| TokenHolder {
            player: row.player_id,
            suspension: Suspension::from_columns(row.since, row.reason),
        }))
    }

    /// Forgets who a player was. Their seats stay, held by a former player; everybody's games stay as they are.
    pub async fn delete_player(&self, player: PlayerId) -> Result<()> {
        let mut tx = self.pool.begin().await?;
        let email = sqlx::query_scalar!("select email from player where id = $1 for update", player as _)
            .fetch_optional(&mut *tx)
            .await?
            .flatten();
        sqlx::query!(
            "update player set name = null, name_key = null, email = null, settings = '{}', letters = '{}', waking = null, zone = null,
                 mail_off_since = null, deleted_at = now() where id = $1",
            player as _,
        )
        .execute(&mut *tx)
        .await?;
        // What was never taken for theirs, such as reports on letters to them, is known by their address in it. Others may name it as well:
        // what they wrote and is still to be read or confirmed stays.
        sqlx::query!(
            "delete from inbox where player_id = $1 or id in (select message from held_reply where player_id = $1)
               or (player_id is null and done_at is not null and not exists (select from held_reply where message = inbox.id)
                   and position(convert_to($2, 'UTF8') in raw) > 0)",
            player as _,
            email,
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!("update seat set letters = null, replied_at = null where player_id = $1", player as _)
            .execute(&mut *tx)
            .await?;
        sqlx::query!("delete from bounce where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from session where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from api_token where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from feed_token where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from webhook where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from note where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from idempotent_request where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from vacation where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("delete from rating where player_id = $1", player as _).execute(&mut *tx).await?;
        sqlx::query!("update seat_result set answers = '{}' where player_id = $1", player as _)
            .execute(&mut *tx)
            .await?;
        forget_moderation(&mut tx, player, email.as_deref()).await?;
        sqlx::query!("delete from sign_in where asked_by = $1 or lower(email) = lower($2)", player as _, email)
            .execute(&mut *tx)
            .await?;
        sqlx::query!(
            "update letter set address = null, to_address = null, subject = null, text_body = null, html_body = null, picture = null, details = '{}',
                 dropped_at = case when sent_at is null then coalesce(dropped_at, now()) end
             where player_id = $1 or lower(address) = lower($2)",
            player as _,
            email,
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!(
            "update invitation set email = null, words = null, answer = coalesce(answer, 'declined') where player_id = $1 or lower(email) = lower($2)",
            player as _,
            email,
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Clears away what is past its time: sessions, letters to sign in that nobody can use any more, and counters of limits.
    pub async fn tidy_up(&self) -> Result<()> {
        sqlx::query!("delete from session where expires_at < now()").execute(&self.pool).await?;
        sqlx::query!("delete from sign_in where created_at < now() - interval '2 days'").execute(&self.pool).await?;
        self.delete_old_counters().await
    }
}
