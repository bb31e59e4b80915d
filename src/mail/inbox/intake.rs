//! The one door for mail, whichever way it comes: a message is for an address of ours, is not too large, and is in the inbox before
//! anybody is told that it was taken.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio::sync::Notify;

use crate::db::mail::inbox::NewMessage;
use crate::db::{Store, StoreError};
use crate::mail::inbox::reading::attachments::without_attachments;
use crate::mail::reply_address::{NoRecipient, ReplyAddresses};

/// The largest message that is taken, in bytes, with all that is attached to it: some photos. Of that only the texts are kept.
pub const LARGEST: usize = 25 * 1024 * 1024;

/// The largest that is taken over HTTP: there a message is held in memory until its signature has been checked.
pub const LARGEST_BY_WEBHOOK: usize = 8 * 1024 * 1024;

/// How a message came.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Way {
    Lmtp,
    Deliver,
    Webhook,
}

impl Way {
    const fn name(self) -> &'static str {
        match self {
            Way::Lmtp => "lmtp",
            Way::Deliver => "deliver",
            Way::Webhook => "webhook",
        }
    }
}

/// Why a message is not taken.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    #[error(transparent)]
    NoRecipient(#[from] NoRecipient),
    #[error("the message is too large")]
    TooLarge,
    #[error("the message is empty")]
    Empty,
    /// It may be taken later.
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Clone)]
pub struct Intake {
    pub store: Store,
    pub addresses: Arc<ReplyAddresses>,
    /// Told when a message has come in.
    pub arrivals: Arc<Notify>,
}

impl Intake {
    /// Whether there is such an address.
    pub async fn check(&self, recipient: &str) -> Result<(), NotTaken> {
        self.addresses.read(&self.store, recipient, self.store.clock.now()).await??;
        Ok(())
    }

    /// Takes a message. The envelope says whom it is for, and whether it names a sender.
    pub async fn take(&self, way: Way, null_sender: bool, recipient: &str, raw: &[u8]) -> Result<(), NotTaken> {
        self.check(recipient).await?;
        if raw.len() > LARGEST {
            return Err(NotTaken::TooLarge);
        }
        let raw = without_attachments(raw).ok_or(NotTaken::TooLarge)?;
        if raw.iter().all(u8::is_ascii_whitespace) {
            return Err(NotTaken::Empty);
        }
        let recipient = recipient.trim().to_ascii_lowercase();
        let digest = digest_of(&recipient, &raw);
        let new = NewMessage { digest: &digest, recipient: &recipient, null_sender, way: way.name(), raw: &raw };
        self.store.keep_message(&new).await?;
        self.arrivals.notify_one();
        tracing::info!(way = way.name(), bytes = raw.len(), "a message came in");
        Ok(())
    }
}

/// Tells one message from another. It is also what proves, in the store, that a move comes from this message.
fn digest_of(recipient: &str, raw: &[u8]) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(b"wonderpost message 1\n");
    digest.update(recipient.as_bytes());
    digest.update(b"\n");
    digest.update(raw);
    digest.finalize().into()
}
