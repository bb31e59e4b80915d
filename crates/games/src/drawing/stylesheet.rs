//! The page's stylesheet as far as drawings need it: in its light theme, without custom properties, and in selectors that plain readers of
//! SVG understand.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

/// What pictures have and pages do not. It is read together with the page's stylesheet, and may use its properties.
const OF_PICTURES: &str = "
:root { --serif: 'DejaVu Serif Condensed'; --body: 'DejaVu Serif Condensed'; }
.picture-paper { fill: var(--paper); }
.picture-leaf { fill: var(--leaf-of-book); stroke: var(--rule); stroke-width: 1.5; }
.picture-leaf.awaited { stroke: var(--red); stroke-width: 2.5; }
.picture-title { font: 700 25px var(--serif); fill: var(--ink); }
.picture-words { font: 400 20px var(--serif); fill: var(--ink); }
.picture-strong { font: 700 20px var(--serif); fill: var(--ink); }
.picture-name { font: 700 17px var(--serif); fill: var(--ink); }
.picture-quiet { font: 400 18px var(--serif); fill: var(--faded); }
.picture-red { fill: var(--red); }
.picture-middle { text-anchor: middle; }
.picture-end { text-anchor: end; }
.picture-rule { fill: none; stroke: var(--rule); stroke-width: 1.5; }
.picture-gap { fill: none; stroke: var(--faded); stroke-width: 2; stroke-dasharray: 7 6; }
.picture-mark { fill: none; stroke: var(--red); stroke-width: 4; }
.picture-sea { fill: var(--sea); }
.picture-faint { opacity: 0.25; }
";

/// The properties that matter to a drawing. All others are about the page.
const DRAWN: [&str; 17] = [
    "color",
    "fill",
    "fill-opacity",
    "font",
    "font-size",
    "font-style",
    "font-weight",
    "letter-spacing",
    "opacity",
    "paint-order",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
];

/// A rule for drawings.
struct Rule {
    selector: String,
    /// The classes that the selector names: where one does not occur the rule does not apply.
    classes: Vec<String>,
    declarations: String,
}

static RULES: LazyLock<Vec<Rule>> =
    LazyLock::new(|| read(&[crate::THEME, &crate::board_styles(), OF_PICTURES].concat()));

/// The rules that apply to a drawing given in parts.
pub fn for_drawing(parts: &[&str]) -> String {
    let mut classes: HashSet<&str> = HashSet::from(["picture-paper"]);
    classes.extend(parts.iter().flat_map(|part| classes_in(part)));
    RULES
        .iter()
        .filter(|rule| rule.applies(&classes))
        .map(|rule| format!("{}{{{}}}\n", rule.selector, rule.declarations))
        .collect()
}

/// The rules for drawings that stand by themselves in a browser: as they are in the stylesheet, with its custom properties, which drawings
/// inherit from where they are used.
pub fn for_symbols(drawings: &str) -> String {
    let sheet = without_comments(&crate::board_styles());
    let classes = classes_in(drawings);
    let mut style = String::new();
    for (selectors, body) in blocks(&sheet).into_iter().filter(|(selectors, _)| !selectors.starts_with('@')) {
        let is_needed = |(name, _): &(&str, &str)| name.starts_with("--") || is_drawn_in_browsers(name);
        let needed: Vec<String> =
            declarations(body).filter(is_needed).map(|(name, value)| format!("{name}:{value}")).collect();
        let applies =
            |selector: &String| is_plain(selector) && Rule::new(selector.clone(), String::new()).applies(&classes);
        let selectors: Vec<String> = split(selectors).iter().flat_map(|selector| alternatives(selector)).collect();
        let selectors: Vec<String> = selectors.into_iter().filter(applies).collect();
        if !needed.is_empty() && !selectors.is_empty() {
            style += &format!("{}{{{}}}", selectors.join(","), needed.join(";"));
        }
    }
    style
}

/// Whether a property matters to a drawing in a browser, which knows more of them.
fn is_drawn_in_browsers(name: &str) -> bool {
    DRAWN.contains(&name) || name == "font-variant-numeric"
}

fn classes_in(drawing: &str) -> HashSet<&str> {
    let lists = drawing.split("class=\"").skip(1).filter_map(|rest| rest.split('"').next());
    lists.flat_map(str::split_whitespace).collect()
}

