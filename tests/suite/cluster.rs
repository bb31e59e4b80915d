//! A Postgres of our own starts, stops, and gets over what happens to it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use sqlx::{Connection, PgConnection};
use wonderpost::db::cluster::{Cluster, ClusterError, ClusterSettings, SUPERUSER};

use crate::scratch;

const HOLD: &str = "WONDERPOST_TEST_HOLD";

/// Syncing to the disk is slow, and a killed program does not need it.
fn forgetful(folder: &Path) -> ClusterSettings {
    ClusterSettings { durable: false, ..ClusterSettings::new(folder) }
}

fn start(folder: &Path) -> Cluster {
    Cluster::start(&forgetful(folder)).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(folder: &Path) -> ClusterError {
    Cluster::start(&forgetful(folder)).expect_err("it must not start")
}

async fn connect(cluster: &Cluster) -> PgConnection {
    PgConnection::connect(&cluster.url()).await.expect("a connection")
}

async fn write_notes(cluster: &Cluster) {
    let mut database = connect(cluster).await;
    sqlx::query("create table note (text text)").execute(&mut database).await.expect("a table");
    sqlx::query("insert into note values ('Curiouser')").execute(&mut database).await.expect("a row");
}

async fn notes(cluster: &Cluster) -> Vec<String> {
    sqlx::query_scalar("select text from note").fetch_all(&mut connect(cluster).await).await.expect("rows")
}

async fn setting(cluster: &Cluster, name: &str) -> String {
    sqlx::query_scalar("select current_setting($1)")
        .bind(name)
        .fetch_one(&mut connect(cluster).await)
        .await
        .expect("it")
}

fn data(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).expect("the folder").join("postgres/data")
}

fn pid(number: u32) -> Pid {
    i32::try_from(number).ok().and_then(Pid::from_raw).expect("a process id")
}

