//! What a message that came as HTML alone says: lines as a reader would see them, with a line “>” in the place of each quotation.
//!
//! Anybody may write anything here, so the work is bounded: nothing is looked at more than a few times, and what is read ends with
//! [`MOST_TEXT`].

/// What stands for a quotation.
const QUOTATION: &str = ">\n";

/// The most text that is read, in bytes. What somebody writes by hand is far shorter.
const MOST_TEXT: usize = 64 * 1024;

/// The longest name of an entity, and of an element that matters.
const LONGEST_NAME: usize = 10;

/// The most of a tag in which marks of a quotation are looked for.
const MOST_OF_A_TAG: usize = 2_000;

/// Elements whose text nobody sees.
const UNSEEN: [&str; 6] = ["head", "script", "style", "title", "template", "noscript"];

/// Elements that begin a line.
const BLOCKS: [&str; 22] = [
    "address", "article", "div", "dd", "dl", "dt", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "ol",
    "p", "pre", "section", "table", "tr", "ul",
];

/// Classes and ids with which mail programs mark what they quote.
const QUOTING: [&str; 10] = [
    "gmail_quote",
    "gmail_quote_container",
    "gmail_attr",
    "gmail_extra",
    "moz-cite-prefix",
    "yahoo_quoted",
    "protonmail_quote",
    "divrplyfwdmsg",
    "appendonsend",
    "mail-editor-reference-message-container",
];

/// A tag as far as it matters here.
struct Tag<'a> {
    name: String,
    closing: bool,
    attributes: &'a str,
}

/// What is left out until it ends.
enum Skipping {
    /// The text of an element that nobody sees.
    Unseen(String),
    /// A quotation, so many elements deep.
    Quotation(usize),
    /// Up to where what was quoted begins: a mail program has announced it.
    Announced,
}

/// The text before the first quotation.
pub fn leading_text(html: &str) -> String {
    let text = own_text(html);
    let end = text.find("\n>\n").map_or(text.len(), |place| place + 1);
    if text.starts_with(QUOTATION) { String::new() } else { text[..end].to_owned() }
}

/// All text that is not quoted, as far as that can be told.
pub fn own_text(html: &str) -> String {
    let mut scan = Scan { rest: html, text: String::new(), skipping: None, preformatted: false, looked_at: 0 };
    while scan.step() {}
    scan.text
}

struct Scan<'a> {
    rest: &'a str,
    text: String,
    skipping: Option<Skipping>,
    preformatted: bool,
    /// How many bytes were looked at.
    looked_at: usize,
}

