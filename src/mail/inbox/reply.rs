//! What a reply comes to: whose it is, what it says, and what is done about it.

use chrono::{DateTime, Duration, Utc};

use crate::db::StoreError;
use crate::db::mail::inbox::ClaimedMessage;
use crate::mail::inbox::answer::{Answer, Proposal};
use crate::mail::inbox::carry_out::{carry_out, rematch};
use crate::mail::inbox::reading::commands::Line;
use crate::mail::inbox::reading::lines;
use crate::mail::inbox::reading::lines::Reading;
use crate::mail::inbox::reading::message::Opened;
use crate::mail::inbox::stale::why_nothing_is_done;
use crate::mail::reply_address::Asked;
use crate::players::sign_in::Token;
use crate::tables::{CachedTable, Credentials, MoveError, PlayerId, ReadError, Said, TableId, Tables, UndoForm};
use wonderpost_rules::{Refusal, Seat, Viewer};

/// How long a held reply can be confirmed.
pub const HELD_FOR: Duration = Duration::days(3);

/// What became of a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// For the log and the inbox: neither addresses nor words of the message.
    pub entry: String,
    /// The letter that answers it: to whom, about which table.
    pub answer: Option<(Reader, TableId, Answer)>,
    /// After how many moves the letter was written that it answers, if that was about a table.
    pub since: Option<u32>,
    /// The digest of the secret that confirms it, and what it says, if it is held.
    pub held: Option<([u8; 32], String)>,
}

/// Whom an answer goes to: a player, or an address that the house does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    pub player: Option<PlayerId>,
    pub address: Option<String>,
}

impl Reader {
    pub fn of(player: PlayerId) -> Reader {
        Reader { player: Some(player), address: None }
    }
}

impl Outcome {
    pub fn entry(entry: impl Into<String>) -> Outcome {
        Outcome { entry: entry.into(), ..Outcome::default() }
    }
}

/// Why nothing became of a message yet: it is tried again.
#[derive(Debug, thiserror::Error)]
pub enum Later {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("too much is going on at this table")]
    Busy,
}

/// What a reply answers: a seat that was asked for a move, and what was proposed to its holder, if something was.
pub struct Question {
    pub asked: Asked,
    pub proposal: Option<Proposal>,
    /// Why it cannot be told which table is meant.
    pub trouble: Option<&'static str>,
}

impl Question {
    /// A seat that was asked for a move.
    pub fn of_seat(asked: Asked) -> Question {
        Question { asked, proposal: None, trouble: None }
    }
}

/// A reply of which it is known whose it is.
#[derive(Copy, Clone)]
pub struct Replying<'a> {
    pub tables: &'a Tables,
    pub caller: &'a Credentials,
    pub cached: &'a CachedTable,
    pub asked: Asked,
    pub legal: &'a [String],
    pub received_at: DateTime<Utc>,
    /// Its writer was asked whether they mean it, and said yes.
    pub is_confirmed: bool,
    pub days_off_a_year: u32,
}

