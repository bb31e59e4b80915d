//! Doing what a reply says besides moves.

use chrono::{Days, TimeDelta};

use crate::mail::inbox::answer::Answer;
use crate::mail::inbox::reading::commands::Line;
use crate::mail::inbox::reply::{Later, Replying};
use crate::mail::preferences::TableMailPreferences;
use crate::mail::reply_address::Asked;
use crate::tables::lifecycle::rematch::RematchError;
use crate::tables::state::record::TakeBackWord;
use crate::tables::{CachedTable, Credentials, MoveError, OpenError, ReadError, SitError, TableId, Tables};
use wonderpost_rules::Refusal;

/// Does what a line says that is no move.
pub async fn carry_out(replying: &Replying<'_>, line: &Line) -> Result<Result<Option<Answer>, MoveError>, Later> {
    let Replying { tables, caller, cached, asked, .. } = *replying;
    let done = match line {
        Line::Later(span) => return put_off_letters(replying, *span).await.map(|answer| Ok(Some(answer))),
        Line::Letters(wanted) => return want_letters(replying, *wanted).await.map(|answer| Ok(Some(answer))),
        Line::Vacation(days) => return take_days_off(replying, *days).await.map(|done| done.map(Some)),
        Line::Chat(words) => tables.talk(caller.player, asked.table, words).await,
        Line::Note(words) if is_noted(tables, caller, asked, words).await? => Ok(()),
        Line::Note(words) => tables.add_to_note(caller.player, asked.table, words).await,
        Line::Resign if cached.now.resigned.contains(asked.seat) => Ok(()),
        Line::Resign => tables.resign(caller, asked.table).await,
        Line::Back => tables.come_back(caller, asked.table).await,
        Line::TakeBack => tables.take_back(caller, asked.table, TakeBackWord::Ask).await,
        Line::Consent(true) => tables.take_back(caller, asked.table, TakeBackWord::Grant).await,
        Line::Consent(false) => tables.take_back(caller, asked.table, TakeBackWord::Refuse).await,
        Line::Move(_) | Line::Undo | Line::Rematch | Line::Skip | Line::Help => Ok(()),
    };
    Ok(done.map(|()| None))
}

/// No letters about the table for a while.
async fn put_off_letters(replying: &Replying<'_>, span: TimeDelta) -> Result<Answer, Later> {
    let until = replying.received_at + span;
    change_wishes(replying, |wishes| wishes.later = Some(until)).await?;
    Ok(Answer::Later { until })
}

/// No letters about the table any more, or again.
async fn want_letters(replying: &Replying<'_>, wanted: bool) -> Result<Answer, Later> {
    change_wishes(replying, |wishes| {
        wishes.off = !wanted;
        wishes.later = wishes.later.filter(|_| !wanted);
    })
    .await?;
    Ok(Answer::Letters { wanted })
}

async fn change_wishes(replying: &Replying<'_>, change: impl FnOnce(&mut TableMailPreferences)) -> Result<(), Later> {
    let (store, player) = (&replying.tables.store, replying.caller.player);
    let wishes = store.table_wishes(replying.asked.table, player).await?;
    let mut wishes = wishes.as_deref().map(TableMailPreferences::read).unwrap_or_default();
    change(&mut wishes);
    store.keep_table_wishes(replying.asked.table, player, &wishes.write()).await?;
    Ok(())
}

/// Announces days off from today. A message that is worked off again finds them announced.
async fn take_days_off(replying: &Replying<'_>, days: u16) -> Result<Result<Answer, MoveError>, Later> {
    let Replying { tables, caller, .. } = *replying;
    let zone = match tables.zone_of(caller.player).await {
        Ok(zone) => zone,
        Err(ReadError::Store(error)) => return Err(error.into()),
        Err(error) => return Ok(Err(error.into())),
    };
    let first = zone.day(replying.received_at).max(zone.day(tables.now()));
    let last = first + Days::new(u64::from(days.saturating_sub(1)));
    let known = tables.store.days_off(caller.player, tables.now()).await?;
    if known.iter().any(|known| known.first <= first && known.last >= last) {
        return Ok(Ok(Answer::DaysOff { first, last }));
    }
    let announced = tables.announce_days_off(caller.player, first, last, replying.days_off_a_year).await;
    Ok(announced.map(|()| Answer::DaysOff { first, last }))
}

/// Asks for a rematch, or joins it. A message that is worked off again finds the seat taken by its writer.
pub async fn rematch(
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

/// Whether the player's note ends with this line: the message was worked off before, and nobody noted that.
async fn is_noted(tables: &Tables, caller: &Credentials, asked: Asked, line: &str) -> Result<bool, Later> {
    let note = tables.store.note_of(asked.table, caller.player).await?;
    Ok(note.is_some_and(|note| note.lines().next_back() == Some(line.trim())))
}
