//! Answers in advance: for some decisions a player may leave an ordered list of moves, of which the first that is legal is made as soon as
//! they are asked. The lists belong to their owner alone and are no part of the table's events; the moves that come of them are.

use crate::db::retry_transient;
use crate::db::tables::plans::{AnswerChange, AnswerRow};
use crate::tables::play::lines::MOST_LINES;
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, MoveError, PlayerId, ReadError, TableId, Tables};
use wonderpost_rules::{AfterUse, PlannedPrompt, Position, Refusal, Seat, Term};

/// A list that a seat has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub seat: Seat,
    pub prompt: String,
    /// In order. None: “ask me”, whatever the table was opened with.
    pub lines: Vec<String>,
    /// Each line serves once.
    pub once: bool,
    /// The bout, round or the like that it is for.
    pub stretch: Option<u32>,
    /// Why it was dropped.
    pub trouble: Option<String>,
}

/// The answers left at a table, and what becomes of them while a move is decided.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    list: Vec<Answer>,
    changed: Vec<(Seat, String)>,
}

impl Answers {
    pub fn from_rows(rows: Vec<AnswerRow>) -> Answers {
        Answers { list: rows.into_iter().map(from_row).collect(), changed: Vec::new() }
    }

    fn find(&self, seat: Seat, prompt: &str) -> Option<&Answer> {
        self.list.iter().find(|answer| answer.seat == seat && answer.prompt == prompt)
    }

    fn put(&mut self, answer: Answer) {
        self.changed.push((answer.seat, answer.prompt.clone()));
        self.list.retain(|there| there.seat != answer.seat || there.prompt != answer.prompt);
        self.list.push(answer);
    }

    fn remove(&mut self, seat: Seat, prompt: &str) {
        self.changed.push((seat, prompt.to_owned()));
        self.list.retain(|there| there.seat != seat || there.prompt != prompt);
    }

