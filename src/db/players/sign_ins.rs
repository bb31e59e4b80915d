//! Signing in: letters that were asked for, and what proves that they came.

use chrono::{DateTime, Utc};
use subtle::ConstantTimeEq;

use crate::db::players::entering::enter;
pub use crate::db::players::purpose::Purpose;
use crate::db::{Connection, Result, Store};
use crate::players::address_digest;
use crate::tables::{PlayerId, TableId};

/// A letter that somebody asks for.
pub struct NewSignIn<'a> {
    pub purpose: Purpose,
    pub token_digest: [u8; 32],
    pub ask_digest: [u8; 32],
    pub code_digest: [u8; 32],
    pub email: &'a str,
    pub asked_by: Option<PlayerId>,
    /// The digest of the session or token that is confirmed, if that is what the letter is for.
    pub bearer_digest: Option<[u8; 32]>,
    /// What the browser got when it last asked.
    pub earlier_ask: Option<[u8; 32]>,
    pub network: String,
    pub expires_at: DateTime<Utc>,
    /// What the letter has to say, as JSON; forgotten once it is sent.
    pub details: String,
}

/// How quickly letters to one address follow each other while none of them is used. Using one begins it anew, so that strangers who ask
/// for letters can slow them down, and never stop them: the last one that went is good for longer than the longest pause.
pub struct Pace {
    /// How many go without a pause, and how many of them may be asked for by one network within an hour.
    pub without_pause: i64,
    pub of_one_network: i64,
    /// How many go within a day before pauses grow.
    pub before_long_pauses: i64,
    /// The pauses in minutes.
    pub pause: i32,
    pub long_pause: i32,
}

/// What came of asking for a letter.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A letter goes out.
    Written,
    /// No letter goes out, and the code of the one that this browser asked for before is still good.
    StillGood,
    /// No letter goes out: the link of the last one is good, whoever asked for it.
    Waiting,
}

/// A link that is still good.
pub struct OpenLink {
    pub purpose: Purpose,
    pub email: String,
    /// The guest whose games come along, or the player whose address it is to be.
    pub asked_by: Option<String>,
    pub asker: Option<PlayerId>,
}

/// How somebody shows that they got the letter.
pub enum Proof {
    /// The games of the guest who asked can be left behind: it may have been a stranger.
    Link {
        token_digest: [u8; 32],
        leave_guest: bool,
    },
    Code {
        ask_digest: [u8; 32],
        code_digest: [u8; 32],
        most_tries: i32,
    },
}

/// The browser that signs in.
pub struct Browser<'a> {
    /// The session it has, which ends.
    pub session: Option<&'a [u8]>,
    /// The session that begins.
    pub new_session: &'a [u8],
    pub expires_at: DateTime<Utc>,
    /// For somebody whom the house does not know yet.
    pub fresh: (PlayerId, &'a str, &'a str),
}

/// What came of a proof.
#[derive(Debug, PartialEq, Eq)]
pub enum SignedIn {
    /// Used, too old, or wrong.
    No,
    /// The tables whose seats went from a guest to the player.
    Yes { player: PlayerId, moved: Vec<TableId> },
    /// The player has a new address.
    AddressChanged { player: PlayerId },
    /// The new address belongs to somebody else.
    AddressTaken,
    /// The session or token for which the letter was asked for is its player's.
    Confirmed,
}

