//! Saying moves: decided on the state at hand, stored in one statement, and decided again if somebody moved in between.

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};

use super::advance::Advance;
use super::endings::reveal_if_over;
use super::folded::{Folded, Status};
use super::record::{By, Chain, TableFact};
use super::{Kept, PlayerId, ReadError, TableId, Tables};
use crate::rules::{Refusal, Seat, Viewer};
use crate::store::StoreError;
use crate::store::tables::Appended;

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
    /// In canonical form.
    lines: &'a [String],
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
struct Draft {
    now: Folded,
    chain: Chain,
    said: Said,
    /// Chance was drawn or hidden knowledge came up.
    revealing: bool,
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
        let position = &kept.now.position;
        let mut canonical = Vec::with_capacity(lines.len());
        for line in lines {
            canonical.push(position.read_line(line).map_err(|refusal| name_line(refusal, line, lines))?);
        }
        let form = form_digest(step, &canonical);
        if kept.now.moves < step {
            return Err(SayError::MovedOn);
        }
        if kept.now.moves > step
            && let Some(said) = self.said_already(kept, seat, step, &form, &canonical).await?
        {
            return Ok(Some(said));
        }
        let saying = Saying { seat, form: &form, by: By::Holder, lines: &canonical };
        let draft = decide(kept, &saying, self.now())?;
        self.store_draft(kept, draft, Some((seat, caller.token_digest))).await
    }

    /// Stores what was decided; `None` if somebody else moved first.
    async fn store_draft(
        &self,
        kept: &Kept,
        draft: Draft,
        caller: Option<(Seat, [u8; 32])>,
    ) -> Result<Option<Said>, SayError> {
        let Draft { now, chain, said, .. } = draft;
        match self.advance(kept, Advance { caller, ..Advance::by_the_house(now, chain) }).await? {
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
        let saying = Saying { seat, form: &form_digest(kept.now.moves, lines), by, lines };
        let draft = decide(kept, &saying, self.now())?;
        Ok(self.store_draft(kept, draft, None).await?.is_some())
    }

    /// What lines would come to, if nothing of it depends on chance or on what is hidden: the table as it would be, and the log.
    pub fn preview(&self, kept: &Kept, seat: Seat, lines: &str) -> Result<Option<Preview>, SayError> {
        let mut canonical = Vec::new();
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            canonical
                .push(kept.now.position.read_line(line).map_err(|refusal| SayError::Refused { line: None, refusal })?);
        }
        let saying = Saying { seat, form: "", by: By::Holder, lines: &canonical };
        let draft = decide(kept, &saying, self.now())?;
        if draft.revealing {
            return Ok(None);
        }
        let mut folded = kept.now.clone();
        let mut log = Vec::new();
        for record in &draft.chain.records {
            log.extend(folded.tell(record, Viewer::Seat(seat)).map_err(ReadError::from)?);
            folded.fold(record).map_err(ReadError::from)?;
        }
        Ok(Some(Preview { lines: canonical, log, then: draft.now }))
    }

    /// What became of these lines if this very form was sent before; an error if the seat has said something else since.
    async fn said_already(
        &self,
        kept: &Kept,
        seat: Seat,
        step: u32,
        form: &str,
        lines: &[String],
    ) -> Result<Option<Said>, SayError> {
        let number = i16::from(seat.number());
        let since = self.store.said_since(kept.id.0, number, i32::try_from(step).unwrap_or(i32::MAX)).await?;
        if since.is_empty() {
            return Ok(None);
        }
        let same =
            |body: &str| matches!(serde_json::from_str(body), Ok(TableFact::Said { form: there, .. }) if there == form);
        let made = since.iter().take_while(|(_, body)| same(body)).count();
        if made == 0 {
            return Err(SayError::MovedOn);
        }
        let moves = since[made - 1].0.unsigned_abs();
        let mut said = Said { made, refused: None, dropped: Vec::new(), moves };
        if let Some(left) = lines.get(made) {
            // The line after the last that was made was refused, or nobody was asked any more: ask the table as it was then.
            let leaf = self.leaf(kept, moves, Viewer::Seat(seat)).await?;
            let again =
                kept.seed.as_ref().map(|seed| leaf.now.position.say(seat, left, &mut seed.chance(leaf.now.draws)));
            match again {
                Some(Err(refusal)) if leaf.now.awaiting().contains(seat) => {
                    said.refused = Some((left.clone(), refusal))
                }
                _ => said.dropped = lines[made..].to_vec(),
            }
        }
        Ok(Some(said))
    }
}

/// Decides lines one after the other, by the rule for several lines: all or nothing until chance or hidden knowledge comes up.
fn decide(kept: &Kept, saying: &Saying, at: DateTime<Utc>) -> Result<Draft, SayError> {
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
    let mut now = kept.now.clone();
    let mut chain = now.chain(kept.id, at);
    if by == By::Holder && now.times.kept.contains(seat) {
        now.record(&mut chain, now.moves, Some(seat), &TableFact::Returned { seat }).map_err(ReadError::from)?;
    }
    let mut said = Said { made: 0, refused: None, dropped: Vec::new(), moves: now.moves };
    let mut revealing = false;
    for (place, line) in lines.iter().enumerate() {
        if said.made > 0 && !now.awaiting().contains(seat) {
            said.dropped = lines[place..].to_vec();
            break;
        }
        let mut chance = seed.chance(now.draws);
        let decided = match now.position.say(seat, line, &mut chance) {
            Ok(decided) => decided,
            Err(refusal) if revealing => {
                said.refused = Some((line.clone(), refusal));
                break;
            }
            Err(refusal) => return Err(name_line(refusal, line, lines)),
        };
        revealing |= decided.revealing;
        let number = now.moves + 1;
        let fact = TableFact::Said { line: line.clone(), form: form.to_owned(), by };
        now.record(&mut chain, number, Some(seat), &fact).map_err(ReadError::from)?;
        for draw in decided.draws {
            now.record(&mut chain, number, Some(seat), &TableFact::Drew(draw)).map_err(ReadError::from)?;
        }
        for fact in decided.facts {
            let record = chain.add(number, Some(seat), fact).clone();
            now.fold(&record).map_err(ReadError::from)?;
        }
        reveal_if_over(&mut now, &mut chain, kept.secret.as_ref())?;
        said.made += 1;
        said.moves = number;
    }
    Ok(Draft { now, chain, said, revealing })
}

fn refused(sentence: impl Into<String>) -> SayError {
    SayError::Refused { line: None, refusal: Refusal::new(sentence) }
}

/// Names the line that was refused, where there were several.
fn name_line<T: ToString>(refusal: Refusal, line: &T, lines: &[T]) -> SayError {
    SayError::Refused { line: (lines.len() > 1).then(|| line.to_string()), refusal }
}

/// Tells one saying from another: the same lines said at the same step are the same saying.
fn form_digest(step: u32, lines: &[String]) -> String {
    let digest = Sha256::digest(format!("{step}\n{}", lines.join("\n")));
    data_encoding::HEXLOWER.encode(&digest[..6])
}
