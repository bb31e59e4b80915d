//! How much work an analysis may be.

use std::ops::ControlFlow;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The bounds of an analysis.
#[derive(Copy, Clone, Debug)]
pub struct Effort {
    /// The processor time for one game. What is under way then is finished, and nothing more begun.
    pub processor_time: Duration,
    /// From how many moves of a game it is played on at first; others follow where much changes between two of them.
    pub most_points: usize,
    /// How many games are played on from one move at most.
    pub most_playouts: u32,
}

impl Effort {
    /// What the service spends on a game.
    pub const BACKGROUND: Effort =
        Effort { processor_time: Duration::from_secs(15), most_points: 120, most_playouts: 400 };
}

/// Told how far an analysis is, from 0 to 1; may ask it to stop.
pub type Watcher<'a> = &'a mut dyn FnMut(f64) -> ControlFlow<()>;

/// Somebody asked the analysis to stop.
#[derive(Debug)]
pub struct Stopped;

/// The processor time of this thread, and how much of it is left.
pub(super) struct Budget<'a> {
    begun: Duration,
    whole: Duration,
    watcher: Watcher<'a>,
}

impl<'a> Budget<'a> {
    pub fn new(whole: Duration, watcher: Watcher<'a>) -> Budget<'a> {
        Budget { begun: thread_time(), whole, watcher }
    }

    pub fn used(&self) -> Duration {
        thread_time().saturating_sub(self.begun)
    }

    /// Whether this part of the whole, from 0 to 1, is not used up yet.
    pub fn lasts(&mut self, part: f64) -> Result<bool, Stopped> {
        let used = self.used().as_secs_f64() / self.whole.as_secs_f64();
        match (self.watcher)(used.min(1.0)) {
            ControlFlow::Continue(()) => Ok(used < part),
            ControlFlow::Break(()) => Err(Stopped),
        }
    }

    /// How much time a part of the whole is.
    pub fn part(&self, part: f64) -> Duration {
        self.whole.mul_f64(part)
    }
}

/// The processor time that this thread has used: other work of the machine does not make a curve coarser.
pub(super) fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
