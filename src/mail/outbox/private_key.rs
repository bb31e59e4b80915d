//! Private keys as `openssl` writes them. The signer takes RSA keys in PKCS#1 and Ed25519 keys as 32 bytes in Base64; PKCS#8, what
//! `openssl genpkey` writes, is a wrapper around either.

use std::sync::LazyLock;

use data_encoding::{BASE64, Encoding, Specification};

/// A key that letters are signed with.
#[derive(Debug, PartialEq, Eq)]
pub enum PrivateKey {
    /// PEM, in PKCS#1.
    Rsa(String),
    /// 32 bytes in Base64.
    Ed25519(String),
}

/// Why a file is no key that we know.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadKey {
    #[error("it is encrypted: write it without a password (openssl pkey -in KEY -out KEY.pem)")]
    Encrypted,
    #[error("it is neither an RSA key nor an Ed25519 key (openssl genpkey -algorithm rsa -out KEY.pem)")]
    Unknown,
    #[error("it is damaged")]
    Damaged,
}

/// What PKCS#8 calls the two.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];

/// The tags of DER that occur in such files.
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const OBJECT: u8 = 0x06;
const SEQUENCE: u8 = 0x30;

/// Base64 in lines of 64 letters, as PEM has it; readers of keys take no others.
static PEM_BODY: LazyLock<Encoding> = LazyLock::new(|| {
    let mut pem: Specification = BASE64.specification();
    pem.wrap.width = 64;
    pem.wrap.separator.push('\n');
    pem.encoding().unwrap_or(BASE64)
});

impl PrivateKey {
    /// Reads a key in PKCS#1 or PKCS#8 (PEM), or an Ed25519 key in plain Base64.
    pub fn parse(text: &str) -> Result<PrivateKey, BadKey> {
        let text = text.trim();
        if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") {
            return Err(BadKey::Encrypted);
        }
        if text.contains("BEGIN RSA PRIVATE KEY") {
            return Ok(PrivateKey::Rsa(text.to_owned()));
        }
        if text.contains("BEGIN PRIVATE KEY") {
            let lines = text.lines().skip_while(|line| !line.contains("BEGIN PRIVATE KEY")).skip(1);
            let body: String = lines.take_while(|line| !line.starts_with("-----")).map(str::trim).collect();
            return unwrap(&BASE64.decode(body.as_bytes()).map_err(|_| BadKey::Damaged)?);
        }
        if text.contains("BEGIN") {
            return Err(BadKey::Unknown);
        }
        match BASE64.decode(text.as_bytes()) {
            Ok(bytes) if bytes.len() == 32 => Ok(PrivateKey::Ed25519(text.to_owned())),
            Ok(_) | Err(_) => Err(BadKey::Damaged),
        }
    }
}

/// Takes a key out of PKCS#8: a sequence of a version, what kind of key it is, and the key as octets.
fn unwrap(der: &[u8]) -> Result<PrivateKey, BadKey> {
    let (inner, _) = element(der, SEQUENCE)?;
    let (_, rest) = element(inner, INTEGER)?;
    let (algorithm, rest) = element(rest, SEQUENCE)?;
    let (name, _) = element(algorithm, OBJECT)?;
    let (key, _) = element(rest, OCTETS)?;
    match name {
        RSA => {
            let lines = PEM_BODY.encode(key);
            Ok(PrivateKey::Rsa(format!("-----BEGIN RSA PRIVATE KEY-----\n{lines}-----END RSA PRIVATE KEY-----\n")))
        }
        ED25519 => {
            let (seed, _) = element(key, OCTETS)?;
            if seed.len() == 32 { Ok(PrivateKey::Ed25519(BASE64.encode(seed))) } else { Err(BadKey::Damaged) }
        }
        _ => Err(BadKey::Unknown),
    }
}

