//! How the house shows push services that it is the one to whom a browser gave its address (VAPID, RFC 8292). The key is made once and
//! kept in the database; nothing but its public half is ever shown.

use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;
use tokio::sync::OnceCell;

use crate::db::{Store, StoreError, in_time, retry_transient};

/// How long a push service may take us at our word. It may be a day at most.
const GOOD_FOR: TimeDelta = TimeDelta::hours(12);

/// The name of the key among those of the house.
const NAME: &str = "push";

/// The key of the house; asked for once.
#[derive(Default)]
pub struct VapidKeys(OnceCell<VapidKey>);

pub struct VapidKey {
    pair: EcdsaKeyPair,
    /// The public half, as browsers take it.
    pub public: String,
}

#[derive(Debug, thiserror::Error)]
pub enum VapidError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the key of notices is damaged")]
    Damaged,
}

impl VapidKeys {
    /// The first process to ask makes the key; it then stays for all.
    pub async fn key(&self, store: &Store) -> Result<&VapidKey, VapidError> {
        let ask = || async {
            let fresh = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
                .map_err(|_| VapidError::Damaged)?;
            let kept = retry_transient(|| store.house_key(NAME, fresh.as_ref())).await?;
            VapidKey::read(&kept)
        };
        // Somebody else may be asking.
        in_time(self.0.get_or_try_init(ask)).await
    }
}

impl VapidKey {
    fn read(pkcs8: &[u8]) -> Result<VapidKey, VapidError> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8, &SystemRandom::new())
            .map_err(|_| VapidError::Damaged)?;
        let public = BASE64URL_NOPAD.encode(pair.public_key().as_ref());
        Ok(VapidKey { pair, public })
    }

    /// The value of the `Authorization` header for the push service of this origin. `contact` is whom it asks if we misbehave.
    pub fn authorization(&self, origin: &str, contact: &str, now: DateTime<Utc>) -> Result<String, VapidError> {
        let part = |value: serde_json::Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let head = part(json!({"typ": "JWT", "alg": "ES256"}));
        let claims = part(json!({"aud": origin, "exp": (now + GOOD_FOR).timestamp(), "sub": contact}));
        let signed = format!("{head}.{claims}");
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes()).map_err(|_| VapidError::Damaged)?;
        Ok(format!("vapid t={signed}.{}, k={}", BASE64URL_NOPAD.encode(signature.as_ref()), self.public))
    }
}