fn read(sheet: &str) -> Vec<Rule> {
    let sheet = without_comments(sheet);
    let blocks: Vec<(&str, &str)> =
        blocks(&sheet).into_iter().filter(|(selectors, _)| !selectors.starts_with('@')).collect();
    let properties = Properties::of(&blocks);
    let mut rules: Vec<Rule> = vec![];
    for (selectors, body) in &blocks {
        let drawn: Vec<(&str, &str)> = declarations(body).filter(|(name, _)| DRAWN.contains(name)).collect();
        for selector in split(selectors).into_iter().flat_map(|selector| alternatives(&selector)) {
            if !is_plain(&selector) {
                continue;
            }
            for rule in drawn.iter().flat_map(|(name, value)| properties.rules(&selector, name, value)) {
                match rules.last_mut() {
                    Some(Rule { selector, declarations, .. }) if *selector == rule.selector => {
                        *declarations += &format!(";{}", rule.declarations);
                    }
                    _ => rules.push(rule),
                }
            }
        }
    }
    rules
}

fn without_comments(sheet: &str) -> String {
    let mut parts = sheet.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once("*/").map_or("", |(_, rest)| rest))
}

/// Selectors (or the words of an @-rule) with what stands in braces after them.
fn blocks(sheet: &str) -> Vec<(&str, &str)> {
    let mut blocks = vec![];
    let (mut depth, mut from, mut opened) = (0, 0, 0);
    for (at, letter) in sheet.char_indices() {
        match letter {
            '{' => {
                if depth == 0 {
                    opened = at;
                }
                depth += 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    blocks.push((sheet[from..opened].trim(), &sheet[opened + 1..at]));
                    from = at + 1;
                }
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0, "a brace of the stylesheet is not closed");
    blocks
}

fn declarations(body: &str) -> impl Iterator<Item = (&str, &str)> {
    body.split(';').filter_map(|line| line.split_once(':')).map(|(name, value)| (name.trim(), value.trim()))
}

/// What stands between commas outside of brackets.
fn split(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for letter in list.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

/// What stands in brackets after a word, with what is before and after: `a:is(b, c) d` gives `a`, `b, c`, ` d`.
fn bracketed<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let at = text.find(word)?;
    let inside = at + word.len();
    let mut depth = 1;
    for (offset, letter) in text[inside..].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[inside..inside + offset], &text[inside + offset + 1..]));
        }
    }
    None
}

/// A selector without `:is(…)`, once for each of its choices.
fn alternatives(selector: &str) -> Vec<String> {
    match bracketed(selector, ":is(") {
        None => vec![selector.to_owned()],
        Some((before, choices, after)) => {
            let each = split(choices).into_iter().map(|choice| format!("{before}{choice}{after}"));
            each.flat_map(|selector| alternatives(&selector)).collect()
        }
    }
}

/// Whether a selector is about classes, and no more than a plain reader knows.
fn is_plain(selector: &str) -> bool {
    let states = selector.replace(":first-child", "");
    selector.contains('.') && !states.contains([':', '[', '+', '~', '*'])
}

/// The custom properties of the light theme.
struct Properties {
    /// The same everywhere.
    plain: BTreeMap<String, String>,
    /// Set by several classes to different values.
    by_class: BTreeMap<String, Vec<(String, String)>>,
}

impl Properties {
    fn of(blocks: &[(&str, &str)]) -> Properties {
        let mut all: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        // Choices of a visitor, such as a theme, are attributes.
        for (selector, body) in blocks.iter().filter(|(selector, _)| !selector.contains('[')) {
            for (name, value) in declarations(body).filter(|(name, _)| name.starts_with("--")) {
                let settings = all.entry(name.to_owned()).or_default();
                // As in any stylesheet the last word counts.
                settings.retain(|(other, _)| other != selector);
                settings.push(((*selector).to_owned(), light(value)));
            }
        }
        let (by_class, plain) = all.into_iter().partition(|(_, settings): &(_, Vec<(_, String)>)| {
            settings.iter().any(|(_, value)| *value != settings[0].1)
        });
        let plain: BTreeMap<_, Vec<(String, String)>> = plain;
        Properties { plain: plain.into_iter().map(|(name, mut set)| (name, set.swap_remove(0).1)).collect(), by_class }
    }

