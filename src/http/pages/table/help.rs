//! Help where it is needed: words of a game that explain themselves, first steps for newcomers, and moves in place of a refused one.

use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::problem::Problem;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{Holder, with_names};
use wonderpost_rules::{Board, Game, Help, Scene, Seat, Word};

/// The most moves that are offered in place of one that was refused.
const MOST_OFFERS: usize = 4;

/// Moves that a seat may make in place of the one refused.
pub struct Offers {
    pub step: String,
    /// As lines and in words.
    pub moves: Vec<(String, String)>,
}

impl Offers {
    /// Those that begin like the refused one come first.
    pub fn new(now: &TableState, seat: Option<Seat>, scene: &Scene, holders: &[Holder]) -> Option<Offers> {
        let (seat, position) = (seat?, &now.position);
        let verb = scene.draft.split_whitespace().next().unwrap_or_default().to_lowercase();
        let mut lines = position.legal_moves(seat);
        lines.sort_by_key(|line| !line.to_lowercase().starts_with(&verb));
        lines.truncate(MOST_OFFERS);
        let read = lines.into_iter().filter_map(|line| Some((position.read_line(&line).ok()?, line)));
        let moves: Vec<_> =
            read.map(|(mv, line)| (line, with_names(&position.describe_move(seat, &mv), holders))).collect();
        (!moves.is_empty()).then(|| Offers { step: scene.step.clone(), moves })
    }
}

/// What somebody is told who plays a game for the first time, until they have read it or the game is over.
pub async fn first_steps(
    app: &AppState,
    user: &RequestUser,
    now: &TableState,
    mine: Option<Seat>,
) -> Result<Option<&'static [&'static str; 3]>, Problem> {
    let (slug, Some(player), Some(_)) = (now.game.info().slug, user.player(), mine) else { return Ok(None) };
    if user.settings().first_steps_read.iter().any(|read| read == slug) {
        return Ok(None);
    }
    match now.status() {
        Status::Playing => Ok(now.game.help().map(|help| &help.first_steps)),
        Status::Over => {
            app.players.read_first_steps(player, slug).await?;
            Ok(None)
        }
        Status::Open | Status::Gone => Ok(None),
    }
}

/// Elements that have no end tag.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "use", "path"];
/// Where a button has no place.
const CLOSED: [&str; 8] = ["a", "button", "label", "legend", "option", "summary", "svg", "textarea"];

/// The board with its words explained, and these words in order: a button opens the popover `word-1` and so on.
pub fn explained(board: Board, game: &dyn Game) -> (Board, Vec<&'static Word>) {
    let Some(help) = game.help() else { return (board, Vec::new()) };
    let mut words = Vec::new();
    let controls = explain(&board.controls, help, &mut words);
    (Board { controls, ..board }, words)
}

/// The words of a game that stand in a text.
pub fn found_in(text: &str, game: &dyn Game) -> Vec<&'static Word> {
    game.help().map_or(Vec::new(), |help| help.found_in(text).into_iter().map(|(_, word)| word).collect())
}

fn explain(html: &str, help: &Help, words: &mut Vec<&'static Word>) -> String {
    let mut written = String::with_capacity(html.len());
    // The elements that are open, each with whether a button has no place in it.
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let (text, tag) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        if open.iter().any(|(_, closed)| *closed) {
            written.push_str(text);
        } else {
            write_explained(text, help, words, &mut written);
        }
        let (tag, after) = tag.split_at(tag.find('>').map_or(tag.len(), |end| end + 1));
        written.push_str(tag);
        follow(tag, &mut open);
        rest = after;
    }
    written
}

/// Keeps count of the elements that a tag opens or ends.
fn follow<'html>(tag: &'html str, open: &mut Vec<(&'html str, bool)>) {
    let name = tag.trim_start_matches(['<', '/']);
    let name = &name[..name.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(name.len())];
    if tag.starts_with("</") {
        if let Some(place) = open.iter().rposition(|(opened, _)| *opened == name) {
            open.truncate(place);
        }
    } else if !name.is_empty() && !tag.ends_with("/>") && !VOID.contains(&name) {
        open.push((name, CLOSED.contains(&name) || tag.contains("hidden")));
    }
}

fn write_explained(text: &str, help: &Help, words: &mut Vec<&'static Word>, written: &mut String) {
    let mut from = 0;
    for (place, word) in help.found_in(text) {
        // Once a page is enough.
        if words.contains(&word) {
            continue;
        }
        words.push(word);
        written.push_str(&text[from..place.start]);
        let number = words.len();
        let button = format!("<button type=\"button\" class=\"word\" popovertarget=\"word-{number}\">");
        written.push_str(&button);
        written.push_str(&text[place.clone()]);
        written.push_str("</button>");
        from = place.end;
    }
    written.push_str(&text[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: Help = Help {
        first_steps: ["", "", ""],
        words: &[Word { term: "killer", meaning: "strikes" }, Word { term: "coterie", meaning: "guards" }],
    };

    fn explain(html: &str) -> (String, Vec<&'static str>) {
        let mut words = Vec::new();
        let html = super::explain(html, &HELP, &mut words);
        (html, words.iter().map(|word| word.term).collect())
    }

    #[test]
    fn a_word_of_the_game_becomes_a_button_once() {
        let (html, words) = explain("<p>Her coterie holds a killer. <br>Killers, coterie.</p>");
        assert_eq!(words, ["coterie", "killer"]);
        assert_eq!(html.matches("<button type=\"button\" class=\"word\"").count(), 2, "{html}");
        assert!(html.contains("popovertarget=\"word-1\">coterie</button> holds"), "{html}");
    }

    #[test]
    fn nothing_is_put_where_a_button_has_no_place() {
        for html in [
            "<button name=\"say\" value=\"killer\">the killer</button>",
            "<a href=\"?begun=killer\"><span>killer</span></a>",
            "<p class=\"hidden\">killer</p>",
            "<svg aria-label=\"killer\"><text>killer</text></svg>",
            "<label>killer <input name=\"killer\"></label>",
        ] {
            assert_eq!(explain(html), (html.to_owned(), Vec::new()));
        }
        let (html, words) = explain("<label>x</label><p>killer</p>");
        assert_eq!((words.len(), html.contains("word-1")), (1, true));
    }
}
