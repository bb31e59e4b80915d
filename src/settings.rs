//! Settings: flags, or `WONDERPOST_…` variables, with defaults that just run.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::TimeDelta;
use clap::{Args, ValueEnum};

use crate::post::reply_address::ReplyAddresses;

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

    /// A proxy stands in front and writes where a request comes from into X-Forwarded-For; its last entry is believed.
    #[arg(long, env = "WONDERPOST_BEHIND_PROXY")]
    pub behind_proxy: bool,

    /// How many days off a player may announce a year, during which their clocks stand.
    #[arg(long, env = "WONDERPOST_DAYS_OFF", value_name = "DAYS", default_value_t = DAYS_OFF)]
    pub days_off: u32,

    #[command(flatten)]
    pub post: PostSettings,
}

/// Three weeks.
const DAYS_OFF: u32 = 21;

impl Default for ServeSettings {
    fn default() -> ServeSettings {
        ServeSettings {
            listen: "localhost:8080".into(),
            public_url: None,
            workers: None,
            behind_proxy: false,
            days_off: DAYS_OFF,
            post: PostSettings::default(),
        }
    }
}

/// How letters go out.
#[derive(Args, Clone, Debug, Default)]
pub struct PostSettings {
    /// The mail server, such as smtps://user:password@mail.example.org. Without one letters are kept, and shown at /mailbox
    /// to requests from this machine.
    #[arg(long, env = "WONDERPOST_SMTP", value_name = "URL", hide_env_values = true)]
    pub smtp: Option<String>,

    /// Whom letters are from, such as "Wonderpost <post@example.org>".
    #[arg(long, env = "WONDERPOST_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

    /// How long a letter about a game waits for its player to come by themselves; by default 120 with a mail server, else 0.
    #[arg(long, env = "WONDERPOST_HOLD_SECONDS", value_name = "SECONDS")]
    pub hold_seconds: Option<u32>,

    #[command(flatten)]
    pub dkim: DkimSettings,

    #[command(flatten)]
    pub receive: ReceiveSettings,
}

/// How letters are signed (DKIM).
#[derive(Args, Clone, Debug, Default)]
pub struct DkimSettings {
    /// The name of the key that is published in the DNS, if letters are to be signed.
    #[arg(long, env = "WONDERPOST_DKIM_SELECTOR", value_name = "NAME")]
    pub dkim_selector: Option<String>,

    /// The domain for which letters are signed; by default that of their sender.
    #[arg(long, env = "WONDERPOST_DKIM_DOMAIN", value_name = "DOMAIN")]
    pub dkim_domain: Option<String>,

    /// The file with the key: an RSA key in PKCS#1, or 32 bytes of an Ed25519 key in Base64.
    #[arg(long, env = "WONDERPOST_DKIM_KEY", value_name = "FILE")]
    pub dkim_key: Option<PathBuf>,
}

/// How replies come in.
#[derive(Args, Clone, Debug, Default)]
pub struct ReceiveSettings {
    /// The domain whose mail comes to this service, such as in.example.org. With it letters can be answered with moves.
    #[arg(long, env = "WONDERPOST_REPLY_DOMAIN", value_name = "DOMAIN")]
    pub reply_domain: Option<String>,

    /// Where a mail server hands in mail by LMTP: an address such as localhost:2424, or the path of a Unix socket.
    #[arg(long, env = "WONDERPOST_LMTP_LISTEN", value_name = "ADDRESS")]
    pub lmtp_listen: Option<String>,

    /// The secret with which mail handed in at /in/mail is signed.
    #[arg(long, env = "WONDERPOST_WEBHOOK_SECRET", value_name = "SECRET", hide_env_values = true)]
    pub webhook_secret: Option<String>,

    /// The name under which our mail server notes who wrote a message (in Authentication-Results). With it, a reply that fails
    /// these checks is held until its player confirms it.
    #[arg(long, env = "WONDERPOST_AUTHSERV_ID", value_name = "NAME")]
    pub authserv_id: Option<String>,
}

impl ReceiveSettings {
    /// The addresses that replies come to, if they do.
    pub fn addresses(&self) -> Option<Arc<ReplyAddresses>> {
        self.reply_domain.as_deref().map(|domain| Arc::new(ReplyAddresses::new(domain)))
    }
}

impl PostSettings {
    /// How long a letter about a game is held back.
    pub fn hold(&self) -> TimeDelta {
        let seconds = self.hold_seconds.unwrap_or(if self.smtp.is_some() { 120 } else { 0 });
        TimeDelta::seconds(seconds.into())
    }
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
