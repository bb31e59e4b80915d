//! Lessons: scripted games in which a voice says what to do and why. A lesson is a file; no code belongs to one.
//!
//! The deal and all chance are scripted as in a [case file](super::case), and the rules are the real ones. Where a learner is in a lesson
//! is a word with a letter for each step done, so that nothing has to be kept while a lesson is played.

mod light;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::case::{deal, no_options};
use super::{Catalogue, Outcome, Position, Refusal, Scripted, Seat};

pub use light::{Control, controls};

/// A lesson as its file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The slug of the game.
    pub game: String,
    /// What the lesson is called.
    pub title: String,
    /// What one can do after it, in a sentence.
    pub about: String,
    /// How many play.
    pub seats: u8,
    /// The learner's seat.
    #[serde(default = "first_seat")]
    pub seat: Seat,
    #[serde(default = "no_options")]
    options: Value,
    /// The deal and every draw, in the order in which they are asked for.
    chance: Vec<Outcome>,
    /// What was done before the lesson begins.
    #[serde(default)]
    before: Vec<Before>,
    /// What the learner does, one after the other.
    pub steps: Vec<LessonStep>,
    /// What the voice says when all is done.
    pub end: String,
}

fn first_seat() -> Seat {
    Seat::FIRST
}

/// A move made before the lesson begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Before {
    seat: Seat,
    say: String,
}

/// Something to do, or to look at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonStep {
    /// What to do and why, in two sentences at most.
    pub voice: String,
    /// The moves that lead on. None where there is only something to look at.
    #[serde(default)]
    pub accept: Vec<String>,
    /// The choices to begin on the way to such a move, where the board takes more than one click.
    #[serde(default)]
    by: Vec<String>,
    /// What is said to any other move.
    #[serde(default)]
    wrong: String,
    /// What is said to particular moves, by how they begin.
    #[serde(default)]
    answers: BTreeMap<String, String>,
    /// What the others do then.
    #[serde(default)]
    then: Vec<Doing>,
}

/// What somebody else does by themselves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Doing {
    seat: Seat,
    say: String,
    /// What the voice says of it.
    #[serde(default)]
    remark: String,
}

/// A lesson as far as it was played.
#[derive(Clone)]
pub struct Played<'lesson> {
    lesson: &'lesson Lesson,
    /// The table as it is now.
    pub position: Box<dyn Position>,
    /// The table before the learner's last move.
    pub before: Option<Box<dyn Position>>,
    /// What the voice says of what the others have just done.
    pub remarks: Vec<&'lesson str>,
    chance: Scripted,
    done: String,
}

/// What comes of a move in a lesson.
pub enum Answer<'lesson> {
    /// It was right, and the lesson goes on.
    Right(Box<Played<'lesson>>),
    /// It was not, and this is why.
    Wrong(String),
}

impl Lesson {
    /// Reads the text of a lesson file.
    pub fn read(text: &str) -> Result<Lesson, String> {
        serde_json::from_str(text).map_err(|error| format!("not a lesson: {error}"))
    }

    /// The lesson before its first step. An error is the file's fault.
    pub fn begin(&self, catalogue: &Catalogue) -> Result<Played<'_>, String> {
        let game = catalogue.find(&self.game).ok_or_else(|| format!("no game “{}” in the catalogue", self.game))?;
        let mut chance = Scripted::new(self.chance.iter().cloned());
        let mut position = deal(game, &self.options, self.seats, &mut chance)?;
        for Before { seat, say } in &self.before {
            let decided = position.decide_line(*seat, say, &mut chance);
            position = decided.map_err(|refusal| format!("before: seat {seat} says “{say}”: {refusal}"))?.position;
        }
        Ok(Played { lesson: self, position, before: None, remarks: Vec::new(), chance, done: String::new() })
    }

    /// The lesson after these steps. `None` for what no lesson comes to: the word may be anybody's.
    pub fn replay(&self, catalogue: &Catalogue, done: &str) -> Option<Played<'_>> {
        let mut played = self.begin(catalogue).ok()?;
        for letter in done.chars() {
            let which = (letter as usize).checked_sub('a' as usize)?;
            let line = played.step()?.accept.get(which).map(String::as_str);
            played = match line {
                Some(line) => played.make(which, line).ok()?,
                None if which == 0 && played.step()?.accept.is_empty() => played.look_on(),
                None => return None,
            };
        }
        Some(played)
    }
}