/// Does what a message to the address of a seat says.
pub async fn process(
    tables: &Tables,
    days_off_a_year: u32,
    message: &ClaimedMessage,
    question: &Question,
    opened: &Opened,
) -> Result<Outcome, Later> {
    let asked = question.asked;
    if let Some(why) = opened.automatic {
        return Ok(Outcome::entry(format!("not read: automatic ({why})")));
    }
    let holder = tables.store.holder_of_seat(asked.table, asked.seat).await?;
    let Some(holder) = holder else { return Ok(Outcome::entry("nobody holds that seat")) };
    let Some(email) = holder.email else { return Ok(Outcome::entry("the player has no address")) };
    let cached = match tables.load_fresh(asked.table).await {
        Ok(cached) => cached,
        Err(ReadError::Store(error)) => return Err(error.into()),
        Err(error) => return Ok(Outcome::entry(format!("the table cannot be read: {error}"))),
    };
    let legal = cached.now.position.legal_moves(asked.seat);
    let (reading, word) = what_is_said(question, &cached, &legal, &opened.text);
    let is_theirs = opened.from.as_deref() == Some(email.to_lowercase().as_str()) && opened.authentic != Some(false);
    if !is_theirs && message.confirmed_by != Some(holder.player_id) {
        return Ok(hold(holder.player_id, asked, &reading));
    }
    tables.store.message_proven(message.id, holder.player_id).await?;
    let answered = |entry: &str, answer| Outcome {
        entry: entry.to_owned(),
        answer: Some((Reader::of(holder.player_id), asked.table, answer)),
        ..Outcome::default()
    };
    if let Some(suspension) = tables.store.suspension_of(holder.player_id).await? {
        let answer = Answer::Refused { line: None, reason: suspension.to_string() };
        return Ok(answered("refused: suspended", answer));
    }
    let Ok(token_digest) = message.digest.as_slice().try_into() else { return Ok(Outcome::entry("damaged")) };
    let caller = Credentials { player: holder.player_id, token_digest };
    note_visit(tables, message, &cached, asked, &reading).await?;
    if let Some(reason) = question.trouble {
        let line = opened.text.lines().find(|line| !line.trim().is_empty()).map(lines::shortened);
        let answer = Answer::Unread { line, reason: reason.to_owned() };
        return Ok(answered(answer.entry(), answer));
    }
    if word == Some(false) {
        return Ok(Outcome::entry("what was proposed is not meant"));
    }
    let replying = Replying {
        tables,
        caller: &caller,
        cached: &cached,
        asked,
        legal: &legal,
        received_at: message.received_at,
        is_confirmed: word == Some(true),
        days_off_a_year,
    };
    Ok(match act(&replying, &reading).await? {
        Done::Quietly(entry) => Outcome::entry(entry),
        Done::Answered(answer) => answered(answer.entry(), answer),
    })
}

/// What a reply says, and what it says to what was proposed: with “yes” that is what was proposed.
fn what_is_said(question: &Question, cached: &CachedTable, legal: &[String], text: &str) -> (Reading, Option<bool>) {
    let seat = question.asked.seat;
    let is_consulted = question.proposal.is_some() || cached.now.consent_awaited().contains(seat);
    let is_offered = |line: &str| legal.iter().any(|it| it == line);
    let read = |text: &str| lines::read(text, |line| read_line(cached, seat, line), is_offered, is_consulted);
    let reading = read(text);
    match (&question.proposal, reading.lines.first()) {
        (Some(proposal), Some(Line::Consent(true))) => (read(&proposal.lines.join("\n")), Some(true)),
        (Some(_), Some(Line::Consent(false))) => (reading, Some(false)),
        _ => (reading, None),
    }
}

/// Whoever plays by mail alone visits by writing something that means something.
async fn note_visit(
    tables: &Tables,
    message: &ClaimedMessage,
    cached: &CachedTable,
    asked: Asked,
    reading: &Reading,
) -> Result<(), StoreError> {
    if reading.lines.is_empty() {
        return Ok(());
    }
    let numbering = cached.now.numbering(Viewer::Seat(asked.seat));
    let moves = i32::try_from(numbering.recorded_until(asked.moves)).unwrap_or(i32::MAX);
    tables.store.seat_replied(asked.table, asked.seat, moves, message.received_at).await
}

/// A reply whose writer is not known for sure waits for the player. What says nothing is not worth a letter.
fn hold(player: PlayerId, asked: Asked, reading: &Reading) -> Outcome {
    if reading.lines.is_empty() {
        return Outcome::entry("not from the player, and says nothing");
    }
    let (token, lines) = (Token::fresh(), reading.to_show());
    let answer = Answer::Confirm { token: token.reveal(), lines: lines.clone() };
    Outcome {
        entry: answer.entry().to_owned(),
        answer: Some((Reader::of(player), asked.table, answer)),
        held: Some((token.digest(), lines)),
        ..Outcome::default()
    }
}

/// A move, or an answer in advance, which names its decision.
fn read_line(cached: &CachedTable, seat: Seat, line: &str) -> Result<String, Refusal> {
    let read = cached.now.position.read_lines(seat, &[line]);
    read.map(|lines| lines.iter().map(ToString::to_string).collect()).map_err(|(_, refusal)| refusal)
}