impl Store {
    /// Writes the letter, unless the last one to this address went only just now.
    pub async fn ask_to_sign_in(&self, new: &NewSignIn<'_>, pace: &Pace) -> Result<Asked> {
        let mut tx = self.pool.begin().await?;
        // One after the other, or many at once would slip through.
        let what = format!("{} {}", new.purpose.name(), new.email.to_lowercase());
        sqlx::query!("select pg_advisory_xact_lock(hashtextextended($1, 0))", what).execute(&mut *tx).await?;
        let written = sqlx::query_scalar!(
            r#"with before as (
                 select count(*) as letters, max(created_at) as last,
                   count(*) filter (where network = $7 and created_at > now() - interval '1 hour') as from_here
                 from sign_in
                 where lower(email) = lower($5) and purpose = $4 and bearer_digest is not distinct from $11
                   and used_at is null and created_at > now() - interval '1 day'
             ), asked as (
                 insert into sign_in (token_digest, ask_digest, code_digest, purpose, email, asked_by, network, expires_at, bearer_digest)
                 select $1, $2, $3, $4, $5, $6, $7, $8, $11 from before
                 where last is null or (letters < $12 and from_here < $13)
                   or last <= now() - make_interval(mins => case when letters < $14 then $15::integer else $16::integer end)
                 returning email
             ), written as (
                 insert into letter (kind, address, details, written_at, send_after) select $4, email, $9::text::json, $10, $10 from asked
             )
             select exists (select from asked) as "written!""#,
            &new.token_digest,
            &new.ask_digest,
            &new.code_digest,
            new.purpose as _,
            new.email,
            new.asked_by as _,
            new.network,
            new.expires_at,
            new.details,
            self.clock.now(),
            new.bearer_digest.as_ref().map(|digest| digest.as_slice()),
            pace.without_pause,
            pace.of_one_network,
            pace.before_long_pauses,
            pace.pause,
            pace.long_pause,
        )
        .fetch_one(&mut *tx)
        .await?;
        let still_good = sqlx::query_scalar!(
            r#"select exists (
                 select from sign_in
                 where ask_digest = $1 and lower(email) = lower($2) and purpose = $3 and used_at is null and expires_at > now()) as "good!""#,
            new.earlier_ask.as_ref().map(|digest| digest.as_slice()),
            new.email,
            new.purpose as _,
        )
        .fetch_one(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(match (written, still_good) {
            (true, _) => Asked::Written,
            (false, true) => Asked::StillGood,
            (false, false) => Asked::Waiting,
        })
    }

    /// What a link is for, if it is still good.
    pub async fn open_link(&self, token_digest: &[u8]) -> Result<Option<OpenLink>> {
        let row = sqlx::query!(
            r#"select purpose as "purpose: Purpose", sign_in.email, asked_by as "asked_by: PlayerId", player.name as "name?"
               from sign_in left join player on player.id = sign_in.asked_by
               where token_digest = $1 and used_at is null and expires_at > now()"#,
            token_digest,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| OpenLink { purpose: row.purpose, email: row.email, asked_by: row.name, asker: row.asked_by }))
    }

    /// Signs somebody in who proves that they got the letter, or gives them their new address. A guest with a new address keeps
    /// everything; a guest whose address belongs to a player brings their seats along. All or nothing.
    pub async fn sign_in(&self, proof: &Proof, browser: &Browser<'_>) -> Result<SignedIn> {
        let mut tx = self.pool.begin().await?;
        let Some(proven) = prove(&mut tx, proof).await? else {
            tx.commit().await?;
            return Ok(SignedIn::No);
        };
        use_up(&mut tx, &proven).await?;
        let Proven { purpose, email, asked_by, bearer_digest, .. } = proven;
        let outcome = match (purpose, asked_by) {
            (Purpose::Address, Some(player)) => change_address(&mut tx, player, &email).await?,
            (Purpose::Address, None) => SignedIn::No,
            (Purpose::SignIn, asked_by) => enter(&mut tx, &email, asked_by, browser).await?,
            (Purpose::Identity, asked_by) => confirm(&mut tx, asked_by, bearer_digest).await?,
        };
        tx.commit().await?;
        Ok(outcome)
    }

    /// The address to which a letter goes before a player does something that cannot be undone; `None` if it is clear enough that it is
    /// them: they signed in or confirmed it within a day, or are a guest without an address.
    pub async fn address_to_confirm(&self, player: PlayerId, bearer_digest: &[u8]) -> Result<Option<String>> {
        let address = sqlx::query_scalar!(
            "select email from player
             where id = $1
               and not exists (select from session
                   where token_digest = $2 and greatest(created_at, confirmed_at) > now() - interval '1 day')
               and not exists (select from api_token
                   where token_digest = $2 and greatest(created_at, confirmed_at) > now() - interval '1 day')",
            player as _,
            bearer_digest,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(address.flatten())
    }

    /// Confirms a session or a token with the code of a letter that was asked for with it; whether the code was right.
    pub async fn confirm_with_code(&self, proof: &Proof, bearer: &[u8]) -> Result<bool> {
        let mut tx = self.pool.begin().await?;
        let confirmed = match prove(&mut tx, proof).await? {
            Some(proven) if proven.bearer_digest.as_deref() == Some(bearer) => {
                use_up(&mut tx, &proven).await?;
                confirm(&mut tx, proven.asked_by, proven.bearer_digest).await? != SignedIn::No
            }
            Some(_) | None => false,
        };
        tx.commit().await?;
        Ok(confirmed)
    }
}

