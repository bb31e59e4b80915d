//! The names of letters. They are derived, so that a letter that is sent twice has the same name twice; and all letters about a
//! table name the same root, so that mail programs show a table as one conversation.

use lettre::message::MessageBuilder;

use crate::db::column_types::SeatNumber;
use crate::db::mail::outbox::ClaimedLetter;
use crate::mail::letters::kind::Kind;

/// What a letter is called, and which letters it follows.
#[derive(Debug, PartialEq, Eq)]
pub struct Thread {
    pub message_id: String,
    /// The letter that every letter about the table follows, though it was never written.
    root: Option<String>,
    /// The last letter about the table that went to the same reader.
    previous: Option<String>,
}

impl Thread {
    /// The thread of a letter that goes alone.
    pub fn of(kind: Kind, letter: &ClaimedLetter, domain: &str) -> Thread {
        match letter.table_id {
            Some(table) if kind.is_about_a_game() => {
                let (moves, seat) =
                    (letter.move_no.unwrap_or(0), letter.seat.map_or(0, |SeatNumber(seat)| seat.number()));
                Thread {
                    message_id: format!("<t-{table}.{moves}.{seat}.{}.{}@{domain}>", kind.name(), letter.id),
                    root: Some(format!("<t-{table}@{domain}>")),
                    previous: letter.previous.clone(),
                }
            }
            _ => Thread { message_id: format!("<letter-{}@{domain}>", letter.id), root: None, previous: None },
        }
    }

    /// The thread of several letters that go as one, the first of which is named.
    pub fn of_digest(first: i64, domain: &str) -> Thread {
        Thread { message_id: format!("<digest-{first}@{domain}>"), root: None, previous: None }
    }

    /// The same letter, following no other.
    pub fn apart(self) -> Thread {
        Thread { root: None, previous: None, ..self }
    }

    pub fn write(&self, message: MessageBuilder) -> MessageBuilder {
        let message = message.message_id(Some(self.message_id.clone()));
        let Some(root) = &self.root else { return message };
        let previous = self.previous.as_ref().unwrap_or(root);
        let references = if previous == root { root.clone() } else { format!("{root} {previous}") };
        message.references(references).in_reply_to(previous.clone())
    }
}
