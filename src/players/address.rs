//! Where letters reach somebody.

use std::fmt;

use sha2::{Digest, Sha256};

/// The longest that mail servers take.
const LONGEST: usize = 254;

/// An e-mail address that a letter can be sent to. It never shows itself in a log line.
#[derive(Clone, PartialEq, Eq)]
pub struct EmailAddress(lettre::Address);

/// Why an address will not do, as a sentence.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    #[error("That does not look like an e-mail address. It should look like alice@example.org.")]
    Unreadable,
    #[error("Letters from here cannot reach that address. It should look like alice@example.org.")]
    Unreachable,
}

/// Last parts of names that are nobody's on the Internet (RFC 2606, RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and names that
/// home networks use).
const LOCAL_NAMES: [&str; 14] = [
    "localhost",
    "local",
    "localdomain",
    "invalid",
    "test",
    "example",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "onion",
    "alt",
];

impl EmailAddress {
    pub fn parse(typed: &str) -> Result<EmailAddress, BadAddress> {
        let typed = typed.trim();
        if typed.len() > LONGEST || !typed.is_ascii() {
            return Err(BadAddress::Unreadable);
        }
        let (user, domain) = typed.rsplit_once('@').ok_or(BadAddress::Unreadable)?;
        if user.contains('"') {
            return Err(BadAddress::Unreadable);
        }
        lettre::Address::new(user, domain.to_ascii_lowercase()).map(EmailAddress).map_err(|_| BadAddress::Unreadable)
    }

    /// Reads an address to which mail goes over the Internet: not to a machine's own name or number, or to a name of a local network.
    pub fn parse_public(typed: &str) -> Result<EmailAddress, BadAddress> {
        let address = EmailAddress::parse(typed)?;
        if address.is_local() { Err(BadAddress::Unreachable) } else { Ok(address) }
    }

    fn is_local(&self) -> bool {
        let Some((parent, last)) = self.0.domain().rsplit_once('.') else { return true };
        // A number is last in an address of a machine, with or without brackets.
        let is_number = last.starts_with(|digit: char| digit.is_ascii_digit()) || last.ends_with(']');
        is_number || LOCAL_NAMES.contains(&last) || last == "arpa" || parent.is_empty()
    }

    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }
}

/// By what an address is known where it is not to be read: the first half of a digest.
pub fn address_digest(address: &str) -> [u8; 16] {
    let digest = Sha256::digest(address.to_lowercase());
    digest.first_chunk().copied().expect("a digest is longer")
}

/// Enough of an address to know it by, and not enough to write to: the first letter and the domain.
pub fn masked_address(address: &str) -> String {
    let (user, domain) = address.rsplit_once('@').unwrap_or((address, ""));
    let first = user.chars().next().map(String::from).unwrap_or_default();
    format!("{first}…@{domain}")
}

impl From<EmailAddress> for lettre::Address {
    fn from(address: EmailAddress) -> lettre::Address {
        address.0
    }
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EmailAddress(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_others_refused() {
        assert_eq!(EmailAddress::parse(" Alice@Example.ORG ").unwrap().as_str(), "Alice@example.org");
        assert!(EmailAddress::parse("alice+games@mail.example.org").is_ok());
        for typed in ["", "alice", "alice@", "@example.org", "a b@example.org", "a@b.example\nBcc: c@d.example"] {
            assert_eq!(EmailAddress::parse(typed), Err(BadAddress::Unreadable), "{typed}");
        }
    }

    #[test]
    fn what_no_mail_reaches_over_the_internet_is_local() {
        for typed in [
            "a@localhost",
            "a@mailhost",
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
            "a@127.0.0.1",
            "a@printer.local",
            "a@mail.LAN",
            "a@b.invalid",
            "a@b.test",
            "a@b.example",
            "a@router.home.arpa",
        ] {
            assert!(EmailAddress::parse_public(typed).is_err(), "{typed}");
        }
        for typed in ["a@localhost", "a@mailhost", "a@[127.0.0.1]", "a@b.example"] {
            assert!(EmailAddress::parse(typed).is_ok(), "{typed}");
            assert_eq!(EmailAddress::parse_public(typed), Err(BadAddress::Unreachable), "{typed}");
        }
        for typed in ["a@example.org", "a@mail.example.com", "a@local.de", "a@xn--bcher-kva.example.net"] {
            assert!(EmailAddress::parse_public(typed).is_ok(), "{typed}");
        }
    }

    #[test]
    fn a_masked_address_cannot_be_written_to() {
        assert_eq!(masked_address("alice@example.org"), "a…@example.org");
        assert_eq!(masked_address(""), "…@");
    }

    #[test]
    fn an_address_does_not_show_in_logs() {
        assert!(!format!("{:?}", EmailAddress::parse("alice@example.org").unwrap()).contains("alice"));
    }
}
