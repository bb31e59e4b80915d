//! Measuring: how fast the house is.

pub mod calibrate;
pub mod engine;
mod house;
mod http;
pub mod ledger;
mod lengths;
mod load;
mod mail;
mod moves;
mod pages;
mod pgbench;
mod pictures;
mod processor_time;
mod random_play;
mod script;
mod service;
pub mod simulate;
mod sink;
mod starts;
mod sweep;

use clap::Subcommand;

/// What can be measured.
#[derive(Subcommand)]
pub enum Bench {
    /// Moves a second through list, decide and fold, and events folded a second, for each game.
    Engine {
        /// How long each figure is measured.
        #[arg(long, default_value_t = 3.0)]
        seconds: f64,
    },
    /// Moves a second over HTTP with a real Postgres beside pgbench, what a long game costs, memory and start.
    Moves(moves::Settings),
    /// What every kind of page costs beside a bare one.
    Pages(pages::Settings),
    /// The bare pages, as a server of their own.
    #[command(hide = true)]
    BarePage(pages::bare::Settings),
    /// Letters a second from the outbox beside bare lettre, to the same mail server.
    Mail(mail::Settings),
    /// How long it takes to find the tables that are due among a million.
    Sweep(sweep::Settings),
    /// Plays over HTTP, writes every acknowledged move down, and compares that with the database.
    Ledger(ledger::Settings),
    /// How long the picture in a letter takes, and how large it is.
    Pictures(pictures::Settings),
    /// Let bots play many games and print figures.
    Simulate(simulate::Settings),
    /// Let bots play, draw the curves of their games, and compare the chances with how the games ended.
    Calibrate(calibrate::Settings),
}

pub fn run(what: Bench) -> anyhow::Result<()> {
    match what {
        Bench::Engine { seconds } => {
            for game in wonderpost_games::catalogue().iter() {
                println!("{}", engine::bench_engine(game, seconds)?);
            }
            Ok(())
        }
        Bench::Moves(settings) => moves::run(settings),
        Bench::Pages(settings) => pages::run(&settings),
        Bench::BarePage(settings) => pages::bare::serve(settings),
        Bench::Mail(settings) => mail::run(&settings),
        Bench::Sweep(settings) => sweep::run(&settings),
        Bench::Ledger(settings) => ledger::run(&settings),
        Bench::Pictures(settings) => pictures::run(&settings),
        Bench::Simulate(settings) => simulate::run(&settings),
        Bench::Calibrate(settings) => calibrate::run(&settings),
    }
}
