//! Signing in without a password: a letter with a link and a code.
//!
//! The link holds a secret; the browser that asked holds another, and the code counts only together with that one. The house keeps
//! digests, so that a copy of its database signs nobody in: the link's secret cannot be guessed, and codes cannot be tried without the
//! browser's.

mod api_tokens;
mod confirmation;
mod letters;
mod limits;
pub(super) mod sessions;

use chrono::Duration;
use data_encoding::BASE64URL_NOPAD;
use rand::rngs::SysRng;
use rand::{RngExt, TryRng};
use sha2::{Digest, Sha256};

pub use api_tokens::digest_of_api_token;
pub use confirmation::WRONG_CODE;
pub use letters::Entered;
pub use limits::Origin;
pub use sessions::{Account, IDLE_DAYS, NewSession, end_of_session};

/// How long link and code are good.
pub const GOOD_FOR: Duration = Duration::minutes(60);

/// How many wrong codes may be typed before a letter's code is void.
pub const MOST_TRIES: i32 = 5;

/// A random secret that is handed out once and kept as a digest.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

impl Token {
    pub fn fresh() -> Token {
        let mut bytes = [0; 32];
        SysRng.try_fill_bytes(&mut bytes).expect("the system gives random bytes");
        Token(bytes)
    }

    pub fn parse(text: &str) -> Option<Token> {
        BASE64URL_NOPAD.decode(text.as_bytes()).ok()?.try_into().ok().map(Token)
    }

    /// As it stands in a link or a cookie.
    pub fn reveal(&self) -> String {
        BASE64URL_NOPAD.encode(&self.0)
    }

    pub const fn bytes(&self) -> [u8; 32] {
        self.0
    }

    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }

    /// The digest of a code that is typed in the browser that holds this secret.
    pub fn code_digest(&self, code: &str) -> [u8; 32] {
        let mut digest = Sha256::new();
        digest.update(b"wonderpost code 1\n");
        digest.update(self.0);
        digest.update(code.as_bytes());
        digest.finalize().into()
    }
}

/// Six digits at random.
pub fn fresh_code() -> String {
    format!("{:06}", rand::rng().random_range(0..1_000_000))
}

/// A code as somebody typed it, with or without a gap in the middle.
pub fn read_code(typed: &str) -> Option<String> {
    let code: String = typed.chars().filter(|sign| !sign.is_whitespace() && *sign != '-').collect();
    (code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit())).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_counts_only_with_its_browser() {
        let (one, other) = (Token::fresh(), Token::fresh());
        assert_eq!(one.code_digest("012345"), one.code_digest("012345"));
        assert_ne!(one.code_digest("012345"), other.code_digest("012345"));
        assert_ne!(one.code_digest("012345"), one.code_digest("012346"));
    }

    #[test]
    fn codes_are_read_as_people_type_them() {
        assert_eq!(read_code(" 012 345 ").as_deref(), Some("012345"));
        assert_eq!(read_code("012-345").as_deref(), Some("012345"));
        assert_eq!(read_code("12345"), None);
        assert_eq!(read_code("١٢٣٤٥٦"), None);
        assert_eq!(fresh_code().len(), 6);
    }

    #[test]
    fn a_token_is_read_back() {
        let token = Token::fresh();
        assert!(Token::parse(&token.reveal()) == Some(token));
        assert!(Token::parse("short").is_none());
    }
}