fn await_that(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "waited in vain until {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn as_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A command that runs as the account that owns the cluster.
fn as_owner(folder: &Path, program: impl AsRef<Path>) -> Command {
    let owner = fs::metadata(data(folder)).expect("a cluster");
    let mut command = Command::new(program.as_ref());
    command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if as_root() {
        command.uid(owner.uid()).gid(owner.gid());
    }
    command
}

fn end(mut child: Child) {
    child.kill().expect("our own child");
    child.wait().expect("our own child");
}

#[tokio::test]
async fn a_cold_start_makes_a_private_database_and_a_warm_one_finds_it_again() {
    let folder = scratch::folder();
    let data_folder = folder.path().join("not/yet/made");
    let settings = ClusterSettings::new(&data_folder);
    let cluster = Cluster::start(&settings).expect("a cluster");
    write_notes(&cluster).await;
    assert_eq!(setting(&cluster, "listen_addresses").await, "");
    for durable in ["fsync", "synchronous_commit", "full_page_writes"] {
        assert_eq!(setting(&cluster, durable).await, "on", "{durable}");
    }
    for private in [data_folder.join("postgres"), data_folder.join("postgres/data")] {
        let mode = fs::metadata(&private).expect("the folder").permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{}", private.display());
    }
    cluster.stop().expect("it stops");
    assert!(!data_folder.join("postgres/data.new").exists());

    let begun = Instant::now();
    let cluster = Cluster::start(&settings).expect("the same cluster");
    assert!(begun.elapsed() < Duration::from_secs(5), "a warm start is a matter of milliseconds");
    assert_eq!(notes(&cluster).await, ["Curiouser"]);
    assert!(test_kill_process(pid(cluster.pid())).is_ok());
}

#[tokio::test]
async fn options_and_roles_serve_the_same_database() {
    let cluster = scratch::cluster();
    let options = cluster.options("wonderpost");
    let who = "select current_user || ' in ' || current_database()";
    let mut ours = PgConnection::connect_with(&options).await.expect("a connection");
    let by_options: String = sqlx::query_scalar(who).fetch_one(&mut ours).await.expect("a name");
    let by_url: String = sqlx::query_scalar(who).fetch_one(&mut connect(cluster).await).await.expect("a name");
    assert_eq!((by_options.as_str(), by_url.as_str()), ("wonderpost in wonderpost", "wonderpost in wonderpost"));

    let mut theirs = PgConnection::connect_with(&options.username(SUPERUSER)).await.expect("a connection");
    let all: bool = sqlx::query_scalar("select rolsuper from pg_roles where rolname = current_user")
        .fetch_one(&mut theirs)
        .await
        .expect("a role");
    assert!(all);
}

#[tokio::test]
async fn a_test_gets_a_database_cloned_from_a_template() {
    let cluster = scratch::cluster();
    let mut database = connect(cluster).await;
    for statement in ["create database clone_template", "create database clone_of_it template clone_template"] {
        sqlx::query(statement).execute(&mut database).await.expect(statement);
    }
    let mut clone = PgConnection::connect(&cluster.url_of("clone_of_it")).await.expect("a connection");
    sqlx::query("create table note (text text)").execute(&mut clone).await.expect("a table");
}

#[test]
fn a_second_program_on_the_same_folder_is_refused() {
    let folder = scratch::folder();
    let _cluster = start(folder.path());
    let refusal = refusal(folder.path());
    assert!(matches!(refusal, ClusterError::InUse { .. }));
    assert!(refusal.to_string().starts_with("Another program is running the database in "), "{refusal}");
}

#[tokio::test]
async fn a_stop_is_clean_even_with_connections_open() {
    let folder = scratch::folder();
    let cluster = start(folder.path());
    let _open = connect(&cluster).await;
    let server = pid(cluster.pid());
    let begun = Instant::now();
    cluster.stop().expect("it stops");
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(test_kill_process(server).is_err(), "the server is gone");
    assert!(!data(folder.path()).join("postmaster.pid").exists());

    let cluster = start(folder.path());
    let log = fs::read_to_string(folder.path().join("postgres.log")).expect("a log");
    assert!(log.contains("database system was shut down"), "nothing to recover: {log}");
    drop(cluster);
    assert!(!data(folder.path()).join("postmaster.pid").exists(), "dropping stops too");
}

#[tokio::test]
async fn a_server_that_dies_is_noticed_and_nothing_is_lost() {
    let folder = scratch::folder();
    let cluster = start(folder.path());
    write_notes(&cluster).await;
    let ended = cluster.ended();
    assert!(cluster.is_running());
    kill_process(pid(cluster.pid()), Signal::KILL).expect("a server to kill");
    let how = tokio::time::timeout(Duration::from_secs(10), ended).await.expect("it is noticed");
    assert!(how.contains("signal: 9"), "{how}");
    assert!(!cluster.is_running());
    drop(cluster);

    assert!(data(folder.path()).join("postmaster.pid").exists(), "left behind");
    assert_eq!(notes(&start(folder.path())).await, ["Curiouser"]);
}

#[tokio::test]
async fn a_stale_pid_file_is_no_hindrance() {
    let folder = scratch::folder();
    start(folder.path()).stop().expect("it stops");
    let pid_file = data(folder.path()).join("postmaster.pid");

    // Somebody else has the pid by now: a process of the server's own account that is none of our business.
    let stranger = as_owner(folder.path(), "/bin/sleep").arg("600").spawn().expect("a process");
    let place = data(folder.path());
    fs::write(&pid_file, format!("{}\n{}\n1\n5432\n\n\n0 0\nready   \n", stranger.id(), place.display()))
        .expect("a file");
    let cluster = start(folder.path());
    assert!(test_kill_process(pid(stranger.id())).is_ok(), "the stranger lives");
    connect(&cluster).await;
    cluster.stop().expect("it stops");
    end(stranger);

    for broken in ["", "no number\n", "-1\n"] {
        fs::write(&pid_file, broken).expect("a file");
        start(folder.path()).stop().expect("it stops");
    }
}

#[tokio::test]
async fn a_left_over_server_is_stopped() {
    let folder = scratch::folder();
    let cluster = start(folder.path());
    let postgres = cluster.programs().join("postgres");
    write_notes(&cluster).await;
    cluster.stop().expect("it stops");

    let data = data(folder.path());
    let mut left_over = as_owner(folder.path(), postgres)
        .arg("-D")
        .arg(&data)
        .args(["-c", "listen_addresses=", "-c", "unix_socket_directories=.."])
        .spawn()
        .expect("a server");
    let is_ready = || fs::read_to_string(data.join("postmaster.pid")).is_ok_and(|text| text.contains("ready"));
    await_that("the left-over server is ready", is_ready);

    let cluster = start(folder.path());
    assert_eq!(notes(&cluster).await, ["Curiouser"]);
    assert!(left_over.wait().expect("our own child").success(), "it was asked to stop, not killed");
}

#[tokio::test]
async fn the_server_does_not_outlive_a_killed_program() {
    let folder = scratch::folder();
    let mut program = Command::new(std::env::current_exe().expect("our own path"))
        .args(["--exact", "cluster::hold_a_cluster", "--ignored", "--nocapture"])
        .env(HOLD, folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program again");
    let lines = BufReader::new(program.stdout.take().expect("its output")).lines();
    let server =
        lines.map_while(Result::ok).find_map(|line| line.strip_prefix("server ")?.parse().ok()).expect("a pid");

    program.kill().expect("our own child");
    program.wait().expect("our own child");
    // At once, as a supervisor would.
    assert_eq!(notes(&start(folder.path())).await, ["Curiouser"]);
    await_that("the orphan is gone", || test_kill_process(pid(server)).is_err() || is_zombie(server));
}

/// Where nobody collects orphans (a container without an init) a dead one stays in the list.
fn is_zombie(process: u32) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| stat.contains(") Z "))
}

