//! A Postgres of our own: a private cluster in the data folder, run as a child of the program.
//!
//! Nobody else gets in: there is no TCP port, and the socket lies in a folder that only the server's account (and root) may enter.
//! The data folder holds
//!
//! ```text
//! postgres.lock      held by the program that runs the cluster
//! postgres.log       what the server had to say since it was started
//! postgres/          belongs to the server's account, mode 0700; the socket lies here
//! postgres/data/     the cluster; made under the name data.new, so that it is never half made
//! ```

mod account;
mod programs;
mod server;

use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

use account::Account;
use programs::Programs;
use server::Server;

/// The database that the cluster is made with, and the role that owns it and may create others.
pub const DATABASE: &str = "wonderpost";
pub const ROLE: &str = "wonderpost";
/// The role that may do anything.
pub const SUPERUSER: &str = "postgres";

const PORT: u16 = 5432;
/// What fits into the address of a Unix socket.
const LONGEST_SOCKET_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };
/// A server that recovers from a crash may need a while, and killing it does not make that faster.
const START_PATIENCE: Duration = Duration::from_secs(300);

/// For a small service: little memory, few connections, and a log that stays small and holds no statements.
const SERVER_SETTINGS: &[(&str, &str)] = &[
    ("listen_addresses", ""),
    ("unix_socket_permissions", "0700"),
    ("cluster_name", "wonderpost"),
    ("timezone", "UTC"),
    ("max_connections", "50"),
    ("shared_buffers", "32MB"),
    ("max_wal_size", "512MB"),
    ("jit", "off"),
    ("logging_collector", "off"),
    ("log_destination", "stderr"),
    ("log_timezone", "UTC"),
    ("log_min_messages", "warning"),
    ("log_min_error_statement", "panic"),
    ("log_checkpoints", "off"),
];

/// The cluster may not survive a crash of the machine; one of the program or the server it does.
const FORGETFUL_SETTINGS: &[(&str, &str)] = &[("fsync", "off"), ("full_page_writes", "off")];

/// Where and how the cluster runs.
#[derive(Clone, Debug)]
pub struct ClusterSettings {
    /// The data folder. It is made if it does not exist.
    pub data_folder: PathBuf,
    /// The folder of `initdb` and `postgres`. Where there is none they are looked for.
    pub programs: Option<PathBuf>,
    /// Whether what is committed must survive a crash of the machine. Only tests can do without.
    pub durable: bool,
    /// More settings of the server; they win over ours.
    pub server_settings: Vec<(String, String)>,
}

impl ClusterSettings {
    /// A durable cluster; its programs are those that `WONDERPOST_POSTGRES` names, if it does.
    pub fn new(data_folder: impl Into<PathBuf>) -> ClusterSettings {
        let programs = env::var_os("WONDERPOST_POSTGRES").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        ClusterSettings { data_folder: data_folder.into(), programs, durable: true, server_settings: Vec::new() }
    }
}

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    #[error(
        "The server programs of Postgres (initdb and postgres) are not on this machine. Install them (Debian: \
         apt install postgresql; Fedora: dnf install postgresql-server; macOS: brew install postgresql), name their folder in \
         WONDERPOST_POSTGRES, or name a database that runs already in DATABASE_URL."
    )]
    NoPrograms,
    #[error("There are no working server programs of Postgres (initdb and postgres) in {}.", folder.display())]
    NotPrograms { folder: PathBuf },
    #[error(
        "The database in {} was made by Postgres {major}, which is not installed here (found: {found}). Install the server \
         programs of Postgres {major}, or name their folder in WONDERPOST_POSTGRES.", cluster.display()
    )]
    OtherVersion { cluster: PathBuf, major: u32, found: String },
    #[error("Postgres does not run as root, and there is neither an account “postgres” nor “nobody” to run it as.")]
    NoAccount,
    #[error(
        "Postgres does not run as root but as “{account}”, and that account cannot get to {}: {} is closed to it. \
         Choose another folder, or open this one with: chmod o+x '{}'", path.display(), blocked.display(), blocked.display()
    )]
    Unreachable { account: String, path: PathBuf, blocked: PathBuf },
    #[error("{} belongs to the account “{owner}”. Run as that account, or choose another data folder.", folder.display())]
    NotOurs { folder: PathBuf, owner: String },
    #[error("Another program is running the database in {}. Stop it, or choose another data folder.", folder.display())]
    InUse { folder: PathBuf },
    #[error("Cannot {doing} {}: {error}", path.display())]
    Io { doing: &'static str, path: PathBuf, error: io::Error },
    #[error("{what}. The last it said:\n{said}")]
    Failed { what: String, said: String },
    #[error("The database server (process {pid}) does not stop.")]
    DoesNotStop { pid: u32 },
}

