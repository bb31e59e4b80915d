//! Percent-encoding of a component of a URL or a form.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

pub fn percent_encoded(bytes: &[u8]) -> String {
    percent_encode(bytes, COMPONENT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_an_address_is_encoded() {
        assert_eq!(percent_encoded("place 10♥ & go".as_bytes()), "place%2010%E2%99%A5%20%26%20go");
    }
}
