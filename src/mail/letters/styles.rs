//! The look of letters. Some mail programs drop style sheets, so the styles stand in the tags; the style sheet of a letter only adds
//! what cannot stand there: dark colours.

const LINK: &str = "color:#9d1c1f";

/// Tags as our templates write them, and the styles that they get. Whatever people wrote is escaped, and holds no tags.
const STYLES: [(&str, &str); 14] = [
    ("<h1", "font-size:24px;line-height:1.25;margin:0 0 12px"),
    ("<h2", "font-size:18px;line-height:1.3;margin:24px 0 8px"),
    ("<h3", "font-size:16px;line-height:1.3;margin:18px 0 6px"),
    ("<p", "margin:0 0 12px"),
    ("<ul", "margin:0 0 12px;padding:0 0 0 20px"),
    ("<ol", "margin:0 0 12px;padding:0 0 0 20px"),
    ("<li", "margin:0 0 4px;white-space:pre-wrap;overflow-wrap:anywhere"),
    ("<pre", PRE),
    ("<blockquote", "margin:0 0 12px;padding:0 0 0 12px;border-left:3px solid #c9b78f;white-space:pre-wrap"),
    ("<code", "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:15px"),
    ("<a", LINK),
    ("<p class=\"talk\"", "margin:0 0 12px;white-space:pre-wrap"),
    (
        "<p class=\"code\"",
        "margin:0 0 12px;font:bold 29px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:3px",
    ),
    ("<a class=\"button\"", BUTTON),
];

const PRE: &str = "margin:0 0 12px;padding:12px;white-space:pre-wrap;overflow-wrap:anywhere;background:#f1e8d3;border-radius:6px;\
                   font:13px/1.4 ui-monospace,Menlo,Consolas,monospace";

const BUTTON: &str = "display:inline-block;padding:11px 20px;background:#9d1c1f;color:#ffffff;text-decoration:none;\
                      border-radius:6px;font-weight:bold";

/// The style of a tag: that of its class if it has one.
fn style_of(tag: &str) -> Option<&'static str> {
    let fits = |begin: &str| {
        let rest = tag.strip_prefix(begin)?;
        rest.starts_with(['>', ' ', '\n']).then_some(())
    };
    STYLES.iter().rev().find(|(begin, _)| fits(begin).is_some()).map(|(_, style)| *style)
}

/// Writes the styles into the tags of a page.
pub fn inlined(html: &str) -> String {
    let mut styled = String::with_capacity(html.len() * 2);
    let mut rest = html;
    while let Some(begin) = rest.find('<') {
        let (before, tag) = rest.split_at(begin);
        styled.push_str(before);
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let (tag, after) = tag.split_at(end);
        match style_of(tag).filter(|_| !tag.contains(" style=\"")) {
            Some(style) => {
                styled.push_str(&tag[..tag.len() - 1]);
                styled.push_str(&format!(" style=\"{style}\">"));
            }
            None => styled.push_str(tag),
        }
        rest = after;
    }
    styled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_get_their_styles_once() {
        let html = "<p>1 &lt; 2</p><a class=\"button\" href=\"/t\">Play</a><pre style=\"x\">a</pre><picture></picture>";
        let styled = inlined(html);
        assert!(
            styled.starts_with(
                "<p style=\"margin:0 0 12px\">1 &lt; 2</p><a class=\"button\" href=\"/t\" style=\"display"
            )
        );
        assert!(styled.ends_with("<pre style=\"x\">a</pre><picture></picture>"));
        assert_eq!(inlined(&styled), styled);
    }
}
