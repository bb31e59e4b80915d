//! Letters to one reader that are taken together, and what they go as.

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use lettre::Address;
use tokio::sync::Notify;

use crate::db::mail::outbox::ClaimedLetter;
use crate::mail::letters::composer::{LetterComposer, Words};
use crate::mail::letters::digest::{Digest, MOST_PICTURES, StillWaiting};
use crate::mail::letters::kind::Kind;
use crate::mail::outbox::message_id::Thread;
use crate::mail::outbox::news::{News, Verdict, goes_with, letters_of_their_own, rank, talk_from};
use crate::mail::outbox::schedule;
use crate::mail::outbox::transport::{Carrier, Trouble};
use crate::mail::preferences::{MailPreferences, TableMailPreferences, When};
use crate::mail::unsubscribe::Reader;
use crate::players::EmailAddress;
use crate::tables::{HoldersAt, PlayerId, TableId};

/// The most tables that a digest tells of, and of which it says that they still wait.
const MOST_TABLES: usize = 12;

/// What becomes of a letter.
#[derive(Debug)]
pub enum Outcome {
    /// It went under this name.
    Sent(String),
    /// Notices tell of it, and no letter is wanted.
    Noticed,
    /// There is nothing (or nobody) to tell any more.
    Dropped,
    /// Not before this time.
    Later(DateTime<Utc>),
    Trouble(Trouble),
}

/// A letter, and what became of it.
pub struct Done {
    pub letter: ClaimedLetter,
    pub outcome: Outcome,
    /// When its reader is to be reminded, and which reminder that is.
    pub reminder: Option<(i16, DateTime<Utc>)>,
}

/// Sorts claimed letters into bundles: what goes as it was goes alone or with those it went with, and the rest of what a player
/// has to be told about games is one bundle.
pub fn bundles(letters: Vec<ClaimedLetter>) -> Vec<Vec<ClaimedLetter>> {
    #[derive(PartialEq)]
    enum Key {
        Alone(i64),
        Merged(i64),
        Player(PlayerId),
    }
    let key = |letter: &ClaimedLetter| {
        let about_a_game = letter.kind.is_about_a_game();
        match (letter.fixed, letter.merged_into, letter.player_id) {
            (true, Some(first), _) => Key::Merged(first),
            (false, _, Some(player)) if about_a_game => Key::Player(player),
            _ => Key::Alone(letter.id),
        }
    };
    let mut bundles: Vec<(Key, Vec<ClaimedLetter>)> = Vec::new();
    for letter in letters {
        let key = key(&letter);
        match bundles.iter_mut().find(|(there, _)| *there == key) {
            Some((_, bundle)) => bundle.push(letter),
            None => bundles.push((key, vec![letter])),
        }
    }
    bundles.into_iter().map(|(_, bundle)| bundle).collect()
}

/// The worker's tools.
pub struct Sender {
    pub desk: LetterComposer,
    pub carrier: Carrier,
    /// Wakes those who send notices.
    pub notices: Arc<Notify>,
    /// How long letters about games are held.
    pub hold: TimeDelta,
}

impl Sender {
    /// Sees to the letters of a bundle, at whose tables these people sit.
    pub async fn process(&self, bundle: Vec<ClaimedLetter>, holders: &HoldersAt) -> Vec<Done> {
        let about_a_game = bundle.first().is_some_and(|letter| letter.kind.is_about_a_game());
        if about_a_game {
            return self.process_games(bundle, holders).await;
        }
        let mut done = Vec::new();
        for letter in bundle {
            let outcome = self.send_plain(&letter).await.unwrap_or_else(Outcome::Trouble);
            done.push(Done { letter, outcome, reminder: None });
        }
        done
    }

    /// Sends a letter that is not about a game.
    async fn send_plain(&self, letter: &ClaimedLetter) -> Result<Outcome, Trouble> {
        let Some(kind) = letter.kind.known() else {
            return Err(Trouble::Permanent("this build does not know such letters".into()));
        };
        let wishes = letter.wishes.as_deref().map(MailPreferences::read).unwrap_or_default();
        let (Some(to), true) = (address(letter)?, wishes.wants(kind)) else { return Ok(Outcome::Dropped) };
        let Some(words) = self.desk.write_plain(kind, letter).await? else { return Ok(Outcome::Dropped) };
        self.carry(letter, to, &words, Thread::of(kind, letter, &self.carrier.domain)).await.map(Outcome::Sent)
    }

