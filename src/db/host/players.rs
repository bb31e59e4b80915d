//! Players as the host sees them, and what the host does to them.

use crate::db::Connection;
use chrono::{DateTime, Utc};

use crate::db::host::log::{Concerns, Deed, NewDeed, write_deed};
use crate::db::{Result, Store, StoreError};
use crate::players::{HostReason, PlayerName, Suspension};
use crate::tables::{PlayerId, TableId};

/// A player in a list.
pub struct FoundPlayer {
    pub id: PlayerId,
    /// None for a former player.
    pub name: Option<String>,
    pub email: Option<String>,
    pub created_at: DateTime<Utc>,
    pub suspended_since: Option<DateTime<Utc>>,
}

/// What the host sees of a player.
pub struct PlayerForHost {
    pub name: Option<String>,
    pub email: Option<String>,
    pub created_at: DateTime<Utc>,
    pub deleted_at: Option<DateTime<Utc>>,
    /// When the player last signed in, looked at a table or answered a letter.
    pub seen_at: Option<DateTime<Utc>>,
    /// How many browsers are signed in, and how many programs have a token.
    pub sessions: i64,
    pub tokens: i64,
    pub mail_off_since: Option<DateTime<Utc>>,
    pub tables_running: i64,
    pub tables_over: i64,
    /// Messages of theirs that others reported, and reports that they made.
    pub reported: i64,
    pub reports_made: i64,
    pub suspended_since: Option<DateTime<Utc>>,
    pub suspension_reason: Option<String>,
}

/// What became of a new name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Renamed {
    Yes,
    Taken,
    /// There is no such player, or the name is theirs already.
    No,
}

