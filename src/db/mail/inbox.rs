//! The inbox: messages as they came in, what became of them, replies that are held, and letters that came back.

use chrono::{DateTime, Utc};

use crate::db::column_types::SeatNumber;
use crate::db::{Result, Store};
use crate::mail::{Kind, StoredKind};
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;

/// What became of the automatic answer of somebody who is away.
pub const OUT_OF_OFFICE: &str = "not read: out of office";

/// A player whose mail program says that they are away.
pub struct Absence {
    /// Whether a letter about a game has gone to them since.
    pub told: bool,
}

/// A message that came in.
pub struct NewMessage<'a> {
    pub digest: &'a [u8],
    pub recipient: &'a str,
    pub null_sender: bool,
    pub way: &'static str,
    pub raw: &'a [u8],
}

/// A message that one worker is to see to.
pub struct ClaimedMessage {
    pub id: i64,
    pub digest: Vec<u8>,
    pub recipient: String,
    pub null_sender: bool,
    pub raw: Vec<u8>,
    pub received_at: DateTime<Utc>,
    /// The player who said that this is theirs, on a page.
    pub confirmed_by: Option<PlayerId>,
}

/// A letter that answers a message.
pub struct NewAnswer<'a> {
    pub kind: Kind,
    pub player: Option<PlayerId>,
    /// Where it goes if it is for nobody whom the house knows.
    pub address: Option<&'a str>,
    pub table: TableId,
    /// JSON.
    pub details: &'a str,
    /// The most answers that one player gets about one table within an hour.
    pub most_an_hour: i64,
}

/// A letter that somebody answers.
pub struct AnsweredLetter {
    pub kind: StoredKind,
    /// Whom it was written to, or who has that address by now.
    pub player_id: Option<PlayerId>,
    /// The address of the player as it is now.
    pub email: Option<String>,
    /// The address that it was written to, if it was written to one.
    pub address: Option<String>,
    pub table_id: Option<TableId>,
    /// JSON.
    pub details: String,
}

impl AnsweredLetter {
    /// Where it went.
    pub fn sent_to(&self) -> Option<&str> {
        self.email.as_deref().or(self.address.as_deref())
    }
}

/// A reply to be held.
pub struct NewHeld<'a> {
    pub token_digest: &'a [u8],
    pub lines: &'a str,
    pub expires_at: DateTime<Utc>,
}

/// A reply that is held.
pub struct HeldReply {
    pub table_id: TableId,
    pub lines: String,
    pub received_at: DateTime<Utc>,
}

/// Who holds a seat, and where letters reach them.
pub struct SeatHolder {
    pub player_id: PlayerId,
    pub email: Option<String>,
}

