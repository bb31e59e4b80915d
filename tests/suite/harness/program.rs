//! The program itself, as a process of its own.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::Visitor;

const PATIENCE: Duration = Duration::from_secs(60);

/// The program with a data folder, apart from our surroundings.
fn command(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wonderpost"));
    command.env_remove("DATABASE_URL").env("WONDERPOST_DATA", data).stdin(Stdio::null());
    command
}

/// Runs a command of the program to its end.
pub fn run(data: &Path, arguments: &[&str]) -> Output {
    command(data).args(arguments).output().expect("the program")
}

/// Runs a command of the program to its end, with something to read.
pub fn run_with_input(data: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut command = command(data);
    let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    // A program that ends without reading it all is no fault here.
    let _ = child.stdin.take().expect("input").write_all(input);
    child.wait_with_output().expect("the program")
}

/// What a command that must succeed prints.
pub fn print(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{arguments:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// `wonderpost serve`, running. Dropping it kills it.
pub struct Program {
    child: Child,
    pub url: String,
    log: Option<thread::JoinHandle<String>>,
}

impl Program {
    /// Starts the service on a data folder, and waits until it is ready.
    pub fn serve(data: &Path) -> Program {
        Program::serve_with(data, &[])
    }

    /// Starts it with more settings.
    pub fn serve_with(data: &Path, more: &[&str]) -> Program {
        let mut command = command(data);
        command.args(["serve", "--workers", "2", "--listen", "127.0.0.1:0"]).args(more);
        Program::start(command)
    }

    /// Starts it with variables alone, as containers do.
    pub fn serve_in_environment(data: &Path, variables: &BTreeMap<String, String>) -> Program {
        let mut command = command(data);
        command.arg("serve").envs(variables);
        Program::start(command)
    }

    fn start(mut command: Command) -> Program {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        let (stdout, mut stderr) = (child.stdout.take().expect("output"), child.stderr.take().expect("output"));
        let log = thread::spawn(move || {
            let mut log = String::new();
            let _ = stderr.read_to_string(&mut log);
            log
        });
        let (said, hear) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = said.send(line);
            }
        });
        let mut program = Program { child, url: String::new(), log: Some(log) };
        let url = hear
            .recv_timeout(PATIENCE)
            .ok()
            .and_then(|line| Some(line.strip_prefix("Wonderpost is ready: ")?.to_owned()));
        program.url = url.unwrap_or_else(|| panic!("it does not start: {}", program.killed()));
        program
    }

    pub fn visitor(&self) -> Visitor {
        Visitor::new(&self.url)
    }

    fn pid(&self) -> Pid {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process")
    }

    /// kill -9, and what it had logged.
    pub fn killed(&mut self) -> String {
        let _ = self.child.kill();
        self.wait();
        self.log.take().and_then(|log| log.join().ok()).unwrap_or_default()
    }

    /// Asks it to stop, as a supervisor does.
    pub fn terminate(&self) {
        kill_process(self.pid(), Signal::TERM).expect("it runs");
    }

    pub fn wait(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("our own child") {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not stop");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
