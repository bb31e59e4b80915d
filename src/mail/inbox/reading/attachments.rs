//! Leaving out what is attached to a message while it comes in, line by line: photos, documents and sound are never read, so they are
//! neither kept in memory nor stored. Their headers stay, so that the message still has its parts.

/// The most of a message that is kept, in bytes: its headers and texts. A reply that quotes a letter is far smaller.
pub const MOST_KEPT: usize = 1024 * 1024;

/// The most of a header in which is said what a part is.
const LONGEST_HEADER: usize = 4_096;

/// The most boundaries between parts that are known at a time.
const MOST_BOUNDARIES: usize = 64;

/// What is kept of a message.
#[derive(Debug)]
pub struct Keeping {
    kept: Vec<u8>,
    too_large: bool,
    place: Place,
    boundaries: Vec<Vec<u8>>,
}

/// Where in a message we are.
#[derive(Debug)]
enum Place {
    /// In the headers of a part: what they have said so far about its kind.
    Headers(Vec<u8>),
    Text,
    Attachment,
}

impl Default for Keeping {
    fn default() -> Keeping {
        let place = Place::Headers(Vec::new());
        Keeping { kept: Vec::new(), too_large: false, place, boundaries: Vec::new() }
    }
}

impl Keeping {
    /// Takes the next line, with its end.
    pub fn take(&mut self, line: &[u8]) {
        let boundary = self.boundary(line);
        if let Some(is_last) = boundary {
            self.place = if is_last { Place::Text } else { Place::Headers(Vec::new()) };
        } else if let Place::Headers(said) = &mut self.place {
            if line.trim_ascii().is_empty() {
                let said = std::mem::take(said);
                self.place = self.begin(&said);
            } else if said.len() + line.len() <= LONGEST_HEADER {
                said.extend_from_slice(line);
            }
        } else if matches!(self.place, Place::Attachment) {
            return;
        }
        if self.kept.len() + line.len() > MOST_KEPT {
            self.too_large = true;
        } else {
            self.kept.extend_from_slice(line);
        }
    }

    /// What was kept; `None` if even that is too large.
    pub fn finish(self) -> Option<Vec<u8>> {
        (!self.too_large).then_some(self.kept)
    }

    /// Whether a line stands between two parts, and whether it is behind the last.
    fn boundary(&self, line: &[u8]) -> Option<bool> {
        let rest = line.strip_prefix(b"--")?.trim_ascii_end();
        self.boundaries.iter().find_map(|boundary| match rest.strip_prefix(boundary.as_slice())? {
            b"" => Some(false),
            b"--" => Some(true),
            _ => None,
        })
    }

    /// What comes behind the headers of a part.
    fn begin(&mut self, headers: &[u8]) -> Place {
        let headers = String::from_utf8_lossy(headers).replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", " ");
        let value = |name: &str| {
            let mut fields = headers.lines().filter_map(|line| line.split_once(':'));
            fields.find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
        };
        let kind = value("content-type").unwrap_or("text/plain");
        let (family, _) = kind.split_once('/').unwrap_or(("text", ""));
        let attached = value("content-disposition")
            .is_some_and(|word| word.get(..10).is_some_and(|word| word.eq_ignore_ascii_case("attachment")));
        match family.trim().to_ascii_lowercase().as_str() {
            "multipart" => {
                if let Some(boundary) = parameter(kind, "boundary").filter(|_| self.boundaries.len() < MOST_BOUNDARIES)
                {
                    self.boundaries.push(boundary.into_bytes());
                }
                Place::Text
            }
            // A message within a message has headers of its own; reports of mail servers are such.
            "message" => Place::Headers(Vec::new()),
            "image" | "audio" | "video" | "application" | "font" | "model" => Place::Attachment,
            _ if attached => Place::Attachment,
            _ => Place::Text,
        }
    }
}

/// Leaves out what is attached to a whole message; `None` if the rest is too large.
pub fn without_attachments(raw: &[u8]) -> Option<Vec<u8>> {
    let mut keeping = Keeping::default();
    raw.split_inclusive(|byte| *byte == b'\n').for_each(|line| keeping.take(line));
    keeping.finish()
}

/// A parameter of a header's value, such as `boundary="x"`.
fn parameter(value: &str, name: &str) -> Option<String> {
    value.split(';').skip(1).find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        let value = value.trim();
        let unquoted = value.strip_prefix('"').map(|value| value.split('"').next().unwrap_or_default());
        let plain = unquoted.unwrap_or_else(|| value.split_whitespace().next().unwrap_or_default());
        (key.trim().eq_ignore_ascii_case(name) && !plain.is_empty()).then(|| plain.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(raw: &str) -> String {
        String::from_utf8(without_attachments(raw.as_bytes()).expect("not too large")).unwrap()
    }

    #[test]
    fn a_photo_is_left_out_and_what_is_said_stays() {
        let photo = "/9j/4AAQSkZJRgABAQ\r\n".repeat(400_000);
        let head = "From: a@b.example\r\nContent-Type: multipart/mixed;\r\n boundary=\"=_x y\"\r\n\r\n--=_x y\r\n";
        let part = "Content-Type: image/jpeg; name=photo.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n";
        for (before, after) in [("draw", "end"), ("", "draw")] {
            let raw = format!("{head}\r\n{before}\r\n--=_x y\r\n{part}{photo}--=_x y\r\n\r\n{after}\r\n--=_x y--\r\n");
            assert!(raw.len() > 7 * MOST_KEPT);
            assert_eq!(
                kept(&raw),
                format!("{head}\r\n{before}\r\n--=_x y\r\n{part}--=_x y\r\n\r\n{after}\r\n--=_x y--\r\n")
            );
        }
    }

    #[test]
    fn texts_stay_as_they_are_unless_they_are_attached() {
        for raw in [
            "From: a@b.example\r\n\r\ndraw\r\n-- \r\nContent-Type: image/png\r\n\r\nend\r\n",
            "Content-Type: text/html\n\n<p>draw</p>\n",
            "no message at all",
            "Content-Type: multipart/report; boundary=x\n\n--x\nContent-Type: message/delivery-status\n\nA: b\n\nAction: failed\n--x--\n",
        ] {
            assert_eq!(kept(raw), raw);
        }
        let attached = "Content-Type: text/plain\nContent-Disposition: ATTACHMENT; filename=x\n\n";
        assert_eq!(kept(&format!("{attached}draw\n")), attached);
    }

    #[test]
    fn a_message_within_a_message_loses_its_attachments_too() {
        let outer = "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: message/rfc822\n\n";
        let inner = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\n\n";
        assert_eq!(kept(&format!("{outer}{inner}AAAA\n--b--\n--a--\n")), format!("{outer}{inner}--b--\n--a--\n"));
    }

    #[test]
    fn texts_that_are_too_large_are_too_large() {
        assert_eq!(without_attachments(&b"a line\n".repeat(MOST_KEPT)), None);
        assert_eq!(without_attachments(&vec![b'x'; MOST_KEPT + 1]), None);
    }
}
