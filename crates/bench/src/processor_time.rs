//! Processor time of processes, as Linux tells it.

use std::fs;
use std::io;
use std::time::Duration;

/// In what part of a second `/proc/<pid>/stat` counts.
const TICK: Duration = Duration::from_millis(10);

/// The time that the threads of a living process have used. Exact to the nanosecond; threads that have ended do not count.
pub fn of_process(pid: u32) -> io::Result<Duration> {
    let mut used = Duration::ZERO;
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        // A thread may end while we look.
        let Ok(text) = fs::read_to_string(thread?.path().join("schedstat")) else { continue };
        used += read_schedstat(&text)?;
    }
    Ok(used)
}

/// The time that the calling thread has used.
pub fn of_this_thread() -> io::Result<Duration> {
    read_schedstat(&fs::read_to_string("/proc/thread-self/schedstat")?)
}

fn read_schedstat(text: &str) -> io::Result<Duration> {
    let nanos = text.split(' ').next().and_then(|field| field.parse().ok());
    nanos.map(Duration::from_nanos).ok_or_else(|| unreadable("schedstat"))
}

/// The time of the children that have ended and were waited for.
pub fn of_ended_children(pid: u32) -> io::Result<Duration> {
    let stat = Stat::read(pid)?;
    Ok(TICK * stat.ended_children_ticks)
}

/// The time of a process and its children, both living and ended.
pub fn of_family(parent: u32) -> io::Result<Duration> {
    let mut used = of_process(parent)? + of_ended_children(parent)?;
    for entry in fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // A process may end while we look.
        if Stat::read(pid).is_ok_and(|stat| stat.parent == parent) {
            used += of_process(pid).unwrap_or_default();
        }
    }
    Ok(used)
}

/// The memory that a process holds, in bytes.
pub fn resident_bytes(pid: u32) -> io::Result<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: Option<u64> = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    Ok(kilobytes.ok_or_else(|| unreadable("status"))? * 1024)
}

struct Stat {
    parent: u32,
    ended_children_ticks: u32,
}

impl Stat {
    fn read(pid: u32) -> io::Result<Stat> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
        // The name in brackets may hold anything; what follows it are numbers from the third field on.
        let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3)?.parse::<u32>().ok();
        let read = || Some(Stat { parent: field(4)?, ended_children_ticks: field(16)? + field(17)? });
        read().ok_or_else(|| unreadable("stat"))
    }
}

fn unreadable(what: &str) -> io::Error {
    io::Error::other(format!("{what} of a process cannot be read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_time_goes_on() {
        let pid = std::process::id();
        let before = of_process(pid).unwrap();
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_millis(20) {}
        let used = of_process(pid).unwrap() - before;
        assert!(used > Duration::from_millis(1), "{used:?}");
        assert!(of_family(pid).unwrap() >= used);
        assert!(resident_bytes(pid).unwrap() > 100_000);
    }
}
