//! What only somebody with a key can compute: HMAC with SHA-256.

use hmac::KeyInit;
pub use hmac::Mac;
use sha2::Sha256;

/// HMAC with SHA-256.
pub type Hmac = hmac::Hmac<Sha256>;

/// An HMAC with this key, to be fed.
pub fn hmac_sha256(key: &[u8]) -> Hmac {
    Hmac::new_from_slice(key).expect("any length of key will do")
}
