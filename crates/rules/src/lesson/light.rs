//! Lights what a step of a lesson asks for: the controls of the board that make an accepted move, or begin it.

use super::{LessonStep, Played};
use crate::Board;

/// What is added to the tag of a control that leads on.
const LIT: &str = " data-lit";

/// What a control of a board does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// Makes a move.
    Say(String),
    /// Begins a choice.
    Begin(String),
}

impl Played<'_> {
    /// The board with what leads on lit. What is begun already leads no further.
    pub fn light(&self, board: Board, begun: Option<&str>) -> Board {
        let Some(step) = self.step() else { return board };
        let is_begun = |control: &Control| matches!(control, Control::Begin(begins) if Some(begins.as_str()) == begun);
        let leads_on = |control: &Control| self.leads_on(step, control) && !is_begun(control);
        Board {
            picture: lit(&board.picture, &leads_on),
            controls: lit(&board.controls, &leads_on),
            hand: lit(&board.hand, &leads_on),
            ..board
        }
    }

    fn leads_on(&self, step: &LessonStep, control: &Control) -> bool {
        match control {
            Control::Say(say) => {
                let mut canonical = step.accept.iter().filter_map(|line| self.position.read_line(line).ok());
                canonical.any(|accepted| accepted.to_string() == *say)
            }
            Control::Begin(begun) => step.by.contains(begun),
        }
    }
}

/// The controls of a part of a board.
pub fn controls(html: &str) -> Vec<Control> {
    tags(html).filter_map(|(_, tag)| control(tag)).collect()
}

fn lit(html: &str, leads_on: &impl Fn(&Control) -> bool) -> String {
    let mut written = String::with_capacity(html.len());
    let mut from = 0;
    for (at, tag) in tags(html) {
        if control(tag).is_some_and(|control| leads_on(&control)) {
            let after_name = at + tag.find(char::is_whitespace).unwrap_or(tag.len());
            written.push_str(&html[from..after_name]);
            written.push_str(LIT);
            from = after_name;
        }
    }
    written.push_str(&html[from..]);
    written
}

/// The tags that buttons and links open with, and where. Templates escape “>” within attributes.
fn tags(html: &str) -> impl Iterator<Item = (usize, &str)> {
    let opens = html.match_indices('<').map(|(at, _)| (at, &html[at..]));
    let controls = opens.filter(|(_, tag)| {
        ["<button", "<a"]
            .iter()
            .any(|name| tag.strip_prefix(name).is_some_and(|rest| rest.starts_with(char::is_whitespace)))
    });
    controls.filter_map(|(at, tag)| Some((at, &tag[..tag.find('>')?])))
}

fn control(tag: &str) -> Option<Control> {
    if tag.starts_with("<a") {
        let begun = attribute(tag, "href")?.strip_prefix("?begun=")?.split('#').next()?.replace("%20", " ");
        return (!begun.is_empty()).then_some(Control::Begin(begun));
    }
    (attribute(tag, "name")? == "say").then(|| attribute(tag, "value").map(Control::Say)).flatten()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let at = tag.match_indices(&format!("{name}=\"")).find(|(at, _)| tag[..*at].ends_with(char::is_whitespace))?.0;
    let value = &tag[at + name.len() + 2..];
    let value = &value[..value.find('"')?];
    Some(
        value
            .replace("&#39;", "'")
            .replace("&#34;", "\"")
            .replace("&#60;", "<")
            .replace("&#62;", ">")
            .replace("&#38;", "&"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<p><button class=\"x\" name=\"say\"\nvalue=\"take 1\">1</button><button name=\"say\" value=\"take 2\">2</button>\
                        <a href=\"?begun=take%203#board\" title=\"3\">3</a><a href=\"?#board\">back</a><abbr>no</abbr></p>";

    #[test]
    fn buttons_and_links_of_a_board_are_found() {
        let say = |line: &str| Control::Say(line.to_owned());
        assert_eq!(controls(HTML), [say("take 1"), say("take 2"), Control::Begin("take 3".to_owned())]);
    }

    #[test]
    fn only_what_leads_on_is_lit() {
        let lit = lit(HTML, &|control| *control != Control::Say("take 2".to_owned()));
        assert_eq!(lit.matches(LIT).count(), 2);
        assert!(lit.contains("<button data-lit class=\"x\"") && lit.contains("<a data-lit href=\"?begun"), "{lit}");
        assert_eq!(lit.replace(LIT, ""), HTML);
    }
}
