//! The moves that can still be undone: those since chance was last drawn or anything hidden was last told.
//!
//! Nothing is deleted when a move is undone: the events stay, and a later one says that these moves no longer count. The position is
//! then what the moves that are left make of the one before them all, so folding needs no more than the events themselves.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::tables::clock::times::Clock;
use crate::tables::state::record::{By, Record, TableFact};
use crate::tables::state::table_state::{Status, TableState};
use wonderpost_rules::{FoldError, Game, Position, Scripted, Seat, SeatSet};

/// The most moves that are kept open. Far more than anybody regrets, and so many that nobody's moves push out another's.
const MOST: usize = 200;

/// How often a seat may change its mind before something new comes up: a guard against tables that grow without end.
pub const MOST_UNDONE: u8 = 100;

/// A move that can still be undone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenMove {
    pub seat: Seat,
    /// As recorded.
    pub move_no: u32,
    pub by: By,
    pub line: String,
    pub concealed: bool,
    /// The clock of its seat when it was made, and what had run on it.
    pub clock: Clock,
    pub spent: i64,
    /// The others have been asked about it.
    pub asked: bool,
    /// Its seat's clock has run differently since, and cannot go on as if it had not been made.
    stands: bool,
    /// Who was awaited before it, and after.
    before: SeatSet,
    after: SeatSet,
    facts: Vec<Box<RawValue>>,
}

impl OpenMove {
    /// Whether it has brought somebody else into the game: then the turn has gone on.
    fn has_passed_on(&self) -> bool {
        self.after.iter().any(|seat| seat != self.seat && !self.before.contains(seat))
    }
}

/// The moves of a table that can still be undone, in order.
#[derive(Clone, Default)]
pub struct OpenMoves {
    /// The position before the first of them.
    base: Option<Arc<dyn Position>>,
    moves: Vec<Arc<OpenMove>>,
    /// The number of the last move that cannot be undone.
    pub closed_at: u32,
    /// How many moves each seat has undone since.
    pub undone: [u8; Seat::MOST as usize],
}

/// The same, written down.
#[derive(Serialize, Deserialize)]
pub struct WrittenMoves {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<Box<RawValue>>,
    moves: Vec<Arc<OpenMove>>,
    closed_at: u32,
    undone: [u8; Seat::MOST as usize],
}

impl OpenMoves {
    fn close(&mut self, move_no: u32) {
        *self = OpenMoves { closed_at: move_no, ..OpenMoves::default() };
    }

    fn open(&mut self, before: &dyn Position, mv: OpenMove) -> Result<(), FoldError> {
        if self.moves.len() == MOST {
            let first = self.moves.remove(0);
            let mut base = self.base.as_deref().unwrap_or(before).boxed_clone();
            for fact in &first.facts {
                base.fold(fact)?;
            }
            self.base = Some(Arc::from(base));
        }
        if self.moves.is_empty() {
            self.base = Some(Arc::from(before.boxed_clone()));
        }
        self.moves.push(Arc::new(mv));
        Ok(())
    }

    /// What some of the moves make of the position before them; `now` where there are none.
    fn position(&self, counts: impl Fn(&OpenMove) -> bool, now: &dyn Position) -> Result<Box<dyn Position>, FoldError> {
        let mut position = self.base.as_deref().unwrap_or(now).boxed_clone();
        for fact in self.moves.iter().filter(|mv| counts(mv)).flat_map(|mv| &mv.facts) {
            position.fold(fact)?;
        }
        Ok(position)
    }

    pub fn find(&self, move_no: u32) -> Option<&OpenMove> {
        self.moves.iter().find(|mv| mv.move_no == move_no).map(|mv| &**mv)
    }

    /// The others are asked about a move.
    pub fn note_asked(&mut self, move_no: u32) {
        for mv in self.moves.iter_mut().filter(|mv| mv.move_no == move_no) {
            Arc::make_mut(mv).asked = true;
        }
    }

    /// Whether a seat has changed its mind too often.
    pub fn is_fickle(&self, seat: Seat) -> bool {
        self.undone[seat.index()] >= MOST_UNDONE
    }

    /// The clocks of these seats run differently from now on.
    fn let_stand(&mut self, seats: SeatSet) {
        for mv in self.moves.iter_mut().filter(|mv| seats.contains(mv.seat) && !mv.stands) {
            Arc::make_mut(mv).stands = true;
        }
    }

    pub fn write(&self) -> WrittenMoves {
        let raw =
            |base: &Arc<dyn Position>| RawValue::from_string(base.snapshot()).expect("a position is written as JSON");
        WrittenMoves {
            base: self.base.as_ref().map(raw),
            moves: self.moves.clone(),
            closed_at: self.closed_at,
            undone: self.undone,
        }
    }

    /// Reads back what was written; `None` if it does not fit today's shape of the game.
    pub fn read(game: &dyn Game, written: WrittenMoves) -> Option<OpenMoves> {
        let base = match written.base {
            Some(base) => Some(Arc::from(game.restore(base.get())?)),
            None => None,
        };
        Some(OpenMoves { base, moves: written.moves, closed_at: written.closed_at, undone: written.undone })
    }
}

