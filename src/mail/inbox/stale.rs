//! Why nothing is done about a reply as a whole: it says nothing, comes too late, or is to be confirmed first.

use crate::mail::inbox::answer::{Answer, Doubt, Proposal};
use crate::mail::inbox::reading::commands::Line;
use crate::mail::inbox::reading::lines::{Reading, Stop, shortened};
use crate::mail::inbox::reading::near_miss::probably_meant;
use crate::mail::inbox::reply::{Later, Replying};
use crate::mail::reply_address::Asked;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, ReadError, Tables};
use wonderpost_rules::{AnyMove, Viewer};

/// What is answered instead of doing anything, if something is wrong with the reply as a whole.
pub async fn why_nothing_is_done(replying: &Replying<'_>, reading: &Reading) -> Result<Option<Answer>, Later> {
    let Replying { tables, cached, asked, legal, .. } = *replying;
    if reading.lines.is_empty() {
        let Some(stop) = &reading.stop else {
            return Ok(Some(Answer::Unread { line: None, reason: "There was nothing in your letter.".to_owned() }));
        };
        let unread = || Answer::Unread { line: Some(shortened(&stop.line)), reason: stop.refusal.to_string() };
        return Ok(Some(near_miss(asked, reading, stop, legal).unwrap_or_else(unread)));
    }
    let undoes = reading.lines.contains(&Line::Undo);
    if undoes && reading.lines.first() != Some(&Line::Undo) {
        let reason = "“undo” takes back your last move, so it comes first: write it above your new move.".to_owned();
        return Ok(Some(Answer::Refused { line: Some(Line::Undo.to_string()), reason }));
    }
    let resigns = reading.lines.contains(&Line::Resign);
    let is_move = undoes || resigns || !reading.moves().is_empty();
    if is_move && cached.now.moves_for(Viewer::Seat(asked.seat)) < asked.moves {
        return Ok(Some(Answer::WentBack));
    }
    if let Some(slip) = reading.slip(legal) {
        let refused = || Answer::Refused { line: Some(shortened(&slip.line)), reason: slip.refusal.to_string() };
        return Ok(Some(near_miss(asked, reading, slip, legal).unwrap_or_else(refused)));
    }
    // What is asked of the seat changes with what it undoes.
    let is_late = (is_move && !undoes && has_moved_on(tables, cached, asked).await?)
        || (resigns && has_moved_since(replying).await?);
    if is_late {
        return Ok(Some(Answer::MovedOn { since: Some(asked.moves) }));
    }
    Ok(to_be_confirmed(replying, reading))
}

/// What is done only once its writer has said yes: resigning, and what is left to the house.
fn to_be_confirmed(replying: &Replying<'_>, reading: &Reading) -> Option<Answer> {
    if replying.is_confirmed {
        return None;
    }
    let propose = |lines, doubt| Some(Answer::Propose(Proposal::new(replying.asked, lines, doubt)));
    let is_playing = replying.cached.now.status() == Status::Playing;
    if reading.lines.contains(&Line::Resign) && is_playing {
        return propose(vec![Line::Resign.to_string()], Doubt::Grave);
    }
    if reading.lines.contains(&Line::Skip) {
        let default = replying.cached.now.position.default_move(replying.asked.seat).filter(|_| is_playing);
        return match default.as_ref().map(AnyMove::to_string) {
            Some(default) => propose(vec![default], Doubt::LeftToUs),
            None => Some(Answer::Refused {
                line: None,
                reason: "There is nothing to skip: it is not your turn.".to_owned(),
            }),
        };
    }
    None
}

/// Asks whether the one legal move was meant that a line nearly is, together with the moves above it.
fn near_miss(asked: Asked, reading: &Reading, stop: &Stop, legal: &[String]) -> Option<Answer> {
    let meant = probably_meant(&stop.line, legal)?;
    let moves = reading.moves();
    if moves.len() != reading.lines.len() {
        return None;
    }
    let lines = moves.into_iter().chain([meant]).map(str::to_owned).collect();
    let doubt = Doubt::NearMiss { typed: shortened(&stop.line) };
    Some(Answer::Propose(Proposal::new(asked, lines, doubt)))
}

/// Whether the seat itself has moved since the letter. Whoever wrote the reply may not know that.
async fn has_moved_since(replying: &Replying<'_>) -> Result<bool, Later> {
    let Replying { tables, cached, asked, .. } = *replying;
    let numbering = cached.now.numbering(Viewer::Seat(asked.seat));
    let since = i32::try_from(numbering.recorded_until(asked.moves)).unwrap_or(i32::MAX);
    Ok(!tables.store.said_since(asked.table, asked.seat, since).await?.is_empty())
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
