//! What a reply comes to: whose it is, what it says, and what is done about it.

use chrono::Duration;

use crate::db::StoreError;
use crate::db::mail::inbox::ClaimedMessage;
use crate::mail::inbox::answer::Answer;
use crate::mail::inbox::lines;
use crate::mail::inbox::lines::{Line, Reading};
use crate::mail::inbox::message::Opened;
use crate::mail::reply_address::Asked;
use crate::players::sign_in::Token;
use crate::tables::lifecycle::rematch::RematchError;
use crate::tables::state::record::TakeBackWord;
use crate::tables::state::table_state::Status;
use crate::tables::{
    CachedTable, Credentials, MoveError, OpenError, PlayerId, ReadError, Said, SitError, TableId, Tables, UndoForm,
};
use wonderpost_rules::{Refusal, Seat, Viewer};

/// How long a held reply can be confirmed.
pub const HELD_FOR: Duration = Duration::days(3);

/// What became of a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// For the log and the inbox: neither addresses nor words of the message.
    pub entry: String,
    pub answer: Option<(PlayerId, Asked, Answer)>,
    /// The digest of the secret that confirms it, and what it says, if it is held.
    pub held: Option<([u8; 32], String)>,
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

/// Does what a message to the address of a seat says.
pub async fn process(
    tables: &Tables,
    message: &ClaimedMessage,
    asked: Asked,
    opened: &Opened,
) -> Result<Outcome, Later> {
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
    let reading = lines::read(
        &opened.text,
        |line| read_line(&cached, asked.seat, line),
        |line| legal.iter().any(|it| it == line),
        cached.now.consent_awaited().contains(asked.seat),
    );
    let is_theirs = opened.from.as_deref() == Some(email.to_lowercase().as_str()) && opened.authentic != Some(false);
    if !is_theirs && message.confirmed_by != Some(holder.player_id) {
        return Ok(hold(holder.player_id, asked, &reading));
    }
    tables.store.message_proven(message.id, holder.player_id).await?;
    if let Some(suspension) = tables.store.suspension_of(holder.player_id).await? {
        let answer = Answer::Refused { line: None, reason: suspension.to_string() };
        return Ok(Outcome {
            entry: "refused: suspended".to_owned(),
            answer: Some((holder.player_id, asked, answer)),
            held: None,
        });
    }
    let Ok(token_digest) = message.digest.as_slice().try_into() else { return Ok(Outcome::entry("damaged")) };
    let caller = Credentials { player: holder.player_id, token_digest };
    if !reading.lines.is_empty() {
        // Who plays by mail alone visits by writing.
        let numbering = cached.now.numbering(Viewer::Seat(asked.seat));
        let moves = i32::try_from(numbering.recorded_until(asked.moves)).unwrap_or(i32::MAX);
        tables.store.seat_replied(asked.table, asked.seat, moves, message.received_at).await?;
    }
    let (entry, answer) = match act(tables, &caller, &cached, asked, &reading, &legal).await? {
        Done::Quietly(entry) => (entry, None),
        Done::Answered(answer) => (answer.entry().to_owned(), Some((holder.player_id, asked, answer))),
    };
    Ok(Outcome { entry, answer, held: None })
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
        answer: Some((player, asked, answer)),
        held: Some((token.digest(), lines)),
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
async fn act(
    tables: &Tables,
    caller: &Credentials,
    cached: &CachedTable,
    asked: Asked,
    reading: &Reading,
    legal: &[String],
) -> Result<Done, Later> {
    if let Some(answer) = why_nothing_is_done(tables, cached, asked, reading, legal).await? {
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
        match carry_out(tables, caller, cached, asked, line).await? {
            Ok(()) => {}
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

/// What is answered instead of doing anything, if something is wrong with the reply as a whole.
async fn why_nothing_is_done(
    tables: &Tables,
    cached: &CachedTable,
    asked: Asked,
    reading: &Reading,
    legal: &[String],
) -> Result<Option<Answer>, Later> {
    if reading.lines.is_empty() {
        let stop = reading.stop.as_ref();
        let reason =
            stop.map_or_else(|| "There was nothing in your letter.".to_owned(), |stop| stop.refusal.to_string());
        return Ok(Some(Answer::Unread { line: stop.map(|stop| lines::shortened(&stop.line)), reason }));
    }
    let undoes = reading.lines.contains(&Line::Undo);
    if undoes && reading.lines.first() != Some(&Line::Undo) {
        let reason = "“undo” takes back your last move, so it comes first: write it above your new move.".to_owned();
        return Ok(Some(Answer::Refused { line: Some(Line::Undo.to_string()), reason }));
    }
    let is_move = undoes || !reading.moves().is_empty() || reading.lines.contains(&Line::Resign);
    if is_move && cached.now.moves_for(Viewer::Seat(asked.seat)) < asked.moves {
        return Ok(Some(Answer::WentBack));
    }
    if let Some(slip) = reading.slip(legal) {
        let (line, reason) = (Some(lines::shortened(&slip.line)), slip.refusal.to_string());
        return Ok(Some(Answer::Refused { line, reason }));
    }
    // What is asked of the seat changes with what it undoes.
    if is_move && !undoes && has_moved_on(tables, cached, asked).await? {
        return Ok(Some(Answer::MovedOn { since: Some(asked.moves) }));
    }
    Ok(None)
}

/// Does what a line says that is no move.
async fn carry_out(
    tables: &Tables,
    caller: &Credentials,
    cached: &CachedTable,
    asked: Asked,
    line: &Line,
) -> Result<Result<(), MoveError>, Later> {
    Ok(match line {
        Line::Chat(words) => tables.talk(caller.player, asked.table, words).await,
        Line::Note(words) if is_noted(tables, caller, asked, words).await? => Ok(()),
        Line::Note(words) => tables.add_to_note(caller.player, asked.table, words).await,
        Line::Resign if cached.now.resigned.contains(asked.seat) => Ok(()),
        Line::Resign => tables.resign(caller, asked.table).await,
        Line::Back => tables.come_back(caller, asked.table).await,
        Line::TakeBack => tables.take_back(caller, asked.table, TakeBackWord::Ask).await,
        Line::Consent(true) => tables.take_back(caller, asked.table, TakeBackWord::Grant).await,
        Line::Consent(false) => tables.take_back(caller, asked.table, TakeBackWord::Refuse).await,
        Line::Move(_) | Line::Undo | Line::Rematch | Line::Help => Ok(()),
    })
}

/// Asks for a rematch, or joins it. A message that is worked off again finds the seat taken by its writer.
async fn rematch(
    tables: &Tables,
    caller: &Credentials,
    cached: &CachedTable,
) -> Result<Result<TableId, MoveError>, Later> {
    let refused = |refusal| Ok(Err(MoveError::Refused { line: None, refusal }));
    match tables.rematch(caller.player, cached, TableId::fresh()).await {
        Ok(table) => Ok(Ok(table)),
        Err(RematchError::Open(OpenError::Refused(refusal)) | RematchError::Sit(SitError::Refused(refusal))) => {
            refused(refusal)
        }
        Err(RematchError::Sit(SitError::Taken)) => refused(Refusal::new("The rematch has begun without you.")),
        Err(RematchError::Open(OpenError::Store(error))) => Err(error.into()),
        Err(RematchError::Open(OpenError::Unfoldable(error))) => Ok(Err(ReadError::from(error).into())),
        Err(RematchError::Sit(SitError::Read(error))) => Ok(Err(error.into())),
    }
}

/// Whether the seat is no longer asked what the letter asked. Others may have moved meanwhile, if that changed nothing for the seat.
async fn has_moved_on(tables: &Tables, cached: &CachedTable, asked: Asked) -> Result<bool, Later> {
    let viewer = Viewer::Seat(asked.seat);
    let numbering = cached.now.numbering(viewer);
    if numbering.shown(cached.now.moves) <= asked.moves {
        return Ok(false);
    }
    let since = i32::try_from(numbering.recorded_until(asked.moves)).unwrap_or(i32::MAX);
    // If the seat has moved it may have been by this very reply, which the table knows.
    if !tables.store.said_since(asked.table, asked.seat, since).await?.is_empty() {
        return Ok(false);
    }
    let then = match tables.table_at_move(cached, asked.moves, viewer).await {
        Ok(leaf) => leaf.now,
        Err(ReadError::Store(error)) => return Err(error.into()),
        Err(_) => return Ok(true),
    };
    let same = then.awaiting().contains(asked.seat) == cached.now.awaiting().contains(asked.seat)
        && cached.now.status() == Status::Playing
        && then.position.legal_moves(asked.seat) == cached.now.position.legal_moves(asked.seat);
    Ok(!same)
}

/// Whether the player's note ends with this line: the message was worked off before, and nobody noted that.
async fn is_noted(tables: &Tables, caller: &Credentials, asked: Asked, line: &str) -> Result<bool, Later> {
    let note = tables.store.note_of(asked.table, caller.player).await?;
    Ok(note.is_some_and(|note| note.lines().next_back() == Some(line.trim())))
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
