//! The command line.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Parser, Subcommand};
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use wonderpost::app::database::Database;
use wonderpost::app::settings::{DatabaseSettings, LogFormat, LogSettings, ReceiveSettings, ServeSettings};
use wonderpost::app::startup::{Signals, run_service};
use wonderpost::app::{game_files, health, mail_check};
use wonderpost::mail::inbox::{Intake, deliver};
use wonderpost::mail::reply_address::ReplyAddresses;
use wonderpost::tables::audit::rebuild::Comparison;
use wonderpost::tables::results::worker::Rebuilt;
use wonderpost::tables::{TableId, Tables};
use wonderpost_rules::{Viewer, case};

/// A play-by-mail house for Wonderland games.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    serve: ServeSettings,
    #[command(flatten)]
    log: LogSettings,
}

#[derive(Subcommand)]
enum Command {
    /// Run the service (what happens without a command).
    Serve {
        #[command(flatten)]
        database: DatabaseSettings,
        #[command(flatten)]
        serve: ServeSettings,
    },
    /// Bring the database up to date and stop.
    Migrate {
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Run the database, print its address, and stop when asked to.
    Database {
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Run case files, or all in a folder.
    Case {
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Check a game: a table of this house, or a downloaded file.
    Verify {
        /// A table's id, or the path of a file.
        what: String,
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Write a table's game as JSON lines: all of it if it is over, else what everybody may know.
    Export {
        table: TableId,
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Look back at a finished game: everybody's chance to win after each move, and where it turned.
    Analyse {
        /// A table's id, or the path of a downloaded file.
        what: String,
        /// The processor time to spend, in seconds.
        #[arg(long, default_value_t = 15.0)]
        seconds: f64,
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Rebuild what lists show of tables from their events, and report differences.
    Rebuild {
        /// One table; all of them by default.
        table: Option<TableId>,
        /// Put the rebuilt in the place of what differs.
        #[arg(long)]
        mend: bool,
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Read the results of all finished games again, and rate their players anew.
    Results {
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Take a message from standard input, as a mail server hands it over. Exit codes are those that mail servers understand. With
    /// --lmtp-listen it goes to the service that listens there, else into the database.
    Deliver {
        /// The address that the message is for.
        recipient: String,
        /// Whom the envelope names as its sender; nothing for a report of a mail server.
        #[arg(long)]
        sender: Option<String>,
        #[command(flatten)]
        receive: ReceiveSettings,
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Look at the settings for mail and at the DNS, send a test letter, and say what is wrong.
    MailCheck {
        /// Whom the test letter goes to; without it none is sent.
        #[arg(long, value_name = "ADDRESS")]
        to: Option<String>,
        #[command(flatten)]
        serve: ServeSettings,
    },
    /// List the letters that could not be sent.
    Letters {
        /// Try this one again.
        #[arg(long, value_name = "LETTER")]
        again: Option<i64>,
        #[command(flatten)]
        database: DatabaseSettings,
    },
    /// Ask a running service whether it is well.
    Health {
        #[command(flatten)]
        serve: ServeSettings,
    },
}

fn main() -> ExitCode {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        // Mail is not to be lost over a slip in a mail server's settings.
        Err(error) if error.use_stderr() && std::env::args().nth(1).is_some_and(|command| command == "deliver") => {
            eprintln!("{error}");
            return ExitCode::from(deliver::LATER);
        }
        Err(error) => error.exit(),
    };
    start_log(&line.log);
    match run(line) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start_log(settings: &LogSettings) {
    let filter = settings.log.parse().unwrap_or_else(|_| Targets::new().with_default(Level::INFO));
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false);
    let log = log.with_ansi(std::io::stderr().is_terminal());
    let registry = tracing_subscriber::registry();
    match settings.log_format {
        LogFormat::Text => registry.with(log.with_filter(filter)).init(),
        LogFormat::Json => registry.with(log.json().with_filter(filter)).init(),
    }
}

fn run(line: CommandLine) -> anyhow::Result<ExitCode> {
    let command = line.command.unwrap_or(Command::Serve { database: line.database, serve: line.serve });
    match command {
        Command::Case { paths } => run_cases(&paths),
        Command::Verify { what, .. } if what.parse::<TableId>().is_err() => game_files::verify(&what),
        Command::Analyse { what, seconds, .. } if what.parse::<TableId>().is_err() => {
            game_files::analyse(&what, seconds)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Health { serve } => {
            Ok(if health::is_well(&serve.listen) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        command => actix_web::rt::System::new().block_on(run_with_database(command)),
    }
}

async fn run_with_database(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve { database, serve } => run_service(&database, &serve).await,
        Command::Migrate { database } => {
            Database::open(&database).await?.close().await?;
            println!("The database is up to date.");
            Ok(ExitCode::SUCCESS)
        }
        Command::Database { database } => {
            let database = Database::open(&database).await?;
            println!("{}", database.url);
            Signals::listen()?.next().await;
            database.close().await?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Verify { what, database } => {
            let id: TableId = what.parse()?;
            with_tables(&database, async |tables| {
                let report = tables.check(id).await?;
                print!("{report}");
                Ok(if report.fails() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
            })
            .await
        }
        Command::Analyse { what, seconds, database } => {
            let id: TableId = what.parse()?;
            with_tables(&database, async |tables| {
                tables.may_analyse(&tables.load_fresh(id).await?.now)?;
                game_files::analyse_table(&tables.records(id).await?, seconds)?;
                Ok(ExitCode::SUCCESS)
            })
            .await
        }
        Command::Export { table, database } => {
            with_tables(&database, async |tables| {
                let cached = tables.load_fresh(table).await?;
                if cached.now.opened.day == Some(tables.today()) {
                    bail!("A game of today's garden can be exported when the day is over.");
                }
                std::io::stdout().write_all(tables.export(&cached, Viewer::Public).await?.as_bytes())?;
                Ok(ExitCode::SUCCESS)
            })
            .await
        }
        Command::Letters { again, database } => {
            with_tables(&database, async |tables| list_dead_letters(tables, again).await).await
        }
        Command::Results { database } => {
            with_tables(&database, async |tables| {
                let Rebuilt { results, rated } = tables.rebuild_results().await?;
                println!("{results} finished games read, {rated} rated");
                Ok(ExitCode::SUCCESS)
            })
            .await
        }
        Command::Rebuild { table, mend, database } => {
            with_tables(&database, async |tables| rebuild(tables, table, mend).await).await
        }
        Command::Deliver { recipient, sender, receive, database } => {
            let delivered = deliver_message(&recipient, sender.as_deref(), &receive, &database).await;
            Ok(delivered.unwrap_or_else(|error| {
                eprintln!("{error:#}");
                ExitCode::from(deliver::LATER)
            }))
        }
        Command::MailCheck { to, serve } => {
            let place = serve.public_url.clone().unwrap_or_else(|| format!("http://{}", serve.listen));
            let is_well = mail_check::run(&serve.post, &place, to.as_deref()).await;
            Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Command::Case { .. } | Command::Health { .. } => {
            bail!("this command needs no database")
        }
    }
}

async fn deliver_message(
    recipient: &str,
    sender: Option<&str>,
    receive: &ReceiveSettings,
    database: &DatabaseSettings,
) -> anyhow::Result<ExitCode> {
    let addresses =
        ReplyAddresses::from_settings(receive).context("say for which domain mail is taken (--reply-domain)")?;
    let raw = deliver::read_message(std::io::stdin().lock()).context("the message cannot be read")?;
    if let Some(place) = &receive.lmtp_listen {
        let handed_over = deliver::hand_over(place, sender, recipient, &raw);
        return handed_over.with_context(|| format!("the service does not take mail at {place}"));
    }
    let database = Database::open(database).await?;
    let intake = Intake { store: database.store.clone(), addresses, arrivals: Arc::default() };
    let code = deliver::deliver(&intake, sender, recipient, &raw).await;
    database.close().await?;
    Ok(code)
}

async fn with_tables(
    settings: &DatabaseSettings,
    act: impl AsyncFnOnce(&Tables) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let database = Database::open(settings).await?;
    let tables = Tables::new(database.store.clone(), wonderpost_games::catalogue(), Arc::default());
    let code = act(&tables).await;
    database.close().await?;
    code
}

fn run_cases(paths: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let catalogue = wonderpost_games::catalogue();
    let (mut passed, mut failed) = (0, 0);
    for file in case::files(paths).context("the case files cannot be found")? {
        let outcome = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        match outcome.and_then(|text| case::run(&catalogue, &text)) {
            Ok(()) => passed += 1,
            Err(failure) => {
                failed += 1;
                println!("{}: {failure}", file.display());
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(if failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The most letters that are listed.
const LISTED_LETTERS: i64 = 200;

async fn list_dead_letters(tables: &Tables, again: Option<i64>) -> anyhow::Result<ExitCode> {
    if let Some(id) = again {
        if !tables.store.revive_letter(id).await? {
            bail!("There is no such letter, or what it had to say is gone. Letters about games can be tried again.");
        }
        println!("Letter {id} is tried again.");
        return Ok(ExitCode::SUCCESS);
    }
    let letters = tables.store.dead_letters(LISTED_LETTERS).await?;
    for letter in &letters {
        println!(
            "{}  {}  to {}, written {}, given up {} after {} tries\n    {}",
            letter.id,
            letter.kind.name(),
            letter.reader,
            letter.written_at.format("%Y-%m-%d %H:%M"),
            letter.dropped_at.format("%Y-%m-%d %H:%M"),
            letter.tries,
            letter.trouble,
        );
    }
    println!("{} letters could not be sent", letters.len());
    Ok(ExitCode::SUCCESS)
}

async fn rebuild(tables: &Tables, table: Option<TableId>, mend: bool) -> anyhow::Result<ExitCode> {
    let ids = match table {
        Some(table) => vec![table],
        None => tables.all_ids().await?,
    };
    let mut wrong = 0;
    for id in &ids {
        match tables.rebuild(*id, mend).await? {
            Comparison::Same => {}
            Comparison::Different { stands, rebuilt, mended } => {
                wrong += usize::from(!mended);
                println!(
                    "{id}: {}\n  stands  {stands:?}\n  rebuilt {rebuilt:?}",
                    if mended { "mended" } else { "different" }
                );
            }
            Comparison::Broken(reason) => {
                wrong += 1;
                println!("{id}: broken: {reason}");
            }
        }
    }
    println!("{} tables compared, {wrong} wrong", ids.len());
    Ok(if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
