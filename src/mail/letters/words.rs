//! The words of letters.

use askama::Template;

use crate::app::words::and;
use crate::db::mail::outbox::ClaimedLetter;
use crate::mail::letters::composer::{LetterComposer, Words, unreadable};
use crate::mail::letters::kind::{InvitationDetails, Kind, SignInDetails};
use crate::mail::letters::souvenir::{PLOT_ID, Souvenir};
use crate::mail::letters::story::{Place, Story};
use crate::mail::outbox::transport::Trouble;
use crate::mail::preferences::MailPreferences;
use crate::mail::unsubscribe::Reader;
use crate::players::address_digest;
use crate::players::sign_in::GOOD_FOR;
use crate::tables::Holder;
use crate::tables::state::table_state::Status;

/// What a letter with a link and a code is about.
struct SignInWords {
    /// Whether it changes an address; else it signs in.
    changes_address: bool,
    /// Whether its reader wanted no more letters.
    is_silent: bool,
}

#[derive(Template)]
#[template(path = "letters/sign_in.txt")]
struct SignInText<'a> {
    url: &'a str,
    code: &'a str,
    minutes: i64,
    about: &'a SignInWords,
}

#[derive(Template)]
#[template(path = "letters/sign_in.html")]
struct SignInPage<'a> {
    place: &'a str,
    url: &'a str,
    code: &'a str,
    minutes: i64,
    about: &'a SignInWords,
}

#[derive(Template)]
#[template(path = "letters/identity.txt")]
struct IdentityText<'a> {
    place: &'a str,
    url: &'a str,
    code: &'a str,
    minutes: i64,
}

#[derive(Template)]
#[template(path = "letters/identity.html")]
struct IdentityPage<'a> {
    place: &'a str,
    url: &'a str,
    code: &'a str,
    minutes: i64,
}

#[derive(Template)]
#[template(path = "letters/address_changed.txt")]
struct AddressChangedText<'a> {
    place: &'a str,
}

#[derive(Template)]
#[template(path = "letters/address_changed.html")]
struct AddressChangedPage<'a> {
    place: &'a str,
}

#[derive(Template)]
#[template(path = "letters/invitation.txt")]
struct InvitationText<'a> {
    invitation: &'a Invitation<'a>,
    unsubscribe: &'a str,
    is_player: bool,
    takes_replies: bool,
}

#[derive(Template)]
#[template(path = "letters/invitation.html")]
struct InvitationPage<'a> {
    place: &'a str,
    invitation: &'a Invitation<'a>,
    unsubscribe: &'a str,
    is_player: bool,
    takes_replies: bool,
}

struct Invitation<'a> {
    /// “Alice invites you to Red Queen”.
    headline: &'a str,
    /// What whoever invites wrote.
    words: Option<&'a str>,
    /// How long a move may take, and what happens then.
    pace: String,
    blurb: &'static str,
    minutes: u16,
    url: String,
    /// How many play, who sits there, and how many seats are free.
    seats: String,
}

#[derive(Template)]
#[template(path = "letters/table.txt")]
struct TableText<'a> {
    place: &'a str,
    story: &'a Story,
    unsubscribe: &'a str,
}

#[derive(Template)]
#[template(path = "letters/table.html")]
struct TablePage<'a> {
    place: &'a str,
    story: &'a Story,
    unsubscribe: &'a str,
}

/// “For 3 players: Alice and the Hatter sit there, one seat is free.”
fn seats_in_words(seats: u8, holders: Vec<Holder>) -> String {
    let names: Vec<String> = holders.into_iter().map(|holder| holder.name).collect();
    let free = match usize::from(seats).saturating_sub(names.len()) {
        0 => "no seat is free".to_owned(),
        1 => "one seat is free".to_owned(),
        free => format!("{free} seats are free"),
    };
    match names.as_slice() {
        [] => format!("For {seats} players; nobody sits there yet."),
        [one] => format!("For {seats} players: {one} sits there, {free}."),
        several => format!("For {seats} players: {} sit there, {free}.", and(several)),
    }
}

#[derive(Template)]
#[template(path = "letters/souvenir.txt")]
struct SouvenirText<'a> {
    place: &'a str,
    story: &'a Story,
    souvenir: &'a Souvenir,
    unsubscribe: &'a str,
}

#[derive(Template)]
#[template(path = "letters/souvenir.html")]
struct SouvenirPage<'a> {
    place: &'a str,
    story: &'a Story,
    souvenir: &'a Souvenir,
    unsubscribe: &'a str,
}

impl LetterComposer {
    /// A letter that is not about a game; `None` if what there was to tell is no longer so.
    pub async fn write_plain(&self, kind: Kind, letter: &ClaimedLetter) -> Result<Option<Words>, Trouble> {
        match kind {
            Kind::SignIn | Kind::Address | Kind::Identity if self.tables.now() > letter.written_at + GOOD_FOR => {
                Ok(None)
            }
            Kind::Address if self.is_silent(letter).await? => Ok(None),
            Kind::SignIn => {
                let is_silent = self.is_silent(letter).await?;
                self.write_sign_in(letter, SignInWords { changes_address: false, is_silent }).map(Some)
            }
            Kind::Address => {
                self.write_sign_in(letter, SignInWords { changes_address: true, is_silent: false }).map(Some)
            }
            Kind::Identity => self.write_identity(letter).map(Some),
            Kind::AddressChanged => {
                let subject = "Your address at Wonderpost has changed".to_owned();
                let place = &*self.place;
                Words::new(subject, &AddressChangedText { place }, &AddressChangedPage { place }).map(Some)
            }
            Kind::Invitation => self.write_invitation(letter).await,
            Kind::Answer | Kind::GoOn | Kind::Confirm => self.write_answer(letter).await,
            Kind::Host => self.write_about_host(letter).await,
            _ => Err(Trouble::Permanent("this letter is about no table".to_owned())),
        }
    }

