//! What comes after a game: a rematch, or another garden.

use chrono::NaiveDate;

use crate::http::AppState;
use crate::http::problem::Problem;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, PlayerId, TableId};

/// Where one goes on from a finished game.
pub enum WayOn {
    /// Nobody has asked for a rematch.
    AskForRematch,
    /// Somebody else has, and waits.
    JoinRematch { from: String },
    /// The viewer sits at the rematch.
    Rematch { url: String, begun: bool },
    /// A solitaire: another deal, and the garden of the day.
    Garden { slug: &'static str, is_garden: bool, day: Option<NaiveDate> },
}

impl AppState {
    /// How somebody who played goes on once the game is over.
    pub(crate) async fn way_on(
        &self,
        cached: &CachedTable,
        player: Option<PlayerId>,
    ) -> Result<Option<WayOn>, Problem> {
        let (now, Some(player)) = (&cached.now, player) else { return Ok(None) };
        if now.status() != Status::Over || cached.seat_of(Some(player)).is_none() {
            return Ok(None);
        }
        if now.opened.seats == 1 {
            let is_garden = now.game.daily().is_some();
            let slug = now.game.info().slug;
            return Ok(Some(WayOn::Garden { slug, is_garden, day: now.opened.day }));
        }
        Ok(Some(match self.tables.rematch_of(cached.id).await? {
            None => WayOn::AskForRematch,
            Some(table) => self.rematch_box(table, player).await?,
        }))
    }

    async fn rematch_box(&self, table: TableId, player: PlayerId) -> Result<WayOn, Problem> {
        let rematch = self.tables.load_fresh(table).await?;
        let begun = rematch.now.status() != Status::Open;
        if begun || rematch.seat_of(Some(player)).is_some() {
            return Ok(WayOn::Rematch { url: format!("/t/{table}"), begun });
        }
        let holders = self.tables.holders(table).await?;
        let names: Vec<String> =
            holders.into_iter().filter(|holder| holder.player.is_some()).map(|holder| holder.name).collect();
        let from = if names.is_empty() { "Somebody".to_owned() } else { crate::app::words::and(&names) };
        Ok(WayOn::JoinRematch { from })
    }
}
