//! Whose session begins when somebody signs in, and what becomes of a guest who does.

use uuid::Uuid;

use crate::db::host::about_player::{merge_moderation, remember_suspension};
use crate::db::players::sign_ins::{Browser, SignedIn};
use crate::db::{Connection, Result};
use crate::players::address_digest;

/// Opens a session for whoever has this address.
pub(crate) async fn enter(
    tx: &mut Connection,
    email: &str,
    asked_by: Option<Uuid>,
    browser: &Browser<'_>,
) -> Result<SignedIn> {
    // Two letters to one new address must not make two players of it.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended($1, 1))", email.to_lowercase())
        .execute(&mut *tx)
        .await?;
    // The guests that come along: the one at this browser, and the one who asked.
    let guests = sqlx::query_scalar!(
        "select id from player
         where email is null and deleted_at is null and not exists (select from suspension where player_id = player.id)
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
    if known.is_none() {
        remember_suspension(tx, player, email).await?;
    }
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
    // Whoever signs in may be written to again.
    sqlx::query!("delete from silent_address where digest = $1", &address_digest(email)).execute(&mut *tx).await?;
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
async fn merge(tx: &mut Connection, guest: Uuid, player: Uuid) -> Result<Vec<Uuid>> {
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
    merge_moderation(tx, guest, player).await?;
    sqlx::query!("update player set name = null, name_key = null, deleted_at = now() where id = $1", guest)
        .execute(&mut *tx)
        .await?;
    Ok(moved)
}