/// A running cluster. Dropping it stops it.
#[derive(Debug)]
pub struct Cluster {
    server: Server,
    places: Places,
    programs: Programs,
    socket_folder: PathBuf,
    /// Held as long as the cluster may run.
    _lock: File,
}

/// The paths of a cluster, and whose they are.
#[derive(Clone, Debug)]
struct Places {
    home: PathBuf,
    data: PathBuf,
    log: PathBuf,
    account: Option<Account>,
}

impl Cluster {
    /// Starts the cluster, made first if need be, and returns when it takes connections. Blocks for some tens of milliseconds,
    /// the first time for about half a second. May be called from any thread.
    pub fn start(settings: &ClusterSettings) -> Result<Cluster, ClusterError> {
        let (places, lock) = Places::open(&settings.data_folder)?;
        let programs =
            Programs::find(settings.programs.as_deref(), programs::cluster_version(&places.data), &places.data)?;
        if let Some(account) = &places.account {
            account.check_way_to(&programs.folder)?;
        }
        if !places.data.join("PG_VERSION").exists() {
            places.make_cluster(&programs, settings.durable)?;
        }
        server::clear_left_over(&places.data).map_err(failed_to("clear away", &places.data.join("postmaster.pid")))?;
        let socket_folder = places.socket_folder()?;
        let server = places.start_server(&programs, settings, &socket_folder)?;
        Ok(Cluster { server, places, programs, socket_folder, _lock: lock })
    }

    /// How programs connect to the database `wonderpost`: sqlx, psql and pgbench all understand it.
    pub fn url(&self) -> String {
        self.url_of(DATABASE)
    }

    /// How programs connect to another database of the cluster.
    pub fn url_of(&self, database: &str) -> String {
        self.address().url_of(database)
    }

    /// How we connect to a database of the cluster.
    pub fn options(&self, database: &str) -> PgConnectOptions {
        self.address().options(database)
    }

    fn address(&self) -> Address {
        Address { socket_folder: self.socket_folder.clone() }
    }

    /// What `psql -h` and `pgbench -h` want to know.
    pub fn socket_folder(&self) -> &Path {
        &self.socket_folder
    }

    /// The folder of the server programs; `pgbench` often lies there too.
    pub fn programs(&self) -> &Path {
        &self.programs.folder
    }

    /// The process id of the postmaster, whose children are all the server's processes.
    pub fn pid(&self) -> u32 {
        self.server.pid.as_raw_nonzero().get().unsigned_abs()
    }

    pub fn is_running(&self) -> bool {
        !self.server.has_ended()
    }

    /// Waits until the server has ended, which it does not do by itself, and says how. Does not borrow the cluster.
    pub fn ended(&self) -> impl Future<Output = String> + Send + use<> {
        let mut ending = self.server.ending.clone();
        let log = self.places.log.clone();
        async move {
            let how = match ending.wait_for(Option::is_some).await {
                Ok(how) => how.clone().unwrap_or_default(),
                Err(_) => "nobody waited for it".into(),
            };
            format!("The database server ended ({how}). The last it said:\n{}", last_lines(&log))
        }
    }

    /// Stops the cluster, breaking connections that are still open, and waits for it: some 20 milliseconds.
    pub fn stop(self) -> Result<(), ClusterError> {
        self.shut_down()
    }

    fn shut_down(&self) -> Result<(), ClusterError> {
        if !self.server.stop() {
            return Err(ClusterError::DoesNotStop { pid: self.pid() });
        }
        if self.socket_folder != self.places.home {
            // Only a short folder of our own making, and empty by now.
            let _ = fs::remove_dir(&self.socket_folder);
        }
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Err(error) = self.shut_down() {
            tracing::error!("{error}");
        }
    }
}

/// Where a running cluster takes connections.
#[derive(Clone, Debug)]
pub struct Address {
    socket_folder: PathBuf,
}

impl Address {
    pub fn url_of(&self, database: &str) -> String {
        let folder = percent_encoded(self.socket_folder.as_os_str().as_bytes());
        format!("postgres://{ROLE}@{folder}:{PORT}/{}?sslmode=disable", percent_encoded(database.as_bytes()))
    }

    pub fn options(&self, database: &str) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .socket(&self.socket_folder)
            .port(PORT)
            .username(ROLE)
            .database(database)
            .ssl_mode(PgSslMode::Disable)
    }
}

