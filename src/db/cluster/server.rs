//! The running server: the process, and what its `postmaster.pid` says.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::watch;

/// A server that we started.
#[derive(Debug)]
pub(crate) struct Server {
    pub pid: Pid,
    /// How the server ended, once it has.
    pub ending: watch::Receiver<Option<String>>,
}

impl Server {
    /// Starts the server from a thread of its own that then waits for it. The parent-death signal is tied to the thread that
    /// starts a process, so this thread must not end earlier than the server; and it is the first to know when the server dies.
    pub fn spawn(mut command: Command) -> io::Result<Server> {
        let (started, start) = mpsc::channel();
        let (ended, ending) = watch::channel(None);
        thread::Builder::new().name("postgres".into()).spawn(move || match command.spawn() {
            Err(error) => drop(started.send(Err(error))),
            Ok(mut child) => {
                drop(started.send(Ok(Pid::from_child(&child))));
                let ending = child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
                ended.send_replace(Some(ending));
            }
        })?;
        let pid = start.recv().unwrap_or_else(|_| Err(io::Error::other("the thread of the server ended")))?;
        Ok(Server { pid, ending })
    }

    pub fn has_ended(&self) -> bool {
        self.ending.borrow().is_some()
    }

    pub fn stop(&self) -> bool {
        stop(self.pid, || self.has_ended())
    }
}

/// Stops a server: a fast shutdown, then one without a checkpoint, then the axe. False if it outlived even that.
pub(crate) fn stop(pid: Pid, has_ended: impl Fn() -> bool) -> bool {
    for (signal, patience) in [(Signal::INT, 30), (Signal::QUIT, 5), (Signal::KILL, 5)] {
        if has_ended() {
            return true;
        }
        // An error means that there is no such process any more, which the next look shows.
        let _ = kill_process(pid, signal);
        if wait_until(Duration::from_secs(patience), &has_ended) {
            return true;
        }
        tracing::warn!(pid = pid.as_raw_nonzero(), ?signal, "the database server does not stop");
    }
    false
}

pub(crate) fn wait_until(patience: Duration, done: impl Fn() -> bool) -> bool {
    let until = Instant::now() + patience;
    while !done() {
        if Instant::now() > until {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Has a command die with us, even if we are killed, and keeps the terminal's Ctrl-C from it: we stop it ourselves, in order.
#[allow(unsafe_code)]
pub(crate) fn tie_to_us(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        let us = rustix::process::getpid();
        // SAFETY: between fork and exec the closure makes two plain system calls; it takes no lock and allocates nothing.
        // The signal outlasts the change of account, since the standard library runs the closure after that.
        unsafe {
            command.pre_exec(move || {
                rustix::process::set_parent_process_death_signal(Some(Signal::INT))?;
                // Had we died before the signal was set, nobody would ever send it.
                if rustix::process::getppid() == Some(us) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
            });
        }
    }
}

/// Whether the server with this pid has written into its cluster that it takes connections.
pub(crate) fn is_ready(cluster: &Path, pid: Pid) -> bool {
    let Ok(text) = fs::read_to_string(cluster.join("postmaster.pid")) else { return false };
    let mut lines = text.lines().map(str::trim);
    lines.next() == Some(&pid.as_raw_nonzero().to_string()) && lines.nth(6) == Some("ready")
}

/// Clears away what a killed program left behind: its server, if that still runs, and the `postmaster.pid`.
pub(crate) fn clear_left_over(cluster: &Path) -> io::Result<()> {
    let path = cluster.join("postmaster.pid");
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        text => text?,
    };
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let Some(pid) = first.trim().parse().ok().filter(|pid| *pid > 0).and_then(Pid::from_raw) else {
        return fs::remove_file(&path);
    };
    if serves(pid, cluster) {
        tracing::warn!(pid = pid.as_raw_nonzero(), "stopping a database server that an earlier run left behind");
        stop(pid, || !serves(pid, cluster));
    }
    if path.exists() {
        // The pid may belong to somebody else by now, which would keep Postgres from starting. Removing the file would do,
        // but it also says which shared memory belongs to the cluster: with our own pid in its first line Postgres knows that no
        // server holds it (a parent is none), makes sure that no process of a killed server still writes, and then removes it.
        fs::write(&path, format!("{}\n{rest}", std::process::id()))?;
    }
    Ok(())
}

/// Whether a process is a server on this cluster, and not some other that got its pid later.
#[cfg(target_os = "linux")]
fn serves(pid: Pid, cluster: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let process = Path::new("/proc").join(pid.as_raw_nonzero().to_string());
    if fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim() == "postgres") {
        // The working folder tells best, but without the right to trace other accounts' processes (in many containers) it is hidden.
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        let arguments: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == cluster)
            || arguments.windows(2).any(|pair| pair == [b"-D".as_slice(), cluster.as_os_str().as_bytes()])
    } else {
        false
    }
}

#[cfg(not(target_os = "linux"))]
fn serves(pid: Pid, cluster: &Path) -> bool {
    let pid = pid.as_raw_nonzero().to_string();
    let Ok(line) = Command::new("ps").args(["-ww", "-o", "args=", "-p", &pid]).output() else { return false };
    let line = String::from_utf8_lossy(&line.stdout).into_owned();
    line.contains("postgres") && line.contains(&format!("-D {}", cluster.display()))
}
