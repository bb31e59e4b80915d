//! What a letter about a game has to tell: whether it is still news, and when it is told.

use chrono::{DateTime, Utc};

use crate::db::mail::outbox::ClaimedLetter;
use crate::mail::letters::composer::Sight;
use crate::mail::letters::kind::{Kind, TalkDetails};
use crate::mail::outbox::bundle::{Done, Outcome, Sender};
use crate::mail::outbox::schedule;
use crate::mail::outbox::schedule::{Turn, Waiting, Ways};
use crate::mail::preferences::{MailPreferences, TableMailPreferences, When};
use crate::tables::state::table_state::Status;
use crate::tables::{HoldersAt, TableId};
use wonderpost_rules::Viewer;

/// What a letter about a game has to tell.
pub(super) struct News {
    pub letter: ClaimedLetter,
    pub kind: Kind,
    pub sight: Sight,
    pub when: When,
    pub reminder: Option<(i16, DateTime<Utc>)>,
    /// How it is told.
    pub ways: Ways,
}

/// Whether and when something is told.
pub(super) enum Verdict {
    Now(News),
    Later(DateTime<Utc>, News),
    Never(Done),
}

impl Sender {
    /// Whether a letter has anything to tell, and when.
    pub(super) async fn judge(&self, wishes: &MailPreferences, letter: ClaimedLetter, holders: &HoldersAt) -> Verdict {
        let never = |letter, outcome, reminder| Verdict::Never(Done { letter, outcome, reminder });
        let Some(kind) = letter.kind.known() else { return never(letter, Outcome::Dropped, None) };
        let sight = match self.desk.look_for(&letter, holders).await {
            Ok(Some(sight)) => sight,
            Ok(None) => return never(letter, Outcome::Dropped, None),
            Err(error) => return never(letter, Outcome::Trouble(error.into()), None),
        };
        let table = letter.table_wishes.as_deref().map(TableMailPreferences::read).unwrap_or_default();
        let wishes = &wishes.at(&table);
        // Guests have no address, but may have devices and webhooks.
        let ways = Ways { letter: letter.to.is_some(), notice: letter.has_device, webhook: letter.webhook.is_some() };
        let reader = schedule::Reader { wishes, ways, hold: self.hold };
        let now = self.desk.tables.now();
        let turn = sight.turn_told_of_by(&letter);
        let reminder = match kind {
            Kind::Turn | Kind::Call | Kind::Reminder => turn.and_then(|turn| reader.next_reminder(turn, now)),
            _ => None,
        };
        let has_looked = !wishes.though_i_looked && letter.looked_at.is_some_and(|at| at > letter.written_at);
        let wanted = ways.wanted(wishes, kind);
        let ways =
            Ways { notice: wanted.notice && !letter.noticed, webhook: wanted.webhook && !letter.noticed, ..wanted };
        if !ways.any() || !sight.is_news(kind, &letter, has_looked) {
            return never(letter, Outcome::Dropped, reminder);
        }
        let waiting = Waiting { kind, written_at: letter.written_at, turn };
        let time = if letter.fixed { Some(now) } else { reader.time_for(&waiting, now) };
        // Who has put letters off hears of the end of a game, and of nothing else.
        let put_off = table.later.filter(|until| *until > now && kind != Kind::Over && !letter.fixed);
        let time = time.map(|time| put_off.map_or(time, |until| time.max(until)));
        let when = wishes.when;
        match time {
            Some(at) if at <= now => Verdict::Now(News { letter, kind, sight, when, reminder, ways }),
            Some(at) => Verdict::Later(at, News { letter, kind, sight, when, reminder, ways }),
            None => never(letter, Outcome::Dropped, reminder),
        }
    }
}

/// Takes out what is not to be one of several in a letter: each goes by itself, with whatever else there is to tell of its table.
pub(super) fn letters_of_their_own(ready: &mut Vec<News>) -> Vec<Vec<News>> {
    let mut lots = Vec::new();
    while let Some(alone) = ready.iter().find(|news| !news.can_be_gathered(ready)) {
        let table = alone.letter.table_id;
        lots.push(ready.extract_if(.., |news| news.letter.table_id == table).collect());
    }
    lots
}

/// Whether news that wait may go along: with others of their table, or with what is gathered from several.
pub(super) fn goes_with(lot: &[News], news: &News) -> bool {
    let is_gathered = || lot.iter().chain([news]).all(|other| other.can_be_gathered(lot));
    lot.iter().all(|other| other.letter.table_id == news.letter.table_id) || is_gathered()
}

