//! Games written down before they are said: the benchmark knows a table's secret and plays it in its own engine.

use anyhow::Context;
use data_encoding::BASE64URL_NOPAD;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::random_play;
use wonderpost::http::{COOKIE, StampCookie, StampKey};
use wonderpost::tables::clock::pace::Pace;
use wonderpost::tables::{PlayerId, TableId, TableOptions, Tables};
use wonderpost_rules::Game;
use wonderpost_rules::seed::Secret;

/// What is played.
#[derive(Clone)]
pub struct Play {
    pub game: &'static dyn Game,
    pub seats: u8,
    pub options: Value,
}

impl Play {
    /// A game of the catalogue; without a number of seats with the fewest.
    pub fn new(tables: &Tables, slug: &str, seats: Option<u8>, options: &str) -> anyhow::Result<Play> {
        let game = tables.catalogue.find(slug).with_context(|| format!("there is no game “{slug}”"))?;
        let options = serde_json::from_str(options).context("the options are not JSON")?;
        Ok(Play { game, seats: seats.unwrap_or(game.info().seats.0), options })
    }
}

/// A table that stands in the database, dealt and not yet played, and all that will be said at it.
pub struct Script {
    pub table: TableId,
    pub lines: Vec<ScriptedLine>,
    /// The cookies of the players, by seat.
    cookies: Vec<String>,
    /// What their forms carry.
    stamps: Vec<String>,
}

pub struct ScriptedLine {
    pub line: String,
    seat: usize,
    /// The number of the table's last event after this line.
    pub version: i64,
}

impl Script {
    /// Opens a table, seats players and plays until the game is over or has so many events.
    pub async fn write(tables: &Tables, play: &Play, number: u64, most_events: i64) -> anyhow::Result<Script> {
        let wishes = TableOptions {
            game: play.game,
            seats: play.seats,
            options: play.options.clone(),
            pace: Pace::default(),
            private: false,
            by_lot: false,
            preset_answers: false,
            bots: Vec::new(),
        };
        let table = tables.open(&wishes, None).await?;
        let key = tables.store.house_key("forms", &rand::random::<[u8; 32]>()).await?;
        let key = StampKey::from_slice(&key).context("the key of forms is damaged")?;
        let (mut cookies, mut stamps) = (Vec::new(), Vec::new());
        for _ in 0..play.seats {
            let token: [u8; 32] = rand::random();
            let player = PlayerId::fresh();
            let expires_at = chrono::Utc::now() + chrono::Duration::days(1);
            let digest: [u8; 32] = Sha256::digest(token).into();
            let name = format!("Bench {}", player.0.simple());
            tables.store.add_guest(player, &name, &name, &digest, expires_at).await?;
            // Nobody is asked twice: what is measured is the move.
            tables.store.keep_settings(player, r#"{"confirm_moves":false}"#).await?;
            stamps.push(key.stamp(&StampCookie::Session(digest)));
            tables.sit(player, table, "").await?;
            cookies.push(format!("{COOKIE}={}", BASE64URL_NOPAD.encode(&token)));
        }
        let now = tables.load_fresh(table).await?.now.clone();
        let secret = tables.store.secret_of_table(table).await?;
        let secret = secret.as_deref().and_then(Secret::from_slice).context("the table has no secret")?;
        let seed = now.seed(&secret);
        let mut rng = SmallRng::seed_from_u64(number);
        let (mut position, mut draws, mut version) = (now.position, now.draws, now.version);
        let mut lines = Vec::new();
        while version < most_events
            && let Some((seat, line)) = random_play::choose(&*position, &mut rng)
        {
            let decided = position.decide_line(seat, &line, &mut seed.chance(draws))?;
            draws += decided.draws.len() as u64;
            // What was said is an event, too.
            version += 1 + (decided.draws.len() + decided.facts.len()) as i64;
            position = decided.position;
            lines.push(ScriptedLine { line, seat: usize::from(seat.number()) - 1, version });
        }
        Ok(Script { table, lines, cookies, stamps })
    }

    /// The cookie of whoever says a line.
    pub fn cookie(&self, place: usize) -> &str {
        &self.cookies[self.lines[place].seat]
    }

    /// What the form of a line carries.
    pub fn stamp(&self, place: usize) -> &str {
        &self.stamps[self.lines[place].seat]
    }

    /// The first line after which the table has at least so many events.
    pub fn place_of_event(&self, version: i64) -> usize {
        self.lines.partition_point(|line| line.version < version)
    }

    /// How many events the table has at the end.
    pub fn events(&self) -> i64 {
        self.lines.last().map_or(0, |line| line.version)
    }
}
