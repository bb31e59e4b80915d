//! The leading text of a message that came as HTML alone: lines as a reader would see them, up to where a quotation begins.

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

/// The text before the first quotation.
pub fn leading_text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    let mut unseen: Option<String> = None;
    let mut preformatted = false;
    while let Some(place) = rest.find('<') {
        if unseen.is_none() {
            push(&mut text, &rest[..place], preformatted);
        }
        rest = &rest[place..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let Some((tag, after)) = read_tag(rest) else {
            if unseen.is_none() {
                text.push('<');
            }
            rest = &rest[1..];
            continue;
        };
        rest = after;
        if let Some(name) = &unseen {
            if tag.closing && tag.name == *name {
                unseen = None;
            }
            continue;
        }
        if !tag.closing && begins_quotation(&tag) {
            return text;
        }
        match tag.name.as_str() {
            name if UNSEEN.contains(&name) => unseen = (!tag.closing).then(|| name.to_owned()),
            "pre" => {
                preformatted = !tag.closing;
                break_line(&mut text);
            }
            "br" => text.push('\n'),
            name if BLOCKS.contains(&name) => break_line(&mut text),
            _ => {}
        }
    }
    if unseen.is_none() {
        push(&mut text, rest, preformatted);
    }
    text
}

fn begins_quotation(tag: &Tag) -> bool {
    if matches!(tag.name.as_str(), "blockquote" | "hr") {
        return true;
    }
    let attributes = tag.attributes.to_ascii_lowercase();
    // Outlook draws a line above what it quotes and gives it no name.
    let drawn = attributes.contains("border-top:solid") || attributes.contains("border-top: solid");
    let mut names = attributes.split(['"', '\'', ' ', '=', '\t', '\n', '\r']);
    drawn || names.any(|name| QUOTING.iter().any(|quoting| name == *quoting || name.ends_with(&format!("_{quoting}"))))
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
    let end = inner.char_indices().find_map(|(place, sign)| {
        match (quote, sign) {
            (None, '>') => return Some(place),
            (None, '"' | '\'') => quote = Some(sign),
            (Some(open), _) if open == sign => quote = None,
            _ => {}
        }
        None
    });
    let (tag, after) = match end {
        Some(end) => (&inner[..end], &inner[end + 1..]),
        None => (inner, ""),
    };
    let name_ends = tag.find(|sign: char| sign.is_whitespace() || sign == '/').unwrap_or(tag.len());
    let (name, attributes) = tag.split_at(name_ends);
    Some((Tag { name: name.to_ascii_lowercase(), closing, attributes }, after))
}

fn break_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Adds text with its entities read; outside of preformatted text a line break is a space.
fn push(text: &mut String, html: &str, preformatted: bool) {
    let mut rest = html;
    while let Some(place) = rest.find('&') {
        push_plain(text, &rest[..place], preformatted);
        rest = &rest[place..];
        let entity = rest[1..].find(';').filter(|end| *end <= 10).map(|end| &rest[1..=end]);
        match entity.and_then(read_entity) {
            Some(sign) => {
                text.push(sign);
                rest = &rest[entity.map_or(0, str::len) + 2..];
            }
            None => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    push_plain(text, rest, preformatted);
}

fn push_plain(text: &mut String, plain: &str, preformatted: bool) {
    if preformatted {
        text.push_str(plain);
        return;
    }
    // White space between elements is no line.
    let begins_line = text.is_empty() || text.ends_with('\n');
    let plain = if begins_line { plain.trim_ascii_start() } else { plain };
    text.extend(plain.chars().map(|sign| if sign.is_ascii_whitespace() { ' ' } else { sign }));
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
}
