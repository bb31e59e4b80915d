//! Reports of mail servers: that they could not deliver a letter (RFC 3464), or that its reader called it spam (RFC 5965).

use mail_parser::{Message, MimeHeaders};

/// What a report says of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// It came back for good, with this status.
    Failed(String),
    /// Its reader does not want it.
    Complaint,
    /// It is late, was delivered after all, or may be tried again.
    Transient,
}

/// The report in a message; `None` if there is none.
pub fn find(message: &Message) -> Option<Report> {
    message.parts.iter().find_map(|part| {
        let kind = part.content_type().filter(|kind| kind.ctype().eq_ignore_ascii_case("message"))?;
        let text = String::from_utf8_lossy(part.contents());
        match kind.subtype()?.to_ascii_lowercase().as_str() {
            "delivery-status" | "global-delivery-status" => Some(read(&text)),
            "feedback-report" => Some(read_feedback(&text)),
            _ => None,
        }
    })
}

/// The value of a field, in lower case.
fn field(group: &str, name: &str) -> Option<String> {
    let mut fields = group.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_lowercase())
}

/// Reads what a reader thought of a letter. Some report that it was no spam, or how it was signed.
fn read_feedback(text: &str) -> Report {
    match field(text, "feedback-type").as_deref() {
        Some("abuse" | "fraud" | "opt-out" | "opt-out-list" | "other") => Report::Complaint,
        _ => Report::Transient,
    }
}

/// Reads the fields of a report: one group for the letter, then one for each reader it had.
fn read(text: &str) -> Report {
    let text = text.replace("\r\n", "\n");
    for group in text.split("\n\n") {
        let (Some(action), Some(status)) = (field(group, "action"), field(group, "status")) else { continue };
        let status: String = status.split_whitespace().next().unwrap_or_default().chars().take(12).collect();
        if action.starts_with("failed") && status.starts_with("5.") {
            return Report::Failed(status);
        }
    }
    Report::Transient
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
        assert_eq!(report("Action: failed\r\nStatus: 4.4.1"), Report::Transient);
        assert_eq!(report("Action: delayed\r\nStatus: 4.4.1"), Report::Transient);
        assert_eq!(report("Action: delivered\r\nStatus: 2.0.0"), Report::Transient);
        assert_eq!(read(""), Report::Transient);
    }

    #[test]
    fn only_what_a_reader_complains_of_is_a_complaint() {
        let report = |kind: &str| read_feedback(&format!("Feedback-Type: {kind}\r\nUser-Agent: SomeGenerator/1.0\r\n"));
        for kind in ["abuse", "Abuse", "fraud", "opt-out"] {
            assert_eq!(report(kind), Report::Complaint, "{kind}");
        }
        for kind in ["not-spam", "auth-failure", ""] {
            assert_eq!(report(kind), Report::Transient, "{kind}");
        }
        assert_eq!(read_feedback(""), Report::Transient);
    }
}
