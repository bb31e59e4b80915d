//! A notice as a push service takes it for a browser (RFC 8030).

use chrono::{DateTime, Utc};
use hyper::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};

use crate::db::notices::{ClaimedNotice, DeviceTarget};
use crate::push::client::{ClientError, Message};
use crate::push::encryption::{BrowserKeys, EncryptionError};
use crate::push::notice;

const TTL: HeaderName = HeaderName::from_static("ttl");
const URGENCY: HeaderName = HeaderName::from_static("urgency");
const TOPIC: HeaderName = HeaderName::from_static("topic");

/// Why a notice could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WritingError {
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Encrypts a notice for a browser, with what its push service has to know.
pub fn message(
    notice: &ClaimedNotice,
    device: &DeviceTarget,
    authorization: &str,
    now: DateTime<Utc>,
) -> Result<Message, WritingError> {
    let keys = BrowserKeys::from_bytes(&device.public_key, &device.secret).ok_or(EncryptionError)?;
    let header = |text: &str| HeaderValue::from_str(text).map_err(ClientError::from);
    let headers = vec![
        (AUTHORIZATION, header(authorization)?),
        (CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (CONTENT_ENCODING, HeaderValue::from_static("aes128gcm")),
        // For so many seconds it is kept for a browser that does not run.
        (TTL, HeaderValue::from((notice.expires_at - now).num_seconds())),
        (URGENCY, HeaderValue::from_static(if notice.urgent { "high" } else { "normal" })),
        // A message of the same topic that still waits is replaced.
        (TOPIC, header(&notice::topic(device.id, notice.table_id))?),
    ];
    let body = keys.encrypt(&notice::payload(notice.table_id, &notice.title, &notice.body))?;
    Ok(Message { headers, body })
}
