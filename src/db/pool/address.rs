//! Where the database is: one server or several, written as libpq takes it.
//!
//! `postgres://user:password@host1:5432,host2:5433/db?target_session_attrs=read-write`, or `host=host1,host2 port=5432,5433 dbname=db`. What is
//! said about each single server is left to sqlx, which knows no lists.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;

use crate::percent::percent_encoded;

/// The servers that may have the database, and which of them is meant.
#[derive(Clone, Debug)]
pub struct Address {
    /// In the order in which they are tried.
    pub(crate) hosts: Vec<PgConnectOptions>,
    pub(crate) target: Target,
    /// The most that connecting to one of them may take.
    pub(crate) connect_timeout: Option<Duration>,
}

/// Which server is meant (`target_session_attrs`).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Any,
    ReadWrite,
    ReadOnly,
    Primary,
    Standby,
    PreferStandby,
}

impl Target {
    /// Whether a server is what is meant: one in recovery follows another; one may also be told not to write.
    pub(crate) fn fits(self, in_recovery: bool, read_only: bool) -> bool {
        match self {
            Target::Any => true,
            Target::ReadWrite => !in_recovery && !read_only,
            Target::ReadOnly => in_recovery || read_only,
            Target::Primary => !in_recovery,
            Target::Standby | Target::PreferStandby => in_recovery,
        }
    }
}

impl FromStr for Target {
    type Err = AddressError;

    fn from_str(word: &str) -> Result<Target, AddressError> {
        Ok(match word {
            "any" => Target::Any,
            "read-write" => Target::ReadWrite,
            "read-only" => Target::ReadOnly,
            "primary" => Target::Primary,
            "standby" => Target::Standby,
            "prefer-standby" => Target::PreferStandby,
            _ => return Err(AddressError::Value("target_session_attrs")),
        })
    }
}

