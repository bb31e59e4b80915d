//! Lines of a form or a letter: read, and decided one after the other.

use chrono::{DateTime, Utc};

use crate::tables::play::deciding::Deciding;
use crate::tables::play::plans::Answers;
use crate::tables::state::record::By;
use crate::tables::state::table_state::Status;
use crate::tables::{CachedTable, MoveError, Said};
use wonderpost_rules::{AnyMove, Line, Position, Refusal, Seat};

/// How many lines may be sent at once: by a page, a program or a reply, as moves or as answers in advance.
pub const MOST_LINES: usize = 200;

/// Lines to be decided.
pub(crate) struct Saying<'a> {
    pub seat: Seat,
    /// Tells one saying from another.
    pub form: &'a str,
    pub by: By,
    pub lines: &'a [Line],
}

/// Lines decided and not yet stored.
pub(crate) struct Draft<'a> {
    pub deciding: Deciding<'a>,
    pub said: Said,
}

/// The lines of a form or a letter; refused if there are none or too many.
pub(crate) fn split_lines(lines: &str) -> Result<Vec<&str>, MoveError> {
    let lines: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return Err(refused("Say what you want to do: one move a line."));
    }
    if lines.len() > MOST_LINES {
        return Err(refused(format!("That is too much at once: at most {MOST_LINES} lines.")));
    }
    Ok(lines)
}

/// Reads lines as moves and answers in advance.
pub(crate) fn read_lines(position: &dyn Position, seat: Seat, lines: &[&str]) -> Result<Vec<Line>, MoveError> {
    let read = position.read_lines(seat, lines);
    read.map_err(|(place, refusal)| name_line(refusal, lines[place], lines.len()))
}

/// Decides lines one after the other, by the rule for several lines: all or nothing until chance or hidden knowledge comes up.
pub(crate) fn decide<'a>(
    cached: &'a CachedTable,
    saying: &Saying,
    answers: Answers,
    at: DateTime<Utc>,
) -> Result<Draft<'a>, MoveError> {
    let Saying { seat, form, by, lines } = *saying;
    let (Some(seed), Status::Playing) = (&cached.seed, cached.now.status()) else {
        return Err(refused(match cached.now.status() {
            Status::Open => "The game has not begun.",
            Status::Playing | Status::Over => "The game is over.",
            Status::Gone => "This table was never started, and is gone.",
        }));
    };
    if by == By::Holder && cached.now.resigned.contains(seat) {
        return Err(refused("You have resigned; a bot stands in for you."));
    }
    let mut said = Said {
        made: 0,
        refused: None,
        planned: Vec::new(),
        dropped: Vec::new(),
        moves: cached.now.moves,
        is_repeated: false,
    };
    let mut deciding = Deciding::new(cached, seed, answers, at);
    if by == By::Holder {
        deciding.note_return(seat)?;
    }
    let mut answered = Vec::new();
    for line in lines {
        if let Line::Plan { prompt, answer } = line {
            said.planned.push(line.to_string());
            answered.push((*prompt, answer.to_string()));
        }
    }
    deciding.answers.leave(&*cached.now.position, seat, &answered, false);
    let moves = moves_of(lines);
    for (place, mv) in moves.iter().enumerate() {
        if said.made > 0 && !deciding.now.awaiting().contains(seat) {
            leave_the_rest(&mut deciding, seat, &moves[place..], &mut said);
            break;
        }
        let mut made = deciding.make(seat, mv, form, by);
        // The line may be meant for after what was said in advance.
        while let Err(MoveError::Refused { .. }) = made
            && deciding.answer_once(seat)?
        {
            made = deciding.make(seat, mv, form, by);
        }
        match made {
            Ok(()) => {}
            Err(MoveError::Refused { refusal, .. }) if deciding.revealing => {
                said.refused = Some((mv.to_string(), refusal));
                break;
            }
            Err(MoveError::Refused { refusal, .. }) => return Err(name_line(refusal, mv.as_str(), moves.len())),
            Err(error) => return Err(error),
        }
        said.made += 1;
        said.moves = deciding.now.moves;
    }
    // What others have said in advance comes last: whoever has ended their turn must not play the next one with lines left over.
    deciding.settle()?;
    Ok(Draft { deciding, said })
}

/// Lines that nobody asked for any more: kept for a decision to come where that takes them, else dropped.
fn leave_the_rest(deciding: &mut Deciding, seat: Seat, moves: &[&AnyMove], said: &mut Said) {
    let position = deciding.now.position.boxed_clone();
    let prompts = position.plannable_prompts(seat);
    let mut left = Vec::new();
    for mv in moves {
        let prompt = prompts.iter().find(|prompt| prompt.takes_left_over && position.can_answer(prompt.prompt, mv));
        match prompt {
            Some(prompt) => {
                said.planned.push(format!("{}: {mv}", prompt.prompt));
                left.push((prompt.prompt, mv.to_string()));
            }
            None => said.dropped.push(mv.to_string()),
        }
    }
    deciding.answers.leave(&*position, seat, &left, true);
}

pub(crate) fn moves_of(lines: &[Line]) -> Vec<&AnyMove> {
    lines
        .iter()
        .filter_map(|line| match line {
            Line::Move(mv) => Some(mv),
            Line::Plan { .. } => None,
        })
        .collect()
}

fn refused(sentence: impl Into<String>) -> MoveError {
    MoveError::Refused { line: None, refusal: Refusal::new(sentence) }
}

/// Names the line that was refused, where there were several.
fn name_line(refusal: Refusal, line: &str, lines: usize) -> MoveError {
    MoveError::Refused { line: (lines > 1).then(|| line.to_owned()), refusal }
}
