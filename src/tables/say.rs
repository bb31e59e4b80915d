//! Saying moves: decided on the state at hand, stored in one statement, and decided again if somebody moved in between.

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};

use super::advance::Advance;
use super::answers::Answers;
use super::deciding::Deciding;
use super::folded::{Folded, Status};
use super::record::{By, TableFact};
use super::{Kept, PlayerId, ReadError, TableId, Tables};
use crate::rules::{Line, Refusal, Seat, Viewer};
use crate::store::StoreError;
use crate::store::append::Appended;

/// So many lines may be said at once.
const MOST_LINES: usize = 200;

/// So often a move is decided again before the table counts as too busy.
const MOST_TRIES: usize = 64;

/// So often a move is tried again after the database failed in passing.
const MOST_FAILURES: usize = 3;

/// Who says a move: a player, and what proves it: a session, a token, or a reply to a letter. The store checks it with the move.
#[derive(Clone, Debug)]
pub struct Caller {
    pub player: PlayerId,
    /// Of the session, the token, or the message in the inbox.
    pub token_digest: [u8; 32],
}

/// Moves that were made.
#[derive(Debug, PartialEq, Eq)]
pub struct Said {
    /// How many of the lines were made, from the first.
    pub made: usize,
    /// The first line that was refused after chance or hidden knowledge had come up, and why.
    pub refused: Option<(String, Refusal)>,
    /// Lines that were kept as answers in advance.
    pub kept: Vec<String>,
    /// Lines that nobody was asked for any more.
    pub dropped: Vec<String>,
    /// The number of the last move made.
    pub moves: u32,
}

/// What moves would come to.
pub struct Preview {
    /// The moves in their canonical form.
    pub lines: Vec<String>,
    pub log: Vec<String>,
    pub then: Folded,
}

/// Lines to be decided.
struct Saying<'a> {
    seat: Seat,
    /// Tells one saying from another.
    form: &'a str,
    by: By,
    lines: &'a [Line],
}

#[derive(Debug, thiserror::Error)]
pub enum SayError {
    #[error("you do not sit at this table")]
    NotSeated,
    /// Nothing was changed. The line is given if there were several.
    #[error("{refusal}")]
    Refused { line: Option<String>, refusal: Refusal },
    #[error("the table has moved on since you looked")]
    MovedOn,
    #[error("too many moves at once at this table")]
    Busy,
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl From<StoreError> for SayError {
    fn from(error: StoreError) -> SayError {
        SayError::Read(error.into())
    }
}

/// Lines decided and not yet stored.
struct Draft<'a> {
    deciding: Deciding<'a>,
    said: Said,
}

impl Tables {
    /// Says lines at a table, as a form did that was drawn after so many moves (`step`). The same form sent twice is
    /// answered like the first time and recorded once.
    pub async fn say(&self, caller: &Caller, id: TableId, step: u32, lines: &str) -> Result<Said, SayError> {
        let lines: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() {
            return Err(refused("Say what you want to do: one move a line."));
        }
        if lines.len() > MOST_LINES {
            return Err(refused(format!("That is too much at once: at most {MOST_LINES} lines.")));
        }
        let mut kept = self.recall(id).await?;
        let mut fresh = false;
        let mut failures = 0;
        for _ in 0..MOST_TRIES {
            let tried = self.try_to_say(caller, &kept, step, &lines).await;
            match tried {
                Ok(Some(said)) => return Ok(said),
                // Somebody was quicker.
                Ok(None) => self.metrics.overtaken(),
                // Whether it is stored is unknown: the fresh table tells.
                Err(SayError::Read(ReadError::Store(error))) if error.is_passing() && failures < MOST_FAILURES => {
                    tracing::warn!(%error, table = %id, "saying a move again");
                    failures += 1;
                    tokio::time::sleep(std::time::Duration::from_millis(50 << (2 * failures))).await;
                }
                // What was refused on the state at hand may be right on the fresh one.
                Err(error) if fresh => {
                    if let SayError::Refused { .. } = error {
                        self.metrics.refused(kept.now.game.info().slug);
                    }
                    return Err(error);
                }
                Err(_) => {}
            }
            kept = self.read(id).await?;
            fresh = true;
        }
        Err(SayError::Busy)
    }

    /// Tries once; `None` if somebody else moved first.
    async fn try_to_say(
        &self,
        caller: &Caller,
        kept: &Kept,
        step: u32,
        lines: &[&str],
    ) -> Result<Option<Said>, SayError> {
        let seat = kept.seat_of(Some(caller.player)).ok_or(SayError::NotSeated)?;
        let read = kept.now.position.read_lines(seat, lines);
        let read = read.map_err(|(place, refusal)| name_line(refusal, lines[place], lines.len()))?;
        let form = form_digest(step, &read);
        if kept.now.moves < step {
            return Err(SayError::MovedOn);
        }
        if kept.now.moves > step
            && let Some(said) = self.said_already(kept, seat, step, &form, &read).await?
        {
            return Ok(Some(said));
        }
        let saying = Saying { seat, form: &form, by: By::Holder, lines: &read };
        let draft = self.decide(kept, &saying).await?;
        self.store_draft(kept, draft, Some((seat, caller.token_digest))).await
    }

