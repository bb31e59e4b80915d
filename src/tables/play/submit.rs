//! Saying moves: decided on the state at hand, stored in one statement, and decided again if somebody moved in between.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::db::tables::append::Appended;
use crate::db::{StoreError, time_budget};
use crate::tables::play::append::Advance;
use crate::tables::play::deciding::Deciding;
use crate::tables::play::lines::{Draft, Saying, decide, moves_of, read_lines, split_lines};
use crate::tables::play::plans::Answers;
use crate::tables::state::record::{By, TableFact};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, PlayerId, ReadError, Step, TableId, Tables};
use wonderpost_rules::{AnyMove, Line, Refusal, Seat, Viewer};

/// How often a move is decided again before the table counts as too busy.
const MOST_TRIES: usize = 64;

/// How often a move is retried after a transient database error.
const MOST_FAILURES: usize = 3;

/// One try to do something at a table; `None` if somebody else moved first.
pub(crate) type Attempt<'a, T> = Pin<Box<dyn Future<Output = Result<Option<T>, MoveError>> + Send + 'a>>;

/// A player, and what proves that it is them: a session, a token, or a reply to a letter. The database checks it with the move.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub player: PlayerId,
    /// Of the session, the token, or the message in the inbox.
    pub token_digest: [u8; 32],
}

/// Moves that were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// How many of the lines were made, from the first.
    pub made: usize,
    /// The first line that was refused after chance or hidden knowledge had come up, and why.
    pub refused: Option<(String, Refusal)>,
    /// Lines that were kept as answers in advance.
    pub planned: Vec<String>,
    /// Lines that nobody was asked for any more.
    pub dropped: Vec<String>,
    /// The number of the last move made, as its seat counts.
    pub moves: u32,
    /// The same form had been sent before: nothing was stored, so the database has not been asked whose it is.
    pub is_repeated: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    #[error("you do not sit at this table")]
    NotSeated,
    /// Nothing was changed. The line is given if there were several.
    #[error("{refusal}")]
    Refused { line: Option<String>, refusal: Refusal },
    #[error("somebody moved first")]
    MovedOn,
    /// What was decided on is a state that the table is not in any more, nor has ever been by the database.
    #[error("the database went back in time")]
    WentBack,
    #[error("too many moves at once at this table")]
    Busy,
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl From<StoreError> for MoveError {
    fn from(error: StoreError) -> MoveError {
        MoveError::Read(error.into())
    }
}

