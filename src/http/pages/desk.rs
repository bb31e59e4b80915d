//! A player's desk: all their tables, those first that wait for them.

use std::collections::HashMap;

use crate::app::clock::time_left;
use crate::app::words::and;
use crate::db::retry_transient;
use crate::db::tables::invitations::InvitationRow;
use crate::db::tables::lists::TableRow;
use crate::http::AppState;
use crate::http::pages::assets;
use crate::http::pages::home::{TableLine, game_title};
use crate::http::problem::Problem;
use crate::tables::state::table_state::Status;
use crate::tables::{FORMER_PLAYER, PlayerId, TableId, awaited_in_list, names_in_list, with_names};

/// The most of one's own tables that the desk lists.
pub(super) const LISTED_TABLES: i64 = 100;

/// Of how many tables the desk tells what happened last.
const TOLD_TABLES: usize = 16;

/// The most finished games that the desk lists; the archive has the rest.
const LISTED_FINISHED: usize = 8;

/// The tables of a player, by what they wait for.
#[derive(Default)]
pub(crate) struct Desk {
    pub invitations: Vec<InvitationLine>,
    pub my_move: Vec<DeskTable>,
    pub others_move: Vec<DeskTable>,
    pub not_begun: Vec<DeskTable>,
    pub finished: Vec<TableLine>,
}

impl Desk {
    /// Whether nothing is under way.
    pub fn is_quiet(&self) -> bool {
        self.my_move.is_empty()
            && self.others_move.is_empty()
            && self.not_begun.is_empty()
            && self.invitations.is_empty()
    }
}

pub(crate) struct DeskTable {
    pub url: String,
    pub title: String,
    /// The viewer's own view of it, or an example of the game before the deal.
    pub picture: String,
    /// “with Alice and Bill”.
    pub with: String,
    /// Whose move it is and how long they have: “your move · 23 h left”.
    pub state: String,
    pub is_mine: bool,
    /// What happened last.
    pub last: Option<String>,
    /// How many messages the viewer has not read.
    pub unread: i64,
    /// Whether a bot plays for the viewer, who was late too long.
    pub kept_for_me: bool,
}

pub(crate) struct InvitationLine {
    pub url: String,
    pub title: String,
    pub from: String,
    pub words: Option<String>,
    pub is_rematch: bool,
}

/// Whose move it is, and how long they have.
fn state(row: &TableRow, now: chrono::DateTime<chrono::Utc>) -> String {
    let whose = match row.status {
        Status::Open => {
            let free = usize::try_from(row.seats).unwrap_or(0).saturating_sub(row.taken.len());
            return if free == 1 { "one seat free".to_owned() } else { format!("{free} seats free") };
        }
        Status::Playing if row.waits_for_me => "your move".to_owned(),
        Status::Playing => match awaited_in_list(row).as_slice() {
            [] => "one moment".to_owned(),
            [name] => format!("{name} to move"),
            names => format!("{} to move", and(names)),
        },
        Status::Over | Status::Gone => return "over".to_owned(),
    };
    match row.deadline {
        Some(deadline) => format!("{whose} · {}", time_left(deadline - now)),
        None => whose,
    }
}

impl AppState {
    pub(crate) async fn desk(&self, player: PlayerId, own_name: &str) -> Result<Desk, Problem> {
        let rows = retry_transient(|| self.tables.store.tables_of_player(player, LISTED_TABLES)).await?;
        let unread = retry_transient(|| self.tables.store.unread_talk(player)).await?;
        let unread: HashMap<TableId, i64> = unread.into_iter().collect();
        let mut desk = Desk::default();
        let mut told = 0;
        for row in rows {
            if matches!(row.status, Status::Over | Status::Gone) {
                if desk.finished.len() < LISTED_FINISHED {
                    desk.finished.push(TableLine::new(self, row));
                }
                continue;
            }
            let last = if row.status == Status::Playing && row.seats > 1 && told < TOLD_TABLES {
                told += 1;
                self.last_line(row.id, player).await?
            } else {
                None
            };
            let list = match row.status {
                Status::Open => &mut desk.not_begun,
                _ if row.waits_for_me => &mut desk.my_move,
                _ => &mut desk.others_move,
            };
            list.push(self.desk_table(row, own_name, last, &unread));
        }
        // Where somebody has written something there is more to see.
        desk.others_move.sort_by_key(|table| table.unread == 0);
        let line = |row: InvitationRow| InvitationLine {
            url: format!("/i/{}", row.token),
            title: game_title(self, &row.game),
            from: row.from.unwrap_or_else(|| FORMER_PLAYER.to_owned()),
            words: row.words,
            is_rematch: row.is_rematch,
        };
        desk.invitations = self.players.invitations(player).await?.into_iter().map(line).collect();
        Ok(desk)
    }

    pub(super) fn desk_table(
        &self,
        row: TableRow,
        own_name: &str,
        last: Option<String>,
        unread: &HashMap<TableId, i64>,
    ) -> DeskTable {
        let others: Vec<String> =
            names_in_list(&row).into_iter().map(|(_, name)| name).filter(|name| name != own_name).collect();
        let url = format!("/t/{}", row.id);
        let mut title = game_title(self, &row.game);
        if let Some(day) = row.day {
            title = format!("{title}, the garden of {}", day.format("%-d %B"));
        }
        DeskTable {
            picture: match row.status {
                // The number of moves makes it another picture after each of them.
                Status::Playing => format!("{url}/picture.png?after={}", row.moves),
                Status::Open | Status::Over | Status::Gone => assets::picture_of(&row.game).to_owned(),
            },
            with: if others.is_empty() { String::new() } else { format!("with {}", and(&others)) },
            state: state(&row, self.tables.now()),
            is_mine: row.waits_for_me,
            last,
            unread: unread.get(&row.id).copied().unwrap_or(0),
            kept_for_me: row.kept_for_me,
            title,
            url,
        }
    }

    /// What happened last at a table, as the player may know it.
    async fn last_line(&self, table: TableId, player: PlayerId) -> Result<Option<String>, Problem> {
        let cached = self.tables.load_fresh(table).await?;
        let view = self.tables.table_now(&cached, cached.viewer(Some(player))).await?;
        let Some(line) = view.log.iter().rev().find_map(|entry| entry.lines.last()) else { return Ok(None) };
        Ok(Some(with_names(line, &self.tables.holders(table).await?)))
    }
}
