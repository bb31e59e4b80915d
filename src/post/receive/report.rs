//! Reports of mail servers that could not deliver a letter (RFC 3464).

use mail_parser::{Message, MimeHeaders};

/// What a report says of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// It came back for good, with this status.
    Failed(String),
    /// It is late, was delivered after all, or may be tried again.
    Passing,
}

/// The report in a message; `None` if there is none.
pub fn find(message: &Message) -> Option<Report> {
    let is_report = |part: &mail_parser::MessagePart| {
        part.content_type().is_some_and(|kind| {
            kind.ctype().eq_ignore_ascii_case("message")
                && kind.subtype().is_some_and(|subtype| {
                    subtype.eq_ignore_ascii_case("delivery-status")
                        || subtype.eq_ignore_ascii_case("global-delivery-status")
                })
        })
    };
    let part = message.parts.iter().find(|part| is_report(part))?;
    Some(read(&String::from_utf8_lossy(part.contents())))
}

/// Reads the fields of a report: one group for the letter, then one for each reader it had.
fn read(text: &str) -> Report {
    let text = text.replace("\r\n", "\n");
    for group in text.split("\n\n") {
        let field = |name: &str| {
            let mut fields = group.lines().filter_map(|line| line.split_once(':'));
            fields.find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_lowercase())
        };
        let (Some(action), Some(status)) = (field("action"), field("status")) else { continue };
        let status: String = status.split_whitespace().next().unwrap_or_default().chars().take(12).collect();
        if action.starts_with("failed") && status.starts_with("5.") {
            return Report::Failed(status);
        }
    }
    Report::Passing
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "Reporting-MTA: dns; mx.example.org\r\nArrival-Date: Mon, 16 Nov 2026 08:00:00 +0000\r\n\r\n";

    #[test]
    fn only_what_failed_for_good_counts() {
        let report = |fields: &str| read(&format!("{HEAD}Final-Recipient: rfc822; alice@example.org\r\n{fields}\r\n"));
        assert_eq!(report("Action: failed\r\nStatus: 5.1.1 (unknown)"), Report::Failed("5.1.1".into()));
        assert_eq!(report("Action: Failed\r\nStatus: 5.2.2"), Report::Failed("5.2.2".into()));
        assert_eq!(report("Action: failed\r\nStatus: 4.4.1"), Report::Passing);
        assert_eq!(report("Action: delayed\r\nStatus: 4.4.1"), Report::Passing);
        assert_eq!(report("Action: delivered\r\nStatus: 2.0.0"), Report::Passing);
        assert_eq!(read(""), Report::Passing);
    }
}
