//! Signing in: letters that were asked for, and what becomes of a guest who signs in.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::{Result, Store};

/// What a letter with a link and a code is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To sign in with this address.
    SignIn,
    /// To make it the address of the player who asked.
    Address,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Purpose::SignIn => "sign-in",
            Purpose::Address => "address",
        }
    }

    fn read(name: &str) -> Purpose {
        if name == "address" { Purpose::Address } else { Purpose::SignIn }
    }
}

/// A letter that somebody asks for.
pub struct NewSignIn<'a> {
    pub purpose: Purpose,
    pub token_digest: [u8; 32],
    pub ask_digest: [u8; 32],
    pub code_digest: [u8; 32],
    pub email: &'a str,
    pub asked_by: Option<Uuid>,
    pub network: String,
    pub expires_at: DateTime<Utc>,
    /// What the letter has to say, as JSON; forgotten once it is sent.
    pub details: String,
}

/// How many letters may be asked for.
pub struct Limits {
    pub an_hour: i64,
    pub a_day: i64,
    pub a_network: i64,
}

/// A link that is still good.
pub struct OpenLink {
    pub purpose: Purpose,
    pub email: String,
    /// The guest whose games come along, or the player whose address it is to be.
    pub asked_by: Option<String>,
}

/// How somebody shows that they got the letter.
pub enum Proof {
    Link { token_digest: [u8; 32] },
    Code { ask_digest: [u8; 32], code_digest: [u8; 32], most_tries: i32 },
}

/// The browser that signs in.
pub struct Browser<'a> {
    /// The session it has, which ends.
    pub session: Option<&'a [u8]>,
    /// The session that begins.
    pub new_session: &'a [u8],
    pub expires_at: DateTime<Utc>,
    /// For somebody whom the house does not know yet.
    pub fresh: (Uuid, &'a str, &'a str),
}

/// What came of a proof.
#[derive(Debug, PartialEq, Eq)]
pub enum SignedIn {
    /// Used, too old, or wrong.
    No,
    /// The tables whose seats went from a guest to the player.
    Yes { player: Uuid, moved: Vec<Uuid> },
    /// The player has a new address.
    AddressChanged { player: Uuid },
    /// The new address belongs to somebody else.
    AddressTaken,
}

impl Store {
    /// Writes the letter, unless there have been too many; whether it did.
    pub async fn ask_to_sign_in(&self, new: &NewSignIn<'_>, limits: &Limits) -> Result<bool> {
        let mut tx = self.pool.begin().await?;
        // One after the other, or many at once would slip through. Always in this order, so that nobody waits for ever.
        for what in [format!("sign-in to {}", new.email.to_lowercase()), format!("sign-in from {}", new.network)] {
            sqlx::query!("select pg_advisory_xact_lock(hashtextextended($1, 0))", what).execute(&mut *tx).await?;
        }
        let written = sqlx::query_scalar!(
            r#"with asked as (
                 insert into sign_in (token_digest, ask_digest, code_digest, purpose, email, asked_by, network, expires_at)
                 select $1, $2, $3, $4, $5, $6, $7, $8
                 where (select count(*) from sign_in where lower(email) = lower($5) and created_at > now() - interval '1 hour') < $10
                   and (select count(*) from sign_in where lower(email) = lower($5) and created_at > now() - interval '1 day') < $11
                   and (select count(*) from sign_in where network = $7 and created_at > now() - interval '1 hour') < $12
                 returning email
             ), written as (
                 insert into letter (kind, address, details, written_at, send_after) select $4, email, $9::text::json, $13, $13 from asked
             )
             select exists (select from asked) as "written!""#,
            &new.token_digest,
            &new.ask_digest,
            &new.code_digest,
            new.purpose.name(),
            new.email,
            new.asked_by,
            new.network,
            new.expires_at,
            new.details,
            limits.an_hour,
            limits.a_day,
            limits.a_network,
            self.clock.now(),
        )
        .fetch_one(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(written)
    }