    /// Stores what was decided; `None` if somebody else moved first.
    async fn store_draft(
        &self,
        kept: &Kept,
        draft: Draft<'_>,
        caller: Option<(Seat, [u8; 32])>,
    ) -> Result<Option<Said>, SayError> {
        let Draft { deciding: Deciding { now, chain, answers, .. }, said } = draft;
        let answers = answers.changes();
        if chain.records.is_empty() {
            // Answers in advance alone are no move.
            self.store.change_answers(kept.id.0, &answers).await?;
            self.make_standing_answers(kept.id).await?;
            return Ok(Some(said));
        }
        match self.advance(kept, Advance { caller, answers, ..Advance::by_the_house(now, chain) }).await? {
            Appended::Overtaken => Ok(None),
            Appended::NotSeated => Err(SayError::NotSeated),
            Appended::Stored => {
                self.metrics.moved(kept.now.game.info().slug, said.made);
                Ok(Some(said))
            }
        }
    }

    /// Says lines for a seat that nobody else plays: a bot's, or those that time has run out for. `false` if somebody was quicker.
    pub(super) async fn say_for(&self, kept: &Kept, seat: Seat, lines: &[String], by: By) -> Result<bool, SayError> {
        let lines: Vec<Line> = lines.iter().cloned().map(Line::Move).collect();
        let saying = Saying { seat, form: &form_digest(kept.now.moves, &lines), by, lines: &lines };
        let draft = self.decide(kept, &saying).await?;
        Ok(self.store_draft(kept, draft, None).await?.is_some())
    }

    /// Makes the moves that were said in advance for decisions that have come up.
    pub(super) async fn make_standing_answers(&self, id: TableId) -> Result<(), SayError> {
        for _ in 0..MOST_TRIES {
            let kept = self.read(id).await?;
            let (Some(seed), Status::Playing) = (&kept.seed, kept.now.status()) else { return Ok(()) };
            let mut deciding = Deciding::new(&kept, seed, self.answers(id).await?, self.now());
            deciding.settle()?;
            let Deciding { now, chain, answers, .. } = deciding;
            if chain.records.is_empty() {
                return Ok(());
            }
            let answers = answers.changes();
            if self.advance(&kept, Advance { answers, ..Advance::by_the_house(now, chain) }).await? == Appended::Stored
            {
                return Ok(());
            }
        }
        Err(SayError::Busy)
    }

    /// What lines would come to, if nothing of it depends on chance or on what is hidden: the table as it would be, and the log.
    /// What others have said in advance is hidden, too.
    pub fn preview(&self, kept: &Kept, seat: Seat, lines: &str) -> Result<Option<Preview>, SayError> {
        let lines: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let read = kept.now.position.read_lines(seat, &lines);
        let read = read.map_err(|(place, refusal)| name_line(refusal, lines[place], lines.len()))?;
        let saying = Saying { seat, form: "", by: By::Holder, lines: &read };
        let Draft { deciding, .. } = decide(kept, &saying, Answers::default(), self.now())?;
        if deciding.revealing {
            return Ok(None);
        }
        let mut folded = kept.now.clone();
        let mut log = Vec::new();
        for record in &deciding.chain.records {
            log.extend(folded.tell(record, Viewer::Seat(seat)).map_err(ReadError::from)?);
            folded.fold(record).map_err(ReadError::from)?;
        }
        Ok(Some(Preview { lines: read.iter().map(Line::to_string).collect(), log, then: deciding.now }))
    }

    /// Decides lines; what was said in advance is asked for only where it may matter.
    async fn decide<'a>(&self, kept: &'a Kept, saying: &Saying<'_>) -> Result<Draft<'a>, SayError> {
        let at = self.now();
        let draft = decide(kept, saying, Answers::default(), at);
        let settled = match &draft {
            Ok(draft) => draft.said.refused.is_none() && !draft.deciding.may_be_answered(),
            Err(_) => kept.now.status() != Status::Playing,
        };
        if settled { draft } else { decide(kept, saying, self.answers(kept.id).await?, at) }
    }

