//! The outbox.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::db::column_types::SeatNumber;
use crate::db::{Connection, Result, Store};
use crate::mail::{Kind, StoredKind};
use crate::tables::{PlayerId, TableId};

/// A letter that one worker is to send.
#[derive(Clone, Debug)]
pub struct ClaimedLetter {
    pub id: i64,
    pub kind: StoredKind,
    pub player_id: Option<PlayerId>,
    /// Where it goes: the player's address as it is now, or the one it was written to; nowhere if letters to it came back.
    pub to: Option<String>,
    pub table_id: Option<TableId>,
    /// The seat that the player holds there.
    pub seat: Option<SeatNumber>,
    pub move_no: Option<i32>,
    /// JSON.
    pub details: String,
    pub written_at: DateTime<Utc>,
    /// How often it has been tried, with this time, and when first.
    pub tries: i32,
    pub tried_at: DateTime<Utc>,
    /// It may have gone already, so it goes as it was or not at all.
    pub fixed: bool,
    /// The first of the letters that it goes with.
    pub merged_into: Option<i64>,
    /// When the player last looked at the table.
    pub looked_at: Option<DateTime<Utc>>,
    /// How the player wants letters, and otherwise at this table; JSON.
    pub wishes: Option<String>,
    pub table_wishes: Option<String>,
    /// The name of the last letter about this table that went to the player.
    pub previous: Option<String>,
    /// How many events the table had when the letter was taken.
    pub version: Option<i64>,
    /// The digest of the last of them.
    pub head: Option<Vec<u8>>,
    /// What the player has noted down at the table.
    pub note: Option<String>,
    /// Whether the player has notices on some device.
    pub has_device: bool,
    /// The webhook that tells of it: the table's own, or the one for all tables.
    pub webhook: Option<Uuid>,
    /// Whether what it tells was told by notices before.
    pub noticed: bool,
}

/// A letter that will not be tried again.
#[derive(Clone, Debug)]
pub struct SettledLetter {
    pub id: i64,
    /// The name under which it went; `None` if it was dropped.
    pub sent_as: Option<String>,
    /// Why it could not be sent.
    pub trouble: Option<String>,
}

/// A reminder of the turn that a letter told of.
#[derive(Clone, Copy, Debug)]
pub struct NewReminder {
    /// The letter.
    pub after: i64,
    /// Which of this turn it is.
    pub number: i16,
    pub at: DateTime<Utc>,
}

/// A table that waits for a player.
pub struct WaitingTable {
    pub table_id: TableId,
    /// What the player wants otherwise there; JSON.
    pub letters: Option<String>,
}

/// A letter whose time has not come.
#[derive(Clone, Copy, Debug)]
pub struct PostponedLetter {
    pub id: i64,
    /// As it was taken.
    pub tries: i32,
    pub at: DateTime<Utc>,
}

/// A letter that could not be sent this time.
#[derive(Clone, Debug)]
pub struct TroubledLetter {
    pub id: i64,
    pub trouble: String,
    /// Nobody can tell whether it has gone.
    pub may_have_gone: bool,
}

/// A letter that was kept instead of sent.
pub struct KeptLetter {
    pub id: i64,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub at: DateTime<Utc>,
}

/// A kept letter as mail programs show it.
pub struct KeptPage {
    pub html: String,
    /// A PNG that the page refers to.
    pub picture: Option<Vec<u8>>,
}

/// A letter that could not be sent.
pub struct DeadLetter {
    pub id: i64,
    pub kind: StoredKind,
    /// What its reader is called, or where it was to go if the house does not know them.
    pub reader: String,
    pub written_at: DateTime<Utc>,
    pub dropped_at: DateTime<Utc>,
    pub tries: i32,
    pub trouble: String,
}

/// How the outbox stands.
pub struct OutboxFigures {
    /// Letters that are due and not sent.
    pub waiting: i64,
    /// Since when the oldest of them is due, or has been tried.
    pub oldest: Option<DateTime<Utc>>,
    pub dead: i64,
}

/// What an invitation is about.
pub struct InvitationWords {
    pub from: Option<String>,
    /// What they wrote.
    pub words: Option<String>,
    pub answered: bool,
    /// Whether it is to play a game again.
    pub is_rematch: bool,
}

