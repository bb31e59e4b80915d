//! The command line of the benchmarks.

use clap::Parser;
use wonderpost_bench::{Bench, run};

/// Measures Wonderpost, and lets its bots play among themselves.
#[derive(Parser)]
#[command(version, about)]
struct CommandLine {
    #[command(subcommand)]
    what: Bench,
}

fn main() -> anyhow::Result<()> {
    run(CommandLine::parse().what)
}
