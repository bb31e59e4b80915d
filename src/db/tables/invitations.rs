//! Invitations to tables.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::players::rate_limits;
use crate::db::players::rate_limits::RateLimit;
use crate::db::{Connection, Result, Store};

/// An invitation as its table or its guest sees it.
pub struct InvitationRow {
    pub token: String,
    pub table_id: Uuid,
    pub game: String,
    /// Who invites.
    pub from: Option<String>,
    /// Who is invited, if the house knows them.
    pub name: Option<String>,
    pub answer: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// Somebody is to be invited to a table.
pub struct NewInvitation<'a> {
    pub token: &'a str,
    pub table: Uuid,
    pub email: &'a str,
    pub invited_by: Uuid,
}

/// How many invitations may be sent, by whom, and how many may go to one address.
pub struct InvitationLimits<'a> {
    pub of_sender: &'a [(&'a RateLimit, &'a str)],
    pub of_recipient: &'a RateLimit,
}

/// What came of inviting somebody.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Invited {
    Written,
    /// They were invited to this table before.
    Before,
    /// The sender has sent as many as they may. Nothing was done.
    TooManySent,
    /// That address has got as many as anybody gets. Nothing was done.
    TooManyToAddress,
}

impl Store {
    /// Invites somebody by address and writes the letter. Whoever has that address is the one invited. Inviting somebody twice to one
    /// table is inviting them once, so this may be repeated. The limits are counted in the same transaction, so that many at once cannot overrun
    /// them.
    pub async fn invite(&self, new: &NewInvitation<'_>, limits: &InvitationLimits<'_>) -> Result<Invited> {
        let mut tx = self.pool.begin().await?;
        let now = self.clock.now();
        // Counters stay locked until the end, always in this order; dropping the transaction takes back what was counted.
        for (limit, whom) in limits.of_sender {
            if !rate_limits::admits(&mut tx, limit, whom, now).await? {
                return unless_invited(&mut tx, new, Invited::TooManySent).await;
            }
        }
        if !rate_limits::admits(&mut tx, limits.of_recipient, &new.email.to_lowercase(), now).await? {
            return unless_invited(&mut tx, new, Invited::TooManyToAddress).await;
        }
        let invited = sqlx::query_scalar!(
            r#"with known as (
                 select id from player where lower(email) = lower($3)
             ), invited as (
                 insert into invitation (token, table_id, player_id, email, invited_by)
                 select $1, $2, (select id from known), $3, $4
                 where not exists (select from invitation where table_id = $2 and lower(email) = lower($3))
                 returning token
             ), written as (
                 insert into letter (kind, player_id, address, table_id, details, written_at, send_after)
                 select 'invitation', (select id from known), $3, $2, json_build_object('token', token), $5, $5 from invited
             )
             select exists (select from invited) as "invited!""#,
            new.token,
            new.table,
            new.email,
            new.invited_by,
            now,
        )
        .fetch_one(&mut *tx)
        .await?;
        if !invited {
            return Ok(Invited::Before);
        }
        tx.commit().await?;
        Ok(Invited::Written)
    }

    /// Invites a player of the house and writes the letter.
    pub async fn invite_player(&self, token: &str, table: Uuid, player: Uuid, invited_by: Uuid) -> Result<()> {
        sqlx::query!(
            "with invited as (
                 insert into invitation (token, table_id, player_id, invited_by)
                 select $1, $2, $3, $4 where not exists (select from invitation where table_id = $2 and player_id = $3)
                 returning token
             )
             insert into letter (kind, player_id, table_id, details, written_at, send_after)
             select 'invitation', $3, $2, json_build_object('token', token), $5, $5 from invited",
            token,
            table,
            player,
            invited_by,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The table to which a link or an invitation leads.
    pub async fn table_of_invitation(&self, token: &str) -> Result<Option<Uuid>> {
        let table = sqlx::query_scalar!(
            r#"select coalesce((select table_id from invitation where token = $1),
                              (select id from game_table where link_token = $1)) as table"#,
            token,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(table)
    }

    pub async fn answer_invitation(&self, token: &str, player: Option<Uuid>, answer: &str) -> Result<()> {
        sqlx::query!(
            "update invitation set answer = $2, player_id = coalesce(player_id, $3) where token = $1",
            token,
            answer,
            player,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Whether a player was invited to a table.
    pub async fn is_invited(&self, table: Uuid, player: Uuid) -> Result<bool> {
        let invited = sqlx::query_scalar!(
            r#"select exists (
                 select from invitation left join player on lower(player.email) = lower(invitation.email)
                 where table_id = $1 and (invitation.player_id = $2 or player.id = $2)) as "invited!""#,
            table,
            player,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(invited)
    }

    /// The invitations of a player that wait for an answer.
    pub async fn invitations_of_player(&self, player: Uuid) -> Result<Vec<InvitationRow>> {
        let rows = sqlx::query_as!(
            InvitationRow,
            r#"select token, invitation.table_id, game, host.name as "from", me.name, answer, invitation.created_at
               from invitation join game_table on game_table.id = invitation.table_id
                 join player as host on host.id = invitation.invited_by
                 join player as me on me.id = $1
               where answer is null and status = 'open'
                 and (invitation.player_id = $1 or lower(invitation.email) = lower(me.email))
                 and not exists (select from seat where seat.table_id = game_table.id and seat.player_id = $1)
               order by invitation.created_at desc limit 50"#,
            player,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Who was invited to a table.
    pub async fn invitations_of_table(&self, table: Uuid) -> Result<Vec<InvitationRow>> {
        let rows = sqlx::query_as!(
            InvitationRow,
            r#"select token, invitation.table_id, game, host.name as "from", guest.name as "name?", answer, invitation.created_at
               from invitation join game_table on game_table.id = invitation.table_id
                 join player as host on host.id = invitation.invited_by
                 left join player as guest on guest.id = invitation.player_id
               where invitation.table_id = $1 order by invitation.created_at"#,
            table,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}

/// A refusal, unless they were invited to this table before: then there is nothing to refuse.
async fn unless_invited(tx: &mut Connection, new: &NewInvitation<'_>, refusal: Invited) -> Result<Invited> {
    let invited = sqlx::query_scalar!(
        r#"select exists (select from invitation where table_id = $1 and lower(email) = lower($2)) as "invited!""#,
        new.table,
        new.email,
    )
    .fetch_one(tx)
    .await?;
    Ok(if invited { Invited::Before } else { refusal })
}