impl Store {
    /// Takes letters that are due, so that no other worker sends them: each is put off until it would be tried again. What else
    /// will be due soon for the same readers comes along. All letters to a reader are taken by one worker, so that they can
    /// go as one. Those that the worker has in hand are left alone.
    pub async fn claim_letters(&self, most: i64, soon: TimeDelta, in_hand: &[i64]) -> Result<Vec<ClaimedLetter>> {
        let now = self.clock.now();
        let rows = sqlx::query_as!(
            ClaimedLetter,
            r#"with soonest as materialized (
                 select id, player_id, merged_into from letter
                 where sent_at is null and dropped_at is null and send_after <= $2 and id <> all ($4)
                 order by send_after limit $1
             ), mine as materialized (
                 select id, player_id, merged_into from soonest
                 where player_id is null or pg_try_advisory_xact_lock(hashtextextended(player_id::text, 5))
             ), due as (
                 select id from letter
                 where id = any (array(select id from mine)) and sent_at is null and dropped_at is null and send_after <= $2
                 for update skip locked
             ), along as (
                 select id from letter
                 where player_id = any (array(select player_id from mine)) and sent_at is null and dropped_at is null
                   and ((not fixed and kind = any ($5) and (tries > 0 or send_after <= $3))
                        or merged_into = any (array(select merged_into from mine)))
                   and id <> all ($4)
                 for update skip locked
             ), taken as (
                 select id, fixed from letter where id = any (array(select id from due union select id from along))
             ), claimed as (
                 update letter set tries = tries + 1, tried_at = coalesce(tried_at, $2), fixed = true, trouble = null,
                     send_after = $2 + least(interval '30 seconds' * power(3, least(tries, 8)), interval '4 hours')
                 from taken where letter.id = taken.id
                 returning letter.*, taken.fixed as was_fixed
             )
             select claimed.id as "id!", claimed.kind as "kind!: StoredKind", claimed.player_id as "player_id: PlayerId",
                 case when claimed.player_id is null then claimed.address
                      when player.mail_off_since is null then coalesce(player.email, claimed.address) end as "to",
                 claimed.table_id as "table_id: TableId", seat.seat as "seat?: SeatNumber", claimed.move_no, claimed.details::text as "details!",
                 claimed.written_at as "written_at!", claimed.tries as "tries!", claimed.tried_at as "tried_at!",
                 claimed.was_fixed as "fixed!", claimed.merged_into, seat.last_look_at as "looked_at?",
                 player.letters::text as "wishes?", seat.letters::text as "table_wishes?",
                 (select before.message_id from letter as before
                  where before.player_id = claimed.player_id and before.table_id = claimed.table_id and before.message_id is not null
                    and before.merged_into is null
                  order by before.sent_at desc limit 1) as "previous",
                 game_table.version as "version?", game_table.head as "head?", note.words as "note?",
                 exists (select from device where device.player_id = claimed.player_id) as "has_device!",
                 (select webhook.id from webhook
                  where webhook.player_id = claimed.player_id and off_since is null
                    and (webhook.table_id is null or webhook.table_id = claimed.table_id)
                  order by webhook.table_id nulls last limit 1) as "webhook", claimed.noticed_at is not null as "noticed!"
             from claimed
               left join player on player.id = claimed.player_id
               left join seat on seat.table_id = claimed.table_id and seat.player_id = claimed.player_id
               left join game_table on game_table.id = claimed.table_id
               left join note on note.table_id = claimed.table_id and note.player_id = claimed.player_id
             order by claimed.id"#,
            most,
            now,
            now + soon,
            in_hand,
            &Kind::about_games() as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// These letters go as one from now on, whoever sends them.
    pub async fn merge_letters(&self, letters: &[i64], first: i64) -> Result<()> {
        sqlx::query!("update letter set merged_into = $2 where id = any ($1)", letters, first)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Notes letters that went or are not sent at all, and forgets what they brought along unless they may be answered. May be repeated.
    pub async fn settle_letters(&self, settled: &[SettledLetter]) -> Result<()> {
        let ids: Vec<i64> = settled.iter().map(|letter| letter.id).collect();
        let names: Vec<Option<String>> = settled.iter().map(|letter| letter.sent_as.clone()).collect();
        let troubles: Vec<Option<String>> = settled.iter().map(|letter| letter.trouble.clone()).collect();
        sqlx::query!(
            "update letter set sent_at = case when given.sent_as is not null then $4::timestamptz end,
                 dropped_at = case when given.sent_as is null then $4::timestamptz end,
                 message_id = given.sent_as, trouble = given.trouble, details = case when kind = any ($5) then details else '{}' end
             from unnest($1::bigint[], $2::text[], $3::text[]) as given (id, sent_as, trouble)
             where letter.id = given.id and sent_at is null and dropped_at is null",
            &ids,
            &names as &[Option<String>],
            &troubles as &[Option<String>],
            self.clock.now(),
            &Kind::ASKING as _,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Writes reminders, each once. May be repeated.
    pub async fn write_reminders(&self, reminders: &[NewReminder]) -> Result<()> {
        let letters: Vec<i64> = reminders.iter().map(|reminder| reminder.after).collect();
        let numbers: Vec<i16> = reminders.iter().map(|reminder| reminder.number).collect();
        let times: Vec<DateTime<Utc>> = reminders.iter().map(|reminder| reminder.at).collect();
        sqlx::query!(
            "insert into letter (kind, player_id, table_id, move_no, nth, written_at, send_after)
             select 'reminder', player_id, table_id, move_no, given.nth, $4, given.at
             from unnest($1::bigint[], $2::smallint[], $3::timestamptz[]) as given (id, nth, at) join letter using (id)
             on conflict do nothing",
            &letters,
            &numbers,
            &times,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The tables that wait for a player, those with the least time first.
    pub async fn tables_waiting_for(&self, player: PlayerId) -> Result<Vec<WaitingTable>> {
        let rows = sqlx::query_as!(
            WaitingTable,
            r#"select seat.table_id as "table_id: TableId", seat.letters::text as letters
               from seat join game_table on game_table.id = seat.table_id
               where seat.player_id = $1 and status = 'playing' and seats > 1 and seat.seat = any (awaiting)
               order by deadlines[array_position(awaiting, seat.seat)] nulls last, moved_at"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Puts letters off that have not been tried: it is not their time. Those that another worker has taken up since are left to it, so this may
    /// be repeated.
    pub async fn postpone_letters(&self, letters: &[PostponedLetter]) -> Result<()> {
        let ids: Vec<i64> = letters.iter().map(|letter| letter.id).collect();
        let tries: Vec<i32> = letters.iter().map(|letter| letter.tries).collect();
        let times: Vec<DateTime<Utc>> = letters.iter().map(|letter| letter.at).collect();
        sqlx::query!(
            "update letter set send_after = given.at, tries = given.tries - 1, fixed = false,
                 tried_at = case when given.tries > 1 then tried_at end
             from unnest($1::bigint[], $2::integer[], $3::timestamptz[]) as given (id, tries, at)
             where letter.id = given.id and letter.tries = given.tries",
            &ids,
            &tries,
            &times,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Letters could not be sent this time. Those that have surely not gone can go in another form next time.
    pub async fn letters_in_trouble(&self, letters: &[TroubledLetter]) -> Result<()> {
        let ids: Vec<i64> = letters.iter().map(|letter| letter.id).collect();
        let troubles: Vec<String> = letters.iter().map(|letter| letter.trouble.clone()).collect();
        let fixed: Vec<bool> = letters.iter().map(|letter| letter.may_have_gone).collect();
        sqlx::query!(
            "update letter set trouble = given.trouble, fixed = given.fixed,
                 merged_into = case when given.fixed then merged_into end
             from unnest($1::bigint[], $2::text[], $3::boolean[]) as given (id, trouble, fixed) where letter.id = given.id",
            &ids,
            &troubles,
            &fixed,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The letters that were given up or refused, the newest first.
    pub async fn dead_letters(&self, most: i64) -> Result<Vec<DeadLetter>> {
        let rows = sqlx::query_as!(
            DeadLetter,
            r#"select letter.id, kind as "kind: StoredKind", coalesce(player.name, letter.address, 'a former player') as "reader!",
                 written_at, dropped_at as "dropped_at!", tries, trouble as "trouble!"
               from letter left join player on player.id = letter.player_id
               where dropped_at is not null and trouble is not null order by dropped_at desc, letter.id desc limit $1"#,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Lets a dead letter about a game be tried again, as if it were new. Others have lost what they had to say.
    pub async fn revive_letter(&self, id: i64) -> Result<bool> {
        revive(&mut *self.pool.acquire().await?, id, self.clock.now()).await
    }

    pub async fn outbox_figures(&self) -> Result<OutboxFigures> {
        let row = sqlx::query_as!(
            OutboxFigures,
            r#"select count(*) as "waiting!", min(coalesce(tried_at, send_after)) as oldest,
                 (select count(*) from letter where dropped_at is not null and trouble is not null) as "dead!"
               from letter where sent_at is null and dropped_at is null and (send_after <= $1 or tries > 0)"#,
            self.clock.now(),
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(row)
    }

    /// When a player was last told of a game, other than by these letters, and when they last looked at a table or answered a letter.
    pub async fn last_letter_and_visit(
        &self,
        player: PlayerId,
        but: &[i64],
    ) -> Result<(Option<DateTime<Utc>>, Option<DateTime<Utc>>)> {
        let row = sqlx::query!(
            "select (select max(greatest(sent_at, noticed_at)) from letter
                  where player_id = $1 and kind = any ($2) and id <> all ($3)) as sent,
                 (select max(greatest(last_look_at, replied_at)) from seat where player_id = $1) as visited",
            player as _,
            &Kind::about_games() as _,
            but,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok((row.sent, row.visited))
    }

    /// What an invitation is about.
    pub async fn invitation_words(&self, token: &str) -> Result<Option<InvitationWords>> {
        let row = sqlx::query_as!(
            InvitationWords,
            r#"select host.name as "from", words, answer is not null as "answered!", rematch_of is not null as "is_rematch!"
               from invitation join player as host on host.id = invitation.invited_by
                 join game_table on game_table.id = invitation.table_id where token = $1"#,
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

/// Lets a dead letter about a game be tried again.
pub(crate) async fn revive(connection: &mut Connection, id: i64, now: DateTime<Utc>) -> Result<bool> {
    let revived = sqlx::query!(
        "update letter set dropped_at = null, trouble = null, tries = 0, tried_at = null, fixed = false, merged_into = null,
                 send_after = $2
             where id = $1 and dropped_at is not null and trouble is not null
               and kind = any ($3)",
        id,
        now,
        &Kind::about_games() as _,
    )
    .execute(connection)
    .await?;
    Ok(revived.rows_affected() == 1)
}
