//! Stopping in steps, so that neither requests nor those who watch are lost.

use std::sync::Arc;

use tokio::sync::watch;

/// How far the service has come in stopping.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Serving,
    /// Requests are served, but `/readyz` asks load balancers to send none, and connections are not kept.
    Draining,
    /// Streams end.
    Closing,
}

/// The phase of the service, shared by all that ask for it.
#[derive(Clone)]
pub struct Shutdown(Arc<watch::Sender<Phase>>);

impl Default for Shutdown {
    fn default() -> Shutdown {
        Shutdown(Arc::new(watch::Sender::new(Phase::Serving)))
    }
}

impl Shutdown {
    /// Moves on to a phase. There is no way back.
    pub fn advance(&self, phase: Phase) {
        self.0.send_if_modified(|now| {
            let later = phase > *now;
            *now = phase.max(*now);
            later
        });
    }

    pub fn has_begun(&self) -> bool {
        *self.0.borrow() > Phase::Serving
    }

    /// Ends when streams are to end.
    pub async fn closing(&self) {
        // The sender is our own, so this waits until it is so.
        let _ = self.0.subscribe().wait_for(|phase| *phase == Phase::Closing).await;
    }
}
