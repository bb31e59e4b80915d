//! Opening a table and sitting down at it.

use rand::TryRng;
use rand::rngs::SysRng;
use rand::seq::IndexedRandom;
use serde_json::Value;

use super::folded::{Folded, Status, Unfoldable};
use super::record::{Chain, Opened, TableFact};
use super::{PlayerId, ReadError, TableId, Tables, record};
use crate::rules::seed::{Promise, Secret};
use crate::rules::{Fact, Game, Refusal, Seat};
use crate::store::StoreError;
use crate::store::tables::{Append, Appended, NewTable};

/// A word with which to cut the deck has at most so many characters.
pub const LONGEST_CUT: usize = 40;

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

/// A fresh secret from the system's randomness.
pub(super) fn fresh_secret() -> Secret {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).expect("the system gives random bytes");
    Secret::new(bytes)
}

/// How a table of this game is opened.
pub(super) fn opening(
    game: &'static dyn Game,
    seats: u8,
    options: &Value,
    promise: Promise,
    deal: String,
) -> Result<Opened, Refusal> {
    let options = game.complete_options(options)?;
    game.begin(&options, seats)?;
    Ok(Opened { game: game.info().slug.to_owned(), seats, options, promise: promise.to_string(), deal, day: None })
}

/// The first event of a table, folded.
pub(super) fn begin(tables: &Tables, id: TableId, opened: Opened) -> Result<(Folded, Chain), Unfoldable> {
    let mut chain = Chain { table: id, seq: 0, head: [0; 32], at: record::now(), records: Vec::new() };
    let folded = Folded::begin(&tables.catalogue, chain.add(0, None, Fact::new(&TableFact::Opened(opened))))?;
    Ok((folded, chain))
}

/// Records that somebody sits down, and deals once all do.
pub(super) fn sit_and_deal(
    folded: &mut Folded,
    chain: &mut Chain,
    seat: Seat,
    cut: Option<String>,
    secret: &Secret,
) -> Result<(), SitError> {
    folded.record(chain, 0, Some(seat), &TableFact::Sat { seat, cut })?;
    if folded.status() == Status::Open {
        return Ok(());
    }
    let dealt = folded.position.set_up(&mut folded.seed(secret).chance(0))?;
    for draw in dealt.draws {
        folded.record(chain, 0, None, &TableFact::Drew(draw))?;
    }
    for fact in dealt.facts {
        let record = chain.add(0, None, fact).clone();
        folded.fold(&record)?;
    }
    Ok(())
}

impl Tables {
    /// Opens a table and promises its chance. Nobody sits at it yet.
    pub async fn open(&self, game: &'static dyn Game, seats: u8, options: &Value) -> Result<TableId, OpenError> {
        let id = TableId::fresh();
        let secret = fresh_secret();
        let opened = opening(game, seats, options, secret.promise(), format!("table {id}"))?;
        let (folded, chain) = begin(self, id, opened)?;
        let events: Vec<_> = chain.records.iter().map(|record| record.to_new_event()).collect();
        self.store
            .open_table(&NewTable {
                id: id.0,
                game: game.info().slug,
                day: None,
                secret: Some(secret.bytes()),
                holder: None,
                at: chain.at,
                events: &events,
                projection: &folded.projection(),
            })
            .await?;
        Ok(id)
    }

    /// Sits down on the first free seat and cuts the deck; the last to sit down starts the game. Who sits there already just stays.
    pub async fn sit(&self, player: PlayerId, id: TableId, cut: &str) -> Result<Seat, SitError> {
        let word = read_cut(cut)?;
        // Each try loses against somebody who sat down, and there are only so many seats.
        for _ in 0..=Seat::MOST {
            let kept = self.read(id).await?;
            if let Some(seat) = kept.seat_of(Some(player)) {
                return Ok(seat);
            }
            let free = Seat::all(kept.now.opened.seats).find(|seat| !kept.now.seated.contains(*seat));
            let (Some(seat), Some(secret)) = (free, &kept.secret) else { return Err(SitError::Taken) };
            let mut now = kept.now.clone();
            let mut chain = now.chain(id);
            sit_and_deal(&mut now, &mut chain, seat, Some(word.clone()), secret)?;
            let events: Vec<_> = chain.records.iter().map(|record| record.to_new_event()).collect();
            let append = Append {
                table: id.0,
                expected_version: kept.now.version,
                at: chain.at,
                events: &events,
                projection: &now.projection(),
            };
            let appended = self.store.append_sitting(&append, i16::from(seat.number()), player.0).await;
            match appended {
                Ok(Appended::Stored) => return Ok(seat),
                Ok(Appended::Overtaken | Appended::NotSeated) => {}
                Err(error) if error.is_passing() || error.is_duplicate() => {
                    tracing::warn!(%error, table = %id, "sitting down again");
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(SitError::Taken)
    }
}

/// A word to cut with: the player's own, or one of ours.
fn read_cut(word: &str) -> Result<String, Refusal> {
    let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
    if word.chars().count() > LONGEST_CUT {
        return Err(Refusal::new(format!("The word to cut with has at most {LONGEST_CUT} characters.")));
    }
    if word.chars().any(char::is_control) {
        return Err(Refusal::new("The word to cut with is made of letters, digits and the like."));
    }
    Ok(if word.is_empty() { random_cut() } else { word })
}

/// A word at random, with a number so that nobody could have guessed it.
pub fn random_cut() -> String {
    let mut rng = rand::rng();
    let word = CUTS.choose(&mut rng).copied().unwrap_or("teapot");
    format!("{word} {}", rand::RngExt::random_range(&mut rng, 1000..10_000))
}
