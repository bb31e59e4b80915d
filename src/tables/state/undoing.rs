//! Undoing a move: by oneself while nobody else is concerned, else with everybody's consent.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::tables::state::concealed::Concealed;
use crate::tables::state::open_moves::OpenMove;
use crate::tables::state::record::{Record, TableFact, TakeBackWord};
use crate::tables::state::table_state::TableState;
use wonderpost_rules::{FoldError, Seat, SeatSet};

/// Somebody would like to have their last move again.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBackRequest {
    pub seat: Seat,
    /// The move, as recorded.
    pub of: u32,
    /// Who has agreed.
    pub granted: SeatSet,
}

/// An undoing that does not fit the events before it.
#[derive(Debug, thiserror::Error)]
pub enum Misfit {
    #[error("it undoes a move that cannot be undone")]
    Closed,
    #[error(transparent)]
    Fold(#[from] FoldError),
}

impl TableState {
    /// Whose consent a seat needs to take a move back: everybody else's who plays. Bots agree, and so does whoever is gone.
    pub fn asked_for_consent(&self, seat: Seat) -> SeatSet {
        self.present().iter().filter(|other| *other != seat && self.bot_at(*other).is_none()).collect()
    }

    /// Those whose word on the request is still awaited.
    pub fn consent_awaited(&self) -> SeatSet {
        let Some(asked) = self.take_back else { return SeatSet::EMPTY };
        self.asked_for_consent(asked.seat).iter().filter(|seat| !asked.granted.contains(*seat)).collect()
    }

    /// The fact that undoes the last move of a seat, if its holder may.
    pub fn undoing(&self, seat: Seat, form: &str) -> Option<TableFact> {
        let mv = self.undoable(seat)?;
        let (moves, concealed) = (vec![mv.move_no], mv.concealed);
        Some(TableFact::Undone { moves, form: form.to_owned(), by_consent: false, concealed })
    }

    /// The fact that takes back what everybody agreed to, and for whom.
    pub fn taking_back(&self) -> Option<(Seat, TableFact)> {
        let asked = self.take_back.filter(|_| self.consent_awaited().is_empty())?;
        let moves = self.may_be_taken_back(asked.seat);
        let fact = TableFact::Undone { moves, form: String::new(), by_consent: true, concealed: false };
        self.is_still_possible(&asked).then_some((asked.seat, fact))
    }

    /// Whether a request is about a move that can still be taken back.
    fn is_still_possible(&self, asked: &TakeBackRequest) -> bool {
        self.may_be_taken_back(asked.seat).first() == Some(&asked.of)
    }

    /// Whether a recorded undoing, the next to be folded, was allowed.
    pub fn allows_undoing(&self, seat: Option<Seat>, undone: &TableFact) -> bool {
        let TableFact::Undone { moves, form, by_consent, concealed } = undone else { return false };
        let expected = match by_consent {
            true => self.taking_back(),
            false => seat.and_then(|seat| Some((seat, self.undoing(seat, form)?))),
        };
        matches!(expected, Some((by, TableFact::Undone { moves: may, concealed: hidden, .. }))
            if Some(by) == seat && may == *moves && hidden == *concealed)
    }

    /// Whether a word about taking a move back, the next to be folded, was allowed.
    pub fn allows_word(&self, seat: Seat, of: u32, word: TakeBackWord) -> bool {
        let asked = self.take_back.filter(|asked| asked.of == of);
        match word {
            TakeBackWord::Ask => self.may_be_taken_back(seat).first() == Some(&of),
            TakeBackWord::Withdraw => asked.is_some_and(|asked| asked.seat == seat),
            TakeBackWord::Grant | TakeBackWord::Refuse => {
                asked.is_some() && self.asked_for_consent(asked.map_or(seat, |asked| asked.seat)).contains(seat)
            }
        }
    }

    pub(crate) fn fold_word(&mut self, seat: Seat, of: u32, word: TakeBackWord) {
        match (word, &mut self.take_back) {
            (TakeBackWord::Ask, asked) => {
                *asked = Some(TakeBackRequest { seat, of, granted: SeatSet::EMPTY });
                self.open_moves.note_asked(of);
            }
            (TakeBackWord::Grant, Some(asked)) => asked.granted.insert(seat),
            (TakeBackWord::Grant, None) => {}
            (TakeBackWord::Refuse | TakeBackWord::Withdraw, asked) => *asked = None,
        }
    }

    /// Folds an undoing: the position is what the moves that are left make of it.
    pub(crate) fn fold_undone(
        &mut self,
        seat: Seat,
        moves: &[u32],
        by_consent: bool,
        record: &Record,
    ) -> Result<(), Misfit> {
        let gone: Vec<Arc<OpenMove>> = self.take_out(moves)?.ok_or(Misfit::Closed)?;
        let mine = gone.iter().find(|mv| mv.seat == seat).ok_or(Misfit::Closed)?;
        for other in gone.iter().filter(|mv| mv.seat != seat) {
            self.forget_refill(other);
        }
        match (mine.concealed, by_consent) {
            // To the others nothing has happened, and their clocks and this one run on.
            (true, _) => self.concealed.push(Concealed {
                seat,
                move_no: record.move_no,
                version: record.seq,
                head: record.digest,
            }),
            (false, true) => self.rewind_clock(mine, record.at),
            (false, false) => self.restore_clock(mine),
        }
        self.clocks[seat.index()].last_move = record.move_no;
        let undone = &mut self.open_moves.undone[seat.index()];
        *undone = undone.saturating_add(1);
        if self.take_back.is_some_and(|asked| moves.contains(&asked.of)) {
            self.take_back = None;
        }
        Ok(())
    }
}