impl Tables {
    /// Says lines at a table, as a form did that was drawn at some step. The same form sent twice is answered like the first time and
    /// recorded once.
    pub async fn submit_moves(
        &self,
        caller: &Credentials,
        id: TableId,
        step: impl Into<Step>,
        lines: &str,
    ) -> Result<Said, MoveError> {
        let step = step.into();
        let lines = split_lines(lines)?;
        let lines = &lines[..];
        let attempt = |cached: Arc<CachedTable>| -> Attempt<'_, Said> {
            Box::pin(async move { self.try_to_say(caller, &cached, step, lines).await })
        };
        self.try_until_stored(id, attempt).await
    }

    /// Does something on the state at hand, and again on the fresh one if somebody was quicker, or if it was refused.
    pub(crate) async fn try_until_stored<'a, T>(
        &self,
        id: TableId,
        attempt: impl Fn(Arc<CachedTable>) -> Attempt<'a, T> + Send + Sync,
    ) -> Result<T, MoveError> {
        let mut cached = self.cached(id).await?;
        let (mut fresh, mut failures, mut went_back, mut forgot) = (false, 0, false, false);
        for _ in 0..MOST_TRIES {
            match attempt(cached.clone()).await {
                Ok(Some(done)) => return Ok(done),
                // Somebody was quicker.
                Ok(None) => self.metrics.overtaken(),
                // Whether it is stored is unknown: the fresh table tells.
                Err(MoveError::Read(ReadError::Store(error))) if error.is_transient() && failures < MOST_FAILURES => {
                    tracing::warn!(%error, table = %id, "transient database error; retrying a move");
                    failures += 1;
                    if !time_budget::pause(Duration::from_millis(50 << (2 * failures))).await {
                        return Err(error.into());
                    }
                }
                // Who sits where may have changed without an event.
                Err(MoveError::NotSeated) if fresh && !forgot => {
                    self.forget(id);
                    forgot = true;
                }
                Err(MoveError::Refused { .. } | MoveError::MovedOn) if fresh && went_back => {
                    return Err(MoveError::WentBack);
                }
                // What was refused on the state at hand may be right on the fresh one.
                Err(error) if fresh => {
                    if let MoveError::Refused { .. } = error {
                        self.metrics.refused(cached.now.game.info().slug);
                    }
                    return Err(error);
                }
                Err(_) => {}
            }
            let before = std::mem::replace(&mut cached, self.load_fresh(id).await?);
            went_back |= cached.has_event(before.now.version, &before.now.head) == Some(false);
            fresh = true;
        }
        Err(MoveError::Busy)
    }

    /// Tries once; `None` if somebody else moved first.
    async fn try_to_say(
        &self,
        caller: &Credentials,
        cached: &CachedTable,
        step: Step,
        lines: &[&str],
    ) -> Result<Option<Said>, MoveError> {
        let seat = cached.seat_of(Some(caller.player)).ok_or(MoveError::NotSeated)?;
        let viewer = Viewer::Seat(seat);
        if !cached.may_have_been(step, viewer) {
            return Err(MoveError::WentBack);
        }
        let read = read_lines(&*cached.now.position, seat, lines)?;
        let form = step.form(&read);
        if cached.now.moves_for(viewer) > step.moves
            && let Some(said) = self.said_already(cached, seat, step.moves, &form, &read).await?
        {
            return Ok(Some(said));
        }
        let saying = Saying { seat, form: &form, by: By::Holder, lines: &read };
        let mut draft = self.decide(cached, &saying).await?;
        draft.said.moves = draft.deciding.now.numbering(viewer).shown(draft.said.moves);
        self.store_draft(cached, draft, Some((seat, caller.token_digest))).await
    }

    /// Stores what was decided; `None` if somebody else moved first.
    async fn store_draft(
        &self,
        cached: &CachedTable,
        draft: Draft<'_>,
        caller: Option<(Seat, [u8; 32])>,
    ) -> Result<Option<Said>, MoveError> {
        let Draft { deciding: Deciding { now, chain, answers, .. }, said } = draft;
        let answers = answers.changes();
        if chain.records.is_empty() {
            // Answers in advance alone are no move, so that nothing else checks whose they are.
            if let Some((seat, token)) = &caller
                && !self.store.holds_seat(cached.id, *seat, token).await?
            {
                return Err(MoveError::NotSeated);
            }
            self.store.change_answers(cached.id, &answers).await?;
            self.make_standing_answers(cached.id).await?;
            return Ok(Some(said));
        }
        match self.advance(cached, Advance { caller, answers, ..Advance::by_the_house(now, chain) }).await? {
            Appended::Overtaken => Ok(None),
            Appended::NotSeated => Err(MoveError::NotSeated),
            Appended::Stored => {
                self.metrics.moved(cached.now.game.info().slug, said.made);
                Ok(Some(said))
            }
        }
    }

    /// Says lines for a seat that nobody else plays: a bot's, or those that time has run out for. `false` if somebody was quicker.
    pub(crate) async fn play_for_seat(
        &self,
        cached: &CachedTable,
        seat: Seat,
        moves: &[AnyMove],
        by: By,
    ) -> Result<bool, MoveError> {
        let lines: Vec<Line> = moves.iter().cloned().map(Line::Move).collect();
        let step = Step::from(cached.now.moves_for(Viewer::Seat(seat)));
        let saying = Saying { seat, form: &step.form(&lines), by, lines: &lines };
        let draft = self.decide(cached, &saying).await?;
        Ok(self.store_draft(cached, draft, None).await?.is_some())
    }

    /// Makes the moves that were said in advance for decisions that have come up.
    pub(crate) async fn make_standing_answers(&self, id: TableId) -> Result<(), MoveError> {
        for _ in 0..MOST_TRIES {
            let cached = self.load_fresh(id).await?;
            let (Some(seed), Status::Playing) = (&cached.seed, cached.now.status()) else { return Ok(()) };
            let mut deciding = Deciding::new(&cached, seed, self.answers(id).await?, self.now());
            deciding.settle()?;
            let Deciding { now, chain, answers, .. } = deciding;
            if chain.records.is_empty() {
                return Ok(());
            }
            let answers = answers.changes();
            if self.advance(&cached, Advance { answers, ..Advance::by_the_house(now, chain) }).await?
                == Appended::Stored
            {
                return Ok(());
            }
        }
        Err(MoveError::Busy)
    }

    /// Decides lines; what was said in advance is asked for only where it may matter.
    async fn decide<'a>(&self, cached: &'a CachedTable, saying: &Saying<'_>) -> Result<Draft<'a>, MoveError> {
        let at = self.now();
        let draft = decide(cached, saying, Answers::default(), at);
        let settled = match &draft {
            Ok(draft) => draft.said.refused.is_none() && !draft.deciding.may_be_answered(),
            Err(_) => cached.now.status() != Status::Playing,
        };
        if settled { draft } else { decide(cached, saying, self.answers(cached.id).await?, at) }
    }

    /// The forms by which a seat has moved or undone moves since a move, with the numbers of what they brought about.
    pub(crate) async fn forms_since(
        &self,
        cached: &CachedTable,
        seat: Seat,
        since: i32,
    ) -> Result<Vec<(i32, String)>, MoveError> {
        let rows = self.store.said_since(cached.id, seat, since).await?;
        let form = |(move_no, body): (i32, String)| match serde_json::from_str(&body) {
            // What was said in advance is no part of any form.
            Ok(TableFact::Said { by: By::Standing, .. }) => None,
            Ok(TableFact::Said { form, .. } | TableFact::Undone { form, .. }) => Some((move_no, form)),
            _ => None,
        };
        Ok(rows.into_iter().filter_map(form).collect())
    }

    /// What became of these lines if this very form was sent before; an error if the seat has said something else since.
    async fn said_already(
        &self,
        cached: &CachedTable,
        seat: Seat,
        step: u32,
        form: &str,
        lines: &[Line],
    ) -> Result<Option<Said>, MoveError> {
        let numbering = cached.now.numbering(Viewer::Seat(seat));
        let since = i32::try_from(numbering.recorded_until(step)).unwrap_or(i32::MAX);
        let since = self.forms_since(cached, seat, since).await?;
        if since.is_empty() {
            return Ok(None);
        }
        // Once moves of others are shown that were concealed when the form was drawn, older moves of the seat come first here.
        let mut same = since.iter().skip_while(|(_, there)| there != form).take_while(|(_, there)| there == form);
        let Some((first, _)) = same.next() else { return Err(MoveError::MovedOn) };
        let (others, last) = same.fold((0, first), |(made, _), (move_no, _)| (made + 1, move_no));
        let made = 1 + others;
        let moves = numbering.shown(last.unsigned_abs());
        let kept_lines = lines.iter().filter(|line| matches!(line, Line::Plan { .. })).map(Line::to_string).collect();
        let mut said = Said { made, refused: None, planned: kept_lines, dropped: Vec::new(), moves, is_repeated: true };
        let moves_said = moves_of(lines);
        if let Some(&left) = moves_said.get(made) {
            // The line after the last that was made was refused, or nobody was asked any more: ask the table as it was then.
            let leaf = self.table_at_move(cached, moves, Viewer::Seat(seat)).await?;
            let again = cached
                .seed
                .as_ref()
                .map(|seed| leaf.now.position.decide_move(seat, left, &mut seed.chance(leaf.now.draws)));
            match again {
                Some(Err(refusal)) if leaf.now.awaiting().contains(seat) => {
                    said.refused = Some((left.to_string(), refusal))
                }
                _ => said.dropped = moves_said[made..].iter().map(ToString::to_string).collect(),
            }
        }
        Ok(Some(said))
    }
}