/// The address of the cluster in a data folder that another process of ours is running.
pub fn running_server(data_folder: &Path) -> Option<Address> {
    let text = fs::read_to_string(data_folder.join("postgres/data/postmaster.pid")).ok()?;
    // The fifth line names the first folder of sockets.
    let socket_folder = PathBuf::from(text.lines().nth(4)?);
    socket_folder.is_dir().then_some(Address { socket_folder })
}

/// Whether a cluster could be kept in a data folder: as root, whether the server's account can get there.
pub fn check_data_folder(data_folder: &Path) -> Result<(), ClusterError> {
    let path = std::path::absolute(data_folder).map_err(failed_to("find", data_folder))?;
    match Account::choose(&path.join("postgres"))? {
        Some(account) => account.check_way_to(&path),
        None => Ok(()),
    }
}

impl Places {
    /// Makes the folders that are missing, sees to whose they are, and takes the lock.
    fn open(data_folder: &Path) -> Result<(Places, File), ClusterError> {
        check_data_folder(data_folder)?;
        if !data_folder.exists() {
            let as_root = rustix::process::geteuid().is_root();
            DirBuilder::new().recursive(true).create(data_folder).map_err(failed_to("make the folder", data_folder))?;
            // Only root's server is another account, which has to get through.
            let mode = if as_root { 0o711 } else { 0o700 };
            fs::set_permissions(data_folder, Permissions::from_mode(mode)).map_err(failed_to("close", data_folder))?;
        }
        let data_folder = fs::canonicalize(data_folder).map_err(failed_to("find", data_folder))?;

        let lock = data_folder.join("postgres.lock");
        let file = open_no_link(&lock).map_err(failed_to("open", &lock))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ClusterError::InUse { folder: data_folder }),
            Err(TryLockError::Error(error)) => return Err(failed_to("lock", &lock)(error)),
        }

        let home = data_folder.join("postgres");
        let account = Account::choose(&home)?;
        let made = DirBuilder::new().mode(0o700).create(&home);
        if let Err(error) = made
            && error.kind() != io::ErrorKind::AlreadyExists
        {
            return Err(failed_to("make the folder", &home)(error));
        }
        fs::set_permissions(&home, Permissions::from_mode(0o700)).map_err(failed_to("close", &home))?;
        if let Some(account) = &account {
            account.own(&home).map_err(failed_to("hand over", &home))?;
            account.check_way_to(&home)?;
        }
        let places = Places { data: home.join("data"), log: data_folder.join("postgres.log"), home, account };
        Ok((places, file))
    }

    /// A command that runs as the server's account, apart from our surroundings, and not longer than we do.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", &self.home).env("LC_ALL", "C").current_dir(&self.home);
        for name in ["PATH", "LD_LIBRARY_PATH"] {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        if let Some(account) = &self.account {
            account.runs(&mut command);
        }
        server::tie_to_us(&mut command);
        command
    }

    /// Makes the cluster with its role and its database, under another name until it is whole.
    fn make_cluster(&self, programs: &Programs, durable: bool) -> Result<(), ClusterError> {
        let new = self.home.join("data.new");
        match fs::remove_dir_all(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed_to("remove", &new)(error)),
            _ => {}
        }
        let mut initdb = self.command(&programs.initdb());
        initdb.args(["-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "-D"]).arg(&new);
        // Alone on the cluster, before it has any socket.
        let mut alone = self.command(&programs.postgres());
        alone.args(["--single", "-c", "exit_on_error=on", "-c", "log_checkpoints=off"]);
        if !durable {
            initdb.arg("--no-sync");
            alone.arg("-F");
        }
        alone.arg("-D").arg(&new).arg("postgres");
        run_to_end("make a database", initdb, "")?;
        let statements = format!("create role {ROLE} login createdb;\ncreate database {DATABASE} owner {ROLE};\n");
        run_to_end("set up the database", alone, &statements)?;
        fs::rename(&new, &self.data).map_err(failed_to("rename", &new))?;
        File::open(&self.home).and_then(|folder| folder.sync_all()).map_err(failed_to("sync", &self.home))
    }

    /// The folder of the socket: our own, or a short one if the path to ours does not fit into a socket's address.
    fn socket_folder(&self) -> Result<PathBuf, ClusterError> {
        let fits = |folder: &Path| folder.join(format!(".s.PGSQL.{PORT}")).as_os_str().len() <= LONGEST_SOCKET_PATH;
        if fits(&self.home) {
            return Ok(self.home.clone());
        }
        // The same cluster always gets the same name, so that kills leave no heap of folders behind.
        let ours = fs::metadata(&self.home).map_err(failed_to("find", &self.home))?;
        let name = format!("wonderpost-{:x}-{:x}", ours.dev(), ours.ino());
        let candidates = [env::temp_dir().join(&name), Path::new("/tmp").join(&name)];
        let folder = candidates.iter().find(|folder| fits(folder)).unwrap_or(&candidates[1]);
        if let Some(account) = &self.account {
            account.check_way_to(folder.parent().unwrap_or(folder))?;
        }
        match DirBuilder::new().mode(0o700).create(folder) {
            Ok(()) => {
                if let Some(account) = &self.account {
                    account.own(folder).map_err(failed_to("hand over", folder))?;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // The temporary folder is everybody's: nothing there is trusted for its name.
                let found = fs::symlink_metadata(folder).map_err(failed_to("find", folder))?;
                if !found.is_dir() || found.uid() != ours.uid() || found.mode() & 0o777 != 0o700 {
                    let error = io::Error::other("it exists, and is not a private folder of the server's account");
                    return Err(failed_to("put the socket in", folder)(error));
                }
            }
            Err(error) => return Err(failed_to("make the folder", folder)(error)),
        }
        Ok(folder.clone())
    }

    fn start_server(
        &self,
        programs: &Programs,
        settings: &ClusterSettings,
        socket_folder: &Path,
    ) -> Result<Server, ClusterError> {
        let begun = Instant::now();
        loop {
            let log = open_no_link(&self.log).map_err(failed_to("open", &self.log))?;
            log.set_len(0).map_err(failed_to("empty", &self.log))?;
            let mut command = self.command(&programs.postgres());
            command.arg("-D").arg(&self.data).args(["-p", &PORT.to_string()]);
            command.arg("-c").arg(setting_of_socket_folder(socket_folder));
            let forgetful = if settings.durable { &[] } else { FORGETFUL_SETTINGS };
            for (name, value) in SERVER_SETTINGS.iter().chain(forgetful) {
                command.arg("-c").arg(format!("{name}={value}"));
            }
            for (name, value) in &settings.server_settings {
                command.arg("-c").arg(format!("{name}={value}"));
            }
            let error_log = log.try_clone().map_err(failed_to("open", &self.log))?;
            command.stdin(Stdio::null()).stdout(log).stderr(error_log);

            let server = Server::spawn(command).map_err(failed_to("start", &programs.postgres()))?;
            let is_up = || server::is_ready(&self.data, server.pid) || server.has_ended();
            let in_time = server::wait_until(START_PATIENCE, is_up);
            if in_time && !server.has_ended() {
                return Ok(server);
            }
            server.stop();
            let said = last_lines(&self.log);
            // The last processes of a killed server notice within moments that they are alone, and end.
            if said.contains("pre-existing shared memory block") && begun.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_millis(200));
                continue;
            }
            let what =
                if in_time { "The database server did not start" } else { "The database server does not get ready" };
            return Err(ClusterError::Failed { what: what.into(), said });
        }
    }
}

