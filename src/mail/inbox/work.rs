//! The worker of the inbox: takes messages that nobody has seen to, opens them, does what they say, and notes what became of them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};

use crate::db::StoreError;
use crate::db::mail::inbox::{ClaimedMessage, NewAnswer, NewHeld};
use crate::mail::inbox::answer::{AnswerDetails, Answered};
use crate::mail::inbox::message::{Desk, Opened};
use crate::mail::inbox::reply;
use crate::mail::inbox::reply::{HELD_FOR, Later, Outcome};
use crate::mail::inbox::report::Report;
use crate::mail::reply_address::{Recipient, ReplyAddresses, SentLetter};
use crate::tables::Tables;

/// How often the inbox is polled.
const ROUND: Duration = Duration::from_millis(500);

/// The most messages that are claimed at a time.
const MESSAGES_A_ROUND: i64 = 16;

/// How many permanent bounces within a month turn an address off.
const ENOUGH_FAILURES: i64 = 2;

pub struct Inbox {
    pub tables: Arc<Tables>,
    pub addresses: Arc<ReplyAddresses>,
    pub desk: Desk,
    /// Wakes this worker when a message has come in.
    pub arrivals: Arc<Notify>,
    /// Wakes the worker of the outbox when there may be letters to send.
    pub letters: Arc<Notify>,
}

impl Inbox {
    /// Works messages off until it is stopped.
    pub async fn run(self, mut stopped: watch::Receiver<bool>) {
        while !*stopped.borrow() {
            let pause = match self.round().await {
                Ok(0) => ROUND,
                Ok(_) => {
                    self.letters.notify_one();
                    continue;
                }
                Err(error) => {
                    tracing::warn!(%error, "the inbox cannot be read");
                    10 * ROUND
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.arrivals.notified() => {}
                changed = stopped.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Sees to the messages that wait, one after the other; says how many there were.
    pub async fn round(&self) -> Result<usize, StoreError> {
        let messages = self.tables.store.claim_messages(MESSAGES_A_ROUND).await?;
        let count = messages.len();
        for message in messages {
            let id = message.id;
            match self.process(message).await {
                Ok(entry) => tracing::info!(message = id, outcome = %entry, "a message was processed"),
                Err(error) => tracing::warn!(message = id, %error, "a message is left for later"),
            }
        }
        Ok(count)
    }

    async fn process(&self, message: ClaimedMessage) -> Result<String, Later> {
        let (store, now) = (&self.tables.store, self.tables.now());
        let recipient = self.addresses.read(store, &message.recipient, now).await?;
        let (desk, raw) = (self.desk.clone(), message.raw.clone());
        let opened = tokio::task::spawn_blocking(move || desk.open(&raw)).await;
        let mut answered = Answered::default();
        let outcome = match (recipient, opened) {
            (Err(error), _) => Outcome::entry(format!("not read: {error}")),
            (Ok(Recipient::Seat(_) | Recipient::Unsubscribe(_)), _) if message.null_sender => {
                Outcome::entry("not read: automatic (no sender)")
            }
            // Mail programs write such messages by themselves, and nothing in them matters.
            (Ok(Recipient::Unsubscribe(what)), _) => {
                what.refuse(store).await?;
                Outcome::entry(format!("no more such letters ({})", what.kind.name()))
            }
            (_, Err(_)) => Outcome::entry("unreadable: the reader broke off"),
            (_, Ok(Err(error))) => Outcome::entry(format!("unreadable: {error}")),
            (Ok(Recipient::Bounce(letter)), Ok(Ok(opened))) => self.take_back(letter, &opened).await?,
            (Ok(Recipient::Seat(asked)), Ok(Ok(opened))) => {
                let outcome = reply::process(&self.tables, &message, asked, &opened).await?;
                answered = Answered { message_id: opened.message_id, references: opened.references };
                outcome
            }
        };
        self.note(&message, outcome, answered).await
    }

    /// Notes what became of a message, in one statement with the letter that answers it.
    async fn note(&self, message: &ClaimedMessage, outcome: Outcome, answered: Answered) -> Result<String, Later> {
        let Outcome { entry, answer, held } = outcome;
        let answer = answer.map(|(player, asked, answer)| {
            let (kind, most_an_hour) = (answer.kind(), answer.most_an_hour());
            let details = AnswerDetails { answer, answered, since: Some(asked.moves) };
            let details = serde_json::to_string(&details).expect("answers are plain data");
            (kind, most_an_hour, player, asked, details)
        });
        let answer = answer.as_ref().map(|(kind, most_an_hour, player, asked, details)| NewAnswer {
            kind: *kind,
            player: *player,
            table: asked.table,
            details,
            most_an_hour: *most_an_hour,
        });
        let held = held.as_ref().map(|(token_digest, lines)| NewHeld {
            token_digest,
            lines,
            expires_at: self.tables.now() + HELD_FOR,
        });
        self.tables.store.message_done(message.id, &entry, answer.as_ref(), held.as_ref()).await?;
        Ok(entry)
    }

    /// A mail server reports on a letter.
    async fn take_back(&self, letter: SentLetter, opened: &Opened) -> Result<Outcome, StoreError> {
        let (what, status, is_complaint) = match &opened.report {
            Some(Report::Failed(status)) => ("a letter came back", status.as_str(), false),
            Some(Report::Complaint) => ("a letter was called spam", "complaint", true),
            Some(Report::Transient) => return Ok(Outcome::entry("a report that changes nothing")),
            None => return Ok(Outcome::entry("not read: no report on a letter")),
        };
        let store = &self.tables.store;
        let reader = store.reader_of_letter(letter.id).await?;
        // Who has another address since is not meant.
        let reader = reader.filter(|reader| reader.email.as_deref().is_some_and(|email| letter.went_to(email)));
        let Some(reader) = reader else { return Ok(Outcome::entry(format!("{what}: its reader is nobody we know"))) };
        // A mailbox may be full for a while; who complains once means it.
        let enough = if is_complaint { 1 } else { ENOUGH_FAILURES };
        let off = store.letter_came_back(letter.id, reader.player_id, status, enough).await?;
        let consequence = if off { ": no more are sent" } else { "" };
        Ok(Outcome::entry(format!("{what} ({status}){consequence}")))
    }
}