impl<'lesson> Played<'lesson> {
    /// The lesson itself.
    pub fn lesson(&self) -> &'lesson Lesson {
        self.lesson
    }

    /// The steps done, a letter each, for [`Lesson::replay`].
    pub fn done(&self) -> &str {
        &self.done
    }

    /// How many steps are done.
    pub fn steps_done(&self) -> usize {
        self.done.len()
    }

    /// What is to be done now; `None` at the end.
    pub fn step(&self) -> Option<&'lesson LessonStep> {
        self.lesson.steps.get(self.done.len())
    }

    /// How many draws of chance were scripted and not asked for.
    pub fn chance_left(&self) -> usize {
        self.chance.left()
    }

    /// The learner has looked at what there is to look at.
    pub fn look_on(&self) -> Played<'lesson> {
        Played { done: format!("{}a", self.done), remarks: Vec::new(), before: None, ..self.clone() }
    }

    /// The learner says a line. An error is the file's fault.
    pub fn say(&self, line: &str) -> Result<Answer<'lesson>, String> {
        let Some(step) = self.step() else { return Ok(Answer::Wrong("This lesson is over.".to_owned())) };
        let mut chance = self.chance.clone();
        let facts = match self.position.decide_line(self.lesson.seat, line, &mut chance) {
            Ok(decided) => decided.facts,
            // Only what the lesson leads to has its chance scripted.
            Err(refusal) if refusal.is_fault() => return Ok(Answer::Wrong(step.explain(line, None))),
            Err(refusal) => return Ok(Answer::Wrong(step.explain(line, Some(&refusal)))),
        };
        for (which, accepted) in step.accept.iter().enumerate() {
            let decided = self.position.decide_line(self.lesson.seat, accepted, &mut self.chance.clone());
            let wanted = decided.map_err(|refusal| format!("“{accepted}”: {refusal}"))?.facts;
            if wanted == facts {
                return Ok(Answer::Right(Box::new(self.make(which, accepted)?)));
            }
        }
        Ok(Answer::Wrong(step.explain(line, None)))
    }

    /// Makes an accepted move, and what the others do then.
    fn make(&self, which: usize, line: &str) -> Result<Played<'lesson>, String> {
        let seat = self.lesson.seat;
        let mut chance = self.chance.clone();
        let made = |seat, line: &str, refusal| format!("seat {seat} says “{line}”: {refusal}");
        let decided = self.position.decide_line(seat, line, &mut chance);
        let mut position = decided.map_err(|refusal| made(seat, line, refusal))?.position;
        let mut remarks = Vec::new();
        for Doing { seat, say, remark } in self.step().map_or(&[][..], |step| &step.then) {
            let decided = position.decide_line(*seat, say, &mut chance);
            position = decided.map_err(|refusal| made(*seat, say, refusal))?.position;
            if !remark.is_empty() {
                remarks.push(remark.as_str());
            }
        }
        let letter = u8::try_from(which).ok().and_then(|which| b'a'.checked_add(which)).unwrap_or(b'z');
        let done = format!("{}{}", self.done, char::from(letter));
        Ok(Played { lesson: self.lesson, position, before: Some(self.position.clone()), remarks, chance, done })
    }
}

impl LessonStep {
    /// Why a line does not lead on, kindly.
    fn explain(&self, line: &str, refusal: Option<&Refusal>) -> String {
        let line = super::fold_line(line);
        let begins = |start: &str| line == start || line.strip_prefix(start).is_some_and(|rest| rest.starts_with(' '));
        // The longest that fits says the most.
        let particular = self.answers.iter().filter(|(start, _)| begins(start)).max_by_key(|(start, _)| start.len());
        match (particular, refusal) {
            (Some((_, words)), _) => words.clone(),
            (None, Some(refusal)) => format!("{refusal} {}", self.wrong),
            (None, None) => self.wrong.clone(),
        }
    }
}