/// Tells a player by letter what the host did.
pub(crate) async fn tell(tx: &mut Connection, at: DateTime<Utc>, player: PlayerId, log: i64) -> Result<()> {
    sqlx::query!(
        "insert into letter (kind, player_id, details, written_at, send_after)
         values ('host', $1, json_build_object('log', $2::bigint), $3, $3)",
        player as _,
        log,
        at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Tells those who sit at a table by letter what the host did.
pub(crate) async fn tell_seated(tx: &mut Connection, at: DateTime<Utc>, table: TableId, log: i64) -> Result<()> {
    sqlx::query!(
        "insert into letter (kind, player_id, details, written_at, send_after)
         select 'host', player_id, json_build_object('log', $2::bigint), $3, $3
         from seat where table_id = $1 and player_id is not null",
        table as _,
        log,
        at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

fn deed(host: PlayerId, deed: Deed, player: PlayerId, reason: &HostReason) -> NewDeed {
    let concerns = Concerns { player: Some(player), ..Concerns::default() };
    NewDeed { host, deed, concerns, reason: reason.as_str().to_owned() }
}

impl Store {
    /// Players whose folded name holds this text, or whose address it is; the newest first.
    pub async fn find_players(&self, name_key: &str, address: &str, most: i64) -> Result<Vec<FoundPlayer>> {
        let rows = sqlx::query_as!(
            FoundPlayer,
            r#"select id as "id: PlayerId", name, email, created_at, since as "suspended_since?"
               from player left join suspension on player_id = id
               where deleted_at is null and (position($1 in name_key) > 0 or lower(email) = lower($2))
               order by created_at desc limit $3"#,
            name_key,
            address,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Those who are suspended, the latest first.
    pub async fn suspended_players(&self, most: i64) -> Result<Vec<FoundPlayer>> {
        let rows = sqlx::query_as!(
            FoundPlayer,
            r#"select id as "id: PlayerId", name, email, created_at, since as "suspended_since?"
               from suspension join player on player_id = id order by since desc limit $1"#,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    pub async fn player_for_host(&self, player: PlayerId) -> Result<Option<PlayerForHost>> {
        self.looks_written().await;
        let row = sqlx::query_as!(
            PlayerForHost,
            r#"select name, email, created_at, deleted_at, mail_off_since,
                 since as "suspended_since?", suspension.reason as "suspension_reason?",
                 greatest((select max(greatest(last_look_at, replied_at)) from seat where seat.player_id = $1),
                          (select max(session.created_at) from session where session.player_id = $1)) as seen_at,
                 (select count(*) from session where session.player_id = $1 and expires_at > now()) as "sessions!",
                 (select count(*) from api_token where api_token.player_id = $1) as "tokens!",
                 (select count(*) from seat join game_table on game_table.id = table_id
                  where seat.player_id = $1 and status in ('open', 'playing')) as "tables_running!",
                 (select count(*) from seat join game_table on game_table.id = table_id
                  where seat.player_id = $1 and status = 'over') as "tables_over!",
                 (select count(distinct talk_id) from talk_report join talk on talk.id = talk_id
                  where talk.player_id = $1) as "reported!",
                 (select count(*) from talk_report where talk_report.player_id = $1) as "reports_made!"
               from player left join suspension on suspension.player_id = id where id = $1"#,
            player as _,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// The suspension of a player, if there is one.
    pub async fn suspension_of(&self, player: PlayerId) -> Result<Option<Suspension>> {
        let row = sqlx::query_as!(Suspension, "select since, reason from suspension where player_id = $1", player as _)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row)
    }

    /// Suspends a player and tells them. Whether they were not suspended before.
    pub async fn suspend(&self, host: PlayerId, player: PlayerId, reason: &HostReason) -> Result<bool> {
        let now = self.clock.now();
        let mut tx = self.pool.begin().await?;
        let suspended = sqlx::query!(
            "insert into suspension (player_id, since, reason)
             select id, $2, $3 from player where id = $1 and deleted_at is null on conflict do nothing",
            player as _,
            now,
            reason.as_str(),
        )
        .execute(&mut *tx)
        .await?;
        if suspended.rows_affected() == 0 {
            return Ok(false);
        }
        let log = write_deed(&mut tx, now, &deed(host, Deed::Suspended, player, reason)).await?;
        tell(&mut tx, now, player, log).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Lifts a suspension and tells the player. Whether there was one.
    pub async fn lift_suspension(&self, host: PlayerId, player: PlayerId, reason: &HostReason) -> Result<bool> {
        let now = self.clock.now();
        let mut tx = self.pool.begin().await?;
        let lifted = sqlx::query!("delete from suspension where player_id = $1", player as _).execute(&mut *tx).await?;
        if lifted.rows_affected() == 0 {
            return Ok(false);
        }
        let log = write_deed(&mut tx, now, &deed(host, Deed::Lifted, player, reason)).await?;
        tell(&mut tx, now, player, log).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Gives a player another name and tells them.
    pub async fn rename_by_host(
        &self,
        host: PlayerId,
        player: PlayerId,
        name: &PlayerName,
        reason: &HostReason,
    ) -> Result<Renamed> {
        let now = self.clock.now();
        let mut tx = self.pool.begin().await?;
        let before = sqlx::query_scalar!(
            r#"select name as "name!" from player where id = $1 and deleted_at is null and name is not null for update"#,
            player as _,
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(before) = before.filter(|before| before != name.as_str()) else { return Ok(Renamed::No) };
        let renamed = sqlx::query!(
            "update player set name = $2, name_key = $3 where id = $1",
            player as _,
            name.as_str(),
            name.key(),
        )
        .execute(&mut *tx)
        .await
        .map_err(StoreError::from);
        match renamed {
            Ok(_) => {}
            Err(error) if error.is_duplicate() => return Ok(Renamed::Taken),
            Err(error) => return Err(error),
        }
        let log = write_deed(&mut tx, now, &deed(host, Deed::Renamed, player, reason)).await?;
        sqlx::query!(
            "insert into host_rename (log_id, player_id, before, after) values ($1, $2, $3, $4)",
            log,
            player as _,
            before,
            name.as_str(),
        )
        .execute(&mut *tx)
        .await?;
        tell(&mut tx, now, player, log).await?;
        tx.commit().await?;
        Ok(Renamed::Yes)
    }
}