impl Store {
    /// Keeps a message. One that is there already is not kept twice.
    pub async fn keep_message(&self, new: &NewMessage<'_>) -> Result<()> {
        sqlx::query!(
            "insert into inbox (digest, recipient, null_sender, way, raw, received_at, work_after)
             values ($1, $2, $3, $4, $5, $6, $6) on conflict (digest) do nothing",
            new.digest,
            new.recipient,
            new.null_sender,
            new.way,
            new.raw,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Takes messages that nobody has seen to, the oldest first, so that no other worker does: each is put off until it would be
    /// tried again.
    pub async fn claim_messages(&self, most: i64) -> Result<Vec<ClaimedMessage>> {
        let mut rows = sqlx::query_as!(
            ClaimedMessage,
            r#"with due as (
                 select id from inbox where done_at is null and work_after <= $2
                 order by work_after, id limit $1 for update skip locked
             )
             update inbox set tries = tries + 1,
                 work_after = $2 + least(interval '30 seconds' * power(2, least(tries, 8)), interval '1 hour')
             from due where inbox.id = due.id
             returning inbox.id, digest, recipient, null_sender, raw, received_at,
                 (select player_id from held_reply where message = inbox.id and confirmed_at is not null) as "confirmed_by: PlayerId""#,
            most,
            self.clock.now(),
        )
        .fetch_all(&self.pool)
        .await?;
        rows.sort_unstable_by_key(|row| row.id);
        Ok(rows)
    }

    /// A message is proven to be from this player: from now on it speaks for their seat.
    pub async fn message_proven(&self, id: i64, player: PlayerId) -> Result<()> {
        sqlx::query!("update inbox set player_id = $2 where id = $1", id, player as _).execute(&self.pool).await?;
        Ok(())
    }

    /// The holder of a seat answered a letter that was written after so many moves. That is a visit; but what came after the letter
    /// they have not seen.
    pub async fn seat_replied(&self, table: TableId, seat: Seat, moves: i32, at: DateTime<Utc>) -> Result<()> {
        sqlx::query!(
            "update seat set replied_at = greatest(replied_at, $4), last_look_move = greatest(last_look_move, $3)
             where table_id = $1 and seat = $2",
            table as _,
            SeatNumber(seat) as _,
            moves,
            at,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Notes what became of a message, and writes the letter that answers it, if the player has not got too many. Once.
    pub async fn message_done(
        &self,
        id: i64,
        outcome: &str,
        answer: Option<&NewAnswer<'_>>,
        held: Option<&NewHeld<'_>>,
    ) -> Result<()> {
        sqlx::query!(
            "with done as (
                 update inbox set done_at = $3, outcome = $2 where id = $1 and done_at is null returning id
             ), answered as (
                 insert into letter (kind, player_id, address, table_id, details, written_at, send_after)
                 select $4::text, $5::uuid, $13::text, $6::uuid, $7::text::json, $3, $3 from done
                 where $4::text is not null and $8 > (
                     select count(*) from letter where (player_id = $5 or lower(address) = lower($13)) and table_id = $6
                       and kind = any ($12) and written_at > $3 - interval '1 hour')
                 returning player_id, table_id
             )
             insert into held_reply (token_digest, message, player_id, table_id, lines, expires_at)
             select $9::bytea, done.id, player_id, table_id, $10::text, $11::timestamptz from done, answered
             where $9::bytea is not null",
            id,
            outcome,
            self.clock.now(),
            answer.map(|answer| answer.kind) as _,
            answer.and_then(|answer| answer.player) as _,
            answer.map(|answer| answer.table) as _,
            answer.map(|answer| answer.details),
            answer.map(|answer| answer.most_an_hour),
            held.map(|held| held.token_digest),
            held.map(|held| held.lines),
            held.map(|held| held.expires_at),
            &Kind::LIMITED_ANSWERS as _,
            answer.and_then(|answer| answer.address),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// A reply that is held and may still be confirmed.
    pub async fn held_reply(&self, token_digest: &[u8]) -> Result<Option<HeldReply>> {
        let row = sqlx::query_as!(
            HeldReply,
            r#"select table_id as "table_id: TableId", lines, received_at from held_reply join inbox on inbox.id = held_reply.message
             where token_digest = $1 and confirmed_at is null and expires_at > $2"#,
            token_digest,
            self.clock.now(),
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// The player says that a held reply is theirs: it is worked off once more. Gives the table; `None` if there is nothing to confirm.
    pub async fn confirm_held_reply(&self, token_digest: &[u8]) -> Result<Option<TableId>> {
        let table = sqlx::query_scalar!(
            r#"with confirmed as (
                 update held_reply set confirmed_at = $2
                 where token_digest = $1 and confirmed_at is null and expires_at > $2 returning message, table_id
             ), again as (
                 update inbox set done_at = null, outcome = null, tries = 0, work_after = $2 from confirmed
                 where inbox.id = confirmed.message
             )
             select table_id as "table_id: TableId" from confirmed"#,
            token_digest,
            self.clock.now(),
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(table)
    }

    /// Who holds a seat; nobody if a bot does.
    pub async fn holder_of_seat(&self, table: TableId, seat: Seat) -> Result<Option<SeatHolder>> {
        let row = sqlx::query_as!(
            SeatHolder,
            r#"select player.id as "player_id: PlayerId", player.email from seat join player on player.id = seat.player_id
             where table_id = $1 and seat = $2"#,
            table as _,
            SeatNumber(seat) as _,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Whether a player's mail program has said within a week that they are away, and they have no days off.
    pub async fn absence_of(&self, player: PlayerId) -> Result<Option<Absence>> {
        let row = sqlx::query_as!(
            Absence,
            r#"select exists (select from letter where letter.player_id = $1 and table_id is not null and sent_at > inbox.done_at) as "told!"
               from inbox where player_id = $1 and outcome = $3 and done_at > $2::timestamptz - interval '7 days'
                 and not exists (select from vacation where vacation.player_id = $1 and until_at > $2)
               order by done_at limit 1"#,
            player as _,
            self.clock.now(),
            OUT_OF_OFFICE,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// A letter that is answered.
    pub async fn answered_letter(&self, letter: i64) -> Result<Option<AnsweredLetter>> {
        let row = sqlx::query_as!(
            AnsweredLetter,
            r#"select kind as "kind: StoredKind", player.id as "player_id?: PlayerId", player.email as "email?", address,
                 table_id as "table_id: TableId", details::text as "details!"
               from letter left join player on player.id = coalesce(letter.player_id,
                 (select known.id from player as known where lower(known.email) = lower(letter.address)))
               where letter.id = $1"#,
            letter,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// Whom a letter was sent to, and their address as it is now.
    pub async fn reader_of_letter(&self, letter: i64) -> Result<Option<SeatHolder>> {
        let row = sqlx::query_as!(
            SeatHolder,
            r#"select player.id as "player_id: PlayerId", player.email from letter join player on player.id = letter.player_id
             where letter.id = $1"#,
            letter,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// A letter came back for good, or its reader complained. Says whether the address is off now, which it is once so many have within
    /// a month.
    pub async fn letter_came_back(&self, letter: i64, player: PlayerId, status: &str, enough: i64) -> Result<bool> {
        let mut tx = self.pool.begin().await?;
        sqlx::query!("select id from player where id = $1 for update", player as _).fetch_optional(&mut *tx).await?;
        sqlx::query!(
            "insert into bounce (letter_id, player_id, status, at) values ($1, $2, $3, $4) on conflict do nothing",
            letter,
            player as _,
            status,
            self.clock.now(),
        )
        .execute(&mut *tx)
        .await?;
        let off = sqlx::query_scalar!(
            r#"update player set mail_off_since = case
                 when (select count(*) from bounce where player_id = $1 and at > $2::timestamptz - interval '30 days') >= $3
                 then coalesce(mail_off_since, $2) else mail_off_since end
               where id = $1 returning mail_off_since is not null as "off!""#,
            player as _,
            self.clock.now(),
            enough,
        )
        .fetch_optional(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(off.unwrap_or(false))
    }

    /// Whether letters to a player came back, or were called spam, so that none are sent.
    pub async fn mail_is_off(&self, player: PlayerId) -> Result<bool> {
        let off = sqlx::query_scalar!(
            r#"select mail_off_since is not null as "off!" from player where id = $1"#,
            player as _
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(off.unwrap_or(false))
    }

    /// Letters go to a player's address again.
    pub async fn turn_mail_on(&self, player: PlayerId) -> Result<()> {
        sqlx::query!(
            "with forgotten as (delete from bounce where player_id = $1)
             update player set mail_off_since = null where id = $1",
            player as _,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Forgets messages that were seen to long ago, and letters that came back long ago.
    pub async fn forget_old_messages(&self) -> Result<()> {
        sqlx::query!("delete from inbox where done_at < $1::timestamptz - interval '30 days'", self.clock.now())
            .execute(&self.pool)
            .await?;
        sqlx::query!("delete from bounce where at < $1::timestamptz - interval '90 days'", self.clock.now())
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}
