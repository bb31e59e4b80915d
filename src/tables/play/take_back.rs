//! Taking a move back that concerns others by now: somebody asks, and it is done when everybody else agrees.

use crate::tables::state::record::{Chain, TableFact, TakeBackWord};
use crate::tables::state::table_state::TableState;
use crate::tables::talk::messages::refused;
use crate::tables::{Credentials, MoveError, ReadError, TableId, Tables};
use wonderpost_rules::Seat;

impl Tables {
    /// Asks to take one's last move back, or says what one thinks of it. Bots agree at once. The same said twice changes nothing.
    pub async fn take_back(&self, caller: &Credentials, id: TableId, word: TakeBackWord) -> Result<(), MoveError> {
        self.act(caller, id, |now, chain, seat| speak(now, chain, seat, word)).await
    }
}

/// Records a word, and what it brings about. Whether there was anything to record.
fn speak(now: &mut TableState, chain: &mut Chain, seat: Seat, word: TakeBackWord) -> Result<bool, MoveError> {
    let of = match (word, now.take_back) {
        (TakeBackWord::Ask, Some(asked)) if asked.seat == seat => None,
        (TakeBackWord::Ask, Some(_)) => return Err(refused("Somebody else is asking. Answer them first.")),
        (TakeBackWord::Ask, None) => Some(may_ask(now, seat)?),
        (TakeBackWord::Withdraw, Some(asked)) if asked.seat == seat => Some(asked.of),
        (TakeBackWord::Withdraw, _) => None,
        (TakeBackWord::Grant, None) => return Err(refused("Nobody asks to take a move back any more.")),
        (TakeBackWord::Refuse, None) => None,
        (TakeBackWord::Grant | TakeBackWord::Refuse, Some(asked)) if asked.seat == seat => {
            return Err(refused("It is for the others to say whether you may take your move back."));
        }
        (TakeBackWord::Grant, Some(asked)) if asked.granted.contains(seat) => None,
        (TakeBackWord::Grant | TakeBackWord::Refuse, Some(asked)) => Some(asked.of).filter(|_| {
            // Whom the house plays for has no say.
            now.asked_for_consent(asked.seat).contains(seat)
        }),
    };
    if let Some(of) = of {
        let fact = TableFact::TakeBack { seat, of, word };
        now.record(chain, now.moves, Some(seat), &fact).map_err(ReadError::from)?;
    }
    if let Some((asker, fact)) = now.taking_back() {
        now.record(chain, now.moves + 1, Some(asker), &fact).map_err(ReadError::from)?;
        return Ok(true);
    }
    Ok(of.is_some())
}

/// The move that a seat may ask to take back.
fn may_ask(now: &TableState, seat: Seat) -> Result<u32, MoveError> {
    if now.undoable(seat).is_some() {
        return Err(refused("You need not ask: nobody else is concerned, so just undo it."));
    }
    now.may_be_taken_back(seat)
        .first()
        .copied()
        .ok_or_else(|| refused("There is nothing to take back: you have not moved since something new came up."))
}
