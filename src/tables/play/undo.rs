//! Undoing one's own last move: while nobody learnt anything by it and nobody else is concerned. It is recorded like a move, once.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::db::tables::append::Appended;
use crate::tables::play::append::Advance;
use crate::tables::play::submit::Attempt;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::talk::messages::refused;
use crate::tables::{CachedTable, Credentials, MoveError, ReadError, Step, TableId, Tables};
use wonderpost_rules::{Seat, Viewer};

/// What asked for the undoing: sent twice it is done once.
#[derive(Copy, Clone, Debug)]
pub enum UndoForm {
    /// A page or a program, which showed the table so.
    At(Step),
    /// A reply to a letter that was written after so many moves. What was made since is meant as well.
    Reply { after: u32 },
}

impl UndoForm {
    fn moves(self) -> u32 {
        match self {
            UndoForm::At(step) => step.moves,
            UndoForm::Reply { after } => after,
        }
    }

    /// Tells one undoing from another.
    fn name(self, caller: &Credentials) -> String {
        let digest = match self {
            UndoForm::At(step) => Sha256::digest(format!("{}\nundo", step.moves)),
            UndoForm::Reply { .. } => Sha256::new().chain_update(caller.token_digest).chain_update("undo").finalize(),
        };
        HEXLOWER.encode(&digest[..6])
    }
}

impl Tables {
    /// Undoes the last move of whoever asks. Gives back how many moves there are now, as they count.
    pub async fn undo(&self, caller: &Credentials, id: TableId, form: UndoForm) -> Result<u32, MoveError> {
        let attempt = |cached: Arc<CachedTable>| -> Attempt<'_, u32> {
            Box::pin(async move { self.try_to_undo(caller, &cached, form).await })
        };
        self.try_until_stored(id, attempt).await
    }

    /// Tries once; `None` if somebody else moved first.
    async fn try_to_undo(
        &self,
        caller: &Credentials,
        cached: &CachedTable,
        form: UndoForm,
    ) -> Result<Option<u32>, MoveError> {
        let seat = cached.seat_of(Some(caller.player)).ok_or(MoveError::NotSeated)?;
        let (viewer, name) = (Viewer::Seat(seat), form.name(caller));
        let step = match form {
            UndoForm::At(step) => step,
            UndoForm::Reply { after } => Step::from(after),
        };
        if !cached.may_have_been(step, viewer) {
            return Err(MoveError::WentBack);
        }
        let numbering = cached.now.numbering(viewer);
        if numbering.shown(cached.now.moves) > form.moves() {
            let since = i32::try_from(numbering.recorded_until(form.moves())).unwrap_or(i32::MAX);
            let forms = self.forms_since(cached, seat, since).await?;
            if let Some((move_no, _)) = forms.iter().find(|(_, there)| *there == name) {
                return Ok(Some(numbering.shown(move_no.unsigned_abs())));
            }
            if matches!(form, UndoForm::At(_)) && !forms.is_empty() {
                return Err(MoveError::MovedOn);
            }
        }
        let Some(fact) = cached.now.undoing(seat, &name) else {
            return Err(refused(why_not(&cached.now, seat)));
        };
        let (mut now, at) = (cached.now.clone(), self.now());
        let mut chain = now.chain(cached.id, at);
        now.record(&mut chain, now.moves + 1, Some(seat), &fact).map_err(ReadError::from)?;
        if now.deadline_of(seat).is_some_and(|deadline| deadline <= at) {
            return Err(refused("Your time for that move has run out since, so it stands."));
        }
        let moves = now.moves_for(viewer);
        let caller = Some((seat, caller.token_digest));
        match self.advance(cached, Advance { caller, ..Advance::by_the_house(now, chain) }).await? {
            Appended::Overtaken => Ok(None),
            Appended::NotSeated => Err(MoveError::NotSeated),
            Appended::Stored => Ok(Some(moves)),
        }
    }
}

/// Why a seat has nothing to undo.
fn why_not(now: &TableState, seat: Seat) -> &'static str {
    match () {
        () if now.status() != Status::Playing => "The game is not being played.",
        () if now.resigned.contains(seat) => "You have resigned; a bot stands in for you.",
        () if now.open_moves.is_fickle(seat) => "You have changed your mind often enough: this move stands.",
        () if !now.may_be_taken_back(seat).is_empty() => {
            "The game has gone on to somebody else since. Ask the others whether you may take your move back."
        }
        () => "There is nothing to undo: you have not moved since something new came up.",
    }
}
