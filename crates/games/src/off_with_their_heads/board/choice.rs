//! What the viewer can do: controls over the spaces of the sheet, questions, and the same moves as a list.

use super::super::brings::Brings;
use super::super::guest::Guest;
use super::super::layout::Icon;
use super::super::moves::{Marking, Move};
use super::super::names::{at, cost, space_name};
use super::super::sheet::Sheet;
use super::super::space::{Space, Zone};
use super::super::view::PrivateView;
use crate::board_action::BoardAction;
use wonderpost_rules::fold_line;

/// A space that can be marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub space: Space,
    pub way: BoardAction<Move>,
    pub label: String,
    /// What the cheapest mark here costs.
    pub teacups: u8,
    /// Every mark here would wake the Jabberwock.
    pub wakes: bool,
    /// All moves here.
    pub options: Vec<Choice>,
}

impl Target {
    pub fn name(&self) -> String {
        space_name(self.space)
    }

    /// The number that would stand here, as the board shows it beforehand.
    pub fn ghost(&self) -> String {
        match &self.options[..] {
            [only] => only.number.to_string(),
            [one, other] => format!("{}/{}", one.number, other.number),
            _ => "?".to_owned(),
        }
    }

    /// The points that a mark here brings, if they do not depend on the number.
    pub fn points(&self) -> Option<i64> {
        let points = self.options.first()?.points;
        (points != 0 && self.options.iter().all(|choice| choice.points == points)).then_some(points)
    }
}

/// One move at a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub say: Move,
    pub number: u8,
    pub teacups: u8,
    /// By how much the sheet is worth more.
    pub points: i64,
    pub icon: Option<Icon>,
    pub guest: Option<Guest>,
    /// What it costs and brings, in words; empty if nothing.
    pub notes: String,
    pub wakes: bool,
}

/// A choice begun: the space picked, and what can be painted there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub space: Space,
    pub words: String,
    pub options: Vec<Choice>,
}

/// The moves of one zone, for the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub zone: Zone,
    pub targets: Vec<Target>,
}

/// All that the viewer can do on the sheet now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    pub targets: Vec<Target>,
    pub question: Option<Question>,
    /// `lose` or `skip`, and what the button says.
    pub way_out: Option<(Move, &'static str)>,
}

impl Choices {
    /// `begun` is what the viewer has begun, from the page's address: anything may stand there.
    pub fn new(mine: &PrivateView, moves: &[Move], begun: Option<&str>) -> Choices {
        let numbers = mine.task.as_ref().map(|task| task.numbers.clone()).unwrap_or_default();
        let sheet = &mine.sheet.0;
        let targets = targets(sheet, moves, &numbers);
        let question = begun.and_then(|begun| question(&targets, &fold_line(begun)));
        let way_out = moves.iter().find_map(|mv| match mv {
            Move::Lose => Some((*mv, "Let the mark go, keep your teacups")),
            Move::Skip => Some((*mv, "Leave it")),
            Move::Play(_) | Move::Mark(_) => None,
        });
        Choices { targets, question, way_out }
    }

    pub fn of(&self, zone: &Zone) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(move |target| target.space.zone() == *zone)
    }

    pub fn groups(&self) -> Vec<Group> {
        let groups = Zone::ALL.into_iter().map(|zone| Group { zone, targets: self.of(&zone).cloned().collect() });
        groups.filter(|group| !group.targets.is_empty()).collect()
    }

    /// Whether any mark costs a teacup.
    pub fn some_cost(&self) -> bool {
        self.targets.iter().any(|target| target.teacups > 0)
    }
}

/// One target a space, in sheet order.
fn targets(sheet: &Sheet, moves: &[Move], numbers: &[u8]) -> Vec<Target> {
    let mut targets: Vec<Target> = vec![];
    for space in Space::all() {
        let here = moves.iter().filter_map(|mv| match mv {
            Move::Mark(marking) if marking.space == space => Some(choice(sheet, mv, marking, numbers)),
            Move::Mark(_) | Move::Play(_) | Move::Lose | Move::Skip => None,
        });
        let mut options: Vec<Choice> = here.collect();
        options.sort_by_key(|choice| choice.number);
        let Some(teacups) = options.iter().map(|choice| choice.teacups).min() else { continue };
        let wakes = options.iter().all(|choice| choice.wakes);
        let place = at(space);
        let (way, label) = match &options[..] {
            [only] => (BoardAction::Submit(only.say), format!("Paint {} {place}{}", only.number, with(&only.notes))),
            several => {
                let numbers: Vec<String> = several.iter().map(|choice| choice.number.to_string()).collect();
                let numbers = match &numbers[..] {
                    [one, other] => format!("{one} or {other}"),
                    [first, .., last] => format!("a number from {first} to {last}"),
                    _ => String::new(),
                };
                // What does not depend on the number.
                let notes = several.first().filter(|first| several.iter().all(|other| other.notes == first.notes));
                let notes = notes.map(|first| with(&first.notes)).unwrap_or_default();
                (BoardAction::Begin(format!("mark {space}")), format!("Paint {numbers} {place}{notes}"))
            }
        };
        targets.push(Target { space, way, label, teacups, wakes, options });
    }
    targets
}

fn with(notes: &str) -> String {
    if notes.is_empty() { String::new() } else { format!(": {notes}") }
}

fn choice(sheet: &Sheet, mv: &Move, marking: &Marking, numbers: &[u8]) -> Choice {
    let number = marking.number.or(numbers.first().copied()).unwrap_or_default();
    let brings = Brings::of(sheet, marking.space, number);
    let mut after = *sheet;
    after.paint(marking.space, number);
    let mut notes = brings.words();
    notes.extend(cost(marking).map(str::to_owned));
    Choice {
        say: *mv,
        number,
        teacups: marking.teacups(),
        points: after.points().total - sheet.points().total,
        icon: brings.icon,
        guest: brings.guests.iter().next(),
        notes: notes.join("; "),
        wakes: brings.wakes_jabberwock,
    }
}

/// What was begun, if it is one of the choices that are begun.
fn question(targets: &[Target], begun: &str) -> Option<Question> {
    let target = targets.iter().find(|target| target.way == BoardAction::Begin(begun.to_owned()))?;
    let words = format!("Which number {}?", at(target.space));
    Some(Question { space: target.space, words, options: target.options.clone() })
}
