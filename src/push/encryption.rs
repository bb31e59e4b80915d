//! Encrypting a notice for one browser (RFC 8291, with the `aes128gcm` coding of RFC 8188): the push service in between reads nothing.

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

/// A point of P-256, uncompressed.
pub const PUBLIC_KEY_BYTES: usize = 65;

/// The secret that a browser shares with the house.
pub const SECRET_BYTES: usize = 16;

const SALT_BYTES: usize = 16;

/// Notices are filled up to a multiple of this, so that their length says nothing of the names in them.
const PADDED_TO: usize = 1024;

/// Longer than any notice, as RFC 8291 wants it: there is one record.
const RECORD_SIZE: u32 = 4096;

/// What ends the last record, before the padding.
const LAST_RECORD: u8 = 2;

/// What a browser says about itself so that notices can be encrypted for it.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserKeys {
    pub public_key: [u8; PUBLIC_KEY_BYTES],
    pub secret: [u8; SECRET_BYTES],
}

/// Neither key goes into a log.
impl fmt::Debug for BrowserKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BrowserKeys")
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a notice cannot be encrypted for this browser")]
pub struct EncryptionError;

impl From<ring::error::Unspecified> for EncryptionError {
    fn from(_: ring::error::Unspecified) -> EncryptionError {
        EncryptionError
    }
}

impl BrowserKeys {
    /// Reads both as browsers give them, in Base64 for addresses.
    pub fn parse(public_key: &str, secret: &str) -> Option<BrowserKeys> {
        let bytes = |text: &str| BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes()).ok();
        BrowserKeys::from_bytes(&bytes(public_key)?, &bytes(secret)?)
    }

    pub fn from_bytes(public_key: &[u8], secret: &[u8]) -> Option<BrowserKeys> {
        Some(BrowserKeys { public_key: public_key.try_into().ok()?, secret: secret.try_into().ok()? })
    }

    /// The body of a request to the push service.
    pub fn encrypt(&self, words: &[u8]) -> Result<Vec<u8>, EncryptionError> {
        let random = SystemRandom::new();
        let mut salt = [0; SALT_BYTES];
        random.fill(&mut salt)?;
        let key = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
        let our_public = key.compute_public_key()?;
        let theirs = UnparsedPublicKey::new(&ECDH_P256, &self.public_key);
        let padded = words.len().next_multiple_of(PADDED_TO);
        agree_ephemeral(key, &theirs, |shared| self.seal(shared, our_public.as_ref(), salt, words, padded))?
    }

    /// One record with a header: salt, size of records, and our public key.
    fn seal(
        &self,
        shared: &[u8],
        our_public: &[u8],
        salt: [u8; SALT_BYTES],
        words: &[u8],
        padded: usize,
    ) -> Result<Vec<u8>, EncryptionError> {
        let mut record = words.to_vec();
        record.push(LAST_RECORD);
        record.resize(record.len().max(padded + 1), 0);
        let (key, nonce) = self.derive(shared, our_public, &salt)?;
        key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record)?;
        let id_length = u8::try_from(our_public.len()).map_err(|_| EncryptionError)?;
        let mut body = Vec::with_capacity(SALT_BYTES + 5 + our_public.len() + record.len());
        body.extend(salt);
        body.extend(RECORD_SIZE.to_be_bytes());
        body.push(id_length);
        body.extend(our_public);
        body.extend(record);
        if body.len() > RECORD_SIZE as usize { Err(EncryptionError) } else { Ok(body) }
    }

    /// The key and the nonce of the record (RFC 8291, section 3.4).
    fn derive(&self, shared: &[u8], our_public: &[u8], salt: &[u8]) -> Result<(LessSafeKey, Nonce), EncryptionError> {
        let combined = extract(&self.secret, shared);
        let keying = expand(&combined, &[b"WebPush: info\0", &self.public_key, our_public]);
        let record = extract(salt, keying.as_ref());
        let key = expand(&record, &[b"Content-Encoding: aes128gcm\0"]);
        let nonce = expand(&record, &[b"Content-Encoding: nonce\0"]);
        let key = UnboundKey::new(&AES_128_GCM, &key.as_ref()[..16])?;
        let nonce = Nonce::try_assume_unique_for_key(&nonce.as_ref()[..12])?;
        Ok((LessSafeKey::new(key), nonce))
    }
}

/// HKDF's first half (RFC 5869).
fn extract(salt: &[u8], keying: &[u8]) -> hmac::Key {
    let extracted = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, salt), keying);
    hmac::Key::new(hmac::HMAC_SHA256, extracted.as_ref())
}

/// HKDF's second half, for at most 32 bytes.
fn expand(key: &hmac::Key, info: &[&[u8]]) -> hmac::Tag {
    let mut context = hmac::Context::with_key(key);
    info.iter().for_each(|part| context.update(part));
    context.update(&[1]);
    context.sign()
}

#[cfg(test)]
mod tests {
    use super::*;
    use p256::ecdh::diffie_hellman;
    use p256::elliptic_curve::sec1::ToSec1Point;
    use p256::{PublicKey, SecretKey};

    fn bytes(text: &str) -> Vec<u8> {
        BASE64URL_NOPAD.decode(text.as_bytes()).unwrap()
    }

    /// RFC 8291, Appendix A.
    #[test]
    fn the_example_of_the_rfc_is_encrypted_to_the_letter() {
        let browser = BrowserKeys::parse(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        )
        .unwrap();
        let our_secret = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).unwrap();
        let theirs = PublicKey::from_sec1_bytes(&browser.public_key).unwrap();
        let shared = diffie_hellman(our_secret.to_nonzero_scalar(), theirs.as_affine());
        assert_eq!(shared.raw_secret_bytes()[..], bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"));
        let our_public =
            bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let words = b"When I grow up, I want to be a watermelon";
        let body = browser.seal(shared.raw_secret_bytes(), &our_public, salt, words, 0).unwrap();
        assert_eq!(
            BASE64URL_NOPAD.encode(&body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQp\
             u6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn notices_of_all_lengths_look_alike_and_no_two_are_the_same() {
        let key = SecretKey::from_slice(&[7; 32]).unwrap();
        let public: [u8; PUBLIC_KEY_BYTES] = key.public_key().to_sec1_point(false).as_bytes().try_into().unwrap();
        let browser = BrowserKeys { public_key: public, secret: [3; SECRET_BYTES] };
        let (short, long) = (browser.encrypt(b"a").unwrap(), browser.encrypt(&[b'a'; 1000]).unwrap());
        assert_eq!(short.len(), long.len());
        assert_ne!(browser.encrypt(b"a").unwrap(), short);
        assert_eq!(browser.encrypt(&[b'a'; 5000]), Err(EncryptionError));
        let nowhere = BrowserKeys { public_key: [4; PUBLIC_KEY_BYTES], ..browser };
        assert_eq!(nowhere.encrypt(b"a"), Err(EncryptionError), "that is no point of the curve");
    }
}
