//! iCalendar (RFC 5545).

use chrono::{DateTime, Utc};

/// The most bytes of a line; what is longer is folded.
const LONGEST_LINE: usize = 75;

/// Something that happens at a moment.
pub struct Event {
    /// The same as long as it is the same thing, also when its time changes.
    pub uid: String,
    pub at: DateTime<Utc>,
    /// When it last changed.
    pub changed: DateTime<Utc>,
    pub summary: String,
    pub description: String,
    pub url: String,
}

/// A calendar that is asked for again and again.
pub fn write_calendar(name: &str, events: &[Event]) -> String {
    let mut text = String::new();
    let mut line = |line: &str| text.push_str(&folded(line));
    line("BEGIN:VCALENDAR");
    line("VERSION:2.0");
    line("PRODID:-//Wonderpost//Deadlines//EN");
    line("CALSCALE:GREGORIAN");
    line("METHOD:PUBLISH");
    line(&format!("NAME:{}", escaped(name)));
    line(&format!("X-WR-CALNAME:{}", escaped(name)));
    line("REFRESH-INTERVAL;VALUE=DURATION:PT1H");
    line("X-PUBLISHED-TTL:PT1H");
    // A calendar has one component at least, also while nobody waits.
    for fixed in ["BEGIN:VTIMEZONE", "TZID:Etc/UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000"]
    {
        line(fixed);
    }
    for fixed in ["TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"] {
        line(fixed);
    }
    for event in events {
        line("BEGIN:VEVENT");
        line(&format!("UID:{}", escaped(&event.uid)));
        line(&format!("DTSTAMP:{}", moment(event.changed)));
        line(&format!("LAST-MODIFIED:{}", moment(event.changed)));
        line(&format!("DTSTART:{}", moment(event.at)));
        line(&format!("SUMMARY:{}", escaped(&event.summary)));
        line(&format!("DESCRIPTION:{}", escaped(&event.description)));
        line(&format!("URL:{}", event.url));
        // Nobody is busy because a move is due.
        line("TRANSP:TRANSPARENT");
        line("END:VEVENT");
    }
    line("END:VCALENDAR");
    text
}

fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%SZ").to_string()
}

/// Text as a value: what would end it is marked.
fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\\' | ';' | ',' => value.extend(['\\', sign]),
            '\n' => value.push_str("\\n"),
            sign if sign.is_control() => {}
            sign => value.push(sign),
        }
    }
    value
}

/// A line with its end, folded where it is too long and never within a character.
fn folded(line: &str) -> String {
    let mut text = String::with_capacity(line.len() + 4);
    let mut length = 0;
    for sign in line.chars() {
        if length + sign.len_utf8() > LONGEST_LINE {
            text.push_str("\r\n ");
            length = 1;
        }
        text.push(sign);
        length += sign.len_utf8();
    }
    text.push_str("\r\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_characters() {
        let line = format!("SUMMARY:{}", "ü".repeat(80));
        let text = folded(&line);
        assert!(text.ends_with("\r\n"));
        assert!(text.split("\r\n").all(|line| line.len() <= LONGEST_LINE), "{text}");
        assert_eq!(text.replace("\r\n ", ""), format!("{line}\r\n"));
    }

    #[test]
    fn what_would_end_a_value_is_marked() {
        assert_eq!(escaped("a,b;c\\d\ne\rf"), "a\\,b\\;c\\\\d\\nef");
    }
}
