//! Invitations to tables.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::column_types::text_column;
use crate::db::players::rate_limits;
use crate::db::players::rate_limits::RateLimit;
use crate::db::{Connection, Result, Store};
use crate::tables::{PlayerId, TableId};

/// What somebody said to an invitation, or that it was taken back.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InvitationAnswer {
    Accepted,
    Declined,
    Withdrawn,
}

impl InvitationAnswer {
    const ALL: [InvitationAnswer; 3] =
        [InvitationAnswer::Accepted, InvitationAnswer::Declined, InvitationAnswer::Withdrawn];

    pub const fn name(self) -> &'static str {
        match self {
            InvitationAnswer::Accepted => "accepted",
            InvitationAnswer::Declined => "declined",
            InvitationAnswer::Withdrawn => "withdrawn",
        }
    }
}

/// No such answer.
#[derive(Debug, thiserror::Error)]
#[error("there is no such answer to an invitation")]
pub struct NoAnswer;

impl FromStr for InvitationAnswer {
    type Err = NoAnswer;

    fn from_str(name: &str) -> std::result::Result<InvitationAnswer, NoAnswer> {
        InvitationAnswer::ALL.into_iter().find(|answer| answer.name() == name).ok_or(NoAnswer)
    }
}

text_column!(InvitationAnswer);

/// An invitation as the one who is invited finds it on their desk.
pub struct InvitationRow {
    pub token: String,
    pub table_id: TableId,
    pub game: String,
    /// Who invites.
    pub from: Option<String>,
    /// What they wrote.
    pub words: Option<String>,
    /// Whether it is to play a game again.
    pub is_rematch: bool,
    pub created_at: DateTime<Utc>,
}

/// An invitation as those see it who sit at its table.
pub struct InvitedRow {
    pub id: Uuid,
    /// Who invited.
    pub invited_by: PlayerId,
    pub from: Option<String>,
    /// What whoever invited typed; nobody else sees it.
    pub email: Option<String>,
    /// Who is invited, or has accepted. Whether an address is a player's is told to nobody before they accept.
    pub name: Option<String>,
    pub answer: Option<InvitationAnswer>,
    pub created_at: DateTime<Utc>,
}

/// What a link leads to: an invitation of somebody, or a table's own link.
pub struct InvitationLink {
    pub table_id: TableId,
    /// Who invites: whoever sent it, or who opened the table.
    pub from: Option<String>,
    pub words: Option<String>,
    pub answer: Option<InvitationAnswer>,
    pub is_rematch: bool,
}

