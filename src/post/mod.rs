//! The post: letters are written into the outbox by whatever they tell of, get their words when they are sent, and go out through a
//! mail server or, where there is none, are kept to be read at `/mailbox`.

mod bundle;
mod carrier;
mod choices;
mod desk;
mod dkim;
mod letter;
pub mod local_time;
pub mod reply_address;
mod schedule;
mod send;
mod story;
mod thread;
pub mod unsubscribe;
pub mod wishes;
mod write;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::settings::PostSettings;
use crate::tables::Tables;
use bundle::Sender;
use carrier::Carrier;
use desk::Desk;
use reply_address::ReplyAddresses;
use send::PostOffice;
use unsubscribe::UnsubscribeLinks;

pub use letter::Kind;

/// The worker of this process. Any number of processes share the work.
pub struct Post {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Starts sending letters. `place` is the address of the house, for links.
pub fn start(tables: Arc<Tables>, settings: &PostSettings, place: &str) -> anyhow::Result<Post> {
    let carrier = Carrier::new(settings, place).context("letters cannot be sent")?;
    let desk = Desk {
        tables,
        place: place.trim_end_matches('/').to_owned(),
        addresses: settings.receive.reply_domain.as_deref().map(ReplyAddresses::new),
        unsubscribing: UnsubscribeLinks::default(),
    };
    let (stop, stopped) = watch::channel(false);
    let office = PostOffice::new(Sender { desk, carrier, hold: settings.hold() });
    Ok(Post { stop, task: tokio::spawn(office.run(stopped)) })
}

impl Post {
    /// Finishes the letters under way.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        // A mail server that does not answer is not waited for: its letter is tried again by the next to start.
        if tokio::time::timeout(Duration::from_secs(5), &mut self.task).await.is_err() {
            self.task.abort();
        }
    }
}

/// What to say at the start where letters are kept.
pub fn mailbox_sentence(settings: &PostSettings, place: &str) -> Option<String> {
    let place = place.trim_end_matches('/');
    settings
        .smtp
        .is_none()
        .then(|| format!("There is no mail server, so letters are kept: read them at {place}/mailbox on this machine."))
}
