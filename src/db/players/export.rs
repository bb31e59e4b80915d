//! Everything that is stored of a player, for themselves.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::db::column_types::SeatNumber;
use crate::db::host::about_player::ExportedModeration;
use crate::db::players::accounts::TokenRow;
use crate::db::players::results::RatingRow;
use crate::db::tables::absences::DaysOff;
use crate::db::{Result, Store};
use crate::mail::StoredKind;
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;

/// Everything that is stored of a player.
#[derive(Serialize)]
pub struct Everything {
    pub player: ExportedPlayer,
    pub sessions: Vec<ExportedSession>,
    pub seats: Vec<ExportedSeat>,
    pub invitations: Vec<ExportedInvitation>,
    pub letters: Vec<ExportedLetter>,
    pub tokens: Vec<TokenRow>,
    pub devices: Vec<ExportedDevice>,
    pub webhooks: Vec<ExportedWebhook>,
    /// Since when the addresses of the player's own feeds are as they are.
    pub feeds_since: Option<DateTime<Utc>>,
    pub notes: Vec<ExportedNote>,
    pub talk: Vec<ExportedTalk>,
    /// What the player wrote by mail, as long as it is kept.
    pub messages: Vec<ExportedMessage>,
    pub waking_hours: Option<Box<RawValue>>,
    pub days_off: Vec<DaysOff>,
    /// How well the player plays each game, as finished games tell.
    pub ratings: Vec<RatingRow>,
    pub moderation: ExportedModeration,
}

#[derive(Serialize)]
pub struct ExportedPlayer {
    pub id: PlayerId,
    pub name: Option<String>,
    pub email: Option<String>,
    pub created_at: DateTime<Utc>,
    pub settings: Box<RawValue>,
    /// When letters come.
    pub letters: Box<RawValue>,
    /// Since when none are sent because they came back.
    pub mail_off_since: Option<DateTime<Utc>>,
}

