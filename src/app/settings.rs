//! Settings: flags, or `WONDERPOST_…` variables, with defaults that just run.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use chrono::TimeDelta;
use clap::{Args, ValueEnum};

use crate::push::endpoint::Reach;

/// Where the database is, and how much is said about it. For all commands that need one.
#[derive(Args, Clone, Debug)]
pub struct DatabaseSettings {
    /// The Postgres to use: postgres://user:password@host:5432/name, or host=… dbname=…. There may be several hosts, separated by
    /// commas; the one that takes writes is found. Without it the program keeps one of its own in the data folder.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// A standby of the Postgres to read finished games and history from. Where it is behind or does not answer, the primary is asked.
    #[arg(long, env = "WONDERPOST_READ_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub read_database_url: Option<String>,

    /// Where the same Postgres is to be had without a pooler, for what a pooler in transaction mode does not carry: notices, and
    /// changes of the schema.
    #[arg(
        long,
        env = "WONDERPOST_DIRECT_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        requires = "database_url"
    )]
    pub direct_database_url: Option<String>,

    /// How long to wait for the database at the start.
    #[arg(long, env = "WONDERPOST_DATABASE_WAIT", value_name = "SECONDS", default_value_t = 30)]
    pub database_wait: u64,

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

    /// How long to serve on after SIGTERM, with /readyz at 503, so that load balancers stop sending requests before the port closes.
    #[arg(long, env = "WONDERPOST_GRACE_SECONDS", value_name = "SECONDS", default_value_t = 0)]
    pub grace_seconds: u32,

    /// How many calls a second of the API each token may make in the long run; ten times as many may come at once. 0 is no limit.
    #[arg(long, env = "WONDERPOST_API_RATE", value_name = "CALLS", default_value_t = API_RATE)]
    pub api_rate: u32,

    /// A token with which /metrics can be read from other machines, as `Authorization: Bearer …`. On this machine none is needed.
    #[arg(long, env = "WONDERPOST_METRICS_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    pub metrics_token: Option<String>,

    /// How many days off a player may announce a year, during which their clocks stand.
    #[arg(long, env = "WONDERPOST_DAYS_OFF", value_name = "DAYS", default_value_t = DAYS_OFF)]
    pub days_off: u32,

    /// Who runs the house: addresses of players, separated by commas, who find the console at /host once they are signed in.
    #[arg(long, env = "WONDERPOST_HOSTS", value_name = "ADDRESSES", default_value = "", hide_default_value = true)]
    pub hosts: Hosts,

    #[command(flatten)]
    pub post: PostSettings,

    #[arg(skip)]
    pub timeouts: Timeouts,

    #[arg(skip)]
    pub watchers: WatcherLimits,
}

/// How long clients may take.
#[derive(Copy, Clone, Debug)]
pub struct Timeouts {
    /// For the head of a request.
    pub head: Duration,
    /// For its body.
    pub body: Duration,
    /// For taking an answer, and for acknowledging anything at all.
    pub answer: Duration,
    /// Between two requests. Proxies that keep connections close them sooner themselves, so that none is closed under a request.
    pub keep_alive: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            head: Duration::from_secs(10),
            body: Duration::from_secs(20),
            answer: Duration::from_secs(60),
            keep_alive: Duration::from_secs(75),
        }
    }
}

/// How many may watch tables at a time, by one process.
#[derive(Copy, Clone, Debug)]
pub struct WatcherLimits {
    pub per_table: u32,
    pub per_network: u32,
}

impl Default for WatcherLimits {
    fn default() -> WatcherLimits {
        WatcherLimits { per_table: 500, per_network: 200 }
    }
}

/// Calls of the API a second.
const API_RATE: u32 = 20;

/// Three weeks.
const DAYS_OFF: u32 = 21;

