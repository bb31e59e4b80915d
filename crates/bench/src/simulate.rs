//! Bots at work: whole games among themselves, to see how strong they are and how a game runs.

mod games;
mod report;

pub use games::{Played, Simulation, simulate};
pub use report::{Report, Tally};

use anyhow::Context;
use clap::Args;
use wonderpost_rules::Level;

/// Which games are played.
#[derive(Args)]
pub struct Settings {
    /// The game's name, such as we-are-not-amused.
    game: String,
    /// How many seats; the fewest by default.
    #[arg(long)]
    seats: Option<u8>,
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// The bots of the seats, in turn: easy, middle or decent.
    #[arg(long, value_delimiter = ',', default_value = "decent")]
    bots: Vec<Level>,
    /// Options that differ from the defaults, as JSON.
    #[arg(long, default_value = "{}")]
    options: String,
    /// The number of the first game; the same number gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Plays the games and prints the figures.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    let catalogue = wonderpost_games::catalogue();
    let game = catalogue.find(&settings.game).with_context(|| format!("there is no game “{}”", settings.game))?;
    let options: serde_json::Value = serde_json::from_str(&settings.options).context("the options are not JSON")?;
    let simulation = Simulation {
        game,
        seats: settings.seats.unwrap_or(game.info().seats.0),
        options: &options,
        games: settings.games,
        levels: &settings.bots,
        first_seed: settings.seed,
        threads: None,
    };
    print!("{}", simulate(&simulation)?);
    Ok(())
}