/// Somebody is to be invited to a table.
pub struct NewInvitation<'a> {
    pub token: &'a str,
    pub table: TableId,
    pub email: &'a str,
    pub invited_by: PlayerId,
    /// A line of their own.
    pub words: Option<&'a str>,
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
                 insert into invitation (token, table_id, player_id, email, invited_by, words)
                 select $1, $2, (select id from known), $3, $4, $6
                 where not exists (select from invitation where table_id = $2 and lower(email) = lower($3)
                                   and answer is distinct from 'withdrawn')
                 returning token
             ), written as (
                 insert into letter (kind, player_id, address, table_id, details, written_at, send_after)
                 select 'invitation', (select id from known), $3, $2, json_build_object('token', token), $5, $5 from invited
             )
             select exists (select from invited) as "invited!""#,
            new.token,
            new.table as _,
            new.email,
            new.invited_by as _,
            now,
            new.words,
        )
        .fetch_one(&mut *tx)
        .await?;
        if !invited {
            return Ok(Invited::Before);
        }
        tx.commit().await?;
        Ok(Invited::Written)
    }

    /// Invites a player of the house, unless they sit there, and writes the letter.
    pub async fn invite_player(
        &self,
        token: &str,
        table: TableId,
        player: PlayerId,
        invited_by: PlayerId,
    ) -> Result<()> {
        sqlx::query!(
            "with invited as (
                 insert into invitation (token, table_id, player_id, invited_by)
                 select $1, $2, $3, $4 where not exists (select from invitation where table_id = $2 and player_id = $3)
                   and not exists (select from seat where table_id = $2 and player_id = $3)
                 returning token
             )
             insert into letter (kind, player_id, table_id, details, written_at, send_after)
             select 'invitation', $3, $2, json_build_object('token', token), $5, $5 from invited",
            token,
            table as _,
            player as _,
            invited_by as _,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// What a link or an invitation leads to.
    pub async fn invitation_link(&self, token: &str) -> Result<Option<InvitationLink>> {
        let link = sqlx::query_as!(
            InvitationLink,
            r#"select table_id as "table_id!: TableId", host.name as "from", words, answer as "answer: InvitationAnswer",
                 rematch_of is not null as "is_rematch!"
               from invitation join game_table on game_table.id = table_id join player as host on host.id = invited_by
               where token = $1
               union all
               select game_table.id, host.name, null, null, rematch_of is not null
               from game_table left join player as host on host.id = opened_by where link_token = $1"#,
            token,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(link)
    }

    /// Keeps the answer to an invitation. Whoever accepts is the one who was invited, whomever it was sent to.
    pub async fn answer_invitation(
        &self,
        token: &str,
        player: Option<PlayerId>,
        answer: InvitationAnswer,
    ) -> Result<()> {
        sqlx::query!(
            "update invitation set answer = $2, player_id = case when $2 = 'accepted' then $3 else coalesce(player_id, $3) end
             where token = $1 and answer is distinct from 'withdrawn'",
            token,
            answer as _,
            player as _,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Takes an invitation back that was not answered, by the one who sent it.
    pub async fn withdraw_invitation(&self, table: TableId, id: Uuid, invited_by: PlayerId) -> Result<()> {
        sqlx::query!(
            "update invitation set answer = 'withdrawn' where table_id = $1 and id = $2 and invited_by = $3 and answer is null",
            table as _,
            id,
            invited_by as _,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Whether a player was invited to a table.
    pub async fn is_invited(&self, table: TableId, player: PlayerId) -> Result<bool> {
        let invited = sqlx::query_scalar!(
            r#"select exists (
                 select from invitation left join player on lower(player.email) = lower(invitation.email)
                 where table_id = $1 and answer is distinct from 'withdrawn'
                   and (invitation.player_id = $2 or player.id = $2)) as "invited!""#,
            table as _,
            player as _,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(invited)
    }

    /// The invitations of a player that wait for an answer.
    pub async fn invitations_of_player(&self, player: PlayerId) -> Result<Vec<InvitationRow>> {
        let rows = sqlx::query_as!(
            InvitationRow,
            r#"select token, invitation.table_id as "table_id: TableId", game, host.name as "from", words,
                 rematch_of is not null as "is_rematch!", invitation.created_at
               from invitation join game_table on game_table.id = invitation.table_id
                 join player as host on host.id = invitation.invited_by
                 join player as me on me.id = $1
               where answer is null and status = 'open'
                 and (invitation.player_id = $1 or lower(invitation.email) = lower(me.email))
                 and not exists (select from seat where seat.table_id = game_table.id and seat.player_id = $1)
               order by invitation.created_at desc limit 50"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Who was invited to a table. The player behind an address is named only once they have accepted.
    pub async fn invitations_of_table(&self, table: TableId) -> Result<Vec<InvitedRow>> {
        let rows = sqlx::query_as!(
            InvitedRow,
            r#"select invitation.id, invited_by as "invited_by: PlayerId", host.name as "from", invitation.email,
                 case when invitation.email is null or answer = 'accepted' then guest.name end as "name",
                 answer as "answer: InvitationAnswer", invitation.created_at
               from invitation join player as host on host.id = invitation.invited_by
                 left join player as guest on guest.id = invitation.player_id
               where invitation.table_id = $1 order by invitation.created_at"#,
            table as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The table that plays another one again.
    pub async fn rematch_of(&self, table: TableId) -> Result<Option<TableId>> {
        let id = sqlx::query_scalar!(
            r#"select id as "id: TableId" from game_table where rematch_of = $1 and status <> 'gone'"#,
            table as _,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(id)
    }
}

/// A refusal, unless they were invited to this table before: then there is nothing to refuse.
async fn unless_invited(tx: &mut Connection, new: &NewInvitation<'_>, refusal: Invited) -> Result<Invited> {
    let invited = sqlx::query_scalar!(
        r#"select exists (select from invitation where table_id = $1 and lower(email) = lower($2) and answer is distinct from 'withdrawn') as "invited!""#,
        new.table as _,
        new.email,
    )
    .fetch_one(tx)
    .await?;
    Ok(if invited { Invited::Before } else { refusal })
}
