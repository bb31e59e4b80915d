//! The words about what a reply asked for besides moves, and about what is only proposed.

use askama::Template;
use chrono::NaiveDate;

use super::Telling;
use crate::db::mail::outbox::ClaimedLetter;
use crate::local_time::Zone;
use crate::mail::inbox::answer::{Answered, Doubt, InvitationOutcome, Proposal};
use crate::mail::letters::composer::{LetterComposer, Words};
use crate::mail::outbox::transport::Trouble;
use crate::mail::reply_address::SentLetter;

#[derive(Template)]
#[template(path = "letters/invitation_answer.txt")]
struct InvitationAnswerText<'a> {
    headline: &'a str,
    sentence: &'a str,
    url: &'a str,
}

#[derive(Template)]
#[template(path = "letters/invitation_answer.html")]
struct InvitationAnswerPage<'a> {
    place: &'a str,
    headline: &'a str,
    sentence: &'a str,
    url: &'a str,
}

impl Telling {
    /// Asks whether something is meant. Nothing has been done yet.
    pub(super) fn propose(&mut self, proposal: &Proposal) {
        self.explains = false;
        self.lines.clone_from(&proposal.lines);
        match &proposal.doubt {
            Doubt::NearMiss { typed } => {
                self.headline = "Did you mean this?".to_owned();
                self.sentences.push(format!(
                    "You wrote “{typed}”, which is no move here. If you meant the following, answer “yes”; or answer with your move. \
                     Nothing has been done yet."
                ));
            }
            Doubt::Grave => {
                self.headline = "Do you really want to give up?".to_owned();
                self.sentences.push(
                    "Resigning cannot be taken back. If you mean it, answer “yes” to this letter, or resign at the table. Nothing has \
                     been done yet."
                        .to_owned(),
                );
                self.page = Some((self.url.clone(), "To the table"));
            }
            Doubt::LeftToUs => {
                self.headline = "Shall we move for you?".to_owned();
                self.sentences.push(
                    "This is the harmless move that we would make. Answer “yes” to make it, or answer with another. Nothing has been \
                     done yet."
                        .to_owned(),
                );
            }
        }
    }

    /// Tells of letters that come later, not at all, or again.
    pub(super) fn tell_letters(&mut self, words: String) {
        self.headline = "As you wish.".to_owned();
        self.sentences.push(words);
        self.explains = false;
    }
}

/// “from 3 to 5 August”.
pub(super) fn days_in_words(first: NaiveDate, last: NaiveDate) -> String {
    if first == last {
        return format!("You have {} off.", first.format("%-d %B"));
    }
    format!("You have the days from {} to {} off.", first.format("%-d %B"), last.format("%-d %B"))
}

pub(super) fn later_in_words(zone: Zone, until: chrono::DateTime<chrono::Utc>) -> String {
    format!(
        "No letters about this table until {}, except when the game ends. Your clock runs on. Answer “start” to get them again.",
        zone.moment(until)
    )
}

impl LetterComposer {
    /// Where a letter that asks something is answered.
    pub(in crate::mail::letters) async fn reply_to_letter(
        &self,
        letter: &ClaimedLetter,
    ) -> Result<Option<String>, Trouble> {
        let (Some(addresses), Some(to)) = (&self.addresses, &letter.to) else { return Ok(None) };
        let sent = SentLetter::new(letter.id, to);
        Ok(Some(addresses.of_letter(&self.tables.store, &sent, self.tables.now()).await?))
    }

    /// What came of an answer to an invitation.
    pub(super) async fn write_about_invitation(
        &self,
        letter: &ClaimedLetter,
        outcome: InvitationOutcome,
        answered: Answered,
    ) -> Result<Option<Words>, Trouble> {
        let Some(id) = letter.table_id else { return Ok(None) };
        let cached = self.tables.load_fresh(id).await?;
        let title = cached.now.game.info().title;
        let url = format!("{}/t/{id}", self.place);
        let (headline, sentence, url) = match outcome {
            InvitationOutcome::Seated => (
                format!("You have a seat: {title}"),
                "We'll write as soon as the game begins and whenever it is your turn. You can play all of it by answering our letters, \
                 or at the table:",
                url,
            ),
            InvitationOutcome::TooLate => (
                format!("Too late for {title}"),
                "The table is full, has begun, or the invitation was withdrawn. Perhaps the next one? You can open a table yourself:",
                self.place.clone(),
            ),
            InvitationOutcome::Unread => (
                format!("Will you come? {title}"),
                "We did not understand your answer. Write “yes” or “no” on the first line.",
                self.place.clone(),
            ),
        };
        let words = Words::new(
            format!("Re: {headline}"),
            &InvitationAnswerText { headline: &headline, sentence, url: &url },
            &InvitationAnswerPage { place: &self.place, headline: &headline, sentence, url: &url },
        )?;
        let reply_to = if outcome == InvitationOutcome::Unread { self.reply_to_letter(letter).await? } else { None };
        Ok(Some(Words { answered: Some(answered), reply_to, ..words }))
    }
}