impl Scan<'_> {
    /// Reads up to the next tag, and that; says whether there is more to read.
    fn step(&mut self) -> bool {
        let place = self.rest.find('<').unwrap_or(self.rest.len());
        self.looked_at += place + 1;
        let (plain, rest) = self.rest.split_at(place);
        if self.skipping.is_none() {
            self.push(plain);
        }
        self.rest = rest;
        if rest.is_empty() || self.text.len() > MOST_TEXT {
            return false;
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            let after = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            self.looked_at += rest.len() - after.len();
            self.rest = after;
            return true;
        }
        match read_tag(rest) {
            Some((tag, after)) => {
                self.looked_at += rest.len() - after.len();
                self.rest = after;
                self.take(&tag)
            }
            None => {
                if self.skipping.is_none() {
                    self.text.push('<');
                }
                self.rest = &rest[1..];
                true
            }
        }
    }

    /// Minds a tag; says whether there is more to read.
    fn take(&mut self, tag: &Tag) -> bool {
        let quotes = tag.name == "blockquote";
        match &mut self.skipping {
            Some(Skipping::Unseen(name)) => {
                if tag.closing && tag.name == *name {
                    self.skipping = None;
                }
            }
            Some(Skipping::Quotation(depth)) => match (quotes, tag.closing) {
                (true, false) => *depth += 1,
                (true, true) if *depth > 1 => *depth -= 1,
                (true, true) => self.skipping = None,
                (false, _) => {}
            },
            Some(Skipping::Announced) if quotes && !tag.closing => self.skipping = Some(Skipping::Quotation(1)),
            Some(Skipping::Announced) => {}
            None if !tag.closing && quotes => self.begin_quotation(Skipping::Quotation(1)),
            None if !tag.closing && begins_quotation(tag) => self.begin_quotation(Skipping::Announced),
            None => self.lay_out(tag),
        }
        true
    }

    fn begin_quotation(&mut self, skipping: Skipping) {
        self.break_line();
        self.text.push_str(QUOTATION);
        self.skipping = Some(skipping);
    }

    fn lay_out(&mut self, tag: &Tag) {
        match tag.name.as_str() {
            name if UNSEEN.contains(&name) => {
                self.skipping = (!tag.closing).then(|| Skipping::Unseen(name.to_owned()));
            }
            "pre" => {
                self.preformatted = !tag.closing;
                self.break_line();
            }
            "br" => self.text.push('\n'),
            name if BLOCKS.contains(&name) => self.break_line(),
            _ => {}
        }
    }

    fn break_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Adds text with its entities read; outside of preformatted text a line break is a space.
    fn push(&mut self, html: &str) {
        let mut rest = html;
        while let Some(place) = rest.find('&') {
            self.push_plain(&rest[..place]);
            rest = &rest[place..];
            let name = rest.bytes().take(LONGEST_NAME + 2).position(|byte| byte == b';').map(|end| &rest[1..end]);
            self.looked_at += place + 1 + LONGEST_NAME;
            match name.and_then(read_entity) {
                Some(sign) => {
                    self.text.push(sign);
                    rest = &rest[name.map_or(0, str::len) + 2..];
                }
                None => {
                    self.text.push('&');
                    rest = &rest[1..];
                }
            }
            if self.text.len() > MOST_TEXT {
                return;
            }
        }
        self.push_plain(rest);
    }

    fn push_plain(&mut self, plain: &str) {
        let plain = match plain.char_indices().nth(MOST_TEXT) {
            Some((end, _)) => &plain[..end],
            None => plain,
        };
        self.looked_at += plain.len();
        if self.preformatted {
            self.text.push_str(plain);
            return;
        }
        // White space between elements is no line.
        let begins_line = self.text.is_empty() || self.text.ends_with('\n');
        let plain = if begins_line { plain.trim_ascii_start() } else { plain };
        self.text.extend(plain.chars().map(|sign| if sign.is_ascii_whitespace() { ' ' } else { sign }));
    }
}

/// Whether a mail program marks a quotation with this.
fn begins_quotation(tag: &Tag) -> bool {
    if tag.name == "hr" {
        return true;
    }
    if tag.attributes.is_empty() {
        return false;
    }
    let attributes: String = tag.attributes.chars().take(MOST_OF_A_TAG).collect::<String>().to_ascii_lowercase();
    // Outlook draws a line above what it quotes and gives it no name.
    let drawn = attributes.contains("border-top:solid") || attributes.contains("border-top: solid");
    let mut names = attributes.split(['"', '\'', ' ', '=', '\t', '\n', '\r']);
    let is_quoting = |name: &str| {
        QUOTING.iter().any(|mark| name.strip_suffix(mark).is_some_and(|rest| rest.is_empty() || rest.ends_with('_')))
    };
    drawn || names.any(is_quoting)
}

/// Reads a tag that begins here, and gives what comes after it; `None` if this is no tag.
fn read_tag(html: &str) -> Option<(Tag<'_>, &str)> {
    let inner = html.strip_prefix('<')?;
    let (closing, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    if !inner.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '!' || sign == '?') {
        return None;
    }
    // A “>” within quotes belongs to an attribute.
    let mut quote = None;
    let end = inner.bytes().position(|sign| {
        match (quote, sign) {
            (None, b'>') => return true,
            (None, b'"' | b'\'') => quote = Some(sign),
            (Some(open), _) if open == sign => quote = None,
            _ => {}
        }
        false
    });
    let (tag, after) = match end {
        Some(end) => (&inner[..end], &inner[end + 1..]),
        None => (inner, ""),
    };
    let name_ends = tag.find(|sign: char| sign.is_whitespace() || sign == '/').unwrap_or(tag.len());
    let (name, attributes) = tag.split_at(name_ends);
    let name = if name.len() > LONGEST_NAME { "" } else { name };
    Some((Tag { name: name.to_ascii_lowercase(), closing, attributes }, after))
}

