//! Who holds the seats of tables, and what they are called.

use std::collections::HashMap;

use crate::db::column_types::SeatNumber;
use crate::db::tables::glance::SeatHolder;
use crate::db::tables::lists::{HolderRow, TableRow};
use crate::db::{StoreError, retry_transient};
use crate::tables::{PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::{Level, Seat};

/// What somebody is called who deleted their account.
pub const FORMER_PLAYER: &str = "a former player";

/// Who holds a seat.
#[derive(Clone, Debug)]
pub struct Holder {
    pub seat: Seat,
    pub player: Option<PlayerId>,
    pub name: String,
}

impl From<SeatHolder> for Holder {
    fn from(holder: SeatHolder) -> Holder {
        let name = holder_name(holder.seat, holder.name, holder.bot.as_deref());
        Holder { seat: holder.seat, player: holder.player_id, name }
    }
}

impl From<HolderRow> for Holder {
    fn from(row: HolderRow) -> Holder {
        Holder::from(SeatHolder { seat: row.seat, player_id: row.player_id, bot: row.bot, name: row.name })
    }
}

/// The name of whoever holds a seat.
pub fn name_of(holders: &[Holder], seat: Seat) -> String {
    let holder = holders.iter().find(|holder| holder.seat == seat);
    holder.map_or_else(|| format!("Seat {seat}"), |holder| holder.name.clone())
}

/// Replaces the marks for seats in log lines and texts by the names of their holders.
pub fn with_names(text: &str, holders: &[Holder]) -> String {
    with_written_names(text, holders, |name| name)
}

/// The same where names have to be written otherwise, as in HTML.
pub fn with_written_names(text: &str, holders: &[Holder], write: impl Fn(String) -> String) -> String {
    Seat::fill_marks(text, |seat| write(name_of(holders, seat)))
}

/// Those who hold the seats of tables.
pub type HoldersAt = HashMap<TableId, Vec<Holder>>;

impl Tables {
    /// Who holds the seats of a table, by the names they have now.
    pub async fn holders(&self, id: TableId) -> Result<Vec<Holder>, ReadError> {
        let ids = [id];
        let rows = retry_transient(|| self.store.holders(&ids)).await?;
        Ok(rows.into_iter().map(Holder::from).collect())
    }

    /// Who holds the seats of tables, by the names they have now.
    pub async fn holders_at(&self, ids: &[TableId]) -> Result<HoldersAt, StoreError> {
        let mut holders = HoldersAt::new();
        for row in retry_transient(|| self.store.holders(ids)).await? {
            let at = holders.entry(row.table_id).or_default();
            at.push(Holder::from(row));
        }
        Ok(holders)
    }
}

/// What whoever holds a seat is called: a player, a bot that plays so well, or neither any more.
fn holder_name(seat: Seat, name: Option<String>, bot: Option<&str>) -> String {
    match (name, bot.and_then(|bot| bot.parse().ok())) {
        (Some(name), _) => name,
        (None, Some(level)) => bot_name(seat, level),
        (None, None) => FORMER_PLAYER.to_owned(),
    }
}

/// The seats of a table in a list that are taken, and what their holders are called.
pub fn names_in_list(row: &TableRow) -> Vec<(Seat, String)> {
    let holders = row.taken.iter().zip(row.names.iter().zip(&row.bots));
    let named =
        holders.map(|(SeatNumber(seat), (name, bot))| (*seat, holder_name(*seat, name.clone(), bot.as_deref())));
    named.collect()
}

/// Those of them who are awaited.
pub fn awaited_in_list(row: &TableRow) -> Vec<String> {
    let is_awaited = |seat: Seat| row.awaiting.contains(seat);
    names_in_list(row).into_iter().filter(|(seat, _)| is_awaited(*seat)).map(|(_, name)| name).collect()
}

/// The name of a bot: each seat has its own. None is called like a card of the games or like a guest, so that nobody is taken for another.
pub fn bot_name(seat: Seat, level: Level) -> String {
    format!("{} ({} bot)", given_name(seat), level.title())
}

/// What whoever the house itself puts on a seat is called.
pub fn given_name(seat: Seat) -> &'static str {
    const NAMES: [&str; Seat::MOST as usize] =
        ["Ada", "Brunel", "Cornelius", "Dorothea", "Ebenezer", "Florence", "Gideon", "Hortensia"];
    NAMES[seat.index()]
}
