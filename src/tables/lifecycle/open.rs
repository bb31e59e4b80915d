//! Opening a table, sitting down at it, standing up again.

use data_encoding::BASE32_NOPAD;
use rand::TryRng;
use rand::rngs::SysRng;
use rand::seq::{IndexedRandom, SliceRandom};
use serde_json::Value;

use crate::db::StoreError;
use crate::db::tables::append::{Appended, NewTable, Sitting};
use crate::tables::clock::absence::Habits;
use crate::tables::clock::pace::Pace;
use crate::tables::play::append::Advance;
use crate::tables::state::record::{Chain, Opened, PlayedOn, TableFact};
use crate::tables::state::table_state::{Status, TableState, Unfoldable};
use crate::tables::talk::messages::is_plain;
use crate::tables::{PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::seed::{Promise, Secret};
use wonderpost_rules::{Fact, Game, Level, Refusal, Seat};

/// The most characters of a word with which to cut the deck.
pub const LONGEST_CUT: usize = 40;

/// The most tables a player may have open or running that they opened themselves.
const MOST_TABLES: i64 = 60;

/// Words for players who bring none of their own.
const CUTS: [&str; 24] = [
    "teapot",
    "treacle",
    "flamingo",
    "hedgehog",
    "dormouse",
    "mushroom",
    "looking-glass",
    "thimble",
    "croquet",
    "lobster",
    "quadrille",
    "caterpillar",
    "raven",
    "writing-desk",
    "marmalade",
    "gryphon",
    "walrus",
    "carpenter",
    "jam tomorrow",
    "pocket-watch",
    "white rabbit",
    "red queen",
    "unbirthday",
    "snark",
];

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Unfoldable(#[from] Unfoldable),
}

#[derive(Debug, thiserror::Error)]
pub enum SitError {
    #[error("this table has begun without you")]
    Taken,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl From<StoreError> for SitError {
    fn from(error: StoreError) -> SitError {
        SitError::Read(error.into())
    }
}

impl From<Unfoldable> for SitError {
    fn from(error: Unfoldable) -> SitError {
        SitError::Read(error.into())
    }
}

/// What somebody wants when they open a table.
#[derive(Clone)]
pub struct TableOptions {
    pub game: &'static dyn Game,
    pub seats: u8,
    /// What differs from the default options.
    pub options: Value,
    pub pace: Pace,
    pub private: bool,
    /// Seats are drawn by lot instead of taken in order.
    pub by_lot: bool,
    /// Everybody begins with the preset answers of the game.
    pub preset_answers: bool,
    /// The bots that sit down at once.
    pub bots: Vec<OpeningBot>,
}

/// A bot that sits down when a table is opened.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OpeningBot {
    /// None: on one of the last seats, so that people come first.
    pub seat: Option<Seat>,
    pub level: Level,
}

impl From<Level> for OpeningBot {
    fn from(level: Level) -> OpeningBot {
        OpeningBot { seat: None, level }
    }
}

/// Where bots sit: where they were put, or else on the last free seats in the order in which they are named.
fn seats_of_bots(wishes: &TableOptions) -> Result<Vec<(Seat, Level)>, Refusal> {
    let mut free: Vec<Seat> = Seat::all(wishes.seats).collect();
    let mut placed = Vec::new();
    for bot in &wishes.bots {
        if let Some(seat) = bot.seat.filter(|_| !wishes.by_lot) {
            let place = free.iter().position(|it| *it == seat);
            let place = place.ok_or_else(|| Refusal::new("Two bots cannot sit on one seat."))?;
            placed.push((free.remove(place), bot.level));
        }
    }
    if wishes.by_lot {
        free.shuffle(&mut rand::rng());
    }
    let unplaced: Vec<Level> =
        wishes.bots.iter().filter(|bot| bot.seat.is_none() || wishes.by_lot).map(|bot| bot.level).collect();
    let last = free.split_off(free.len().saturating_sub(unplaced.len()));
    placed.extend(last.into_iter().zip(unplaced));
    Ok(placed)
}

/// A fresh secret from the system's randomness.
pub(crate) fn fresh_secret() -> Secret {
    Secret::new(random_bytes())
}

fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// A token that nobody guesses, good for a link and a mail address.
pub(crate) fn fresh_token() -> String {
    BASE32_NOPAD.encode(&random_bytes::<20>()).to_lowercase()
}

/// The opening of a table of this game.
pub(crate) fn opening(wishes: &TableOptions, promise: Promise, deal: String) -> Result<Opened, Refusal> {
    let options = wishes.game.complete_options(&wishes.options)?;
    wishes.game.begin(&options, wishes.seats)?;
    if wishes.bots.len() > usize::from(wishes.seats) {
        return Err(Refusal::new("There are more bots than seats."));
    }
    if !wishes.bots.is_empty() && wishes.bots.len() == usize::from(wishes.seats) {
        return Err(Refusal::new("Leave a seat for yourself."));
    }
    Ok(Opened {
        game: wishes.game.info().slug.to_owned(),
        seats: wishes.seats,
        options,
        promise: promise.to_string(),
        deal,
        day: None,
        pace: wishes.pace.checked()?,
        private: wishes.private,
        by_lot: wishes.by_lot,
        preset_answers: wishes.preset_answers,
        played_on: None,
    })
}

/// The first event of a table, folded.
pub(crate) fn begin(tables: &Tables, id: TableId, opened: Opened) -> Result<(TableState, Chain), Unfoldable> {
    let mut chain = Chain { table: id, seq: 0, head: [0; 32], at: tables.now(), records: Vec::new() };
    let folded = TableState::begin(&tables.catalogue, chain.add(0, None, Fact::new(&TableFact::Opened(opened))))?;
    Ok((folded, chain))
}

/// Records that somebody sits down, and deals once all do; a table that goes on from another has facts instead.
pub(crate) fn sit_and_deal(
    folded: &mut TableState,
    chain: &mut Chain,
    seat: Seat,
    sat: &TableFact,
    secret: &Secret,
    habits: &Habits,
    played_on: Option<Vec<Fact>>,
) -> Result<(), SitError> {
    folded.record(chain, 0, Some(seat), sat)?;
    habits.record(folded, chain, seat)?;
    if folded.status() == Status::Open {
        return Ok(());
    }
    if let Some(facts) = played_on {
        for fact in facts {
            folded.fold(chain.add(0, None, fact))?;
        }
        return Ok(());
    }
    let dealt = folded.position.set_up(&mut folded.seed(secret).chance(0))?;
    for draw in dealt.draws {
        folded.record(chain, 0, None, &TableFact::Drew(draw))?;
    }
    let first = chain.records.len();
    for fact in dealt.facts {
        chain.add(0, None, fact);
    }
    folded.adopt(&chain.records[first..], &dealt.awaiting, dealt.position);
    Ok(())
}

/// The seat that the next to sit down gets: the one that they want, if it is free.
pub(crate) fn free_seat(folded: &TableState, wanted: Option<Seat>) -> Option<Seat> {
    let is_free = |seat: &Seat| seat.number() <= folded.opened.seats && !folded.seated.contains(*seat);
    if let Some(seat) = wanted.filter(is_free) {
        return Some(seat);
    }
    let free: Vec<Seat> = Seat::all(folded.opened.seats).filter(|seat| !folded.seated.contains(*seat)).collect();
    if folded.opened.by_lot { free.choose(&mut rand::rng()).copied() } else { free.first().copied() }
}

impl Tables {
    /// A game of the catalogue, for a table that is to be opened.
    pub fn find_game(&self, slug: &str) -> Result<&'static dyn Game, Refusal> {
        self.catalogue.find(slug).ok_or_else(|| Refusal::new("There is no such game."))
    }

    /// Opens a table and promises its chance. Bots sit down at once, nobody else.
    pub async fn open(&self, wishes: &TableOptions, opened_by: Option<PlayerId>) -> Result<TableId, OpenError> {
        self.open_as(TableId::fresh(), wishes, opened_by).await
    }

    /// Opens a table under an id that is nobody else's. If it is there, the same request came before.
    pub async fn open_as(
        &self,
        id: TableId,
        wishes: &TableOptions,
        opened_by: Option<PlayerId>,
    ) -> Result<TableId, OpenError> {
        match self.store_opening(id, wishes, opened_by, None, None).await {
            Err(OpenError::Store(error)) if error.is_duplicate() => Ok(id),
            opened => opened.map(|()| id),
        }
    }

    /// Opens a table that plays another one again, under this id; or gives the one that somebody else has just opened.
    pub(crate) async fn open_rematch(
        &self,
        id: TableId,
        wishes: &TableOptions,
        opened_by: PlayerId,
        of: TableId,
    ) -> Result<TableId, OpenError> {
        match self.store_opening(id, wishes, Some(opened_by), Some(of), None).await {
            Err(OpenError::Store(error)) if error.is_duplicate() => Ok(self.store.rematch_of(of).await?.unwrap_or(id)),
            opened => opened.map(|()| id),
        }
    }

    /// Opens a table that goes on from a step of a finished game.
    pub(crate) async fn open_played_on(
        &self,
        wishes: &TableOptions,
        opened_by: PlayerId,
        from: PlayedOn,
    ) -> Result<TableId, OpenError> {
        let id = TableId::fresh();
        self.store_opening(id, wishes, Some(opened_by), None, Some(from)).await?;
        Ok(id)
    }

    /// Refuses a further table to whoever has a great many.
    pub(crate) async fn check_table_limit(&self, player: PlayerId) -> Result<(), OpenError> {
        if self.store.tables_under_way(player).await? >= MOST_TABLES {
            return Err(Refusal::new("You have a great many tables already. Finish a few of them first.").into());
        }
        Ok(())
    }

    async fn store_opening(
        &self,
        id: TableId,
        wishes: &TableOptions,
        opened_by: Option<PlayerId>,
        rematch_of: Option<TableId>,
        played_on: Option<PlayedOn>,
    ) -> Result<(), OpenError> {
        if let Some(player) = opened_by {
            self.check_table_limit(player).await?;
        }
        let secret = fresh_secret();
        let opened = Opened { played_on, ..opening(wishes, secret.promise(), format!("table {id}"))? };
        let (mut folded, mut chain) = begin(self, id, opened)?;
        let mut sitting = Vec::new();
        for (seat, level) in seats_of_bots(wishes)? {
            let fact = TableFact::Sat { seat, cut: Some(random_cut()), bot: Some(level) };
            folded.record(&mut chain, 0, Some(seat), &fact)?;
            sitting.push(Sitting { seat, player: None, bot: Some(level) });
        }
        let events: Vec<_> = chain.records.iter().map(|record| record.to_new_event()).collect();
        let table = NewTable {
            id,
            game: wishes.game.info().slug,
            seats: i16::from(wishes.seats),
            private: wishes.private,
            opened_by,
            link_token: &fresh_token(),
            day: None,
            rematch_of,
            secret: Some(secret.bytes()),
            sitting: &sitting,
            at: chain.at,
            events: &events,
            projection: &folded.projection(),
        };
        Ok(self.store.open_table(&table).await?)
    }

    /// Sits down on a free seat and cuts the deck; the last to sit down starts the game. Who sits there already just stays.
    pub async fn sit(&self, player: PlayerId, id: TableId, cut: &str) -> Result<Seat, SitError> {
        self.sit_at(player, id, cut, None).await
    }

    /// The same on a seat of one's choice, if it is free.
    pub(crate) async fn sit_at(
        &self,
        player: PlayerId,
        id: TableId,
        cut: &str,
        wanted: Option<Seat>,
    ) -> Result<Seat, SitError> {
        let word = read_cut(cut)?;
        let habits = self.habits(player).await?;
        // Each try loses against somebody who sat down, and there are only so many seats.
        for _ in 0..=2 * Seat::MOST {
            let cached = self.load_fresh(id).await?;
            if let Some(seat) = cached.seat_of(Some(player)) {
                return Ok(seat);
            }
            let open = cached.now.status() == Status::Open;
            let (Some(seat), Some(secret), true) = (free_seat(&cached.now, wanted), &cached.secret, open) else {
                return Err(SitError::Taken);
            };
            let mut now = cached.now.clone();
            let mut chain = now.chain(id, self.now());
            let sat = TableFact::Sat { seat, cut: Some(word.clone()), bot: None };
            let played_on = self.facts_to_play_on(&now.opened).await?;
            sit_and_deal(&mut now, &mut chain, seat, &sat, secret, &habits, played_on)?;
            let sitting = vec![Sitting { seat, player: Some(player), bot: None }];
            let advance = Advance { sitting, ..Advance::by_the_house(now, chain) };
            match self.advance(&cached, advance).await {
                Ok(Appended::Stored) => return Ok(seat),
                Ok(Appended::Overtaken | Appended::NotSeated) => {}
                Err(ReadError::Store(error)) if error.is_transient() || error.is_duplicate() => {
                    tracing::warn!(%error, table = %id, "transient database error; retrying to sit down");
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(SitError::Taken)
    }

    /// Stands up from a table that has not begun. Who does not sit there has nothing to do.
    pub async fn stand_up(&self, player: PlayerId, id: TableId) -> Result<(), SitError> {
        for _ in 0..=2 * Seat::MOST {
            let cached = self.load_fresh(id).await?;
            let Some(seat) = cached.seat_of(Some(player)) else { return Ok(()) };
            if cached.now.status() != Status::Open {
                return Err(
                    Refusal::new("The game has begun. You can resign, or agree with the others to end it.").into()
                );
            }
            let mut now = cached.now.clone();
            let mut chain = now.chain(id, self.now());
            now.record(&mut chain, 0, Some(seat), &TableFact::Stood { seat })?;
            let advance = Advance { standing_up: Some(seat), ..Advance::by_the_house(now, chain) };
            if self.advance(&cached, advance).await? == Appended::Stored {
                return Ok(());
            }
        }
        Err(Refusal::new("Too many people are coming and going at this table. Try again.").into())
    }
}

/// A word to cut with: the player's own, or one of ours.
fn read_cut(word: &str) -> Result<String, Refusal> {
    let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
    if word.chars().count() > LONGEST_CUT {
        return Err(Refusal::new(format!("The word to cut with has at most {LONGEST_CUT} characters.")));
    }
    if !word.chars().all(is_plain) {
        return Err(Refusal::new("The word to cut with is made of letters, digits and the like."));
    }
    Ok(if word.is_empty() { random_cut() } else { word })
}

/// A word at random, with a number so that nobody could have guessed it.
pub(crate) fn random_cut() -> String {
    let mut rng = rand::rng();
    let word = CUTS.choose(&mut rng).copied().unwrap_or("teapot");
    format!("{word} {}", rand::RngExt::random_range(&mut rng, 1000..10_000))
}
