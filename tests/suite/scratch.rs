//! Where tests keep things: folders, and one forgetful cluster for the whole run.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use tempfile::TempDir;
use wonderpost::db::cluster::{Cluster, ClusterSettings};

/// An empty folder, in memory if there is room, that the account of a server can get to even if we are root.
pub fn folder() -> TempDir {
    let mut folder = tempfile::Builder::new();
    folder.prefix("wonderpost-test-").permissions(Permissions::from_mode(0o711));
    let memory = Path::new("/dev/shm");
    let in_memory = has_room(memory).then(|| folder.tempdir_in(memory).ok()).flatten();
    in_memory.unwrap_or_else(|| folder.tempdir().expect("a temporary folder"))
}

/// A few dozen databases of some ten megabytes, and the server's log of changes.
fn has_room(folder: &Path) -> bool {
    const NEEDED: u64 = 2 << 30;
    rustix::fs::statvfs(folder).is_ok_and(|found| found.f_bavail * found.f_frsize >= NEEDED)
}

/// The cluster of this test run. Give each test a database of its own in it (`create database … template …`).
pub fn cluster() -> &'static Cluster {
    &SCRATCH.cluster
}

struct Scratch {
    cluster: Cluster,
    /// Reads from us until this program ends, however it ends.
    _sweeper: Child,
}

static SCRATCH: LazyLock<Scratch> = LazyLock::new(|| {
    let folder = folder().keep();
    let sweeper = sweep_when_we_end(&folder);
    let settings = ClusterSettings {
        durable: false,
        server_settings: vec![("max_connections".into(), "200".into())],
        ..ClusterSettings::new(&folder)
    };
    let cluster = Cluster::start(&settings).unwrap_or_else(|error| panic!("{error}"));
    Scratch { cluster, _sweeper: sweeper }
});

/// Nothing static is dropped when a test run ends, so somebody else has to remove the folder: a shell that waits for our end,
/// then for the server's.
fn sweep_when_we_end(folder: &Path) -> Child {
    let script = r#"read -r _
        for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$0/postgres/data/postmaster.pid" ] || break; sleep 1; done
        rm -rf "$0""#;
    Command::new("sh")
        .args(["-c", script])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("a shell")
}