/// The program that is killed in the test above.
#[tokio::test]
#[ignore = "runs until it is killed; another test does that"]
async fn hold_a_cluster() {
    let Some(folder) = std::env::var_os(HOLD) else { return };
    // From a thread that ends at once: the server must not end with it.
    let cluster = thread::spawn(move || start(Path::new(&folder))).join().expect("a cluster");
    write_notes(&cluster).await;
    println!("\nserver {}", cluster.pid());
    thread::sleep(Duration::from_secs(600));
}

#[tokio::test]
async fn a_long_path_is_no_hindrance() {
    let folder = scratch::folder();
    let long = folder.path().join("down, down, \"down\"").join("would the fall never come to an end ".repeat(4));
    let cluster = start(&long);
    write_notes(&cluster).await;
    let socket_folder = cluster.socket_folder().to_path_buf();
    assert!(!socket_folder.starts_with(&long));
    assert_eq!(fs::metadata(&socket_folder).expect("the folder").mode() & 0o777, 0o700);
    cluster.stop().expect("it stops");
    assert!(!socket_folder.exists());

    let odd = folder.path().join("a, b \"c\" é");
    assert_eq!(start(&odd).socket_folder(), fs::canonicalize(&odd).expect("it").join("postgres"));
}

#[test]
fn a_cluster_half_made_is_made_anew() {
    let folder = scratch::folder();
    fs::create_dir_all(folder.path().join("postgres/data.new/base")).expect("a folder");
    fs::write(folder.path().join("postgres/data.new/PG_VERSION"), "15\n").expect("a file");
    start(folder.path()).stop().expect("it stops");
}

#[test]
fn a_cluster_of_a_version_that_is_not_installed_is_left_alone() {
    let folder = scratch::folder();
    fs::create_dir_all(folder.path().join("postgres/data")).expect("a folder");
    fs::write(folder.path().join("postgres/data/PG_VERSION"), "9\n").expect("a file");
    let refusal = refusal(folder.path()).to_string();
    assert!(refusal.contains("was made by Postgres 9, which is not installed here (found: "), "{refusal}");
}

#[test]
fn a_setting_that_names_no_programs_is_refused() {
    let folder = scratch::folder();
    let settings = ClusterSettings { programs: Some(folder.path().into()), ..forgetful(folder.path()) };
    let refusal = Cluster::start(&settings).expect_err("there is nothing").to_string();
    assert!(refusal.starts_with("There are no working server programs of Postgres"), "{refusal}");
}

#[test]
fn a_server_that_does_not_start_is_quoted() {
    let folder = scratch::folder();
    let nonsense = vec![("shared_buffers".into(), "a treacle well".into())];
    let settings = ClusterSettings { server_settings: nonsense, ..forgetful(folder.path()) };
    let refusal = Cluster::start(&settings).expect_err("nonsense").to_string();
    assert!(refusal.contains("did not start") && refusal.contains("treacle"), "{refusal}");
}

#[test]
fn as_root_a_folder_closed_to_the_server_is_named() {
    if !as_root() {
        return;
    }
    let folder = scratch::folder();
    let closed = fs::canonicalize(folder.path()).expect("it").join("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).expect("it closes");
    let refusal = refusal(&closed.join("var"));
    assert!(matches!(&refusal, ClusterError::Unreachable { blocked, .. } if *blocked == closed), "{refusal}");
    assert!(refusal.to_string().contains(&format!("chmod o+x '{}'", closed.display())), "{refusal}");
    assert!(!closed.join("var").exists());
}
