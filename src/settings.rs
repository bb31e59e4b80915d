//! Settings: flags, or `WONDERPOST_…` variables, with defaults that just run.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Where the database is, and how much is said about it. For all commands that need one.
#[derive(Args, Clone, Debug)]
pub struct DatabaseSettings {
    /// The Postgres to use. Without it the program keeps one of its own in the data folder.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// The folder that holds the program's own Postgres.
    #[arg(long, env = "WONDERPOST_DATA", value_name = "FOLDER", default_value = "var")]
    pub data: PathBuf,

    /// The folder with the Postgres server programs, if they are in an unusual place.
    #[arg(long, env = "WONDERPOST_POSTGRES", value_name = "FOLDER")]
    pub postgres: Option<PathBuf>,

    /// The most connections to the database at a time.
    #[arg(long, env = "WONDERPOST_CONNECTIONS", value_name = "N", default_value_t = 16)]
    pub connections: u32,
}

/// How the service shows itself.
#[derive(Args, Clone, Debug)]
pub struct ServeSettings {
    /// The address to listen on.
    #[arg(long, env = "WONDERPOST_LISTEN", value_name = "ADDRESS", default_value = "localhost:8080")]
    pub listen: String,

    /// The address under which people reach the service, if it stands behind a proxy. With https, cookies are sent over https only.
    #[arg(long, env = "WONDERPOST_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// How many threads answer requests; by default one a core.
    #[arg(long, env = "WONDERPOST_WORKERS", value_name = "N")]
    pub workers: Option<usize>,
}

/// What the log looks like.
#[derive(Args, Clone, Debug)]
pub struct LogSettings {
    /// What goes into the log: error, warn, info, debug, or a filter such as `wonderpost=debug`.
    #[arg(long, env = "WONDERPOST_LOG", value_name = "LEVEL", default_value = "wonderpost=info,warn", global = true)]
    pub log: String,

    /// How a line of the log is written.
    #[arg(long, env = "WONDERPOST_LOG_FORMAT", value_name = "FORMAT", default_value = "text", global = true)]
    pub log_format: LogFormat,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}