    /// Leaves lines for a decision; several one after the other become one list.
    pub fn leave(&mut self, position: &dyn Position, seat: Seat, lines: &[(&'static str, String)], once: bool) {
        let prompts = position.plannable_prompts(seat);
        for prompt in &prompts {
            let lines: Vec<String> =
                lines.iter().filter(|(name, _)| *name == prompt.prompt).map(|(_, line)| line.clone()).collect();
            if !lines.is_empty() {
                self.put(Answer {
                    seat,
                    prompt: prompt.prompt.to_owned(),
                    lines,
                    once,
                    stretch: stretch_of(prompt),
                    trouble: None,
                });
            }
        }
    }

    /// The lines that may be made for a seat that is asked now, in order.
    pub fn lines_for(&self, now: &TableState, seat: Seat) -> Option<(PlannedPrompt, Vec<String>)> {
        let asked = now.position.prompt(seat)?;
        let prompt = now.position.plannable_prompts(seat).into_iter().find(|prompt| prompt.prompt == asked)?;
        // A bot in a player's place is bound by what the table was opened with, and by nothing that the player left.
        let own = if now.bot_at(seat).is_some() { None } else { self.find(seat, asked) };
        let lines = match own {
            Some(answer) if answer.trouble.is_none() && is_good(answer, &prompt) => answer.lines.clone(),
            Some(_) => return None,
            None if now.opened.preset_answers => preset_of(&prompt)?.to_vec(),
            None => return None,
        };
        (!lines.is_empty()).then_some((prompt, lines))
    }

    /// A line of a list was made.
    pub fn used(&mut self, seat: Seat, prompt: &PlannedPrompt, line: &str) {
        let Some(mut answer) = self.find(seat, prompt.prompt).cloned() else { return };
        match (prompt.after_use, answer.once) {
            (AfterUse::ListGoes, _) => self.remove(seat, prompt.prompt),
            (AfterUse::LineGoes, _) | (AfterUse::Stays, true) => {
                if let Some(place) = answer.lines.iter().position(|there| there == line) {
                    answer.lines.remove(place);
                }
                if answer.lines.is_empty() { self.remove(seat, prompt.prompt) } else { self.put(answer) }
            }
            (AfterUse::Stays, false) => {}
        }
    }

    /// No line of a list is legal. A list for this stretch of the game is dropped, and its owner is told why; others wait for another time.
    pub fn failed(&mut self, seat: Seat, prompt: &PlannedPrompt, why: &Refusal) {
        let (Some(answer), Term::Stretch { .. }) = (self.find(seat, prompt.prompt).cloned(), prompt.term) else {
            return;
        };
        let lines = answer.lines.join(", ");
        let trouble = format!("None of your answers was legal ({lines}). {why}");
        self.put(Answer { trouble: Some(trouble), ..answer });
    }

    /// Takes away what was left for a stretch of the game that is over.
    pub fn clear_away(&mut self, now: &TableState) {
        let over = now.status() == Status::Over;
        let gone: Vec<(Seat, String)> = self
            .list
            .iter()
            .filter(|answer| {
                let prompts = now.position.plannable_prompts(answer.seat);
                let prompt = prompts.iter().find(|prompt| prompt.prompt == answer.prompt);
                over || prompt.is_some_and(|prompt| is_past(answer, prompt))
            })
            .map(|answer| (answer.seat, answer.prompt.clone()))
            .collect();
        for (seat, prompt) in gone {
            self.remove(seat, &prompt);
        }
    }

    /// What the holder of a seat may answer in advance, and has.
    pub fn offers(&self, cached: &CachedTable, seat: Seat) -> Vec<Offer> {
        if cached.now.status() != Status::Playing {
            return Vec::new();
        }
        let offer = |prompt: PlannedPrompt| {
            let answer = self.find(seat, prompt.prompt).filter(|answer| !is_past(answer, &prompt));
            let trouble = answer.and_then(|answer| answer.trouble.clone());
            let preset = preset_of(&prompt).filter(|_| cached.now.opened.preset_answers && answer.is_none());
            let lines = match (answer, preset) {
                (Some(answer), _) if answer.trouble.is_none() => answer.lines.clone(),
                (_, Some(preset)) => preset.to_vec(),
                _ => Vec::new(),
            };
            Offer { by_preset: preset.is_some(), lines, trouble, prompt }
        };
        cached.now.position.plannable_prompts(seat).into_iter().map(offer).collect()
    }

    /// What has to be written down.
    pub fn changes(&self) -> Vec<AnswerChange> {
        let mut changes = Vec::new();
        for (place, (seat, prompt)) in self.changed.iter().enumerate() {
            if self.changed[..place].contains(&self.changed[place]) {
                continue;
            }
            changes.push(match self.find(*seat, prompt) {
                Some(answer) => AnswerChange::Kept(to_row(answer)),
                None => AnswerChange::Gone { seat: *seat, prompt: prompt.clone() },
            });
        }
        changes
    }
}

fn stretch_of(prompt: &PlannedPrompt) -> Option<u32> {
    match prompt.term {
        Term::Open => None,
        Term::Stretch { left_for, .. } => Some(left_for),
    }
}

/// Whether an answer is for the stretch that the game is in.
fn is_good(answer: &Answer, prompt: &PlannedPrompt) -> bool {
    match (answer.stretch, prompt.term) {
        (Some(stretch), Term::Stretch { now, .. }) => stretch == now,
        (None, _) | (_, Term::Open) => true,
    }
}

fn is_past(answer: &Answer, prompt: &PlannedPrompt) -> bool {
    matches!((answer.stretch, prompt.term), (Some(stretch), Term::Stretch { now, .. }) if stretch < now)
}

fn preset_of(prompt: &PlannedPrompt) -> Option<&[String]> {
    prompt.suggestions.iter().find(|suggestion| suggestion.preset).map(|suggestion| suggestion.lines.as_slice())
}

fn to_row(answer: &Answer) -> AnswerRow {
    AnswerRow {
        seat: answer.seat,
        prompt: answer.prompt.clone(),
        lines: answer.lines.clone(),
        once: answer.once,
        stretch: answer.stretch.and_then(|stretch| i32::try_from(stretch).ok()),
        trouble: answer.trouble.clone(),
    }
}

fn from_row(row: AnswerRow) -> Answer {
    Answer {
        seat: row.seat,
        prompt: row.prompt,
        lines: row.lines,
        once: row.once,
        stretch: row.stretch.and_then(|stretch| u32::try_from(stretch).ok()),
        trouble: row.trouble,
    }
}

/// A decision that its owner may answer in advance, and what they have left for it.
pub struct Offer {
    pub prompt: PlannedPrompt,
    /// What will be said.
    pub lines: Vec<String>,
    /// Whether that is what the table was opened with.
    pub by_preset: bool,
    pub trouble: Option<String>,
}

impl Tables {
    pub(crate) async fn answers(&self, id: TableId) -> Result<Answers, ReadError> {
        let rows = retry_transient(|| self.store.answers_at(id)).await?;
        Ok(Answers::from_rows(rows))
    }

    /// What the holder of a seat may answer in advance, and has. For nobody else.
    pub async fn offers(&self, cached: &CachedTable, seat: Seat) -> Result<Vec<Offer>, ReadError> {
        Ok(self.answers(cached.id).await?.offers(cached, seat))
    }

    /// Leaves a list for a decision, or withdraws it (no lines). If the decision has come up already it is made at once.
    pub async fn leave_answer(
        &self,
        player: PlayerId,
        id: TableId,
        prompt: &str,
        lines: &[&str],
    ) -> Result<(), MoveError> {
        let cached = self.load_fresh(id).await?;
        let seat = cached.seat_of(Some(player)).ok_or(MoveError::NotSeated)?;
        let refused = |refusal| MoveError::Refused { line: None, refusal };
        if cached.now.status() != Status::Playing {
            return Err(refused(Refusal::new("The game is not being played.")));
        }
        let position = &*cached.now.position;
        let Some(prompt) = position.plannable_prompts(seat).into_iter().find(|there| there.prompt == prompt) else {
            return Err(refused(Refusal::new("This cannot be answered in advance.")));
        };
        if lines.len() > MOST_LINES {
            return Err(refused(Refusal::new(format!("That is too much at once: at most {MOST_LINES} lines."))));
        }
        let mut canonical = Vec::new();
        for line in lines {
            let name = |refusal| MoveError::Refused { line: (lines.len() > 1).then(|| (*line).to_owned()), refusal };
            let read = position.read_line(line).map_err(name)?;
            if !position.can_answer(prompt.prompt, &read) {
                return Err(name(Refusal::new(format!("“{read}” is no answer to “{}”.", prompt.prompt))));
            }
            canonical.push(read.to_string());
        }
        let change = AnswerChange::Kept(to_row(&Answer {
            seat,
            prompt: prompt.prompt.to_owned(),
            lines: canonical,
            once: false,
            stretch: stretch_of(&prompt),
            trouble: None,
        }));
        self.store.change_answers(id, &[change]).await?;
        self.make_standing_answers(id).await
    }
}
