//! Tables as the host sees them: who sits there, how far it is and since when. Never what is on the board.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::db::{Result, Store};

/// A table in the host's lists.
pub struct HostTableRow {
    pub id: Uuid,
    pub game: String,
    pub status: String,
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
    pub table: Option<Uuid>,
    /// The secret of a link that invites to a table.
    pub link: Option<String>,
    pub player: Option<Uuid>,
    /// A folded name of somebody who sits there, whole.
    pub name_key: Option<String>,
    pub game: Option<String>,
}

/// Who holds a seat, for the host.
pub struct HostSeatRow {
    pub seat: i16,
    pub player_id: Option<Uuid>,
    pub name: Option<String>,
    pub bot: Option<String>,
    pub last_look_at: Option<DateTime<Utc>>,
}

impl Store {
    /// Tables that are open, running or finished, those that moved last first.
    pub async fn find_tables(&self, search: &TableSearch, most: i64) -> Result<Vec<HostTableRow>> {
        let rows = sqlx::query_as!(
            HostTableRow,
            r#"select game_table.id, game, status, private, seats, moves, opened_at, moved_at,
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
            search.table,
            search.link,
            search.player,
            search.name_key,
            search.game,
            most,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Who sits at a table, and when they last looked at it.
    pub async fn seats_for_host(&self, table: Uuid) -> Result<Vec<HostSeatRow>> {
        let rows = sqlx::query_as!(
            HostSeatRow,
            r#"select seat, player_id, name as "name?", bot, last_look_at
               from seat left join player on player.id = player_id where table_id = $1 order by seat"#,
            table,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
