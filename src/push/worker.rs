//! The worker: takes notices that are due, hands them to push services, and notes what became of them. Moves and letters never wait for it.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::StreamExt;
use futures_util::stream;
use hyper::StatusCode;
use tokio::sync::{Notify, watch};

use crate::app::metrics::Metrics;
use crate::db::devices::ClaimedNotice;
use crate::db::{Store, StoreError};
use crate::push::client::{Answer, ClientError, Message, PushClient};
use crate::push::encryption::{BrowserKeys, EncryptionError};
use crate::push::endpoint::{Endpoint, Reach};
use crate::push::notice;
use crate::push::vapid::{VapidError, VapidKeys};

/// How often notices that other processes left, or that are to be tried again, are looked for.
const ROUND: Duration = Duration::from_secs(2);

/// The most notices that are claimed, and under way, at a time.
const LOT: usize = 32;

/// A device to which so many notices in a row could not be sent is forgotten.
const MOST_FAILURES: i32 = 10;

/// The longest that a push service can ask us to wait.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(4);

pub struct PushWorker {
    store: Store,
    metrics: Arc<Metrics>,
    client: PushClient,
    reach: Reach,
    keys: VapidKeys,
    /// Whom a push service asks if we misbehave: the address of the house, or that of its letters.
    contact: String,
    /// Wakes this worker when there are notices to send.
    notices: Arc<Notify>,
}

/// What becomes of a notice.
#[derive(Debug)]
enum Outcome {
    Sent,
    /// It is no news any more.
    Stale,
    /// The browser is gone, or wants no notices any more.
    Gone,
    /// Not now; perhaps the push service says when.
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

impl From<EncryptionError> for Outcome {
    fn from(error: EncryptionError) -> Outcome {
        Outcome::Refused(error.to_string())
    }
}

impl PushWorker {
    pub fn new(store: Store, metrics: Arc<Metrics>, reach: Reach, contact: String, notices: Arc<Notify>) -> PushWorker {
        let client = PushClient::new(reach);
        PushWorker { store, metrics, client, reach, keys: VapidKeys::default(), contact, notices }
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
        let now = self.store.clock.now();
        if notice.is_stale || notice.expires_at <= now {
            return Ok(Outcome::Stale);
        }
        let keys = BrowserKeys::from_bytes(&notice.public_key, &notice.secret).ok_or(EncryptionError)?;
        let endpoint = Endpoint::parse(&notice.endpoint, self.reach).ok_or(ClientError::Private)?;
        let key = self.keys.key(&self.store).await.map_err(Outcome::Store)?;
        // Push services go by the real time, whatever the clock of the house says.
        let authorization = key.authorization(&endpoint.origin(), &self.contact, Utc::now()).map_err(Outcome::Store)?;
        let message = Message {
            body: keys.encrypt(&notice::payload(notice.table_id, &notice.title, &notice.body))?,
            authorization,
            keep_for: (notice.expires_at - now).num_seconds(),
            is_urgent: notice.urgent,
            topic: notice::topic(notice.device_id, notice.table_id),
        };
        Ok(read_answer(&self.client.send(&endpoint, message).await?, now))
    }

    /// Neither addresses nor words of a notice go into the log.
    async fn note(&self, notice: &ClaimedNotice, outcome: Outcome) -> Result<(), StoreError> {
        let (id, device, tries) = (notice.id, notice.device_id, notice.tries);
        match outcome {
            Outcome::Sent => {
                tracing::info!(notice = id, tries, "notice sent");
                self.metrics.notice_sent();
                self.store.notice_went(id, device).await
            }
            Outcome::Stale => {
                tracing::info!(notice = id, "nothing to notify of any more");
                self.store.drop_notice(id).await
            }
            Outcome::Gone => {
                tracing::info!(notice = id, "the device is gone");
                self.store.forget_device(device).await
            }
            Outcome::Later { words, at } => {
                tracing::warn!(notice = id, tries, trouble = words, "notice not sent; to be tried again");
                self.metrics.notice_failed();
                match at {
                    Some(at) => self.store.postpone_notice(id, at).await,
                    None => Ok(()),
                }
            }
            Outcome::Refused(words) => {
                tracing::warn!(notice = id, tries, trouble = words, "notice refused for good");
                self.metrics.notice_failed();
                self.store.notice_failed(id, device, MOST_FAILURES).await
            }
            Outcome::Store(error) => {
                tracing::warn!(%error, notice = id, "notice not sent; to be tried again");
                Ok(())
            }
        }
    }
}

/// What the answer of a push service means (RFC 8030, section 5).
fn read_answer(answer: &Answer, now: DateTime<Utc>) -> Outcome {
    let words = format!("the push service answers {}", answer.status.as_u16());
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
