//! Letters about what the host did.

use askama::Template;

use crate::db::mail::outbox::ClaimedLetter;
use crate::mail::letters::composer::{LetterComposer, Words, unreadable};
use crate::mail::letters::kind::HostDetails;
use crate::mail::outbox::transport::Trouble;

#[derive(Template)]
#[template(path = "letters/host.txt")]
struct HostText<'a> {
    place: &'a str,
    sentence: &'a str,
    reason: &'a str,
}

#[derive(Template)]
#[template(path = "letters/host.html")]
struct HostPage<'a> {
    place: &'a str,
    sentence: &'a str,
    reason: &'a str,
}

impl LetterComposer {
    /// What the host did that concerns the reader, and why.
    pub(crate) async fn write_about_host(&self, letter: &ClaimedLetter) -> Result<Option<Words>, Trouble> {
        let HostDetails { log } = serde_json::from_str(&letter.details).map_err(unreadable)?;
        let Some(deed) = self.tables.store.deed(log).await? else { return Ok(None) };
        let game = deed.game.as_deref().and_then(|slug| self.tables.catalogue.find(slug));
        let Some(sentence) = deed.sentence(game.map(|game| game.info().title)) else { return Ok(None) };
        let (place, reason) = (&*self.place, &*deed.reason);
        let text = HostText { place, sentence: &sentence, reason };
        let page = HostPage { place, sentence: &sentence, reason };
        Words::new("From the host of Wonderpost".to_owned(), &text, &page).map(Some)
    }
}
