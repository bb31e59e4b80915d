//! A letter about several tables: a small letter about each, numbered, so that one reply can move at any of them.

use askama::Template;

use crate::local_time::Until;
use crate::mail::PICTURE_ID;
use crate::mail::letters::composer::{LetterComposer, Words};
use crate::mail::letters::kind::Kind;
use crate::mail::letters::picture::Drawn;
use crate::mail::letters::story::{Brief, Place};
use crate::mail::outbox::transport::Trouble;
use crate::mail::unsubscribe::Reader;

/// The most pictures in one letter: with more it would be too large.
pub const MOST_PICTURES: usize = 4;

/// What there is to tell of several tables.
#[derive(Default)]
pub struct Digest {
    /// In the order of the time left. Replies name a table by its place here, from 1.
    pub briefs: Vec<Brief>,
    /// Tables that wait for the reader, who was told before.
    pub still_waiting: Vec<StillWaiting>,
    /// How many more tables there are.
    pub more: usize,
}

/// A table that waits for the reader, in a line.
pub struct StillWaiting {
    pub name: String,
    pub url: String,
    pub until: Option<Until>,
}

impl StillWaiting {
    pub fn new(place: &Place<'_>) -> StillWaiting {
        StillWaiting {
            name: place.table_name(),
            url: place.url(),
            until: place.until().map(|until| Until::new(place.zone, until, place.now)),
        }
    }
}

impl Digest {
    /// How many tables it is about.
    pub fn tables(&self) -> usize {
        self.briefs.len() + self.still_waiting.len() + self.more
    }

    pub fn add(&mut self, brief: Brief) {
        let number = self.briefs.len() + 1;
        // The first is called as in a letter about one table.
        let picture_id = if number == 1 { PICTURE_ID.to_owned() } else { format!("{PICTURE_ID}-{number}") };
        self.briefs.push(Brief { picture_id, ..brief });
    }

    fn headline(&self) -> String {
        let waiting = self.briefs.iter().filter(|brief| brief.my_turn).count() + self.still_waiting.len() + self.more;
        match waiting {
            0 => "News from your tables".to_owned(),
            1 => "A table waits for you".to_owned(),
            _ => format!("{waiting} tables wait for you"),
        }
    }

    /// The place of a table that a move can be sent to, other than the first: an example for how to name it.
    fn example(&self) -> Option<(usize, &str)> {
        let numbered = self.briefs.iter().zip(1..).skip(1);
        let mut playable = numbered.filter(|(brief, _)| brief.my_turn && brief.reply_to.is_some());
        playable.find_map(|(brief, number)| Some((number, brief.choices.list.first()?.moves.first()?.as_str())))
    }
}

#[derive(Template)]
#[template(path = "letters/digest.txt")]
struct DigestText<'a> {
    place: &'a str,
    headline: &'a str,
    digest: &'a Digest,
    unsubscribe: &'a str,
}

#[derive(Template)]
#[template(path = "letters/digest.html")]
struct DigestPage<'a> {
    place: &'a str,
    headline: &'a str,
    digest: &'a Digest,
    unsubscribe: &'a str,
}

impl LetterComposer {
    /// A letter about several tables. What is written to it without a number goes to the first.
    pub async fn write_digest(&self, digest: Digest, reader: Reader) -> Result<Words, Trouble> {
        let way_out = self.way_out(Kind::Digest, reader, None).await?;
        let words = words_of_digest(&self.place, digest, &way_out.page)?;
        Ok(Words { unsubscribe: Some(way_out), ..words })
    }
}

/// The words of a letter about several tables. `place` is the address of the house.
pub fn words_of_digest(place: &str, mut digest: Digest, unsubscribe: &str) -> Result<Words, Trouble> {
    let headline = digest.headline();
    let words = Words::new(
        headline.clone(),
        &DigestText { place, headline: &headline, digest: &digest, unsubscribe },
        &DigestPage { place, headline: &headline, digest: &digest, unsubscribe },
    )?;
    let reply_to = digest.briefs.first().filter(|brief| brief.my_turn).and_then(|brief| brief.reply_to.clone());
    let pictures: Vec<(String, Drawn)> = digest.briefs.iter_mut().flat_map(Brief::take_picture).collect();
    Ok(Words { reply_to, pictures, ..words })
}