/// Why an address cannot be read. Says nothing of its contents, which may be secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("it is neither a postgres:// address nor a list such as “host=… dbname=…”")]
    NeitherForm,
    #[error("after “{0}” there is no “=”")]
    NoValue(String),
    #[error("a quotation is not closed")]
    OpenQuotation,
    #[error("there is no such parameter as “{0}”")]
    Unknown(String),
    #[error("“{0}” has a value that it cannot have")]
    Value(&'static str),
    #[error("there are {hosts} hosts and {others} {what}: give one for each, or one for all")]
    Uneven { hosts: usize, others: usize, what: &'static str },
    #[error("a sign after “%” is not hexadecimal, or what it spells is no text")]
    Encoding,
    #[error("{0}")]
    Other(String),
}

impl From<PgConnectOptions> for Address {
    fn from(options: PgConnectOptions) -> Address {
        Address { hosts: vec![options], target: Target::Any, connect_timeout: None }
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        let text = text.trim();
        let scheme = ["postgres://", "postgresql://"].into_iter().find_map(|scheme| text.strip_prefix(scheme));
        match scheme {
            Some(rest) => Parameters::of_url(rest)?.address(),
            None if text.contains("://") || !text.contains('=') => Err(AddressError::NeitherForm),
            None => Parameters::of_words(text)?.address(),
        }
    }
}

/// What libpq knows and we do not heed: our own limits and the system's do instead, or it makes no difference here.
const WITHOUT_EFFECT: [&str; 20] = [
    "channel_binding",
    "client_encoding",
    "fallback_application_name",
    "gssdelegation",
    "gssencmode",
    "gsslib",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "krbsrvname",
    "load_balance_hosts",
    "replication",
    "require_auth",
    "requirepeer",
    "sslcompression",
    "sslnegotiation",
    "sslsni",
    "ssl_min_protocol_version",
    "tcp_user_timeout",
];

/// What sqlx reads of an address.
const PASSED_ON: [&str; 14] = [
    "user",
    "password",
    "dbname",
    "application_name",
    "options",
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
];

/// The parameters of an address by name; where one is there twice the last one counts.
#[derive(Default)]
struct Parameters {
    list: Vec<(String, String)>,
    /// Whether names that nobody knows are refused, as libpq does. In a `postgres://` address they have always been passed over.
    strict: bool,
}

impl Parameters {
    fn set(&mut self, name: &str, value: String) {
        self.list.retain(|(there, _)| there != name || name == "options");
        self.list.push((name.to_owned(), value));
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().rev().find(|(there, _)| there == name).map(|(_, value)| value.as_str())
    }

    /// `user:password@host1:1,host2:2/db?name=value&…`, without what stands before the `//`.
    fn of_url(rest: &str) -> Result<Parameters, AddressError> {
        let mut parameters = Parameters::default();
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = place.split_once('/').unwrap_or((place, ""));
        let hosts = match authority.rsplit_once('@') {
            Some((who, hosts)) => {
                let (user, password) = who.split_once(':').map_or((who, None), |(user, word)| (user, Some(word)));
                if !user.is_empty() {
                    parameters.set("user", decoded(user)?);
                }
                if let Some(password) = password {
                    parameters.set("password", decoded(password)?);
                }
                hosts
            }
            None => authority,
        };
        if !hosts.is_empty() {
            let (names, ports): (Vec<&str>, Vec<&str>) = hosts.split(',').map(host_and_port).unzip();
            let names: Vec<&str> = names.iter().map(|name| name.trim_matches(['[', ']'])).collect();
            parameters.set("host", decoded(&names.join(","))?);
            if ports.iter().any(|port| !port.is_empty()) {
                parameters.set("port", ports.join(","));
            }
        }
        if !database.is_empty() {
            parameters.set("dbname", decoded(database)?);
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').ok_or_else(|| AddressError::NoValue(pair.to_owned()))?;
            // A plus has always stood for a space here, as in forms.
            parameters.set(&decoded(name)?, decoded(&value.replace('+', " "))?);
        }
        Ok(parameters)
    }

    /// `host=host1,host2 password='it''s' …`: spaces around `=` are allowed, and `\` takes away the meaning of `'` and of itself.
    fn of_words(text: &str) -> Result<Parameters, AddressError> {
        let mut parameters = Parameters { strict: true, ..Parameters::default() };
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let end = rest.find(|sign: char| sign == '=' || sign.is_whitespace()).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            let after = after.trim_start().strip_prefix('=').ok_or_else(|| AddressError::NoValue(name.to_owned()))?;
            let (value, after) = word(after.trim_start())?;
            parameters.set(name, value);
            rest = after.trim_start();
        }
        Ok(parameters)
    }

    fn address(&self) -> Result<Address, AddressError> {
        let hosts = Hosts::of(self)?;
        let several = hosts.0.len() > 1;
        let target = match self.get("target_session_attrs") {
            Some(word) => word.parse()?,
            // The service writes: of several servers the one that takes it.
            None if several => Target::ReadWrite,
            None => Target::Any,
        };
        let connect_timeout = self.get("connect_timeout").map(str::parse::<i64>).transpose();
        let connect_timeout = connect_timeout.map_err(|_| AddressError::Value("connect_timeout"))?;
        let connect_timeout = connect_timeout.and_then(|seconds| u64::try_from(seconds).ok()).filter(|&some| some > 0);
        let passed_on = self.passed_on()?;
        let hosts = hosts.0.iter().map(|host| host.options(&passed_on)).collect::<Result<_, _>>()?;
        Ok(Address { hosts, target, connect_timeout: connect_timeout.map(Duration::from_secs) })
    }

    /// What holds for every host, as a query for sqlx.
    fn passed_on(&self) -> Result<String, AddressError> {
        let mut query = String::new();
        for (name, value) in &self.list {
            let ours = ["host", "hostaddr", "port", "target_session_attrs", "connect_timeout"];
            let of_sqlx = name == "statement-cache-capacity" || name.starts_with("options[");
            if PASSED_ON.contains(&name.as_str()) || of_sqlx {
                query += &format!("&{name}={}", percent_encoded(value.as_bytes()));
            } else if !ours.contains(&name.as_str()) {
                if self.strict && !WITHOUT_EFFECT.contains(&name.as_str()) {
                    return Err(AddressError::Unknown(name.clone()));
                }
                tracing::warn!(name, "this parameter of the database's address has no effect");
            }
        }
        Ok(query)
    }
}