enum Done {
    Quietly(String),
    Answered(Answer),
}

/// Does what the lines say, as the holder of the seat: the moves first, and nothing else if they are refused. Whatever is done here is
/// done once, though the worker may break off and begin again.
async fn act(replying: &Replying<'_>, reading: &Reading) -> Result<Done, Later> {
    let Replying { tables, caller, cached, asked, .. } = *replying;
    if let Some(answer) = why_nothing_is_done(replying, reading).await? {
        return Ok(Done::Answered(answer));
    }
    let mut answer = None;
    let (mut made, mut after) = (0, asked.moves);
    let undoes = reading.lines.contains(&Line::Undo);
    if undoes {
        match tables.undo(caller, asked.table, UndoForm::Reply { after }).await {
            Ok(moves) => after = moves,
            Err(error) => return refusal(error, asked),
        }
    }
    let moves = reading.moves();
    if !moves.is_empty() {
        match tables.submit_moves(caller, asked.table, after, &moves.join("\n")).await {
            Ok(said) => {
                made = said.made;
                answer = left_over(&said);
            }
            Err(error) => return refusal(error, asked),
        }
    }
    for line in &reading.lines {
        match carry_out(replying, line).await? {
            Ok(told) => answer = answer.or(told),
            Err(MoveError::Refused { refusal, .. }) if made > 0 => {
                let refused = Some((lines::shortened(&line.to_string()), refusal.to_string()));
                return Ok(Done::Answered(Answer::Partly { made, refused, dropped: Vec::new() }));
            }
            Err(error) => return refusal(error, asked),
        }
    }
    if answer.is_none() && reading.lines.contains(&Line::Help) {
        answer = Some(Answer::Help);
    }
    if answer.is_none() && reading.lines.contains(&Line::Back) {
        answer = Some(Answer::Back);
    }
    if reading.lines.contains(&Line::Rematch) {
        match rematch(tables, caller, cached).await? {
            Ok(table) => answer = Some(Answer::Rematch { table }),
            Err(error) => return refusal(error, asked),
        }
    }
    if answer.is_none() && (made > 0 || undoes) && is_awaited(tables, asked).await? {
        answer = Some(Answer::GoOn);
    }
    Ok(match answer {
        Some(answer) => Done::Answered(answer),
        None => Done::Quietly(format!("done: {made} moves, {} lines", reading.lines.len())),
    })
}

/// Whether the table waits for the seat now.
async fn is_awaited(tables: &Tables, asked: Asked) -> Result<bool, Later> {
    match tables.load_fresh(asked.table).await {
        Ok(cached) => Ok(cached.now.awaiting().contains(asked.seat) && !cached.now.resigned.contains(asked.seat)),
        Err(ReadError::Store(error)) => Err(error.into()),
        Err(_) => Ok(false),
    }
}

/// What there is to tell of moves that were made: only what the next letter does not say.
fn left_over(said: &Said) -> Option<Answer> {
    if said.refused.is_none() && said.dropped.is_empty() {
        return None;
    }
    Some(Answer::Partly {
        made: said.made,
        refused: said.refused.as_ref().map(|(line, refusal)| (line.clone(), refusal.to_string())),
        dropped: said.dropped.clone(),
    })
}

fn refusal(error: MoveError, asked: Asked) -> Result<Done, Later> {
    match error {
        MoveError::Refused { line, refusal } => {
            Ok(Done::Answered(Answer::Refused { line, reason: refusal.to_string() }))
        }
        MoveError::WentBack => Ok(Done::Answered(Answer::WentBack)),
        MoveError::MovedOn => Ok(Done::Answered(Answer::MovedOn { since: Some(asked.moves) })),
        MoveError::NotSeated => Ok(Done::Quietly("the seat is no longer theirs".to_owned())),
        MoveError::Busy => Err(Later::Busy),
        MoveError::Read(ReadError::Store(error)) => Err(error.into()),
        MoveError::Read(error) => Ok(Done::Quietly(format!("the table cannot be read: {error}"))),
    }
}