impl TableState {
    /// Takes note of a move that is about to be folded: whether it can be undone.
    pub(crate) fn note_said(&mut self, fact: &TableFact, seat: Seat, record: &Record) -> Result<(), FoldError> {
        let TableFact::Said { line, by, concealed, reversible, .. } = fact else { return Ok(()) };
        if self.take_back.as_ref().is_some_and(|asked| asked.seat == seat || !*reversible) {
            self.take_back = None;
        }
        if !*reversible {
            self.open_moves.close(record.move_no);
            return Ok(());
        }
        let before = self.position.awaiting();
        let opened = OpenMove {
            seat,
            move_no: record.move_no,
            by: *by,
            line: line.clone(),
            concealed: *concealed,
            clock: self.clocks[seat.index()],
            spent: self.spent(seat, record.at).num_microseconds().unwrap_or(i64::MAX),
            asked: false,
            stands: false,
            before,
            after: before,
            facts: Vec::new(),
        };
        self.open_moves.open(&*self.position, opened)
    }

    /// Takes note of an event of the game that was folded.
    pub(crate) fn note_fact(&mut self, record: &Record, awaiting: SeatSet) {
        let Some(last) = self.open_moves.moves.last_mut() else { return };
        if last.move_no == record.move_no && !record.is_of_the_house() {
            let last = Arc::make_mut(last);
            last.facts.push(record.body.clone());
            last.after = awaiting;
        }
    }

    /// Takes note of something that changes how clocks run.
    pub(crate) fn note_time(&mut self, fact: &TableFact) {
        match fact {
            TableFact::Hours { seat, .. }
            | TableFact::Kept { seat }
            | TableFact::Held { seat }
            | TableFact::Returned { seat }
            | TableFact::Missed { seat } => self.open_moves.let_stand(SeatSet::one(*seat)),
            TableFact::Paused { .. } | TableFact::Resumed { .. } | TableFact::Closed { .. } => {
                self.open_moves.let_stand(self.seated);
            }
            TableFact::Opened(_)
            | TableFact::Sat { .. }
            | TableFact::Stood { .. }
            | TableFact::Said { .. }
            | TableFact::Undone { .. }
            | TableFact::TakeBack { .. }
            | TableFact::Resigned { .. }
            | TableFact::Agreed { .. }
            | TableFact::Ended { .. }
            | TableFact::Drew(_)
            | TableFact::Revealed { .. }
            | TableFact::Away { .. }
            | TableFact::Back { .. }
            | TableFact::PauseAgreed { .. }
            | TableFact::ClosedByHost { .. }
            | TableFact::WentOn { .. } => {}
        }
    }

    /// The last move of a seat, if its holder may undo it by themselves: nobody else is asked anything because of it, and whatever others
    /// did since would have come to the same without it.
    pub fn undoable(&self, seat: Seat) -> Option<&OpenMove> {
        if self.status() != Status::Playing || self.bot_at(seat).is_some() || self.open_moves.is_fickle(seat) {
            return None;
        }
        let place = self.open_moves.moves.iter().rposition(|mv| mv.seat == seat)?;
        let mine = &self.open_moves.moves[place];
        if mine.by != By::Holder || mine.stands || mine.has_passed_on() {
            return None;
        }
        let later = &self.open_moves.moves[place + 1..];
        if later.is_empty() {
            return Some(mine);
        }
        let mut position = self.open_moves.position(|mv| mv.move_no < mine.move_no, &*self.position).ok()?;
        for mv in later {
            let again = position.decide_line(mv.seat, &mv.line, &mut Scripted::new([])).ok()?;
            let same = again.facts.len() == mv.facts.len()
                && again.facts.iter().zip(&mv.facts).all(|(again, then)| again.body == then.get());
            if !same {
                return None;
            }
            position = again.position;
        }
        Some(mine)
    }

    /// The moves that would be taken back if all agreed to let a seat have its last move again: that one, and all since. None if there is
    /// no such move, or if the seat may undo it without asking.
    pub fn may_be_taken_back(&self, seat: Seat) -> Vec<u32> {
        if self.status() != Status::Playing || self.bot_at(seat).is_some() || self.open_moves.is_fickle(seat) {
            return Vec::new();
        }
        let moves = &self.open_moves.moves;
        let place = moves.iter().rposition(|mv| mv.seat == seat && mv.by == By::Holder);
        let since = place.map_or(&[][..], |place| &moves[place..]);
        if since.iter().any(|mv| mv.concealed) || self.undoable(seat).is_some() {
            return Vec::new();
        }
        since.iter().map(|mv| mv.move_no).collect()
    }

    /// Takes moves out of the position. Says what was taken out; `None` if one of them cannot be.
    pub(crate) fn take_out(&mut self, gone: &[u32]) -> Result<Option<Vec<Arc<OpenMove>>>, FoldError> {
        if gone.is_empty() || gone.iter().any(|move_no| self.open_moves.find(*move_no).is_none()) {
            return Ok(None);
        }
        self.position = self.open_moves.position(|mv| !gone.contains(&mv.move_no), &*self.position)?;
        let is_gone = |mv: &mut Arc<OpenMove>| gone.contains(&mv.move_no);
        Ok(Some(self.open_moves.moves.extract_if(.., is_gone).collect()))
    }
}