fn read_entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        "ldquo" | "rdquo" => Some('"'),
        "lsquo" | "rsquo" => Some('\''),
        "ndash" => Some('–'),
        "mdash" => Some('—'),
        "hellip" => Some('…'),
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(html: &str) -> Vec<String> {
        leading_text(html).lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn lines_are_those_that_a_reader_sees() {
        assert_eq!(lines("<div dir=\"ltr\">play&nbsp;9C<div>play 10H</div><br></div>"), ["play 9C", "play 10H"]);
        assert_eq!(
            lines("<html><head><style>p { }</style></head><body><p>play\n9C</p><p>skip</p>"),
            ["play 9C", "skip"]
        );
        assert_eq!(lines("a &lt; b &amp;&#65;&#x42; & c<!-- play 9C -->"), ["a < b &AB & c"]);
        assert_eq!(lines("<pre>play 9C\nskip</pre>"), ["play 9C", "skip"]);
        assert_eq!(leading_text("\n<p>play 9C</p>\n  <p>skip</p>\n<p>&nbsp;</p>"), "play 9C\nskip\n \n");
    }

    #[test]
    fn nothing_is_read_from_where_a_quotation_begins() {
        for quote in [
            "<blockquote type=\"cite\">",
            "<div class=\"gmail_quote gmail_quote_container\">",
            "<div id=\"divRplyFwdMsg\" dir=\"ltr\">",
            "<div id='x_divRplyFwdMsg'>",
            "<hr style=\"display:inline-block\">",
            "<div style=\"border:none;border-top:solid #E1E1E1 1.0pt\">",
            "<div class=\"moz-cite-prefix\">",
            "<BLOCKQUOTE>",
        ] {
            assert_eq!(
                lines(&format!("<p>play 9C</p>{quote}<p>skip</p></blockquote></div>skip")),
                ["play 9C"],
                "{quote}"
            );
        }
    }

    #[test]
    fn broken_html_is_read_as_far_as_it_goes() {
        for html in [
            "<",
            "<<<",
            "a <",
            "<div",
            "<div class=\"",
            "</",
            "&",
            "&#;",
            "&#x110000;",
            "<!--",
            "<!",
            "<script>play 9C",
        ] {
            let _ = leading_text(html);
        }
        assert_eq!(lines("<script>play 9C"), Vec::<String>::new());
        assert_eq!(lines("1 < 2"), ["1 < 2"]);
    }

    #[test]
    fn what_stands_below_a_quotation_is_told_from_it() {
        let quoted = "<div class=\"gmail_quote\">On Monday we wrote:<blockquote><p>end<blockquote>draw</blockquote>end</p></blockquote>";
        assert_eq!(own_text(&format!("{quoted}<div>draw</div></div>")), ">\ndraw\n");
        assert_eq!(own_text(&format!("Hi!<br>{quoted}<br>draw")), "Hi!\n>\n\ndraw");
        assert_eq!(leading_text(&format!("Hi!<br>{quoted}<br>draw")), "Hi!\n");
        // Where it cannot be told where a quotation ends, nothing below its beginning is read.
        assert_eq!(own_text("<p>draw</p><hr><p>end</p>"), "draw\n>\n");
        assert_eq!(own_text("<blockquote><p>draw</p>"), ">\n");
    }

    #[test]
    fn the_work_grows_no_faster_than_the_message() {
        const MEGABYTE: usize = 1024 * 1024;
        for unit in [
            "&",
            "<",
            "&amp",
            "<a ",
            "<a b='",
            "<!--",
            "<blockquote>",
            "</",
            "<p>",
            "<div class=\"a\" ",
            "x",
            " ",
            "é",
            "<hr><!",
        ] {
            let html = unit.repeat(MEGABYTE / unit.len());
            let mut scan = Scan { rest: &html, text: String::new(), skipping: None, preformatted: false, looked_at: 0 };
            while scan.step() {}
            assert!(scan.looked_at <= 16 * html.len(), "{unit}: {}", scan.looked_at);
            assert!(scan.text.len() <= 3 * MOST_TEXT, "{unit}: {}", scan.text.len());
        }
    }
}