    /// Whether the reader's address is never to be written to, except to sign in.
    async fn is_silent(&self, letter: &ClaimedLetter) -> Result<bool, Trouble> {
        let Some(to) = &letter.to else { return Ok(false) };
        Ok(self.tables.store.is_silent_address(&address_digest(to)).await?)
    }

    fn write_sign_in(&self, letter: &ClaimedLetter, about: SignInWords) -> Result<Words, Trouble> {
        let (url, code) = self.link_and_code(letter)?;
        // The code is not in the subject: it would show on a locked screen.
        let subject = if about.changes_address { "Your new address at Wonderpost" } else { "Sign in to Wonderpost" };
        let minutes = GOOD_FOR.num_minutes();
        Words::new(
            subject.to_owned(),
            &SignInText { url: &url, code: &code, minutes, about: &about },
            &SignInPage { place: &self.place, url: &url, code: &code, minutes, about: &about },
        )
    }

    fn write_identity(&self, letter: &ClaimedLetter) -> Result<Words, Trouble> {
        let (url, code) = self.link_and_code(letter)?;
        let (place, minutes) = (&*self.place, GOOD_FOR.num_minutes());
        Words::new(
            "Is it you? Please confirm".to_owned(),
            &IdentityText { place, url: &url, code: &code, minutes },
            &IdentityPage { place, url: &url, code: &code, minutes },
        )
    }

    /// The link of a letter, and its code with a gap in the middle.
    fn link_and_code(&self, letter: &ClaimedLetter) -> Result<(String, String), Trouble> {
        let SignInDetails { token, code } = serde_json::from_str(&letter.details).map_err(unreadable)?;
        let code = format!("{} {}", code.get(..3).unwrap_or_default(), code.get(3..).unwrap_or_default());
        Ok((format!("{}/sign-in/{token}", self.place), code))
    }

    async fn write_invitation(&self, letter: &ClaimedLetter) -> Result<Option<Words>, Trouble> {
        let (Some(id), Some(to)) = (letter.table_id, &letter.to) else { return Ok(None) };
        let reader = match letter.player_id {
            Some(player) => Reader::Player(player),
            None => Reader::of_address(to),
        };
        if self.is_silent(letter).await? {
            return Ok(None);
        }
        let InvitationDetails { token } = serde_json::from_str(&letter.details).map_err(unreadable)?;
        let Some(asked) = self.tables.store.invitation_words(&token).await? else { return Ok(None) };
        let cached = self.tables.load_fresh(id).await?;
        if asked.answered || cached.now.status() != Status::Open {
            return Ok(None);
        }
        let info = cached.now.game.info();
        let holders = self.tables.holders(cached.id).await?;
        let from = asked.from.as_deref().unwrap_or("Somebody");
        let headline = if asked.is_rematch {
            format!("{from} wants a rematch: {}", info.title)
        } else {
            format!("{from} invites you to {}", info.title)
        };
        let invitation = Invitation {
            headline: &headline,
            words: asked.words.as_deref(),
            pace: cached.now.opened.pace.words(),
            blurb: info.blurb,
            minutes: info.minutes,
            url: format!("{}/i/{token}", self.place),
            seats: seats_in_words(cached.now.opened.seats, holders),
        };
        let way_out = self.way_out(Kind::Invitation, reader, None).await?;
        let (place, unsubscribe, is_player) = (&*self.place, &*way_out.page, letter.player_id.is_some());
        let takes_replies = self.addresses.is_some();
        let words = Words::new(
            headline.clone(),
            &InvitationText { invitation: &invitation, unsubscribe, is_player, takes_replies },
            &InvitationPage { place, invitation: &invitation, unsubscribe, is_player, takes_replies },
        )?;
        let reply_to = self.reply_to_letter(letter).await?;
        Ok(Some(Words { unsubscribe: Some(way_out), reply_to, ..words }))
    }

    /// A letter about one game.
    pub async fn write_about_table(
        &self,
        kind: Kind,
        place: Place<'_>,
        wishes: &MailPreferences,
        reader: Reader,
    ) -> Result<Words, Trouble> {
        let story = place.story(&self.tables, kind).await?;
        let way_out = self.way_out(kind, reader, Some(place.cached.id)).await?;
        let words = words_about_table(&self.place, story, wishes, &way_out.page)?;
        let words = Words { reply_to: place.reply_to, unsubscribe: Some(way_out), ..words };
        self.offer_days_off(reader, words).await
    }
}

/// The words of a letter about one game. `place` is the address of the house.
pub fn words_about_table(
    place: &str,
    mut story: Story,
    wishes: &MailPreferences,
    unsubscribe: &str,
) -> Result<Words, Trouble> {
    let subject = story.brief.subject_for(wishes);
    let words = match &story.souvenir {
        Some(souvenir) => Words::new(
            subject,
            &SouvenirText { place, story: &story, souvenir, unsubscribe },
            &SouvenirPage { place, story: &story, souvenir, unsubscribe },
        )?,
        None => Words::new(
            subject,
            &TableText { place, story: &story, unsubscribe },
            &TablePage { place, story: &story, unsubscribe },
        )?,
    };
    let mut pictures = story.brief.take_picture();
    let plot = story.souvenir.and_then(|souvenir| souvenir.plot);
    pictures.extend(plot.map(|plot| (PLOT_ID.to_owned(), plot)));
    Ok(Words { pictures, ..words })
}
