//! Whose session begins when somebody signs in, and what becomes of a guest who does.

use crate::db::host::about_player::{merge_moderation, remember_suspension};
use crate::db::players::sign_ins::{Browser, SignedIn};
use crate::db::{Connection, Result, Store};
use crate::players::address_digest;
use crate::tables::{PlayerId, TableId};

impl Store {
    /// The player who has an address: known, or somebody new, who has shown that letters to it reach them.
    pub async fn player_with_address(&self, email: &str, fresh: (PlayerId, &str, &str)) -> Result<PlayerId> {
        let mut tx = self.pool.begin().await?;
        lock_address(&mut tx, email).await?;
        let player = whose(&mut tx, email, &[], fresh).await?;
        claim_invitations(&mut tx, player, email).await?;
        tx.commit().await?;
        Ok(player)
    }
}

/// Two letters to one new address must not make two players of it.
async fn lock_address(tx: &mut Connection, email: &str) -> Result<()> {
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended($1, 1))", email.to_lowercase())
        .execute(&mut *tx)
        .await?;
    Ok(())
}

/// Invitations that were sent to the address alone.
async fn claim_invitations(tx: &mut Connection, player: PlayerId, email: &str) -> Result<()> {
    sqlx::query!(
        "update invitation set player_id = $1 where player_id is null and lower(email) = lower($2)",
        player as _,
        email,
    )
    .execute(&mut *tx)
    .await?;
    Ok(())
}

/// Opens a session for whoever has this address.
pub(crate) async fn enter(
    tx: &mut Connection,
    email: &str,
    asked_by: Option<PlayerId>,
    browser: &Browser<'_>,
) -> Result<SignedIn> {
    lock_address(tx, email).await?;
    // The guests that come along: the one at this browser, and the one who asked.
    let guests = sqlx::query_scalar!(
        r#"select id as "id: PlayerId" from player
         where email is null and deleted_at is null and not exists (select from suspension where player_id = player.id)
           and (id = $1 or id = (select player_id from session where token_digest = $2 and expires_at > now()))
         order by id <> (select player_id from session where token_digest = $2) for update"#,
        asked_by as _,
        browser.session,
    )
    .fetch_all(&mut *tx)
    .await?;
    let player = whose(tx, email, &guests, browser.fresh).await?;
    let mut moved = Vec::new();
    for guest in guests.iter().filter(|guest| **guest != player) {
        moved.extend(merge(tx, *guest, player).await?);
    }
    begin_session(tx, player, &guests, browser).await?;
    // Whoever signs in may be written to again.
    sqlx::query!("delete from silent_address where digest = $1", &address_digest(email)).execute(&mut *tx).await?;
    claim_invitations(tx, player, email).await?;
    Ok(SignedIn::Yes { player, moved })
}

/// The player who has this address: known, or from now on a guest who came along, or somebody new.
async fn whose(
    tx: &mut Connection,
    email: &str,
    guests: &[PlayerId],
    fresh: (PlayerId, &str, &str),
) -> Result<PlayerId> {
    let known = sqlx::query_scalar!(
        r#"select id as "id: PlayerId" from player where lower(email) = lower($1) for update"#,
        email
    )
    .fetch_optional(&mut *tx)
    .await?;
    let player = match (known, guests.first()) {
        (Some(player), _) => return Ok(player),
        (None, Some(guest)) => {
            sqlx::query!("update player set email = $2 where id = $1", guest as _, email).execute(&mut *tx).await?;
            *guest
        }
        (None, None) => {
            let (id, name, name_key) = fresh;
            sqlx::query!(
                "insert into player (id, name, name_key, email) values ($1, $2, $3, $4)",
                id as _,
                name,
                name_key,
                email
            )
            .execute(&mut *tx)
            .await?;
            id
        }
    };
    remember_suspension(tx, player, email).await?;
    Ok(player)
}

/// Opens the new session, and ends the old one.
async fn begin_session(
    tx: &mut Connection,
    player: PlayerId,
    guests: &[PlayerId],
    browser: &Browser<'_>,
) -> Result<()> {
    sqlx::query!(
        "insert into session (token_digest, player_id, expires_at) values ($1, $2, $3)",
        browser.new_session,
        player as _,
        browser.expires_at,
    )
    .execute(&mut *tx)
    .await?;
    // Notices that a guest turned on at this browser stay on.
    sqlx::query!(
        "update device set session = $1, player_id = $2 where session = $3 and player_id = any($4)",
        browser.new_session,
        player as _,
        browser.session,
        guests as _,
    )
    .execute(&mut *tx)
    .await?;
    // A guest's other sessions end: whoever typed somebody else's address must not stay in.
    sqlx::query!(
        "delete from session where token_digest <> $3 and (token_digest = $1 or player_id = any($2))",
        browser.session,
        guests as _,
        browser.new_session,
    )
    .execute(&mut *tx)
    .await?;
    // The same goes for whatever else tells somebody of these games.
    sqlx::query!("delete from api_token where player_id = any($1)", guests as _).execute(&mut *tx).await?;
    sqlx::query!("delete from feed_token where player_id = any($1)", guests as _).execute(&mut *tx).await?;
    sqlx::query!("delete from webhook where player_id = any($1)", guests as _).execute(&mut *tx).await?;
    Ok(())
}

/// Moves what a guest has to a player and closes the guest. Where the player sits at the same table already, or has played the same
/// day's garden, the guest's seat stays with the closed guest.
async fn merge(tx: &mut Connection, guest: PlayerId, player: PlayerId) -> Result<Vec<TableId>> {
    let moved = sqlx::query_scalar!(
        r#"update seat set player_id = $2
         where player_id = $1
           and not exists (select from seat as other where other.table_id = seat.table_id and other.player_id = $2)
           and (day is null or not exists (select from seat as other where other.player_id = $2 and other.day = seat.day))
         returning table_id as "table_id: TableId""#,
        guest as _,
        player as _,
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!("update game_table set opened_by = $2 where opened_by = $1", guest as _, player as _)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("update invitation set player_id = $2 where player_id = $1", guest as _, player as _)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("update invitation set invited_by = $2 where invited_by = $1", guest as _, player as _)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("update letter set player_id = $2 where player_id = $1", guest as _, player as _)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("update vacation set player_id = $2 where player_id = $1", guest as _, player as _)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("update talk set player_id = $2 where player_id = $1", guest as _, player as _)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "update note set player_id = $2 where player_id = $1 and table_id = any($3)",
        guest as _,
        player as _,
        &moved as _
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from note where player_id = $1", guest as _).execute(&mut *tx).await?;
    merge_moderation(tx, guest, player).await?;
    sqlx::query!("update player set name = null, name_key = null, deleted_at = now() where id = $1", guest as _)
        .execute(&mut *tx)
        .await?;
    Ok(moved)
}
