//! The outbox.

use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Result, Store};

/// A letter that one worker is to send.
pub struct ClaimedLetter {
    pub id: i64,
    pub kind: String,
    pub player_id: Option<Uuid>,
    /// What the player is called.
    pub name: Option<String>,
    /// Where it goes: the player's address as it is now, or the one it was written to.
    pub to: Option<String>,
    pub table_id: Option<Uuid>,
    pub move_no: Option<i32>,
    /// JSON.
    pub details: String,
    pub written_at: DateTime<Utc>,
    /// How often it has been tried, with this time.
    pub tries: i32,
    /// When the player last looked at the table, and up to which move they know it.
    pub looked_at: Option<DateTime<Utc>>,
    pub looked_move: Option<i32>,
}

/// A letter that was kept instead of sent.
pub struct KeptLetter {
    pub id: i64,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub at: DateTime<Utc>,
}

/// What an invitation is about.
pub struct InvitationWords {
    pub from: Option<String>,
    pub answered: bool,
}

impl Store {
    /// Takes letters that are due, so that no other worker sends them: each is put off until it would be tried again. Letters about a
    /// turn are held for so long before they are tried at all.
    pub async fn claim_letters(&self, most: i64, hold: Duration) -> Result<Vec<ClaimedLetter>> {
        let rows = sqlx::query_as!(
            ClaimedLetter,
            r#"with due as (
                 select id from letter
                 where sent_at is null and dropped_at is null and send_after <= $3
                   and (kind <> 'turn' or tries > 0 or send_after <= $3 - make_interval(secs => $2))
                 order by send_after limit $1 for update skip locked
             ), claimed as (
                 update letter set tries = tries + 1,
                     send_after = $3 + least(interval '30 seconds' * power(3, least(tries, 8)), interval '4 hours')
                 from due where letter.id = due.id
                 returning letter.*
             )
             select claimed.id as "id!", claimed.kind as "kind!", claimed.player_id, player.name as "name?",
                 case when claimed.player_id is null then claimed.address else coalesce(player.email, claimed.address) end as "to",
                 claimed.table_id, claimed.move_no, claimed.details::text as "details!", claimed.written_at as "written_at!",
                 claimed.tries as "tries!", seat.last_look_at as "looked_at?", seat.last_look_move as "looked_move?"
             from claimed
               left join player on player.id = claimed.player_id
               left join seat on seat.table_id = claimed.table_id and seat.player_id = claimed.player_id
             order by claimed.id"#,
            most,
            hold.as_secs_f64(),
            self.clock.now(),
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// A mail server took the letter.
    pub async fn letter_sent(&self, id: i64) -> Result<()> {
        sqlx::query!(
            "update letter set sent_at = $2, trouble = null, details = '{}' where id = $1",
            id,
            self.clock.now()
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// There is no mail server: the letter is kept to be read here.
    pub async fn letter_kept(&self, id: i64, to: &str, subject: &str, text: &str, html: &str) -> Result<()> {
        sqlx::query!(
            "update letter set sent_at = $6, trouble = null, details = '{}',
                 to_address = $2, subject = $3, text_body = $4, html_body = $5
             where id = $1",
            id,
            to,
            subject,
            text,
            html,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The letter is not sent, now or ever; what the trouble was, if there was any.
    pub async fn letter_dropped(&self, id: i64, trouble: Option<&str>) -> Result<()> {
        sqlx::query!(
            "update letter set dropped_at = $3, trouble = coalesce($2, trouble), details = '{}' where id = $1",
            id,
            trouble,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The letter could not be sent this time.
    pub async fn letter_in_trouble(&self, id: i64, trouble: &str) -> Result<()> {
        sqlx::query!("update letter set trouble = $2 where id = $1", id, trouble).execute(&self.pool).await?;
        Ok(())
    }

    /// The letters that were kept, the newest first.
    pub async fn kept_letters(&self, most: i64) -> Result<Vec<KeptLetter>> {
        let rows = sqlx::query_as!(
            KeptLetter,
            r#"select id, to_address as "to!", subject as "subject!", text_body as "text!", sent_at as "at!"
               from letter where to_address is not null and sent_at is not null order by sent_at desc, id desc limit $1"#,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The page of a letter that was kept.
    pub async fn html_of_kept_letter(&self, id: i64) -> Result<Option<String>> {
        let html = sqlx::query_scalar!(
            r#"select html_body as "html!" from letter where id = $1 and html_body is not null"#,
            id,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(html)
    }

    /// What an invitation is about.
    pub async fn invitation_words(&self, token: &str) -> Result<Option<InvitationWords>> {
        let row = sqlx::query_as!(
            InvitationWords,
            r#"select host.name as "from", answer is not null as "answered!"
               from invitation join player as host on host.id = invitation.invited_by where token = $1"#,
            token,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Forgets letters that were seen to long ago.
    pub async fn forget_old_letters(&self) -> Result<()> {
        sqlx::query!(
            "delete from letter where coalesce(sent_at, dropped_at) < $1::timestamptz - interval '90 days'",
            self.clock.now()
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