/// The content of the element that comes first, and what follows it.
fn element(der: &[u8], tag: u8) -> Result<(&[u8], &[u8]), BadKey> {
    let [there, length, rest @ ..] = der else { return Err(BadKey::Damaged) };
    if *there != tag {
        return Err(BadKey::Damaged);
    }
    let (length, rest) = match *length {
        short @ 0..=0x7f => (usize::from(short), rest),
        long @ 0x81..=0x84 => {
            let (bytes, rest) = rest.split_at_checked(usize::from(long & 0x7f)).ok_or(BadKey::Damaged)?;
            (bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
        _ => return Err(BadKey::Damaged),
    };
    rest.split_at_checked(length).ok_or(BadKey::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lettre::message::dkim::{DkimSigningAlgorithm, DkimSigningKey};

    /// What `openssl genpkey -algorithm ed25519` wrote, and the 32 bytes that are in it.
    const ED25519_PEM: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIOSiWk4NdEFvEqP+wt1lzTDWo02FJlv0MXjqX3Q3iU3e\n-----END PRIVATE KEY-----\n";
    const ED25519_SEED: &str = "5KJaTg10QW8So/7C3WXNMNajTYUmW/QxeOpfdDeJTd4=";

    #[test]
    fn an_ed25519_key_is_taken_out_of_its_wrapper() {
        let key = PrivateKey::Ed25519(ED25519_SEED.to_owned());
        assert_eq!(PrivateKey::parse(ED25519_PEM), Ok(key));
        assert_eq!(PrivateKey::parse(ED25519_SEED), Ok(PrivateKey::Ed25519(ED25519_SEED.to_owned())));
    }

    /// What `openssl genpkey -algorithm rsa` wrote, too short for anything but a test.
    const RSA_PEM: &str = "\
-----BEGIN PRIVATE KEY-----\n\
MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBANEHxnj8xYRBAdPL\n\
6QOf+lRagDIjcXUEfSsEKVSC4l/gnxx3skxCk7idlXd9epwU6bXJCSwEe36gAs7J\n\
37PSHifpC5aUtBZOCfEpSXQERtgz1gCJvbXRWDsYhaQVQrTADdPxfBlL6DLix8rU\n\
GKHr0/qyyDIZLSx8gfPBEIcyTk5bAgMBAAECgYB26ghz3cDz6xOCDNfDkygTAuU5\n\
IMazvlkCtrxYcpkb2CpMRJ/vGFT3Sta0AnNVBeSq4PJR0z76G0ddoqSbpOY339Qm\n\
IQz994+vnQYnzdPJYWFZ4JYyDhd08j6Zw2knAdySMMD0q6lLP1lO8w6xQMzchLNU\n\
+KkfQ8u1TCIhla+1kQJBAP4eza5rnMPf0e16avHo2U/JHenbXCGBLI1m+JpLVhL9\n\
CSNZhuxsBp8ct2cKnCRnSCoJprfB8BqPSLfo/ZkjPFMCQQDSk5cr9KSMCpxjtgIy\n\
11gZExO0vKgAyNfVgbJvmJqQjyd6kehUR4IcSuHnK1cIWHsD9L5Ct/RlVU9nnNFK\n\
qaTZAkEA3fPXoAVb2fUurSXkLMA8tiQqHWy77oOdfy+16UXtuw4JIjf60ZqUufph\n\
8fzhXiZbcGQXmp4ocXo+gGtevJd7AwJBANGz2zsR4X/43S9LRTs+SuSFo/08Vw6Y\n\
9KASDhGmZl6JwWYFwdmUcNUeGYPuHDkabD9PTt4AdakoYPAtMhvpf1kCQQD15IvD\n\
xpvpllk6fs8FOUfxlPn3AU6JtioNZHBFjImjzQ207yy9xiVvh+QKUSwL8KwvEdR6\n\
HMCUMGic6MSGooDH\n\
-----END PRIVATE KEY-----\n\
";

    #[test]
    fn an_rsa_key_is_taken_out_of_its_wrapper() {
        let Ok(PrivateKey::Rsa(pem)) = PrivateKey::parse(RSA_PEM) else { panic!("no RSA key") };
        assert_eq!(PrivateKey::parse(&pem), Ok(PrivateKey::Rsa(pem.trim().to_owned())));
        assert!(DkimSigningKey::new(&pem, DkimSigningAlgorithm::Rsa).is_ok(), "{pem}");
    }

    #[test]
    fn what_is_no_key_is_refused_with_a_reason() {
        let pem = |kind: &str, body: &str| format!("-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n");
        assert_eq!(PrivateKey::parse(&pem("ENCRYPTED PRIVATE KEY", "AAAA")), Err(BadKey::Encrypted));
        assert_eq!(PrivateKey::parse(&pem("EC PRIVATE KEY", "AAAA")), Err(BadKey::Unknown));
        for body in ["", "AAAA", "!", "MA==", "MIT/////"] {
            assert_eq!(PrivateKey::parse(&pem("PRIVATE KEY", body)), Err(BadKey::Damaged), "{body}");
        }
        assert_eq!(PrivateKey::parse("MA=="), Err(BadKey::Damaged));
    }
}