    /// What a link is for, if it is still good.
    pub async fn open_link(&self, token_digest: &[u8]) -> Result<Option<OpenLink>> {
        let row = sqlx::query!(
            r#"select purpose, sign_in.email, player.name as "name?"
               from sign_in left join player on player.id = sign_in.asked_by
               where token_digest = $1 and used_at is null and expires_at > now()"#,
            token_digest,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| OpenLink { purpose: Purpose::read(&row.purpose), email: row.email, asked_by: row.name }))
    }

    /// Signs somebody in who proves that they got the letter, or gives them their new address. A guest with a new address keeps
    /// everything; a guest whose address belongs to a player brings their seats along. All or nothing.
    pub async fn sign_in(&self, proof: &Proof, browser: &Browser<'_>) -> Result<SignedIn> {
        let mut tx = self.pool.begin().await?;
        let Some((token_digest, purpose, email, asked_by)) = prove(&mut tx, proof).await? else {
            tx.commit().await?;
            return Ok(SignedIn::No);
        };
        // The letter is used up, and so are others to the same address that are still on their way.
        sqlx::query!(
            "update sign_in set used_at = now()
             where token_digest = $1 or (lower(email) = lower($2) and purpose = $3 and used_at is null)",
            &token_digest,
            email,
            purpose.name(),
        )
        .execute(&mut *tx)
        .await?;
        let outcome = match (purpose, asked_by) {
            (Purpose::Address, Some(player)) => change_address(&mut tx, player, &email).await?,
            (Purpose::Address, None) => SignedIn::No,
            (Purpose::SignIn, asked_by) => enter(&mut tx, &email, asked_by, browser).await?,
        };
        tx.commit().await?;
        Ok(outcome)
    }
}

type Proven = (Vec<u8>, Purpose, String, Option<Uuid>);

/// Looks the letter up and holds it, so that it is used once.
async fn prove(tx: &mut PgConnection, proof: &Proof) -> Result<Option<Proven>> {
    match proof {
        Proof::Link { token_digest } => {
            let row = sqlx::query!(
                "select token_digest, purpose, email, asked_by from sign_in
                 where token_digest = $1 and used_at is null and expires_at > now() for update",
                token_digest,
            )
            .fetch_optional(&mut *tx)
            .await?;
            Ok(row.map(|row| (row.token_digest, Purpose::read(&row.purpose), row.email, row.asked_by)))
        }
        Proof::Code { ask_digest, code_digest, most_tries } => {
            let row = sqlx::query!(
                "select token_digest, code_digest, purpose, email, asked_by from sign_in
                 where ask_digest = $1 and used_at is null and expires_at > now() and tries < $2 for update",
                ask_digest,
                most_tries,
            )
            .fetch_optional(&mut *tx)
            .await?;
            let Some(row) = row else { return Ok(None) };
            if bool::from(row.code_digest.ct_eq(code_digest)) {
                return Ok(Some((row.token_digest, Purpose::read(&row.purpose), row.email, row.asked_by)));
            }
            // The last wrong code voids the letter's link as well.
            sqlx::query!(
                "update sign_in set tries = tries + 1, used_at = case when tries + 1 >= $2 then now() end where token_digest = $1",
                row.token_digest,
                most_tries,
            )
            .execute(&mut *tx)
            .await?;
            Ok(None)
        }
    }
}

async fn change_address(tx: &mut PgConnection, player: Uuid, email: &str) -> Result<SignedIn> {
    let taken = sqlx::query_scalar!(
        r#"select exists (select from player where lower(email) = lower($1) and id <> $2) as "taken!""#,
        email,
        player,
    )
    .fetch_one(&mut *tx)
    .await?;
    if taken {
        return Ok(SignedIn::AddressTaken);
    }
    // The old address is told.
    let changed = sqlx::query!(
        "with before as (
             select id, email from player where id = $1 and deleted_at is null and email is not null for update
         ), told as (
             insert into letter (kind, address, details)
             select 'address-changed', email, '{}' from before where lower(email) <> lower($2)
         ), forgotten as (
             delete from bounce where player_id = $1
         )
         update player set email = $2, mail_off_since = null from before where player.id = before.id",
        player,
        email,
    )
    .execute(&mut *tx)
    .await?;
    Ok(if changed.rows_affected() == 1 { SignedIn::AddressChanged { player } } else { SignedIn::No })
}