/// A host with its port; the colons within brackets belong to the host.
fn host_and_port(text: &str) -> (&str, &str) {
    let name = text.rfind(']').map_or(0, |end| end + 1);
    match text[name..].rfind(':') {
        Some(colon) => (&text[..name + colon], &text[name + colon + 1..]),
        None => (text, ""),
    }
}

/// The first value of a list of words, and what follows it.
fn word(text: &str) -> Result<(String, &str), AddressError> {
    let (quoted, text) = text.strip_prefix('\'').map_or((false, text), |rest| (true, rest));
    let mut value = String::new();
    let mut signs = text.char_indices();
    while let Some((place, sign)) = signs.next() {
        match sign {
            '\\' => value.extend(signs.next().map(|(_, sign)| sign)),
            '\'' if quoted => return Ok((value, &text[place + 1..])),
            sign if !quoted && sign.is_whitespace() => return Ok((value, &text[place..])),
            sign => value.push(sign),
        }
    }
    if quoted { Err(AddressError::OpenQuotation) } else { Ok((value, "")) }
}

/// One server: nothing said of it stands for sqlx's own defaults.
struct Host {
    name: Option<String>,
    address: Option<String>,
    port: Option<u16>,
}

struct Hosts(Vec<Host>);

impl Hosts {
    fn of(parameters: &Parameters) -> Result<Hosts, AddressError> {
        let list = |name| parameters.get(name).map(|value| value.split(',').map(str::trim).collect::<Vec<_>>());
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"));
        let count = addresses.as_ref().or(names.as_ref()).map_or(1, Vec::len);
        if let Some(names) = names.as_ref().filter(|names| names.len() != count) {
            return Err(AddressError::Uneven { hosts: count, others: names.len(), what: "names" });
        }
        if let Some(ports) = ports.as_ref().filter(|ports| ports.len() != count && ports.len() != 1) {
            return Err(AddressError::Uneven { hosts: count, others: ports.len(), what: "ports" });
        }
        let given = |list: &Option<Vec<&str>>, place: usize| -> Option<String> {
            let list = list.as_ref()?;
            let value = if list.len() == 1 { list.first() } else { list.get(place) };
            value.filter(|value| !value.is_empty()).map(|value| (*value).to_owned())
        };
        let host = |place| {
            let port = given(&ports, place).map(|port| port.parse::<u16>()).transpose();
            let port = port.ok().filter(|port| *port != Some(0)).ok_or(AddressError::Value("port"))?;
            Ok(Host { name: given(&names, place), address: given(&addresses, place), port })
        };
        Ok(Hosts((0..count).map(host).collect::<Result<_, _>>()?))
    }
}

impl Host {
    fn options(&self, passed_on: &str) -> Result<PgConnectOptions, AddressError> {
        let mut url = String::from("postgres:///?");
        for (name, value) in [("host", &self.name), ("hostaddr", &self.address)] {
            if let Some(value) = value {
                url += &format!("&{name}={}", percent_encoded(value.as_bytes()));
            }
        }
        if let Some(port) = self.port {
            url += &format!("&port={port}");
        }
        let options = (url + passed_on).parse::<PgConnectOptions>();
        // Poolers take only the parameters they know, and servers have long shown numbers in full without being told.
        Ok(options.map_err(|error| AddressError::Other(error.to_string()))?.extra_float_digits(None))
    }
}

/// Replaces `%41` by what it stands for.
fn decoded(text: &str) -> Result<String, AddressError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = if first == b'%' {
            let digits = after.get(..2).and_then(|digits| data_encoding::HEXLOWER_PERMISSIVE.decode(digits).ok());
            bytes.extend(digits.filter(|byte| byte != &[0]).ok_or(AddressError::Encoding)?);
            &after[2..]
        } else {
            bytes.push(first);
            after
        };
    }
    String::from_utf8(bytes).map_err(|_| AddressError::Encoding)
}

impl fmt::Display for Address {
    /// The servers, for the log: no name and no password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, host) in self.hosts.iter().enumerate() {
            let before = if place > 0 { ", " } else { "" };
            match host.get_socket() {
                Some(folder) => write!(formatter, "{before}{}", folder.display())?,
                None => write!(formatter, "{before}{}:{}", host.get_host(), host.get_port())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
