//! How a game is played, taken apart into its sections.
//!
//! The text is HTML in which each section begins with a heading such as
//! `<h3 id="limit" data-rules="RQ-19" data-prompts="discard" data-example="full">Too many cards</h3>`: where a link leads to, the rules
//! of the rulebook that it tells of, the decisions that it explains, and the position that is drawn below it.

/// How a game is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HowToPlay {
    /// What comes before the first section.
    pub intro: &'static str,
    /// In the order in which they are read.
    pub sections: Vec<RulesSection>,
}

/// A section of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesSection {
    /// Its name in addresses.
    pub anchor: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Its text, as HTML.
    pub body: &'static str,
    /// The ids of the rules that it tells of: “RQ-6 RQ-7 RQ-13 to RQ-16”.
    pub rules: &'static str,
    /// The prompts that it explains.
    pub prompts: Vec<&'static str>,
    /// The name of its example.
    pub example: Option<&'static str>,
}

impl HowToPlay {
    /// Takes the text of a game apart.
    pub fn new(html: &'static str) -> HowToPlay {
        let mut parts = html.split("<h3 ");
        HowToPlay { intro: parts.next().unwrap_or_default(), sections: parts.filter_map(section).collect() }
    }

    /// The section that explains a prompt.
    pub fn section_on(&self, prompt: &str) -> Option<&RulesSection> {
        self.sections.iter().find(|section| section.prompts.contains(&prompt))
    }
}

fn section(part: &'static str) -> Option<RulesSection> {
    let (attributes, rest) = part.split_once('>')?;
    let (title, body) = rest.split_once("</h3>")?;
    let attribute = |name: &str| {
        let (_, value) = attributes.split_once(name)?.1.split_once('"')?;
        Some(value.split_once('"')?.0)
    };
    Some(RulesSection {
        anchor: attribute("id=")?,
        title,
        body,
        rules: attribute("data-rules=").unwrap_or_default(),
        prompts: attribute("data-prompts=").unwrap_or_default().split_whitespace().collect(),
        example: attribute("data-example="),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart_at_its_headings() {
        let page = HowToPlay::new(
            "<p>Hello.</p>\n<h3 id=\"turn\" data-rules=\"RQ-1 to RQ-3\" data-prompts=\"act discard\">Your turn</h3>\n<p>Play.</p>\n\
             <h3 id=\"end\" data-example=\"won\">The end</h3>\n<p>Win.</p>",
        );
        assert_eq!(page.intro, "<p>Hello.</p>\n");
        let turn = page.section_on("discard").unwrap();
        assert_eq!((turn.anchor, turn.title, turn.body.trim()), ("turn", "Your turn", "<p>Play.</p>"));
        assert_eq!((turn.rules, turn.example), ("RQ-1 to RQ-3", None));
        assert_eq!(page.sections[1].example, Some("won"));
        assert_eq!(page.section_on("over"), None);
    }
}
