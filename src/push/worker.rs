//! The worker: takes notices that are due, hands them to push services and webhooks, and notes what became of them. Moves and letters never
//! wait for it.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::StreamExt;
use futures_util::stream;
use hyper::StatusCode;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

use crate::app::metrics::Metrics;
use crate::db::notices::{ClaimedNotice, DeviceTarget, Recipient};
use crate::db::webhooks::WebhookTarget;
use crate::db::{Store, StoreError};
use crate::mail::outbox::worker::GIVE_UP_AFTER;
use crate::push::client::{Answer, ClientError, OutboundClient};
use crate::push::device::{self, WritingError};
use crate::push::endpoint::{Endpoint, Reach};
use crate::push::vapid::{VapidError, VapidKeys};
use crate::push::webhook;

/// How often notices that other processes left, or that are to be tried again, are looked for.
const ROUND: Duration = Duration::from_secs(2);

/// The most notices that are claimed, and under way, at a time.
const LOT: usize = 32;

/// A device to which so many notices in a row could not be sent is forgotten, and a webhook is turned off.
const MOST_FAILURES: i32 = 10;

/// The longest that a receiver can ask us to wait.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(4);

/// What the worker has to know of the house.
pub struct PushSettings {
    /// Where notices to devices may go.
    pub reach: Reach,
    /// Where webhooks may lead.
    pub webhook_reach: Reach,
    /// Whom a push service asks if we misbehave: the address of the house, or that of its letters.
    pub contact: String,
    /// The address of the house, for links.
    pub place: String,
}

pub struct PushWorker {
    store: Store,
    metrics: Arc<Metrics>,
    settings: PushSettings,
    client: OutboundClient,
    keys: VapidKeys,
    /// Wakes this worker when there are notices to send.
    notices: Arc<Notify>,
}

/// What becomes of a notice.
#[derive(Debug)]
enum Outcome {
    Sent,
    /// It is no news any more.
    Stale,
    /// The receiver is gone, or wants no notices any more.
    Gone,
    /// Not now; perhaps the receiver says when.
    Later {
        words: String,
        at: Option<DateTime<Utc>>,
    },
    /// It will never go.
    Refused(String),
    /// The house could not find its key.
    Store(VapidError),
}

impl From<ClientError> for Outcome {
    fn from(error: ClientError) -> Outcome {
        match error {
            ClientError::Private | ClientError::Request(_) => Outcome::Refused(error.to_string()),
            ClientError::TooSlow | ClientError::Io(_) | ClientError::Tls(_) | ClientError::Http(_) => {
                Outcome::Later { words: error.to_string(), at: None }
            }
        }
    }
}

impl From<WritingError> for Outcome {
    fn from(error: WritingError) -> Outcome {
        match error {
            WritingError::Encryption(error) => Outcome::Refused(error.to_string()),
            WritingError::Client(error) => error.into(),
        }
    }
}

impl PushWorker {
    pub fn new(store: Store, metrics: Arc<Metrics>, settings: PushSettings, notices: Arc<Notify>) -> PushWorker {
        PushWorker { store, metrics, settings, client: OutboundClient::default(), keys: VapidKeys::default(), notices }
    }