impl Default for ServeSettings {
    fn default() -> ServeSettings {
        ServeSettings {
            listen: "localhost:8080".into(),
            public_url: None,
            workers: None,
            behind_proxy: false,
            grace_seconds: 0,
            api_rate: API_RATE,
            metrics_token: None,
            days_off: DAYS_OFF,
            hosts: Hosts::default(),
            post: PostSettings::default(),
            timeouts: Timeouts::default(),
            watchers: WatcherLimits::default(),
        }
    }
}

/// The addresses of those who run the house.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Whether a player with this confirmed address is one of them.
    pub fn has(&self, address: Option<&str>) -> bool {
        address.is_some_and(|address| self.0.iter().any(|host| host.eq_ignore_ascii_case(address)))
    }
}

impl FromStr for Hosts {
    type Err = String;

    fn from_str(list: &str) -> Result<Hosts, String> {
        let addresses = list.split(',').map(str::trim).filter(|address| !address.is_empty());
        let is_address = |address: &&str| {
            address.split_once('@').is_some_and(|(user, domain)| !user.is_empty() && !domain.is_empty())
        };
        match addresses.clone().find(|address| !is_address(address)) {
            Some(other) => Err(format!("“{other}” is no e-mail address")),
            None => Ok(Hosts(addresses.map(str::to_owned).collect())),
        }
    }
}

/// How letters go out.
#[derive(Args, Clone, Debug, Default)]
pub struct PostSettings {
    /// The mail server, such as smtps://user:password@mail.example.org. Without one letters are kept, and shown at /mailbox to this
    /// machine, if the service listens to it alone and neither a public URL nor a proxy is set.
    #[arg(long, env = "WONDERPOST_SMTP", value_name = "URL", hide_env_values = true)]
    pub smtp: Option<String>,

    /// Whom letters are from, such as "Wonderpost <post@example.org>".
    #[arg(long, env = "WONDERPOST_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

    /// How long a letter about a game waits for its player to come by themselves; by default 120 with a mail server, else 0.
    #[arg(long, env = "WONDERPOST_HOLD_SECONDS", value_name = "SECONDS")]
    pub hold_seconds: Option<u32>,

    /// Take addresses that no mail reaches over the Internet, such as alice@localhost. Without a mail server they are always taken.
    #[arg(long, env = "WONDERPOST_ALLOW_LOCAL_ADDRESSES")]
    pub allow_local_addresses: bool,

    #[command(flatten)]
    pub dkim: DkimSettings,

    #[command(flatten)]
    pub receive: ReceiveSettings,

    /// Let webhooks of players lead into private networks and to this machine, also without https. Only where every player is trusted: they could
    /// use them to reach what stands there.
    #[arg(long, env = "WONDERPOST_ALLOW_LOCAL_WEBHOOKS")]
    pub allow_local_webhooks: bool,

    /// Where notices on devices may go.
    #[arg(skip)]
    pub push_reach: Reach,
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

    /// The file with the key: an RSA or Ed25519 key as openssl writes it, or 32 bytes of an Ed25519 key in Base64.
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

impl ServeSettings {
    /// How long requests are served after the service was asked to stop.
    pub fn grace(&self) -> Duration {
        Duration::from_secs(self.grace_seconds.into())
    }
}

impl PostSettings {
    /// Whether addresses are taken that no mail reaches over the Internet.
    pub fn takes_local_addresses(&self) -> bool {
        self.allow_local_addresses || self.smtp.is_none()
    }

    /// Where webhooks may lead.
    pub fn webhook_reach(&self) -> Reach {
        if self.allow_local_webhooks { Reach::Anywhere } else { Reach::Internet }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_addresses_separated_by_commas() {
        let hosts: Hosts = " Alice@example.org,, dodo@example.org ".parse().unwrap();
        assert!(hosts.has(Some("alice@EXAMPLE.org")) && hosts.has(Some("dodo@example.org")));
        assert!(!hosts.has(Some("lory@example.org")) && !hosts.has(None) && !hosts.has(Some("")));
        assert_eq!("".parse(), Ok(Hosts::default()));
        assert!("alice@example.org,dodo".parse::<Hosts>().is_err());
    }
}
