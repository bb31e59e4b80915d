//! The worker of the inbox: takes messages that nobody has seen to, opens them, does what they say, and notes what became of them.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use crate::db::StoreError;
use crate::db::mail::inbox::{ClaimedMessage, NewAnswer, NewHeld, OUT_OF_OFFICE};
use crate::mail::Kind;
use crate::mail::inbox::answer::{Answer, AnswerDetails, Answered};
use crate::mail::inbox::invitation;
use crate::mail::inbox::reading::message::{Desk, Opened};
use crate::mail::inbox::reading::report::Report;
use crate::mail::inbox::reading::table_number::numbered;
use crate::mail::inbox::reply;
use crate::mail::inbox::reply::{HELD_FOR, Later, Outcome, Question};
use crate::mail::letters::kind::InvitationDetails;
use crate::mail::reply_address::{Asked, Recipient, ReplyAddresses, SentLetter};
use crate::tables::{TableId, Tables};

/// How often the inbox is polled.
const ROUND: Duration = Duration::from_millis(500);

/// The most messages that are read at a time.
const MOST_READERS: usize = 8;

/// The most messages that wait behind others about their tables.
const MOST_WAITING: usize = 64;

/// How long reading one message may take. The largest takes some hundredths of a second.
const READING_TIME: Duration = Duration::from_secs(10);

/// What is answered where a number does not say which table is meant.
const WHICH_TABLE: &str = "We cannot tell which table that is. Leave our letter quoted below your answer, or write to the address that stands \
                           beside the table.";

/// How many permanent bounces within a month turn an address off.
const ENOUGH_FAILURES: i64 = 2;

pub struct Inbox {
    pub tables: Arc<Tables>,
    pub addresses: Arc<ReplyAddresses>,
    pub desk: Desk,
    pub days_off_a_year: u32,
    /// Wakes this worker when a message has come in.
    pub arrivals: Arc<Notify>,
    /// Wakes the worker of the outbox when there may be letters to send.
    pub letters: Arc<Notify>,
}

/// The messages that are being seen to.
#[derive(Default)]
struct Readers {
    tasks: JoinSet<Option<TableId>>,
    /// What waits behind the message of its table that is being seen to.
    waiting: HashMap<TableId, VecDeque<ClaimedMessage>>,
}

impl Readers {
    /// Begins with a message, or lets it wait behind another about the same table.
    fn begin(&mut self, inbox: &Arc<Inbox>, table: Option<TableId>, message: ClaimedMessage) {
        match table.map(|table| self.waiting.entry(table)) {
            Some(Entry::Occupied(mut queue)) => return queue.get_mut().push_back(message),
            Some(Entry::Vacant(place)) => drop(place.insert(VecDeque::new())),
            None => {}
        }
        self.spawn(inbox, table, message);
    }

    fn spawn(&mut self, inbox: &Arc<Inbox>, table: Option<TableId>, message: ClaimedMessage) {
        let inbox = inbox.clone();
        self.tasks.spawn(async move {
            // Trouble with one message is its own: whatever breaks, the table's next message is seen to.
            if let Err(error) = tokio::spawn(async move { inbox.see_to(message).await }).await {
                tracing::error!(%error, "reading a message panicked; it will be tried again");
            }
            table
        });
    }

    /// A message was seen to: the next about the same table comes up.
    fn ended(&mut self, inbox: &Arc<Inbox>, table: Option<Option<TableId>>) {
        let Some(Some(table)) = table else { return };
        match self.waiting.get_mut(&table).and_then(VecDeque::pop_front) {
            Some(next) => self.spawn(inbox, Some(table), next),
            None => drop(self.waiting.remove(&table)),
        }
    }
}

