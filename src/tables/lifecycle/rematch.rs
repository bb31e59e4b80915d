//! Playing again: one rematch of each table. Whoever wants it first sits down at once, the others join.

use crate::db::retry_transient;
use crate::tables::lifecycle::open::fresh_token;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, OpenError, OpeningBot, PlayerId, ReadError, SitError, TableId, TableOptions, Tables};
use wonderpost_rules::Refusal;

#[derive(Debug, thiserror::Error)]
pub enum RematchError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Sit(#[from] SitError),
}

impl Tables {
    /// The table that plays this one again, if somebody has asked for that.
    pub async fn rematch_of(&self, table: TableId) -> Result<Option<TableId>, ReadError> {
        Ok(retry_transient(|| self.store.rematch_of(table)).await?)
    }

    /// Plays again with the same people: opens the table, under this id, and asks the others; or joins if one of them was first.
    pub async fn rematch(&self, player: PlayerId, cached: &CachedTable, id: TableId) -> Result<TableId, RematchError> {
        if cached.now.status() != Status::Over || cached.seat_of(Some(player)).is_none() || cached.now.opened.seats == 1
        {
            let refusal = Refusal::new("A rematch is for those who played, when the game is over.");
            return Err(OpenError::from(refusal).into());
        }
        let known = self.rematch_of(cached.id).await.map_err(SitError::from)?;
        let table = match known {
            Some(table) => table,
            None => self.open_rematch(id, &same_again(cached), player, cached.id).await?,
        };
        self.sit(player, table, "").await?;
        if known.is_none() {
            self.live.rematch(cached.id);
        }
        if self.load_fresh(table).await.map_err(SitError::from)?.opened_by == Some(player) {
            // Also if the same request broke off before: nobody is asked twice.
            for other in cached.holders.iter().filter_map(|holder| holder.player).filter(|other| *other != player) {
                self.store.invite_player(&fresh_token(), table, other, player).await.map_err(OpenError::from)?;
            }
        }
        Ok(table)
    }
}

/// The same game with the same options; bots keep their seats.
fn same_again(cached: &CachedTable) -> TableOptions {
    let opened = &cached.now.opened;
    TableOptions {
        game: cached.now.game,
        seats: opened.seats,
        options: opened.options.clone(),
        pace: opened.pace,
        private: opened.private,
        by_lot: opened.by_lot,
        preset_answers: opened.preset_answers,
        bots: cached.now.bots.iter().map(|(seat, level)| OpeningBot { seat: Some(*seat), level: *level }).collect(),
    }
}
