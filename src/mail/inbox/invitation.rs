//! Answers to an invitation: “yes” or “no”, also from people whom the house does not know. What proves who they are is that the letter
//! went to their address, and that our mail server does not contradict.

use crate::db::mail::inbox::{AnsweredLetter, ClaimedMessage};
use crate::db::tables::invitations::InvitationAnswer;
use crate::mail::inbox::answer::{Answer, InvitationOutcome};
use crate::mail::inbox::reading::commands::Line;
use crate::mail::inbox::reading::lines;
use crate::mail::inbox::reading::message::Opened;
use crate::mail::inbox::reply::{Later, Outcome, Reader};
use crate::players::PlayerName;
use crate::tables::state::table_state::Status;
use crate::tables::{PlayerId, ReadError, SitError, Tables};
use wonderpost_rules::Refusal;

/// How often a name for a newcomer is tried.
const NAME_TRIES: u32 = 8;

/// Does what an answer to an invitation says.
pub async fn process(
    tables: &Tables,
    message: &ClaimedMessage,
    letter: &AnsweredLetter,
    token: &str,
    opened: &Opened,
) -> Result<Outcome, Later> {
    if let Some(why) = opened.automatic {
        return Ok(Outcome::entry(format!("not read: automatic ({why})")));
    }
    let (Some(table), Some(address)) = (letter.table_id, letter.sent_to()) else {
        return Ok(Outcome::entry("the invitation went to nobody we know"));
    };
    if opened.from.as_deref() != Some(address.to_lowercase().as_str()) || opened.authentic == Some(false) {
        return Ok(Outcome::entry("not from the one who was invited"));
    }
    let known = Reader { player: letter.player_id, address: Some(address.to_owned()) };
    let answer = |reader, outcome| {
        let answer = Answer::Invitation { outcome, token: token.to_owned() };
        Ok(Outcome { entry: answer.entry().to_owned(), answer: Some((reader, table, answer)), ..Outcome::default() })
    };
    match read_word(&opened.text) {
        None => answer(known, InvitationOutcome::Unread),
        Some(false) => {
            tables.store.answer_invitation(token, letter.player_id, InvitationAnswer::Declined).await?;
            Ok(Outcome::entry("an invitation was declined"))
        }
        Some(true) => match accept(tables, message, token, letter.player_id, address).await? {
            Some(player) => answer(Reader::of(player), InvitationOutcome::Seated),
            None => answer(known, InvitationOutcome::TooLate),
        },
    }
}

/// Whether somebody comes; `None` if they said neither.
fn read_word(text: &str) -> Option<bool> {
    let no_move = |_: &str| Err(Refusal::new("Answer with yes or no."));
    match lines::read(text, no_move, |_| false, true).lines.first() {
        Some(Line::Consent(word)) => Some(*word),
        Some(Line::Letters(false)) => Some(false),
        _ => None,
    }
}

/// Gives whoever was invited a seat, and an account if they have none. `None` if there is no seat for them.
async fn accept(
    tables: &Tables,
    message: &ClaimedMessage,
    token: &str,
    player: Option<PlayerId>,
    address: &str,
) -> Result<Option<PlayerId>, Later> {
    let table = match tables.table_of_invitation(token).await {
        Ok(table) => table,
        Err(error) => return none_unless_transient(error),
    };
    let cached = match tables.load_fresh(table).await {
        Ok(cached) => cached,
        Err(error) => return none_unless_transient(error),
    };
    let sits_there = player.is_some_and(|player| cached.seat_of(Some(player)).is_some());
    if cached.now.status() != Status::Open && !sits_there {
        return Ok(None);
    }
    let player = match player {
        Some(player) => player,
        None => newcomer(tables, address).await?,
    };
    if tables.store.suspension_of(player).await?.is_some() {
        return Ok(None);
    }
    tables.store.message_proven(message.id, player).await?;
    match tables.sit(player, table, "").await {
        Ok(_) => {}
        Err(SitError::Taken | SitError::Refused(_)) => return Ok(None),
        Err(SitError::Read(error)) => return none_unless_transient(error),
    }
    tables.store.answer_invitation(token, Some(player), InvitationAnswer::Accepted).await?;
    Ok(Some(player))
}

fn none_unless_transient<T>(error: ReadError) -> Result<Option<T>, Later> {
    match error {
        ReadError::Store(error) => Err(error.into()),
        ReadError::NoTable | ReadError::NoMove | ReadError::Unfoldable(_) => Ok(None),
    }
}

/// The player who has an address from now on. Another name is tried as long as one is taken.
async fn newcomer(tables: &Tables, address: &str) -> Result<PlayerId, Later> {
    let mut tries = 0;
    loop {
        let name = PlayerName::for_guest(tries);
        match tables.store.player_with_address(address, (PlayerId::fresh(), name.as_str(), &name.key())).await {
            Err(error) if error.is_duplicate() && tries < NAME_TRIES => tries += 1,
            player => return Ok(player?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_is_answered_in_a_word() {
        for text in ["Yes", "yes please!", "Hi!\n\nYes, please\n\nSent from my phone", "> Join, or say no\n\nYES."] {
            assert_eq!(read_word(text), Some(true), "{text}");
        }
        for text in ["no", "No, thanks.", "Hello Alice,\nno thank you", "stop"] {
            assert_eq!(read_word(text), Some(false), "{text}");
        }
        for text in ["", "Maybe", "Yes if it is on Monday", "Who are you?\nyes"] {
            assert_eq!(read_word(text), None, "{text}");
        }
    }
}