/// Opens a session for whoever has this address.
async fn enter(tx: &mut PgConnection, email: &str, asked_by: Option<Uuid>, browser: &Browser<'_>) -> Result<SignedIn> {
    // Two letters to one new address must not make two players of it.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended($1, 1))", email.to_lowercase())
        .execute(&mut *tx)
        .await?;
    // The guests that come along: the one at this browser, and the one who asked.
    let guests = sqlx::query_scalar!(
        "select id from player
         where email is null and deleted_at is null
           and (id = $1 or id = (select player_id from session where token_digest = $2 and expires_at > now()))
         order by id <> (select player_id from session where token_digest = $2) for update",
        asked_by,
        browser.session,
    )
    .fetch_all(&mut *tx)
    .await?;
    let known = sqlx::query_scalar!("select id from player where lower(email) = lower($1) for update", email)
        .fetch_optional(&mut *tx)
        .await?;
    let player = match (known, guests.first()) {
        (Some(player), _) => player,
        (None, Some(guest)) => {
            sqlx::query!("update player set email = $2 where id = $1", guest, email).execute(&mut *tx).await?;
            *guest
        }
        (None, None) => {
            let (id, name, name_key) = browser.fresh;
            sqlx::query!(
                "insert into player (id, name, name_key, email) values ($1, $2, $3, $4)",
                id,
                name,
                name_key,
                email
            )
            .execute(&mut *tx)
            .await?;
            id
        }
    };
    let mut moved = Vec::new();
    for guest in guests.iter().filter(|guest| **guest != player) {
        moved.extend(merge(tx, *guest, player).await?);
    }
    // A guest's other sessions end: whoever typed somebody else's address must not stay in.
    sqlx::query!("delete from session where token_digest = $1 or player_id = any($2)", browser.session, &guests,)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("delete from api_token where player_id = any($1)", &guests).execute(&mut *tx).await?;
    sqlx::query!(
        "insert into session (token_digest, player_id, expires_at) values ($1, $2, $3)",
        browser.new_session,
        player,
        browser.expires_at,
    )
    .execute(&mut *tx)
    .await?;
    // Invitations that were sent to the address alone.
    sqlx::query!(
        "update invitation set player_id = $1 where player_id is null and lower(email) = lower($2)",
        player,
        email,
    )
    .execute(&mut *tx)
    .await?;
    Ok(SignedIn::Yes { player, moved })
}

/// Moves what a guest has to a player and closes the guest. Where the player sits at the same table already, or has played the same
/// day's garden, the guest's seat stays with the closed guest.
async fn merge(tx: &mut PgConnection, guest: Uuid, player: Uuid) -> Result<Vec<Uuid>> {
    let moved = sqlx::query_scalar!(
        "update seat set player_id = $2
         where player_id = $1
           and not exists (select from seat as other where other.table_id = seat.table_id and other.player_id = $2)
           and (day is null or not exists (select from seat as other where other.player_id = $2 and other.day = seat.day))
         returning table_id",
        guest,
        player,
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!("update game_table set opened_by = $2 where opened_by = $1", guest, player).execute(&mut *tx).await?;
    sqlx::query!("update invitation set player_id = $2 where player_id = $1", guest, player).execute(&mut *tx).await?;
    sqlx::query!("update invitation set invited_by = $2 where invited_by = $1", guest, player)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("update letter set player_id = $2 where player_id = $1", guest, player).execute(&mut *tx).await?;
    sqlx::query!("update vacation set player_id = $2 where player_id = $1", guest, player).execute(&mut *tx).await?;
    sqlx::query!("update talk set player_id = $2 where player_id = $1", guest, player).execute(&mut *tx).await?;
    sqlx::query!("update note set player_id = $2 where player_id = $1 and table_id = any($3)", guest, player, &moved)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("delete from note where player_id = $1", guest).execute(&mut *tx).await?;
    sqlx::query!("update player set name = null, name_key = null, deleted_at = now() where id = $1", guest)
        .execute(&mut *tx)
        .await?;
    Ok(moved)
}
