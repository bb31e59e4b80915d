//! Where letters reach somebody.

use std::fmt;

/// The longest that mail servers take.
const LONGEST: usize = 254;

/// An e-mail address that a letter can be sent to. It never shows itself in a log line.
#[derive(Clone, PartialEq, Eq)]
pub struct EmailAddress(lettre::Address);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("That does not look like an e-mail address. It should look like alice@example.org.")]
pub struct BadAddress;

impl EmailAddress {
    pub fn parse(typed: &str) -> Result<EmailAddress, BadAddress> {
        let typed = typed.trim();
        if typed.len() > LONGEST || !typed.is_ascii() {
            return Err(BadAddress);
        }
        let (user, domain) = typed.rsplit_once('@').ok_or(BadAddress)?;
        let named = domain.contains('.') || domain.eq_ignore_ascii_case("localhost");
        if user.contains('"') || !named {
            return Err(BadAddress);
        }
        lettre::Address::new(user, domain.to_ascii_lowercase()).map(EmailAddress).map_err(|_| BadAddress)
    }

    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }
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
        for typed in
            ["", "alice", "alice@", "@example.org", "alice@example", "a b@example.org", "a@b.example\nBcc: c@d.example"]
        {
            assert_eq!(EmailAddress::parse(typed), Err(BadAddress), "{typed}");
        }
    }

    #[test]
    fn an_address_does_not_show_in_logs() {
        assert!(!format!("{:?}", EmailAddress::parse("alice@example.org").unwrap()).contains("alice"));
    }
}