/// The first words to a table that letters about it tell of.
pub(super) fn talk_from(ready: &[News], table: TableId) -> Option<i64> {
    let talk = ready.iter().filter(|news| news.kind == Kind::Talk && news.letter.table_id == Some(table));
    talk.filter_map(|news| serde_json::from_str(&news.letter.details).ok()).map(|TalkDetails { talk }| talk).min()
}

/// Of several kinds of letters about one table the first has the word.
pub(super) fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Over => 0,
        Kind::Call => 1,
        Kind::TimeRanOut => 2,
        Kind::Turn => 3,
        Kind::TakeBack => 4,
        Kind::Reminder => 5,
        Kind::Sequel => 6,
        Kind::Started => 7,
        Kind::Talk => 8,
        Kind::SignIn
        | Kind::Address
        | Kind::AddressChanged
        | Kind::Invitation
        | Kind::Digest
        | Kind::Answer
        | Kind::GoOn
        | Kind::Confirm
        | Kind::Identity
        | Kind::Host => 9,
    }
}

impl News {
    /// Whether it may be one of several tables in a letter. Calls are not to wait; an end, a reminder and lost time would be lost among
    /// others; and who wants letters at once wants one for each.
    fn can_be_gathered(&self, beside: &[News]) -> bool {
        let tells_of_turn = |other: &News| {
            other.letter.table_id == self.letter.table_id && matches!(other.kind, Kind::Turn | Kind::Call)
        };
        match self.kind {
            Kind::Over | Kind::TimeRanOut => false,
            Kind::Call => self.when == When::Digest,
            Kind::Reminder => self.when != When::AtOnce && beside.iter().any(tells_of_turn),
            _ => self.when != When::AtOnce,
        }
    }

    /// Whether it comes in a digest to those who wish for digests.
    pub fn is_for_digests(&self) -> bool {
        !matches!(self.kind, Kind::Over | Kind::TimeRanOut | Kind::Reminder)
    }

    pub fn done(self, outcome: Outcome) -> Done {
        Done { letter: self.letter, outcome, reminder: self.reminder }
    }
}

impl Sight {
    /// Since when the seat is awaited, if it is for the reason for which a letter was written.
    fn awaited_since(&self, letter: &ClaimedLetter) -> Option<DateTime<Utc>> {
        let now = &self.cached.now;
        let awaited = now.awaiting().contains(self.seat) && now.bot_at(self.seat).is_none();
        now.clocks[self.seat.index()].since.filter(|since| awaited && *since <= letter.written_at)
    }

    /// The turn that a letter tells of, if time runs.
    fn turn_told_of_by(&self, letter: &ClaimedLetter) -> Option<Turn> {
        let since = self.awaited_since(letter)?;
        Some(Turn { since, deadline: self.cached.now.deadline_of(self.seat)? })
    }

    /// Whether the seat's holder has moved since a letter was written.
    fn has_moved_since(&self, letter: &ClaimedLetter) -> bool {
        let now = &self.cached.now;
        let last = i64::from(now.numbering(Viewer::Public).shown(now.clocks[self.seat.index()].last_move));
        letter.move_no.is_some_and(|moves| last > i64::from(moves))
    }

    /// Whether a letter still tells something new.
    fn is_news(&self, kind: Kind, letter: &ClaimedLetter, has_looked: bool) -> bool {
        let status = self.cached.now.status();
        match kind {
            Kind::Turn | Kind::Call => self.awaited_since(letter).is_some() && !has_looked,
            Kind::Reminder => self.awaited_since(letter).is_some(),
            Kind::TakeBack => self.cached.now.consent_awaited().contains(self.seat) && !has_looked,
            Kind::Sequel => status == Status::Playing && !has_looked && !self.has_moved_since(letter),
            Kind::Started => status == Status::Playing && !has_looked,
            Kind::Over => status == Status::Over && !has_looked,
            Kind::TimeRanOut | Kind::Talk => status != Status::Gone && !has_looked,
            Kind::SignIn
            | Kind::Address
            | Kind::AddressChanged
            | Kind::Invitation
            | Kind::Digest
            | Kind::Answer
            | Kind::GoOn
            | Kind::Confirm
            | Kind::Identity
            | Kind::Host => true,
        }
    }
}
