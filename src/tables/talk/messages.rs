//! Talk among those who sit at a table. It is no part of the game: nothing in the chain of events depends on it.

use crate::db::retry_transient;
use crate::db::tables::talk::{TalkRow, Talked};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, MoveError, PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::{Refusal, Viewer};

/// The most characters of one message.
pub const LONGEST_TALK: usize = 2_000;

/// The most messages a player may write to tables within an hour.
const MOST_AN_HOUR: i64 = 60;

/// The most messages of the talk that are shown.
pub(crate) const SHOWN: i64 = 100;

impl Tables {
    /// Writes to all who sit at a table.
    pub async fn talk(&self, player: PlayerId, id: TableId, words: &str) -> Result<(), MoveError> {
        let words = plain_text(words, LONGEST_TALK)?;
        if words.is_empty() {
            return Err(refused("Write something to the table first."));
        }
        let cached = self.load_fresh(id).await?;
        let seat = cached.seat_of(Some(player)).ok_or(MoveError::NotSeated)?;
        if cached.now.opened.seats == 1 || cached.now.status() == Status::Gone {
            return Err(refused("There is nobody else at this table."));
        }
        // The letters about it are named after this number, so it is what everybody knows.
        let moves = cached.now.moves_for(Viewer::Public) as i32;
        match self.store.add_talk(id, player, moves, &words, MOST_AN_HOUR).await? {
            Talked::Written => self.live.talked(id, Some(seat)),
            Talked::Again => {}
            Talked::TooMuch => {
                return Err(refused("You have written a great deal within the hour. Let the others read it first."));
            }
            Talked::NotSeated => return Err(MoveError::NotSeated),
        }
        Ok(())
    }

    /// The talk at a table, for those who may read it, without those whom they have muted.
    pub async fn talk_for(
        &self,
        cached: &CachedTable,
        player: Option<PlayerId>,
    ) -> Result<Option<Vec<TalkRow>>, ReadError> {
        if !Tables::may_read_talk(cached, player) {
            return Ok(None);
        }
        let reader = player;
        Ok(Some(retry_transient(|| self.store.talk_of(cached.id, reader, SHOWN)).await?))
    }
}

/// Whether a character is one that people write. The others would be drawn as something else, or stand for a seat's name.
pub(crate) fn is_plain(letter: char) -> bool {
    !letter.is_control() && !('\u{E000}'..='\u{F8FF}').contains(&letter)
}

/// Words over several lines as they are kept.
pub(crate) fn plain_text(words: &str, longest: usize) -> Result<String, MoveError> {
    let words = words.replace("\r\n", "\n").replace('\t', " ");
    let words = words.trim();
    if words.chars().count() > longest {
        return Err(refused(format!("That is too long: at most {longest} characters.")));
    }
    if !words.chars().all(|letter| letter == '\n' || is_plain(letter)) {
        return Err(refused("There are signs in it that cannot be shown."));
    }
    Ok(words.to_owned())
}

pub(crate) fn refused(sentence: impl Into<String>) -> MoveError {
    MoveError::Refused { line: None, refusal: Refusal::new(sentence) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_as_people_write_them() {
        assert_eq!(plain_text(" Well\r\nplayed,\tHatter \n", 40).unwrap(), "Well\nplayed, Hatter");
        assert!(plain_text("tea\u{7}pot", 40).is_err());
        assert!(plain_text("\u{E001} moves", 40).is_err(), "a mark that stands for a name");
        assert!(plain_text("four", 3).is_err());
    }
}