#[derive(Serialize)]
pub struct ExportedSession {
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// A device on which the player has notices.
#[derive(Serialize)]
pub struct ExportedDevice {
    pub title: String,
    /// Where notices for it go.
    pub endpoint: String,
    pub created_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
}

/// An address to which the player has messages sent.
#[derive(Serialize)]
pub struct ExportedWebhook {
    pub table: Option<TableId>,
    pub form: &'static str,
    pub url: String,
    pub created_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
}

#[derive(Serialize)]
pub struct ExportedSeat {
    pub table: TableId,
    pub seat: Seat,
    pub game: String,
    pub status: &'static str,
    pub moves: i32,
    pub standing: Vec<i64>,
    pub opened_at: DateTime<Utc>,
    pub moved_at: DateTime<Utc>,
    /// When the player last looked at the table, and last answered a letter about it.
    pub looked_at: Option<DateTime<Utc>>,
    pub replied_at: Option<DateTime<Utc>>,
    /// When letters about this table come, where that is otherwise.
    pub letters: Option<Box<RawValue>>,
}

#[derive(Serialize)]
pub struct ExportedInvitation {
    pub table: TableId,
    /// Whether the player sent it; else they were asked.
    pub sent: bool,
    /// Whom a sent one went to, if they were asked by address.
    pub email: Option<String>,
    /// The line that came along.
    pub words: Option<String>,
    pub answer: Option<String>,
    pub created_at: DateTime<Utc>,
}

#[derive(Serialize)]
pub struct ExportedLetter {
    pub kind: StoredKind,
    pub table: Option<TableId>,
    pub written_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
    pub dropped_at: Option<DateTime<Utc>>,
}

#[derive(Serialize)]
pub struct ExportedNote {
    pub table: TableId,
    pub words: String,
    pub updated_at: DateTime<Utc>,
}

#[derive(Serialize)]
pub struct ExportedTalk {
    pub table: TableId,
    pub at: DateTime<Utc>,
    pub words: String,
}

#[derive(Serialize)]
pub struct ExportedMessage {
    pub received_at: DateTime<Utc>,
    /// How it came in.
    pub way: String,
    /// What became of it.
    pub outcome: Option<String>,
    /// As it came over the wire.
    pub raw: String,
}

/// Stored JSON as it is.
fn json(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

impl Store {
    /// Everything that is stored of a player.
    pub async fn everything_about(&self, player: PlayerId) -> Result<Option<Everything>> {
        self.looks_written().await;
        let Some(exported) = self.exported_player(player).await? else { return Ok(None) };
        Ok(Some(Everything {
            player: exported,
            sessions: self.exported_sessions(player).await?,
            seats: self.exported_seats(player).await?,
            invitations: self.exported_invitations(player).await?,
            letters: self.exported_letters(player).await?,
            tokens: self.api_tokens(player).await?,
            devices: self.exported_devices(player).await?,
            webhooks: self.exported_webhooks(player).await?,
            feeds_since: self.feeds_since(player).await?,
            notes: self.exported_notes(player).await?,
            talk: self.exported_talk(player).await?,
            messages: self.exported_messages(player).await?,
            waking_hours: self.waking_hours(player).await?.and_then(|hours| RawValue::from_string(hours).ok()),
            days_off: self.days_off(player, DateTime::UNIX_EPOCH).await?,
            ratings: self.ratings_of(player).await?,
            moderation: self.moderation_of(player).await?,
        }))
    }

    async fn exported_player(&self, player: PlayerId) -> Result<Option<ExportedPlayer>> {
        let row = sqlx::query!(
            r#"select name, email, created_at, settings::text as "settings!", letters::text as "letters!", mail_off_since
               from player where id = $1"#,
            player as _,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| ExportedPlayer {
            id: player,
            name: row.name,
            email: row.email,
            created_at: row.created_at,
            settings: json(row.settings),
            letters: json(row.letters),
            mail_off_since: row.mail_off_since,
        }))
    }

    async fn exported_sessions(&self, player: PlayerId) -> Result<Vec<ExportedSession>> {
        let sessions = sqlx::query_as!(
            ExportedSession,
            "select created_at, expires_at from session where player_id = $1 and expires_at > now() order by created_at",
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(sessions)
    }

    async fn exported_devices(&self, player: PlayerId) -> Result<Vec<ExportedDevice>> {
        let devices = sqlx::query_as!(
            ExportedDevice,
            "select title, endpoint, created_at, sent_at from device where player_id = $1 order by created_at",
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(devices)
    }

    async fn exported_webhooks(&self, player: PlayerId) -> Result<Vec<ExportedWebhook>> {
        let webhooks = self.webhooks(player).await?.into_iter().map(|row| ExportedWebhook {
            table: row.table_id,
            form: row.form.name(),
            url: row.url,
            created_at: row.created_at,
            sent_at: row.sent_at,
        });
        Ok(webhooks.collect())
    }

    async fn exported_seats(&self, player: PlayerId) -> Result<Vec<ExportedSeat>> {
        let seats = sqlx::query!(
            r#"select table_id as "table_id: TableId", seat as "seat: SeatNumber", game, status as "status: Status", moves, standing, opened_at, moved_at, last_look_at, replied_at,
                 letters::text as letters
               from seat join game_table on game_table.id = seat.table_id where player_id = $1 order by opened_at"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        let seats = seats.into_iter().map(|row| ExportedSeat {
            table: row.table_id,
            seat: row.seat.into(),
            game: row.game,
            status: row.status.name(),
            moves: row.moves,
            standing: row.standing,
            opened_at: row.opened_at,
            moved_at: row.moved_at,
            looked_at: row.last_look_at,
            replied_at: row.replied_at,
            letters: row.letters.map(json),
        });
        Ok(seats.collect())
    }

    async fn exported_messages(&self, player: PlayerId) -> Result<Vec<ExportedMessage>> {
        let messages = sqlx::query!(
            "select received_at, way, outcome, raw from inbox where player_id = $1 order by id",
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        let messages = messages.into_iter().map(|row| ExportedMessage {
            received_at: row.received_at,
            way: row.way,
            outcome: row.outcome,
            raw: String::from_utf8_lossy(&row.raw).into_owned(),
        });
        Ok(messages.collect())
    }

    async fn exported_invitations(&self, player: PlayerId) -> Result<Vec<ExportedInvitation>> {
        let invitations = sqlx::query_as!(
            ExportedInvitation,
            r#"select table_id as "table: TableId", invited_by = $1 as "sent!",
                 case when invited_by = $1 then email end as email, words, answer, created_at
               from invitation where invited_by = $1 or player_id = $1 order by created_at"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(invitations)
    }

    async fn exported_letters(&self, player: PlayerId) -> Result<Vec<ExportedLetter>> {
        let letters = sqlx::query_as!(
            ExportedLetter,
            r#"select kind as "kind: StoredKind", table_id as "table: TableId", written_at, sent_at, dropped_at from letter
               where player_id = $1 or lower(address) = (select lower(email) from player where id = $1) order by id"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(letters)
    }

    async fn exported_notes(&self, player: PlayerId) -> Result<Vec<ExportedNote>> {
        let notes = sqlx::query_as!(
            ExportedNote,
            r#"select table_id as "table: TableId", words, updated_at from note where player_id = $1 order by updated_at"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(notes)
    }

    async fn exported_talk(&self, player: PlayerId) -> Result<Vec<ExportedTalk>> {
        let talk = sqlx::query_as!(
            ExportedTalk,
            r#"select table_id as "table: TableId", at, words from talk where player_id = $1 order by id"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(talk)
    }
}
