//! Names of tables and players that cannot be guessed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A table's name in an address: 74 random bits behind its time of making.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, sqlx::Type)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct TableId(pub Uuid);

impl TableId {
    pub fn fresh() -> TableId {
        TableId(Uuid::now_v7())
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.simple().fmt(f)
    }
}

/// What is not the name of a table.
#[derive(Debug, thiserror::Error)]
#[error("that is not the name of a table")]
pub struct NoTableId;

impl FromStr for TableId {
    type Err = NoTableId;

    fn from_str(text: &str) -> Result<TableId, NoTableId> {
        Uuid::try_parse(text).map(TableId).map_err(|_| NoTableId)
    }
}

/// A player's name within the house.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type)]
#[serde(transparent)]
#[sqlx(transparent)]
pub struct PlayerId(pub Uuid);

impl PlayerId {
    pub fn fresh() -> PlayerId {
        PlayerId(Uuid::now_v7())
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