    /// What became of these lines if this very form was sent before; an error if the seat has said something else since.
    async fn said_already(
        &self,
        kept: &Kept,
        seat: Seat,
        step: u32,
        form: &str,
        lines: &[Line],
    ) -> Result<Option<Said>, SayError> {
        let number = i16::from(seat.number());
        let rows = self.store.said_since(kept.id.0, number, i32::try_from(step).unwrap_or(i32::MAX)).await?;
        let mut since = Vec::new();
        for (move_no, body) in rows {
            // What was said in advance is no part of any form.
            if let Ok(TableFact::Said { form, by, .. }) = serde_json::from_str(&body)
                && by != By::Standing
            {
                since.push((move_no, form));
            }
        }
        if since.is_empty() {
            return Ok(None);
        }
        let made = since.iter().take_while(|(_, there)| there == form).count();
        if made == 0 {
            return Err(SayError::MovedOn);
        }
        let moves = since[made - 1].0.unsigned_abs();
        let kept_lines = lines.iter().filter(|line| matches!(line, Line::Answer { .. })).map(Line::to_string).collect();
        let mut said = Said { made, refused: None, kept: kept_lines, dropped: Vec::new(), moves };
        let lines: Vec<&String> = moves_of(lines);
        if let Some(&left) = lines.get(made) {
            // The line after the last that was made was refused, or nobody was asked any more: ask the table as it was then.
            let leaf = self.leaf(kept, moves, Viewer::Seat(seat)).await?;
            let again =
                kept.seed.as_ref().map(|seed| leaf.now.position.say(seat, left, &mut seed.chance(leaf.now.draws)));
            match again {
                Some(Err(refusal)) if leaf.now.awaiting().contains(seat) => {
                    said.refused = Some((left.clone(), refusal))
                }
                _ => said.dropped = lines[made..].iter().map(|line| (*line).clone()).collect(),
            }
        }
        Ok(Some(said))
    }
}

/// Decides lines one after the other, by the rule for several lines: all or nothing until chance or hidden knowledge comes up.
fn decide<'a>(kept: &'a Kept, saying: &Saying, answers: Answers, at: DateTime<Utc>) -> Result<Draft<'a>, SayError> {
    let Saying { seat, form, by, lines } = *saying;
    let (Some(seed), Status::Playing) = (&kept.seed, kept.now.status()) else {
        return Err(refused(match kept.now.status() {
            Status::Open => "The game has not begun.",
            Status::Playing | Status::Over => "The game is over.",
            Status::Gone => "This table was never started, and is gone.",
        }));
    };
    if by == By::Holder && kept.now.resigned.contains(seat) {
        return Err(refused("You have resigned; a bot stands in for you."));
    }
    let mut said = Said { made: 0, refused: None, kept: Vec::new(), dropped: Vec::new(), moves: kept.now.moves };
    let mut deciding = Deciding::new(kept, seed, answers, at);
    if by == By::Holder {
        deciding.note_return(seat)?;
    }
    let mut answered = Vec::new();
    for line in lines {
        if let Line::Answer { prompt, line: answer } = line {
            said.kept.push(line.to_string());
            answered.push((*prompt, answer.clone()));
        }
    }
    deciding.answers.leave(&*kept.now.position, seat, &answered, false);
    let moves = moves_of(lines);
    for (place, line) in moves.iter().enumerate() {
        if said.made > 0 && !deciding.now.awaiting().contains(seat) {
            leave_the_rest(&mut deciding, seat, &moves[place..], &mut said);
            break;
        }
        let mut made = deciding.make(seat, line, form, by);
        // The line may be meant for after what was said in advance.
        while let Err(SayError::Refused { .. }) = made
            && deciding.answer_once(seat)?
        {
            made = deciding.make(seat, line, form, by);
        }
        match made {
            Ok(()) => {}
            Err(SayError::Refused { refusal, .. }) if deciding.revealing => {
                said.refused = Some(((*line).clone(), refusal));
                break;
            }
            Err(SayError::Refused { refusal, .. }) => return Err(name_line(refusal, line, moves.len())),
            Err(error) => return Err(error),
        }
        said.made += 1;
        said.moves = deciding.now.moves;
    }
    // What others have said in advance comes last: whoever has ended their turn must not play the next one with lines left over.
    deciding.settle()?;
    Ok(Draft { deciding, said })
}

/// Lines that nobody asked for any more: kept for a decision to come where that takes them, else dropped.
fn leave_the_rest(deciding: &mut Deciding, seat: Seat, lines: &[&String], said: &mut Said) {
    let position = deciding.now.position.boxed_clone();
    let prompts = position.standing_prompts(seat);
    let mut left = Vec::new();
    for line in lines {
        let prompt = prompts.iter().find(|prompt| prompt.takes_left_over && position.can_answer(prompt.prompt, line));
        match prompt {
            Some(prompt) => {
                said.kept.push(format!("{}: {line}", prompt.prompt));
                left.push((prompt.prompt, (*line).clone()));
            }
            None => said.dropped.push((*line).clone()),
        }
    }
    deciding.answers.leave(&*position, seat, &left, true);
}

fn moves_of(lines: &[Line]) -> Vec<&String> {
    lines
        .iter()
        .filter_map(|line| match line {
            Line::Move(line) => Some(line),
            Line::Answer { .. } => None,
        })
        .collect()
}

fn refused(sentence: impl Into<String>) -> SayError {
    SayError::Refused { line: None, refusal: Refusal::new(sentence) }
}

/// Names the line that was refused, where there were several.
fn name_line(refusal: Refusal, line: &str, lines: usize) -> SayError {
    SayError::Refused { line: (lines > 1).then(|| line.to_owned()), refusal }
}

/// Tells one saying from another: the same lines said at the same step are the same saying.
fn form_digest(step: u32, lines: &[Line]) -> String {
    let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
    let digest = Sha256::digest(format!("{step}\n{}", lines.join("\n")));
    data_encoding::HEXLOWER.encode(&digest[..6])
}