    /// Hands a letter over, and says under which name.
    async fn carry(
        &self,
        letter: &ClaimedLetter,
        to: Address,
        words: &Words,
        thread: Thread,
    ) -> Result<String, Trouble> {
        let way_back = self.desk.way_back(letter, to.as_ref(), words).await?;
        self.carrier.carry(&self.desk.tables.store, letter.id, to, words, &thread, way_back).await?;
        Ok(thread.message_id)
    }

    /// Sees to letters about games to one player.
    async fn process_games(&self, bundle: Vec<ClaimedLetter>, holders: &HoldersAt) -> Vec<Done> {
        let wishes = bundle.iter().find_map(|letter| letter.wishes.as_deref()).map(MailPreferences::read);
        let wishes = wishes.unwrap_or_default();
        let form = Form::of(&bundle);
        let (mut done, mut ready, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for letter in bundle {
            match self.judge(&wishes, letter, holders).await {
                Verdict::Now(news) => ready.push(news),
                Verdict::Later(at, news) => waiting.push((at, news)),
                Verdict::Never(settled) => done.push(settled),
            }
        }
        if let Err(trouble) = self.leave_out_those_who_had_theirs(&mut ready, &mut done).await {
            done.extend(ready.into_iter().map(|news| news.done(Outcome::Trouble(trouble.clone()))));
            return done;
        }
        let mut lots = if form == Form::Free { letters_of_their_own(&mut ready) } else { Vec::new() };
        if !ready.is_empty() {
            lots.push(ready);
        }
        // What would come in a moment goes along.
        let soon = self.desk.tables.now() + self.hold;
        for (at, news) in waiting {
            let may_join = at <= soon && news.when != When::Digest && news.kind != Kind::Reminder;
            match lots.iter_mut().filter(|_| may_join).find(|lot| goes_with(lot, &news)) {
                Some(lot) => lot.push(news),
                None => done.push(news.done(Outcome::Later(at))),
            }
        }
        for mut lot in lots {
            // What notices have to tell is stored before the letter goes, and told once however often the letter is tried.
            if let Err(trouble) = self.notify(&lot).await {
                done.extend(lot.into_iter().map(|news| news.done(Outcome::Trouble(trouble.clone()))));
                continue;
            }
            done.extend(lot.extract_if(.., |news| !news.ways.letter).map(|news| news.done(Outcome::Noticed)));
            if lot.is_empty() {
                continue;
            }
            let outcome = self.send_news(&wishes, form, &mut lot).await;
            for news in lot {
                let outcome = match &outcome {
                    Ok(Some(name)) => Outcome::Sent(name.clone()),
                    Ok(None) => Outcome::Dropped,
                    Err(trouble) => Outcome::Trouble(trouble.clone()),
                };
                done.push(news.done(outcome));
            }
        }
        done
    }

    /// Those who want one letter until they visit get no second one.
    async fn leave_out_those_who_had_theirs(&self, ready: &mut Vec<News>, done: &mut Vec<Done>) -> Result<(), Trouble> {
        let is_meant = |news: &News| news.when == When::UntilVisit && news.kind != Kind::Reminder && !news.letter.fixed;
        let Some(player) = ready.iter().find(|news| is_meant(news)).and_then(|news| news.letter.player_id) else {
            return Ok(());
        };
        let these: Vec<i64> = ready.iter().map(|news| news.letter.id).collect();
        let (last_letter, last_visit) = self.desk.tables.store.last_letter_and_visit(player, &these).await?;
        if schedule::has_had_theirs(last_letter, last_visit) {
            done.extend(ready.extract_if(.., |news| is_meant(news)).map(|news| news.done(Outcome::Dropped)));
        }
        Ok(())
    }

    /// Sends what there is to tell a player, as one letter, and says under which name. `None` if nothing is left to tell.
    async fn send_news(
        &self,
        wishes: &MailPreferences,
        form: Form,
        ready: &mut [News],
    ) -> Result<Option<String>, Trouble> {
        // What tells the most comes first.
        ready.sort_by_key(|news| (rank(news.kind), news.letter.id));
        let [principal, rest @ ..] = &*ready else { return Ok(None) };
        let letter = &principal.letter;
        let (Some(to), Some(player)) = (address(letter)?, letter.player_id) else { return Ok(None) };
        let ids: Vec<i64> = ready.iter().map(|news| news.letter.id).collect();
        let first = letter.merged_into.or(ids.iter().min().copied()).unwrap_or(letter.id);
        let several = rest.iter().any(|news| news.letter.table_id != letter.table_id);
        let gathers = principal.when == When::Digest && principal.is_for_digests();
        let digest = if form == Form::Digest || several || gathers {
            self.digest(wishes, player, ready).await?
        } else {
            Digest::default()
        };
        let domain = &self.carrier.domain;
        let sent = if form == Form::Digest || digest.tables() > 1 {
            self.desk.tables.store.merge_letters(&ids, first).await?;
            let words = self.desk.write_digest(digest, Reader::Player(player)).await?;
            self.carry(letter, to, &words, Thread::of_digest(first, domain)).await?
        } else {
            if ids.len() > 1 {
                self.desk.tables.store.merge_letters(&ids, first).await?;
            }
            let reader = Reader::Player(player);
            let mut place = self.desk.place(&principal.sight, wishes.zone).await?;
            place.talk_from = letter.table_id.and_then(|table| talk_from(ready, table));
            place.note = letter.note.as_deref();
            place.nickname = self.desk.nickname(&principal.sight, player).await?;
            let mut words = self.desk.write_about_table(principal.kind, place, wishes, reader).await?;
            let mut thread = Thread::of(principal.kind, letter, domain);
            if wishes.apart {
                thread = thread.apart();
                // Some mail programs put letters with one subject together.
                words.subject += &format!(", after move {}", principal.sight.moves());
            }
            self.carry(letter, to, &words, thread).await?
        };
        Ok(Some(sent))
    }

    /// What there is to tell of several tables, those with the least time first; and which others wait, as was told before.
    async fn digest(&self, wishes: &MailPreferences, player: PlayerId, ready: &[News]) -> Result<Digest, Trouble> {
        let mut waiting = self.desk.tables.store.tables_waiting_for(player).await?;
        waiting.retain(|row| !row.letters.as_deref().is_some_and(|wishes| TableMailPreferences::read(wishes).off));
        let news = ready.iter().filter_map(|news| news.letter.table_id);
        let mut tables: Vec<TableId> = waiting.iter().map(|row| row.table_id).chain(news).collect();
        let mut seen = HashSet::new();
        tables.retain(|table| seen.insert(*table));
        let mut digest = Digest::default();
        for table in tables {
            let told = ready.iter().find(|news| news.letter.table_id == Some(table));
            let room = if told.is_some() { digest.briefs.len() } else { digest.still_waiting.len() };
            if room >= MOST_TABLES {
                digest.more += 1;
                continue;
            }
            let Some(sight) = self.desk.look(table, player).await? else { continue };
            let mut place = self.desk.place(&sight, wishes.zone).await?;
            place.nickname = self.desk.nickname(&sight, player).await?;
            let Some(told) = told else {
                digest.still_waiting.push(StillWaiting::new(&place));
                continue;
            };
            place.talk_from = talk_from(ready, table);
            place.draws = digest.briefs.len() < MOST_PICTURES;
            digest.add(place.brief(&self.desk.tables, told.kind).await?);
        }
        Ok(digest)
    }
}

/// What letters go as.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Form {
    /// As it turns out.
    Free,
    /// As a letter about several tables: so they went, perhaps, before.
    Digest,
}

impl Form {
    fn of(bundle: &[ClaimedLetter]) -> Form {
        let merged = bundle.iter().all(|letter| letter.fixed && letter.merged_into.is_some());
        let several = bundle.iter().any(|letter| letter.table_id != bundle[0].table_id);
        if merged && (several || bundle.len() == 1) { Form::Digest } else { Form::Free }
    }
}

/// Where a letter goes; guests have no address.
fn address(letter: &ClaimedLetter) -> Result<Option<Address>, Trouble> {
    let Some(to) = letter.to.as_deref() else { return Ok(None) };
    let to = EmailAddress::parse(to).map_err(|_| Trouble::Permanent("this is no address".into()))?;
    Ok(Some(to.into()))
}