/// A letter that somebody proved to have got.
struct Proven {
    token_digest: Vec<u8>,
    purpose: Purpose,
    email: String,
    asked_by: Option<PlayerId>,
    bearer_digest: Option<Vec<u8>>,
}

/// Looks the letter up and holds it, so that it is used once.
async fn prove(tx: &mut Connection, proof: &Proof) -> Result<Option<Proven>> {
    match proof {
        Proof::Link { token_digest, leave_guest } => {
            let row = sqlx::query!(
                r#"select token_digest, purpose as "purpose: Purpose", email, asked_by as "asked_by: PlayerId", bearer_digest from sign_in
                 where token_digest = $1 and used_at is null and expires_at > now() for update"#,
                token_digest,
            )
            .fetch_optional(&mut *tx)
            .await?;
            Ok(row.map(|row| {
                let purpose = row.purpose;
                let left_behind = *leave_guest && purpose == Purpose::SignIn;
                Proven {
                    token_digest: row.token_digest,
                    purpose,
                    email: row.email,
                    asked_by: row.asked_by.filter(|_| !left_behind),
                    bearer_digest: row.bearer_digest,
                }
            }))
        }
        Proof::Code { ask_digest, code_digest, most_tries } => {
            let row = sqlx::query!(
                r#"select token_digest, code_digest, purpose as "purpose: Purpose", email, asked_by as "asked_by: PlayerId", bearer_digest from sign_in
                 where ask_digest = $1 and used_at is null and expires_at > now() and tries < $2 for update"#,
                ask_digest,
                most_tries,
            )
            .fetch_optional(&mut *tx)
            .await?;
            let Some(row) = row else { return Ok(None) };
            if bool::from(row.code_digest.ct_eq(code_digest)) {
                return Ok(Some(Proven {
                    token_digest: row.token_digest,
                    purpose: row.purpose,
                    email: row.email,
                    asked_by: row.asked_by,
                    bearer_digest: row.bearer_digest,
                }));
            }
            // Wrong codes void the code alone. The link cannot be guessed, and its reader may be somebody else than who guesses.
            sqlx::query!("update sign_in set tries = tries + 1 where token_digest = $1", row.token_digest)
                .execute(&mut *tx)
                .await?;
            Ok(None)
        }
    }
}

/// The letter is used up, and so are others to the same address that are still on their way.
async fn use_up(tx: &mut Connection, proven: &Proven) -> Result<()> {
    sqlx::query!(
        "update sign_in set used_at = now()
         where token_digest = $1 or (lower(email) = lower($2) and purpose = $3 and used_at is null)",
        &proven.token_digest,
        proven.email,
        proven.purpose as _,
    )
    .execute(&mut *tx)
    .await?;
    Ok(())
}

/// Notes that a session or a token is its player's.
async fn confirm(tx: &mut Connection, player: Option<PlayerId>, bearer_digest: Option<Vec<u8>>) -> Result<SignedIn> {
    let (Some(player), Some(bearer_digest)) = (player, bearer_digest) else { return Ok(SignedIn::No) };
    let confirmed = sqlx::query_scalar!(
        r#"with session_is as (
             update session set confirmed_at = now() where token_digest = $1 and player_id = $2 and expires_at > now() returning 1 as one
         ), token_is as (
             update api_token set confirmed_at = now() where token_digest = $1 and player_id = $2 returning 1 as one
         )
         select exists (select from session_is) or exists (select from token_is) as "confirmed!""#,
        &bearer_digest,
        player as _,
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(if confirmed { SignedIn::Confirmed } else { SignedIn::No })
}

async fn change_address(tx: &mut Connection, player: PlayerId, email: &str) -> Result<SignedIn> {
    let taken = sqlx::query_scalar!(
        r#"select exists (select from player where lower(email) = lower($1) and id <> $2) as "taken!""#,
        email,
        player as _,
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
        player as _,
        email,
    )
    .execute(&mut *tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Ok(SignedIn::No);
    }
    sqlx::query!("delete from silent_address where digest = $1", &address_digest(email)).execute(&mut *tx).await?;
    Ok(SignedIn::AddressChanged { player })
}
