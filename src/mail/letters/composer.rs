//! The desk at which letters get their words, when they are sent: from what is true then, as their reader may know it.

use std::sync::Arc;

use askama::Template;
use lettre::Address;

use crate::db::mail::outbox::ClaimedLetter;
use crate::db::tables::lists::TableRow;
use crate::local_time::Zone;
use crate::mail::inbox::answer::Answered;
use crate::mail::letters::kind::Kind;
use crate::mail::letters::nickname::nickname;
use crate::mail::letters::picture::Drawn;
use crate::mail::letters::story::Place;
use crate::mail::letters::styles::inlined;
use crate::mail::outbox::transport::{Trouble, WayBack};
use crate::mail::reply_address::{Asked, ReplyAddresses, SentLetter};
use crate::mail::unsubscribe::{Reader, Unsubscribe, UnsubscribeLinks};
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, Holder, HoldersAt, LastEvent, PlayerId, ReadError, TableId, Tables, names_in_list};
use wonderpost_rules::{Seat, Viewer};

/// Among so many tables of a reader another with the same game and people is looked for.
const MOST_TWINS: i64 = 60;

pub struct LetterComposer {
    pub tables: Arc<Tables>,
    /// The address of the house.
    pub place: String,
    /// Where replies come in, if they do.
    pub addresses: Option<Arc<ReplyAddresses>>,
    pub unsubscribing: UnsubscribeLinks,
}

/// A letter with its words.
pub struct Words {
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Where an answer goes, if it can be answered.
    pub reply_to: Option<String>,
    /// How such letters are refused, if they can be.
    pub unsubscribe: Option<WayOut>,
    /// The message that it answers.
    pub answered: Option<Answered>,
    /// What the page shows, by the names that it has there: `cid:board`.
    pub pictures: Vec<(String, Drawn)>,
}

/// How letters of a kind are refused.
pub struct WayOut {
    /// The page with a button for it.
    pub page: String,
    /// The address to which any message will do, where mail comes in.
    pub address: Option<String>,
}

impl Words {
    /// Both forms of a letter.
    pub fn new(subject: String, text: &impl Template, html: &impl Template) -> Result<Words, Trouble> {
        let text = text.render().map_err(unreadable)?;
        let html = inlined(&html.render().map_err(unreadable)?);
        Ok(Words { subject, text, html, reply_to: None, unsubscribe: None, answered: None, pictures: Vec::new() })
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Trouble {
        match error {
            ReadError::Store(error) => error.into(),
            ReadError::NoTable | ReadError::NoMove | ReadError::Unfoldable(_) => Trouble::Permanent(error.to_string()),
        }
    }
}

pub fn unreadable<T: std::fmt::Display>(error: T) -> Trouble {
    Trouble::Permanent(error.to_string())
}

/// A table as it is now, and where a player sits at it.
pub struct Sight {
    pub cached: Arc<CachedTable>,
    pub holders: Vec<Holder>,
    pub seat: Seat,
}

impl Sight {
    /// `None` if the player does not sit there (any more).
    fn new(cached: Arc<CachedTable>, holders: Vec<Holder>, player: PlayerId) -> Option<Sight> {
        let seat = holders.iter().find(|holder| holder.player == Some(player))?.seat;
        Some(Sight { cached, holders, seat })
    }

    /// How many moves have been made, as the seat counts.
    pub fn moves(&self) -> u32 {
        self.cached.now.moves_for(Viewer::Seat(self.seat))
    }
}

impl LetterComposer {
    /// A table as the letters to a player tell of it; `None` if the player does not sit there (any more).
    pub async fn look(&self, table: TableId, player: PlayerId) -> Result<Option<Sight>, ReadError> {
        let cached = self.tables.load_fresh(table).await?;
        // Who sits where is asked anew: a guest may have become somebody since.
        let holders = self.tables.holders(cached.id).await?;
        Ok(Sight::new(cached, holders, player))
    }

    /// The table of a letter as it was when the letter was taken, or as it has become since.
    pub async fn look_for(&self, letter: &ClaimedLetter, holders: &HoldersAt) -> Result<Option<Sight>, ReadError> {
        let (Some(table), Some(player), Some(version)) = (letter.table_id, letter.player_id, letter.version) else {
            return Ok(None);
        };
        let last = LastEvent { version, head: letter.head.clone().unwrap_or_default() };
        let cached = self.tables.read_from(table, &last).await?;
        let holders = holders.get(&cached.id).cloned().unwrap_or_default();
        Ok(Sight::new(cached, holders, player))
    }

    /// A table from the place of a seat, with the address to which its moves can be sent.
    pub async fn place<'a>(&'a self, sight: &'a Sight, zone: Zone) -> Result<Place<'a>, Trouble> {
        let now = self.tables.now();
        let asked = Asked { table: sight.cached.id, seat: sight.seat, moves: sight.moves() };
        let reply_to = match &self.addresses {
            Some(addresses) => Some(addresses.of_seat(&self.tables.store, &asked, now).await?),
            None => None,
        };
        Ok(Place {
            cached: &sight.cached,
            holders: &sight.holders,
            seat: sight.seat,
            zone,
            house: &self.place,
            reply_to,
            nickname: None,
            talk_from: None,
            note: None,
            answered_after: None,
            draws: true,
            now,
        })
    }

    /// A name for a table, if the reader sits at another with the same game and people: letters about the two would look alike.
    pub async fn nickname(&self, sight: &Sight, player: PlayerId) -> Result<Option<String>, Trouble> {
        let rows = self.tables.store.tables_of_player(player, MOST_TWINS).await?;
        let mut names: Vec<&str> = sight.holders.iter().map(|holder| holder.name.as_str()).collect();
        names.sort_unstable();
        let is_twin = |row: &TableRow| {
            let mut theirs = names_in_list(row);
            theirs.sort_unstable_by(|(_, one), (_, other)| one.cmp(other));
            row.id != sight.cached.id
                && row.status == Status::Playing
                && row.game == sight.cached.now.game.info().slug
                && theirs.iter().map(|(_, name)| name.as_str()).eq(names.iter().copied())
        };
        Ok(rows.iter().any(is_twin).then(|| nickname(sight.cached.id)))
    }

    /// How letters like this one are refused.
    pub async fn way_out(&self, kind: Kind, reader: Reader, table: Option<TableId>) -> Result<WayOut, Trouble> {
        let what = Unsubscribe { kind, reader, table };
        let store = &self.tables.store;
        let token = self.unsubscribing.token(store, &what).await?;
        let address = match &self.addresses {
            Some(addresses) => Some(addresses.of_refusal(store, &what).await?),
            None => None,
        };
        Ok(WayOut { page: format!("{}/unsubscribe/{token}", self.place), address })
    }

    /// Where answers to a letter go, and where it goes itself if it cannot be delivered.
    pub async fn way_back(&self, letter: &ClaimedLetter, to: &str, words: &Words) -> Result<WayBack, Trouble> {
        let Some(addresses) = &self.addresses else { return Ok(WayBack::default()) };
        let sent = SentLetter::new(letter.id, to);
        let bounces_to = addresses.of_bounces(&self.tables.store, &sent, self.tables.now()).await?;
        let address =
            |text: &str| text.parse::<Address>().map_err(|_| Trouble::Permanent("the reply domain is none".to_owned()));
        Ok(WayBack {
            reply_to: words.reply_to.as_deref().map(address).transpose()?,
            bounces_to: Some(address(&bounces_to)?),
        })
    }
}