    /// Sends notices until it is stopped, and finishes those under way.
    pub async fn run(self, mut stopped: watch::Receiver<bool>) {
        while !*stopped.borrow() {
            let pause = match self.round().await {
                Ok(0) => ROUND,
                Ok(_) => Duration::ZERO,
                Err(error) => {
                    tracing::warn!(%error, "notices cannot be read");
                    5 * ROUND
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.notices.notified() => {}
                changed = stopped.changed() => if changed.is_err() { break },
            }
        }
    }

    /// Sees to notices that are due, and says how many there were.
    async fn round(&self) -> Result<usize, StoreError> {
        self.store.looks_written().await;
        let claimed = self.store.claim_notices(LOT as i64).await?;
        let count = claimed.len();
        let mut done = stream::iter(claimed).map(|notice| self.process(notice)).buffer_unordered(LOT);
        while let Some((notice, outcome)) = done.next().await {
            self.note(&notice, outcome).await?;
        }
        Ok(count)
    }

    async fn process(&self, notice: ClaimedNotice) -> (ClaimedNotice, Outcome) {
        let outcome = self.send(&notice).await.unwrap_or_else(|outcome| outcome);
        (notice, outcome)
    }

    async fn send(&self, notice: &ClaimedNotice) -> Result<Outcome, Outcome> {
        if notice.is_stale {
            return Ok(Outcome::Stale);
        }
        let has_expired = notice.expires_at <= self.store.clock.now();
        match &notice.to {
            Recipient::Device(_) if has_expired => Ok(Outcome::Stale),
            // Its player is to see that it never came.
            Recipient::Webhook(_) if has_expired && notice.tries > 1 => {
                Ok(Outcome::Refused("it could not be delivered in time".to_owned()))
            }
            Recipient::Webhook(_) if has_expired => Ok(Outcome::Stale),
            Recipient::Device(device) => self.send_to_device(notice, device).await,
            Recipient::Webhook(webhook) => self.send_to_webhook(notice, webhook).await,
        }
    }

    async fn send_to_device(&self, notice: &ClaimedNotice, device: &DeviceTarget) -> Result<Outcome, Outcome> {
        let now = self.store.clock.now();
        let reach = self.settings.reach;
        let endpoint = Endpoint::parse(&device.endpoint, reach).ok_or(ClientError::Private)?;
        let key = self.keys.key(&self.store).await.map_err(Outcome::Store)?;
        // Push services go by the real time, whatever the clock of the house says.
        let authorization =
            key.authorization(&endpoint.origin(), &self.settings.contact, Utc::now()).map_err(Outcome::Store)?;
        let message = device::message(notice, device, &authorization, now)?;
        Ok(read_answer(&self.client.post(&endpoint, reach, message).await?, now))
    }

    async fn send_to_webhook(&self, notice: &ClaimedNotice, target: &WebhookTarget) -> Result<Outcome, Outcome> {
        let now = self.store.clock.now();
        let reach = self.settings.webhook_reach;
        let endpoint = Endpoint::parse(&target.url, reach).ok_or(ClientError::Private)?;
        // Receivers go by the real time as well.
        let message = webhook::message(notice, target, &self.settings.place, Utc::now())?;
        let outcome = match self.client.post(&endpoint, reach, message).await {
            // What is not there today may be there tomorrow: only “gone” is for good.
            Ok(answer) if answer.status == StatusCode::NOT_FOUND => Outcome::Refused(words_of(&answer)),
            Ok(answer) => read_answer(&answer, now),
            Err(error) => error.into(),
        };
        // Like a letter, it is tried for so long.
        Ok(match outcome {
            Outcome::Later { words, .. } if now - notice.written_at > GIVE_UP_AFTER => {
                Outcome::Refused(format!("given up: {words}"))
            }
            outcome => outcome,
        })
    }

    /// Neither addresses nor words of a notice go into the log.
    async fn note(&self, notice: &ClaimedNotice, outcome: Outcome) -> Result<(), StoreError> {
        let (id, tries) = (notice.id, notice.tries);
        match &outcome {
            Outcome::Sent => {
                tracing::info!(notice = id, tries, "notice sent");
                self.metrics.notice_sent();
            }
            Outcome::Stale => tracing::info!(notice = id, "nothing to notify of any more"),
            Outcome::Gone => tracing::info!(notice = id, "the receiver is gone"),
            Outcome::Later { words, .. } => {
                tracing::warn!(notice = id, tries, trouble = words, "notice not sent; to be tried again");
                self.metrics.notice_failed();
            }
            Outcome::Refused(words) => {
                tracing::warn!(notice = id, tries, trouble = words, "notice refused for good");
                self.metrics.notice_failed();
            }
            Outcome::Store(error) => tracing::warn!(%error, notice = id, "notice not sent; to be tried again"),
        }
        if let Outcome::Later { at: Some(at), .. } = &outcome {
            self.store.postpone_notice(id, *at).await?;
        }
        match &notice.to {
            Recipient::Device(device) => self.note_of_device(id, device.id, outcome).await,
            Recipient::Webhook(webhook) => self.note_of_webhook(id, webhook.id, outcome).await,
        }
    }

    async fn note_of_device(&self, notice: i64, device: Uuid, outcome: Outcome) -> Result<(), StoreError> {
        match outcome {
            Outcome::Sent => self.store.notice_went(notice, device).await,
            Outcome::Stale => self.store.drop_notice(notice).await,
            Outcome::Gone => self.store.forget_device(device).await,
            Outcome::Refused(_) => self.store.notice_failed(notice, device, MOST_FAILURES).await,
            Outcome::Later { .. } | Outcome::Store(_) => Ok(()),
        }
    }

    async fn note_of_webhook(&self, notice: i64, webhook: Uuid, outcome: Outcome) -> Result<(), StoreError> {
        match outcome {
            Outcome::Sent => self.store.webhook_told(notice, webhook).await,
            Outcome::Stale => self.store.drop_notice(notice).await,
            Outcome::Gone => self.store.webhook_failed(notice, webhook, "there is nothing at this address", 0).await,
            Outcome::Refused(words) => self.store.webhook_failed(notice, webhook, &words, MOST_FAILURES).await,
            Outcome::Later { words, .. } => self.store.webhook_in_trouble(webhook, &words).await,
            Outcome::Store(_) => Ok(()),
        }
    }
}

fn words_of(answer: &Answer) -> String {
    format!("the answer is {}", answer.status.as_u16())
}

/// What the answer of a push service means (RFC 8030, section 5); others answer alike.
fn read_answer(answer: &Answer, now: DateTime<Utc>) -> Outcome {
    let words = words_of(answer);
    match answer.status {
        status if status.is_success() => Outcome::Sent,
        StatusCode::NOT_FOUND | StatusCode::GONE => Outcome::Gone,
        status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
            let pause = answer.retry_after.map(|seconds| TimeDelta::seconds(seconds.into()).min(LONGEST_PAUSE));
            Outcome::Later { words, at: pause.map(|pause| now + pause) }
        }
        _ => Outcome::Refused(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_push_services_answer_is_understood() {
        let now = Utc::now();
        let read = |status: u16, retry_after| {
            read_answer(&Answer { status: StatusCode::from_u16(status).unwrap(), retry_after }, now)
        };
        assert!(matches!(read(201, None), Outcome::Sent));
        assert!(matches!(read(404, None), Outcome::Gone) && matches!(read(410, None), Outcome::Gone));
        assert!(matches!(read(503, None), Outcome::Later { at: None, .. }));
        let Outcome::Later { at: Some(at), .. } = read(429, Some(60)) else { panic!("it is to wait") };
        assert_eq!(at, now + TimeDelta::seconds(60));
        let Outcome::Later { at: Some(at), .. } = read(429, Some(u32::MAX)) else { panic!("it is to wait") };
        assert_eq!(at, now + LONGEST_PAUSE);
        // Whoever sends us elsewhere is not followed.
        assert!(matches!(read(302, None), Outcome::Refused(_)) && matches!(read(403, None), Outcome::Refused(_)));
    }
}
