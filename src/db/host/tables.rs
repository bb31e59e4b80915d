//! Tables as the host sees them: who sits there, how far it is and since when. Never what is on the board.

use chrono::{DateTime, Utc};

use crate::db::column_types::SeatNumber;
use crate::db::{Result, Store};
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;

/// A table in the host's lists.
pub struct HostTableRow {
    pub id: TableId,
    pub game: String,
    pub status: Status,
    pub private: bool,
    pub seats: i16,
    pub moves: i32,
    pub opened_at: DateTime<Utc>,
    pub moved_at: DateTime<Utc>,
    /// For each taken seat, in order, the name of who holds it; none for bots and former players.
    pub names: Vec<Option<String>>,
}

/// Which tables are looked for. What is not given does not matter.
#[derive(Clone, Debug, Default)]
pub struct TableSearch {
    pub table: Option<TableId>,
    /// The secret of a link that invites to a table.
    pub link: Option<String>,
    pub player: Option<PlayerId>,
    /// A folded name of somebody who sits there, whole.
    pub name_key: Option<String>,
    pub game: Option<String>,
}

/// Who holds a seat, for the host.
pub struct HostSeatRow {
    pub seat: Seat,
    pub player_id: Option<PlayerId>,
    pub name: Option<String>,
    pub bot: Option<String>,
    pub last_look_at: Option<DateTime<Utc>>,
}

impl Store {
    /// Tables that are open, running or finished, those that moved last first.
    pub async fn find_tables(&self, search: &TableSearch, most: i64) -> Result<Vec<HostTableRow>> {
        let rows = sqlx::query_as!(
            HostTableRow,
            r#"select game_table.id as "id: TableId", game, status as "status: Status", private, seats, moves, opened_at, moved_at,
                 array(select player.name from seat left join player on player.id = seat.player_id
                       where seat.table_id = game_table.id order by seat.seat) as "names!: Vec<Option<String>>"
               from game_table
               where ($1::uuid is null or game_table.id = $1)
                 and ($2::text is null or link_token = $2 or game_table.id = (select table_id from invitation where token = $2))
                 and ($3::uuid is null or game_table.id = any (array(select table_id from seat where seat.player_id = $3)))
                 and ($4::text is null or game_table.id = any (array(select table_id from seat join player on player.id = seat.player_id
                                                                     where player.name_key = $4)))
                 and ($5::text is null or game = $5)
               order by status in ('open', 'playing') desc, moved_at desc limit $6"#,
            search.table as _,
            search.link,
            search.player as _,
            search.name_key,
            search.game,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Who sits at a table, and when they last looked at it.
    pub async fn seats_for_host(&self, table: TableId) -> Result<Vec<HostSeatRow>> {
        self.looks_written().await;
        let rows = sqlx::query_as!(
            HostSeatRow,
            r#"select seat as "seat: SeatNumber", player_id as "player_id: PlayerId", name as "name?", bot, last_look_at
               from seat left join player on player.id = player_id where table_id = $1 order by seat"#,
            table as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
