//! Moving a table on: what was decided is stored in one statement, with the letters it calls for.

use std::sync::Arc;

use crate::db::host::log::NewDeed;
use crate::db::tables::append::{Append, Appended, Notice, Sitting};
use crate::db::tables::plans::AnswerChange;
use crate::mail::Kind;
use crate::tables::state::record::Chain;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, ReadError, Tables};
use wonderpost_rules::{CallToAction, Seat, SeatSet};

/// A table as it will be once this is stored.
pub(crate) struct Advance {
    pub now: TableState,
    pub chain: Chain,
    /// The seat that acts and its session; nobody if the house acts itself.
    pub caller: Option<(Seat, [u8; 32])>,
    pub sitting: Vec<Sitting>,
    pub standing_up: Option<Seat>,
    /// Answers in advance that were left, used up or dropped.
    pub answers: Vec<AnswerChange>,
    /// What the host did, if it was the host.
    pub deed: Option<NewDeed>,
}

impl Advance {
    pub fn by_the_house(now: TableState, chain: Chain) -> Advance {
        Advance { now, chain, caller: None, sitting: Vec::new(), standing_up: None, answers: Vec::new(), deed: None }
    }
}

impl Tables {
    /// Stores what was decided on this state of a table, keeps the new state at hand and tells whoever watches.
    pub(crate) async fn advance(&self, cached: &CachedTable, advance: Advance) -> Result<Appended, ReadError> {
        let append = Append {
            table: cached.id,
            expected_version: cached.now.version,
            expected_head: cached.now.head,
            at: advance.chain.at,
            moved_at: advance.now.moved_at,
            events: advance.chain.records.iter().map(|record| record.to_new_event()).collect(),
            projection: advance.now.projection(),
            caller: advance.caller,
            notices: notices(cached, &advance)?,
            sitting: advance.sitting,
            standing_up: advance.standing_up,
            answers: advance.answers,
            deed: advance.deed,
        };
        let appended = self.store.append(append).await?;
        if appended == Appended::Stored {
            self.live.reached(cached.id, &cached.now, &advance.now);
            // Who sits where is read from the database while the table fills.
            if cached.now.status() == Status::Open {
                self.forget(cached.id);
            } else {
                self.keep_moved(cached, advance.now, advance.chain)?;
            }
        }
        Ok(appended)
    }

    fn keep_moved(&self, cached: &CachedTable, now: TableState, chain: Chain) -> Result<(), ReadError> {
        if CachedTable::snapshot_due(cached.now.version, &now) {
            self.write_snapshot(cached.id, &now);
        }
        let mut window = cached.window.clone();
        window.extend(chain.records.into_iter().map(Arc::new))?;
        self.keep(Arc::new(CachedTable { now, window, ..cached.clone() }));
        Ok(())
    }
}

/// The letters that a change calls for. Nobody is written to about a solitaire, or about what they did themselves.
fn notices(cached: &CachedTable, advance: &Advance) -> Result<Vec<Notice>, ReadError> {
    let (before, now) = (&cached.now, &advance.now);
    if now.opened.seats == 1 {
        return Ok(Vec::new());
    }
    let actor = advance.chain.records.iter().find_map(|record| record.seat);
    let sitting = advance.sitting.iter().filter_map(|sitting| Some((sitting.seat, sitting.player?)));
    let people = cached.holders.iter().filter_map(|holder| Some((holder.seat, holder.player?))).chain(sitting);
    let starts = before.status() == Status::Open && now.status() == Status::Playing;
    let ends = before.status() != Status::Over && now.status() == Status::Over;
    let late = now.late_after(before);
    // Who asks again about the same move writes no second letter.
    let is_new = now.take_back.is_some_and(|asked| before.open_moves.find(asked.of).is_some_and(|mv| !mv.asked));
    let consulted = if is_new { now.consent_awaited() } else { SeatSet::EMPTY };
    let aftermaths = before.aftermaths(&advance.chain.records)?;
    let notices = people
        .filter_map(|(seat, player)| {
            let played = now.bot_at(seat).is_none();
            let asked =
                played && now.awaiting().contains(seat) && now.clocks[seat.index()].since == Some(advance.chain.at);
            let kind = match () {
                () if ends => Kind::Over,
                () if late.contains(seat) => Kind::TimeRanOut,
                // Who takes the last seat may be the first to move, and need not come back to the page.
                () if asked && (actor != Some(seat) || starts) => match now.position.call_to_action(seat) {
                    CallToAction::Call(_) => Kind::Call,
                    CallToAction::Turn(_) => Kind::Turn,
                },
                () if consulted.contains(seat) => Kind::TakeBack,
                () if played && actor != Some(seat) && aftermaths.iter().any(|aftermath| aftermath.seat == seat) => {
                    Kind::Sequel
                }
                () if starts && actor != Some(seat) => Kind::Started,
                () => return None,
            };
            Some(Notice { kind, player })
        })
        .collect();
    Ok(notices)
}