    /// A declaration as rules: one, or one for each class that sets a property it asks for, on the element itself or around it.
    fn rules(&self, selector: &str, name: &str, value: &str) -> Vec<Rule> {
        let value = light(value);
        let asked = self.by_class.iter().find(|(property, _)| value.contains(&format!("var({property}")));
        let Some((property, settings)) = asked else {
            return vec![Rule::new(selector.to_owned(), format!("{name}:{}", self.resolve(&value, None)))];
        };
        let mut rules = vec![];
        for (class, set) in settings.iter().filter(|(class, _)| is_plain(class)) {
            let declaration = format!("{name}:{}", self.resolve(&value, Some((property, set))));
            rules.push(Rule::new(format!("{selector}{class}"), declaration.clone()));
            rules.push(Rule::new(format!("{class} {selector}"), declaration));
        }
        rules
    }

    /// Values in the places of custom properties.
    fn resolve(&self, value: &str, set: Option<(&str, &str)>) -> String {
        let Some((before, inside, after)) = bracketed(value, "var(") else { return value.to_owned() };
        let (property, otherwise) = inside.split_once(',').unwrap_or((inside, ""));
        let known = set.filter(|(name, _)| *name == property).map(|(_, set)| set);
        let known = known.or(self.plain.get(property).map(String::as_str)).unwrap_or(otherwise.trim());
        self.resolve(&format!("{before}{known}{after}"), set)
    }
}

/// A value as it is in the light theme.
fn light(value: &str) -> String {
    match bracketed(value, "light-dark(") {
        None => value.to_owned(),
        Some((before, choices, after)) => {
            let first = split(choices).swap_remove(0);
            light(&format!("{before}{first}{after}"))
        }
    }
}

impl Rule {
    /// Whether the classes that it names occur.
    fn applies(&self, classes: &HashSet<&str>) -> bool {
        self.classes.iter().all(|class| classes.contains(class.as_str()))
    }

    fn new(selector: String, declarations: String) -> Rule {
        let mut classes = vec![];
        for word in selector.split(|letter: char| letter.is_whitespace() || matches!(letter, '>' | ':')) {
            classes.extend(word.split('.').skip(1).map(str::to_owned));
        }
        Rule { selector, classes, declarations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(sheet: &str) -> Vec<String> {
        read(sheet).iter().map(|rule| format!("{} {{ {} }}", rule.selector, rule.declarations)).collect()
    }

    #[test]
    fn properties_give_way_to_their_values_in_the_light_theme() {
        let sheet = ":root { --ink: light-dark(#111, #eee); } :root[data-theme=\"dark\"] { --ink: #fff; } \
                     .a { fill: var(--ink); margin: 1rem; } .b { stroke: light-dark(rgb(1 2 3), #000); } .c { fill: var(--no, red); }";
        assert_eq!(rules(sheet), [".a { fill:#111 }", ".b { stroke:rgb(1 2 3) }", ".c { fill:red }"]);
    }

    #[test]
    fn a_property_that_classes_set_is_a_rule_for_each_class() {
        let sheet = ".one { --room: red; } .two { --room: blue; } .door { fill: var(--room); }";
        let expected = [
            ".door.one { fill:red }",
            ".one .door { fill:red }",
            ".door.two { fill:blue }",
            ".two .door { fill:blue }",
        ];
        assert_eq!(rules(sheet), expected);
    }

    #[test]
    fn selectors_become_plain_or_are_left_out() {
        let sheet = "a { fill: red; } .a:hover { fill: red; } @media print { .a { fill: red; } } /* .b { } */ \
                     .s:is(.x, .y) > b, .z { fill: red; }";
        assert_eq!(rules(sheet), [".s.x > b { fill:red }", ".s.y > b { fill:red }", ".z { fill:red }"]);
    }

    #[test]
    fn the_stylesheet_is_read_whole() {
        let all: String = RULES.iter().map(|rule| format!("{}{{{}}}", rule.selector, rule.declarations)).collect();
        assert!(RULES.len() > 200);
        for left in ["var(", "light-dark(", ":is(", "--"] {
            assert!(!all.contains(left), "{left} in {all}");
        }
    }

    #[test]
    fn only_rules_for_the_classes_of_a_drawing_are_taken() {
        let style = for_drawing(&["<g class=\"playing-index wide\"/>"]);
        assert!(style.contains(".playing-index{font:700 26px 'DejaVu Serif Condensed';fill:currentColor;"), "{style}");
        assert!(style.contains(".playing-index.wide{"));
        assert!(!style.contains("joker"));
    }
}
