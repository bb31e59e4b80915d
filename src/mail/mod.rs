//! The post: letters are written into the outbox by whatever they tell of, get their words when they are sent, and go out through a
//! mail server or, where there is none, are kept to be read at `/mailbox`. Devices with notices are told by the same decisions.

pub mod inbox;
pub mod letters;
pub mod outbox;
pub mod preferences;
pub mod reply_address;
pub mod unsubscribe;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use crate::app::settings::PostSettings;
use crate::mail::inbox::{Desk, Inbox, Intake, Listener};
use crate::mail::letters::composer::LetterComposer;
use crate::mail::outbox::bundle::Sender;
use crate::mail::outbox::transport::Carrier;
use crate::mail::outbox::worker::OutboxWorker;
use crate::mail::reply_address::ReplyAddresses;
use crate::push::worker::{PushSettings, PushWorker};
use crate::tables::Tables;
use unsubscribe::UnsubscribeLinks;

pub use crate::mail::letters::kind::{Kind, StoredKind};

/// What the page of a letter calls the picture that comes with it.
pub const PICTURE_ID: &str = "board";

/// How long letters under way may take when the service stops.
const LAST_LETTERS: Duration = Duration::from_millis(2500);

/// The workers of this process. Any number of processes share the work.
pub struct Post {
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

/// Starts sending letters, and taking replies where there is a domain for them. `place` is the address of the house, for links.
pub fn start(tables: Arc<Tables>, settings: &PostSettings, days_off_a_year: u32, place: &str) -> anyhow::Result<Post> {
    let carrier = Carrier::new(settings, place).context("letters cannot be sent")?;
    let (stop, stopped) = watch::channel(false);
    let mut tasks = Vec::new();
    let addresses = ReplyAddresses::from_settings(&settings.receive);
    let (arrivals, letters) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    if let Some(addresses) = &addresses {
        let desk = Desk { authserv_id: settings.receive.authserv_id.clone(), our_domain: Some(carrier.domain.clone()) };
        let inbox = Inbox {
            tables: tables.clone(),
            addresses: addresses.clone(),
            desk,
            days_off_a_year,
            arrivals: arrivals.clone(),
            letters: letters.clone(),
        };
        tasks.push(tokio::spawn(inbox.run(stopped.clone())));
        if let Some(place) = &settings.receive.lmtp_listen {
            let listener = Listener::bind(place).with_context(|| format!("mail cannot be taken at {place}"))?;
            let intake = Intake { store: tables.store.clone(), addresses: addresses.clone(), arrivals };
            tasks.push(tokio::spawn(listener.serve(intake, stopped.clone())));
        }
    }
    let desk = LetterComposer {
        tables,
        place: place.trim_end_matches('/').to_owned(),
        addresses,
        unsubscribing: UnsubscribeLinks::default(),
    };
    let notices = Arc::new(Notify::new());
    let (store, metrics) = (desk.tables.store.clone(), desk.tables.metrics.clone());
    let push_settings = PushSettings {
        reach: settings.push_reach,
        webhook_reach: settings.webhook_reach(),
        contact: carrier.contact(place),
        place: desk.place.clone(),
    };
    let push = PushWorker::new(store, metrics, push_settings, notices.clone());
    tasks.push(tokio::spawn(push.run(stopped.clone())));
    let office = OutboxWorker::new(Sender { desk, carrier, notices, hold: settings.hold() }, letters);
    tasks.push(tokio::spawn(office.run(stopped)));
    Ok(Post { stop, tasks })
}

impl Post {
    /// Finishes the letters and messages under way.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        let ends: Vec<_> = self.tasks.iter().map(JoinHandle::abort_handle).collect();
        let all = futures_util::future::join_all(self.tasks);
        // A mail server that does not answer is not waited for: its letter is tried again by the next to start.
        if tokio::time::timeout(LAST_LETTERS, all).await.is_err() {
            ends.iter().for_each(|end| end.abort());
        }
    }
}

/// What to say at the start of a house without a mail server.
pub fn mailbox_sentence(settings: &PostSettings, place: &str, has_mailbox: bool) -> Option<String> {
    let place = place.trim_end_matches('/');
    settings.smtp.is_none().then(|| {
        if has_mailbox {
            format!("There is no mail server, so letters are kept: read them at {place}/mailbox on this machine.")
        } else {
            "There is no mail server (--smtp), so nobody gets letters, and nobody can sign in. They can be read at /mailbox only where the \
             service listens to this machine alone and no public address is set."
                .to_owned()
        }
    })
}
