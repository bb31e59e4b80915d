//! Signing letters, so that mail servers can tell that they come from the domain they say they come from.

use std::fs;

use anyhow::{Context, bail};
use lettre::Message;
use lettre::message::dkim::{
    DkimCanonicalization, DkimCanonicalizationType, DkimConfig, DkimSigningAlgorithm, DkimSigningKey,
};
use lettre::message::header::HeaderName;

use crate::app::settings::DkimSettings;
use crate::mail::outbox::private_key::PrivateKey;

/// What is signed. The kind of content is left out: it is kept with the body, and the signature would not hold.
const HEADERS: [&str; 11] = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "References",
    "In-Reply-To",
    "Reply-To",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "Auto-Submitted",
];

pub struct Signature(DkimConfig);

impl Signature {
    /// How letters from this domain are signed, if they are.
    pub fn new(settings: &DkimSettings, domain: &str) -> anyhow::Result<Option<Signature>> {
        let (selector, path) = match (&settings.dkim_selector, &settings.dkim_key) {
            (None, None) => return Ok(None),
            (Some(selector), Some(path)) => (selector, path),
            _ => bail!("signing letters needs both the name of the key (--dkim-selector) and its file (--dkim-key)"),
        };
        let key = fs::read_to_string(path).context("the key that letters are signed with cannot be read")?;
        let key = PrivateKey::parse(&key)
            .with_context(|| format!("the key that letters are signed with ({}) cannot be used", path.display()))?;
        let (key, algorithm) = match key {
            PrivateKey::Rsa(key) => (key, DkimSigningAlgorithm::Rsa),
            PrivateKey::Ed25519(key) => (key, DkimSigningAlgorithm::Ed25519),
        };
        // The error could show the key.
        let key = DkimSigningKey::new(&key, algorithm)
            .map_err(|_| anyhow::anyhow!("the key that letters are signed with is damaged"))?;
        let domain = settings.dkim_domain.as_deref().unwrap_or(domain).to_owned();
        let canonicalization =
            DkimCanonicalization { header: DkimCanonicalizationType::Relaxed, body: DkimCanonicalizationType::Relaxed };
        let headers = HEADERS.into_iter().map(HeaderName::new_from_ascii_str).collect();
        Ok(Some(Signature(DkimConfig::new(selector.clone(), domain, key, headers, canonicalization))))
    }

    pub fn sign(&self, message: &mut Message) {
        message.sign(&self.0);
    }
}