impl Inbox {
    /// Works messages off until it is stopped: several at a time, those about one table in the order in which they came.
    pub async fn run(self, mut stopped: watch::Receiver<bool>) {
        let inbox = Arc::new(self);
        let mut readers = Readers::default();
        while !*stopped.borrow() {
            let pause = match inbox.claim(&mut readers).await {
                Ok(()) => ROUND,
                Err(error) => {
                    tracing::warn!(%error, "the inbox cannot be read");
                    10 * ROUND
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = inbox.arrivals.notified() => {}
                Some(ended) = readers.tasks.join_next() => {
                    readers.ended(&inbox, ended.ok());
                    inbox.letters.notify_one();
                }
                changed = stopped.changed() => if changed.is_err() { return },
            }
        }
        // What is being read is finished; what is not yet begun is claimed again by whoever comes next.
        while readers.tasks.join_next().await.is_some() {}
    }

    /// Takes messages that wait, as far as there are readers for them.
    async fn claim(self: &Arc<Inbox>, readers: &mut Readers) -> Result<(), StoreError> {
        let room = MOST_READERS.saturating_sub(readers.tasks.len());
        if room == 0 || readers.waiting.values().map(VecDeque::len).sum::<usize>() >= MOST_WAITING {
            return Ok(());
        }
        for message in self.tables.store.claim_messages(i64::try_from(room).unwrap_or(i64::MAX)).await? {
            let now = self.tables.now();
            let recipient = self.addresses.read(&self.tables.store, &message.recipient, now).await?;
            let table = match recipient {
                Ok(Recipient::Seat(asked)) => Some(asked.table),
                Ok(Recipient::Letter(_) | Recipient::Bounce(_) | Recipient::Unsubscribe(_)) | Err(_) => None,
            };
            readers.begin(self, table, message);
        }
        Ok(())
    }

    /// Sees to one message, and logs what became of it.
    async fn see_to(&self, message: ClaimedMessage) {
        let id = message.id;
        match self.process(message).await {
            Ok(entry) => tracing::info!(id, outcome = %entry, "a message was processed"),
            Err(error) => tracing::warn!(id, %error, "a message is left for later"),
        }
    }

    async fn process(&self, message: ClaimedMessage) -> Result<String, Later> {
        let (store, now) = (&self.tables.store, self.tables.now());
        let recipient = self.addresses.read(store, &message.recipient, now).await?;
        let (desk, raw) = (self.desk.clone(), message.raw.clone());
        let reading = tokio::task::spawn_blocking(move || desk.open(&raw));
        let Ok(opened) = tokio::time::timeout(READING_TIME, reading).await else {
            return self.note(&message, Outcome::entry("unreadable: it took too long"), Answered::default()).await;
        };
        let mut answered = Answered::default();
        if let (Ok(recipient), Ok(Ok(opened))) = (&recipient, &opened)
            && let Some(outcome) = self.note_absence(&message, *recipient, opened).await?
        {
            return self.note(&message, outcome, answered).await;
        }
        let outcome = match (recipient, opened) {
            (Err(error), _) => Outcome::entry(format!("not read: {error}")),
            (Ok(Recipient::Seat(_) | Recipient::Letter(_) | Recipient::Unsubscribe(_)), _) if message.null_sender => {
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
            (Ok(Recipient::Seat(asked)), Ok(Ok(mut opened))) => {
                let question = self.table_meant(asked, &mut opened).await?;
                let outcome = self.reply(&message, &question, &opened).await?;
                answered = Answered { message_id: opened.message_id, references: opened.references };
                outcome
            }
            (Ok(Recipient::Letter(letter)), Ok(Ok(opened))) => {
                let outcome = self.answer_to_letter(&message, letter, &opened).await?;
                answered = Answered { message_id: opened.message_id, references: opened.references };
                outcome
            }
        };
        self.note(&message, outcome, answered).await
    }

    /// The seat that a message is for: the one whose address it came to, or another of the digest that it answers, if it begins with
    /// the number of its table.
    async fn table_meant(&self, asked: Asked, opened: &mut Opened) -> Result<Question, StoreError> {
        let Some((number, text)) = numbered(&opened.text) else { return Ok(Question::of_seat(asked)) };
        if number == 1 {
            opened.text = text;
            return Ok(Question::of_seat(asked));
        }
        let (store, now) = (&self.tables.store, self.tables.now());
        let mut tables: Vec<Asked> = Vec::new();
        for address in &opened.addresses {
            if let Ok(Recipient::Seat(there)) = self.addresses.read(store, address, now).await?
                && tables.iter().all(|before| before.table != there.table)
            {
                tables.push(there);
            }
        }
        // The first is the one that the digest is answered to.
        let is_digest = tables.first().is_some_and(|first| first.table == asked.table);
        match tables.get(number - 1).filter(|_| is_digest) {
            Some(meant) => {
                opened.text = text;
                Ok(Question::of_seat(*meant))
            }
            None => Ok(Question { trouble: Some(WHICH_TABLE), ..Question::of_seat(asked) }),
        }
    }

    /// Somebody's mail program says that they are away. That is not read; but days off are offered to whoever it is.
    async fn note_absence(
        &self,
        message: &ClaimedMessage,
        recipient: Recipient,
        opened: &Opened,
    ) -> Result<Option<Outcome>, StoreError> {
        if !opened.is_away || opened.authentic == Some(false) {
            return Ok(None);
        }
        let store = &self.tables.store;
        let player = match recipient {
            Recipient::Seat(asked) => store.holder_of_seat(asked.table, asked.seat).await?,
            Recipient::Letter(letter) | Recipient::Bounce(letter) => store.reader_of_letter(letter.id).await?,
            Recipient::Unsubscribe(_) => None,
        };
        let is_theirs = |email: &str| opened.from.as_deref() == Some(email.to_lowercase().as_str());
        let Some(player) = player.filter(|player| player.email.as_deref().is_some_and(is_theirs)) else {
            return Ok(None);
        };
        store.message_proven(message.id, player.player_id).await?;
        Ok(Some(Outcome::entry(OUT_OF_OFFICE)))
    }

    async fn reply(&self, message: &ClaimedMessage, question: &Question, opened: &Opened) -> Result<Outcome, Later> {
        let outcome = reply::process(&self.tables, self.days_off_a_year, message, question, opened).await?;
        Ok(Outcome { since: Some(question.asked.moves), ..outcome })
    }

    /// Somebody answers a letter that asked something.
    async fn answer_to_letter(
        &self,
        message: &ClaimedMessage,
        sent: SentLetter,
        opened: &Opened,
    ) -> Result<Outcome, Later> {
        let letter = self.tables.store.answered_letter(sent.id).await?;
        // Who has another address since is not meant.
        let letter = letter.filter(|letter| letter.sent_to().is_some_and(|address| sent.went_to(address)));
        let Some(letter) = letter else {
            return Ok(Outcome::entry("the letter is forgotten, or went to another address"));
        };
        let invites = letter.kind.known() == Some(Kind::Invitation);
        if let Some(InvitationDetails { token }) = serde_json::from_str(&letter.details).ok().filter(|_| invites) {
            return invitation::process(&self.tables, message, &letter, &token, opened).await;
        }
        let details = serde_json::from_str::<AnswerDetails>(&letter.details).ok();
        match (letter.table_id, details.map(|details| details.answer)) {
            (Some(table), Some(Answer::Propose(proposal))) => {
                let asked = Asked { table, seat: proposal.seat, moves: proposal.moves };
                let question = Question { proposal: Some(proposal), ..Question::of_seat(asked) };
                self.reply(message, &question, opened).await
            }
            (_, Some(Answer::Invitation { token, .. })) => {
                invitation::process(&self.tables, message, &letter, &token, opened).await
            }
            _ => Ok(Outcome::entry("the letter asked nothing")),
        }
    }

    /// Notes what became of a message, in one statement with the letter that answers it.
    async fn note(&self, message: &ClaimedMessage, outcome: Outcome, answered: Answered) -> Result<String, Later> {
        let Outcome { entry, answer, since, held } = outcome;
        let answer = answer.map(|(reader, table, answer)| {
            let (kind, most_an_hour) = (answer.kind(), answer.most_an_hour());
            let details = AnswerDetails { answer, answered, since };
            let details = serde_json::to_string(&details).expect("answers are plain data");
            (kind, most_an_hour, reader, table, details)
        });
        let answer = answer.as_ref().map(|(kind, most_an_hour, reader, table, details)| NewAnswer {
            kind: *kind,
            player: reader.player,
            address: reader.address.as_deref(),
            table: *table,
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
