//! Text as it stands in an address: everything but letters, digits, hyphens, dots and underscores as a percent sign and two digits.

pub fn percent_encoded(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    bytes.iter().map(|b| if plain(b) { char::from(*b).to_string() } else { format!("%{b:02X}") }).collect()
}
