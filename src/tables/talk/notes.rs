//! What a player notes down at a table, for themselves alone.

use crate::tables::talk::messages::{plain_text, refused};
use crate::tables::{MoveError, PlayerId, TableId, Tables};

/// The most characters of a note.
pub const LONGEST_NOTE: usize = 4_000;

impl Tables {
    /// Puts a note in the place of the one before; an empty one is none.
    pub async fn keep_note(&self, player: PlayerId, id: TableId, words: &str) -> Result<(), MoveError> {
        let words = plain_text(words, LONGEST_NOTE)?;
        self.load_fresh(id).await?.seat_of(Some(player)).ok_or(MoveError::NotSeated)?;
        Ok(self.store.keep_note(id, player, &words).await?)
    }

    /// Adds a line to the note.
    pub async fn add_to_note(&self, player: PlayerId, id: TableId, line: &str) -> Result<(), MoveError> {
        let line = plain_text(line, LONGEST_NOTE)?;
        if line.is_empty() {
            return Err(refused("Say what to note down."));
        }
        self.load_fresh(id).await?.seat_of(Some(player)).ok_or(MoveError::NotSeated)?;
        if !self.store.add_to_note(id, player, &line, LONGEST_NOTE as i32).await? {
            return Err(refused(format!("Your note is full: it has at most {LONGEST_NOTE} characters.")));
        }
        Ok(())
    }
}