/// The setting is a list of folders, in which a comma or a space would part two of them.
fn setting_of_socket_folder(folder: &Path) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    let mut setting = b"unix_socket_directories=\"".to_vec();
    for byte in folder.as_os_str().as_bytes() {
        setting.extend(std::iter::repeat_n(*byte, if *byte == b'"' { 2 } else { 1 }));
    }
    setting.push(b'"');
    OsString::from_vec(setting)
}

/// Runs a program to its end, with something to read.
fn run_to_end(what: &str, mut command: Command, input: &str) -> Result<(), ClusterError> {
    let program = PathBuf::from(command.get_program());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed_to("run", &program))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ended without reading says why below.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(failed_to("run", &program))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    Err(ClusterError::Failed { what: format!("{} could not {what}", program.display()), said: said.trim_end().into() })
}

/// Opens a file of ours to write at its end. As root we write into folders of other accounts: no links are followed.
fn open_no_link(path: &Path) -> io::Result<File> {
    let no_link = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default();
    OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(no_link).open(path)
}

fn last_lines(log: &Path) -> String {
    const LINES: usize = 12;
    const BYTES: u64 = 4096;
    let read = || -> io::Result<String> {
        let mut file = File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(BYTES)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = read().unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

fn percent_encoded(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    bytes.iter().map(|b| if plain(b) { char::from(*b).to_string() } else { format!("%{b:02X}") }).collect()
}

fn failed_to(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ClusterError {
    let path = path.to_path_buf();
    move |error| ClusterError::Io { doing, path, error }
}
