//! Percent-encoding of a component of a URL or a form.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

pub fn percent_encoded(bytes: &[u8]) -> String {
    percent_encode(bytes, COMPONENT).to_string()
}
