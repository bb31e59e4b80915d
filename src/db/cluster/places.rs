//! The folders of a cluster: making it, and starting a server on it.

use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use crate::db::cluster::account::Account;
use crate::db::cluster::programs::Programs;
use crate::db::cluster::server;
use crate::db::cluster::server::Server;
use crate::db::cluster::{
    ClusterError, ClusterSettings, DATABASE, PORT, ROLE, SUPERUSER, check_data_folder, failed_to, last_lines,
};

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

/// The paths of a cluster, and whose they are.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub home: PathBuf,
    pub data: PathBuf,
    pub log: PathBuf,
    pub account: Option<Account>,
}

impl Places {
    /// Makes the folders that are missing, sees to whose they are, and takes the lock.
    pub fn open(data_folder: &Path) -> Result<(Places, File), ClusterError> {
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
    pub fn make_cluster(&self, programs: &Programs, durable: bool) -> Result<(), ClusterError> {
        let new = self.home.join("data.new");
        match fs::remove_dir_all(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed_to("remove", &new)(error)),
            _ => {}
        }
        // Nothing is synced to the disk before it is whole, and then all at once: that is much faster.
        let mut initdb = self.command(&programs.initdb());
        initdb.args(["--no-sync", "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "-D"]).arg(&new);
        run_to_end("make a database", initdb, "")?;

        let mut alone = self.command(&programs.postgres());
        alone.args(["--single", "-F", "-c", "exit_on_error=on", "-c", "log_checkpoints=off", "-D"]).arg(&new);
        alone.arg("postgres");
        let statements = format!("create role {ROLE} login createdb;\ncreate database {DATABASE} owner {ROLE};\n");
        run_to_end("set up the database", alone, &statements)?;

        if durable {
            let mut sync = self.command(&programs.initdb());
            sync.args(["--sync-only", "-D"]).arg(&new);
            run_to_end("sync the database to the disk", sync, "")?;
        }
        fs::rename(&new, &self.data).map_err(failed_to("rename", &new))?;
        File::open(&self.home).and_then(|folder| folder.sync_all()).map_err(failed_to("sync", &self.home))
    }

    /// The folder of the socket: our own, or a short one if the path to ours does not fit into a socket's address.
    pub fn socket_folder(&self) -> Result<PathBuf, ClusterError> {
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

    pub fn start_server(
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
