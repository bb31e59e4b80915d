//! Files of finished games on the command line: checked, and looked back at.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};

use crate::tables::analysis::report::Report;
use crate::tables::analysis::{self, Effort, FinishedGame};
use crate::tables::audit::check;
use crate::tables::history::export;
use crate::tables::history::game_record::{FIRST_TAG, Replayed, read_records};
use crate::tables::state::record::Record;
use wonderpost_rules::Seat;

fn read_file(path: &str) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("“{path}” is neither a table's id nor a file"))
}

/// Checks the game of a downloaded file, or plays all of a file of records once more, and prints what came of it.
pub fn verify(path: &str) -> anyhow::Result<ExitCode> {
    let text = read_file(path)?;
    if text.contains(FIRST_TAG) {
        return verify_records(&text);
    }
    let report = check::check_file(&wonderpost_games::catalogue(), &export::read(&text)?);
    print!("{report}");
    Ok(if report.fails() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn verify_records(text: &str) -> anyhow::Result<ExitCode> {
    let mut wrong = 0;
    for (number, record) in (1..).zip(read_records(text)?) {
        match record.replay(&wonderpost_games::catalogue()) {
            Ok(replayed) => {
                println!("holds    game {number} ({}): {} moves by the rules", record.game, replayed.steps.len() - 1);
            }
            Err(reason) => {
                wrong += 1;
                println!("FAILS    game {number} ({}): {reason}", record.game);
            }
        }
    }
    Ok(if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Prints the curve of the game of a downloaded file, or of each game of a file of records.
pub fn analyse(path: &str, seconds: f64) -> anyhow::Result<()> {
    let text = read_file(path)?;
    if !text.contains(FIRST_TAG) {
        return analyse_table(&export::read(&text)?.records, seconds);
    }
    for (number, record) in (1..).zip(read_records(&text)?) {
        let replayed = record.replay(&wonderpost_games::catalogue());
        let Replayed { game, steps } = replayed.map_err(|reason| anyhow!("game {number}: {reason}"))?;
        let everybody = Seat::all(record.seats).collect();
        print_curve(&FinishedGame::of_record(game, record.seats, everybody, steps)?, seconds)?;
    }
    Ok(())
}

/// Prints the curve of a game from its events.
pub fn analyse_table(records: &[Record], seconds: f64) -> anyhow::Result<()> {
    print_curve(&FinishedGame::read(&wonderpost_games::catalogue(), records)?, seconds)
}

fn print_curve(game: &FinishedGame, seconds: f64) -> anyhow::Result<()> {
    let processor_time = Duration::try_from_secs_f64(seconds).context("say how many seconds to spend")?;
    let effort = Effort { processor_time, ..Effort::BACKGROUND };
    let analysed = analysis::analyse(game, &effort, &mut |_| ControlFlow::Continue(()));
    let Ok(curve) = analysed else { bail!("the analysis was stopped") };
    print!("{}", Report { game, curve: &curve });
    Ok(())
}
