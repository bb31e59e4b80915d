//! A game as a text that people can read: `docs/RECORD.md` describes it. With the secret and the cuts every draw can be derived again,
//! so the moves are enough to play the whole game once more.

use std::fmt;

use data_encoding::HEXLOWER;
use serde_json::Value;

use crate::tables::analysis::finished_game::GameStep;
use crate::tables::state::record::{Record, TableFact};
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, Holder, ReadError, Tables, name_of};
use wonderpost_rules::seed::{Cut, Secret};
use wonderpost_rules::{Catalogue, Game, Seat, Viewer};

/// How every record begins.
pub const FIRST_TAG: &str = "[Wonderpost \"1\"]";

/// A finished game: how it was opened, who played, and all moves that count.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    pub game: String,
    pub table: String,
    pub seats: u8,
    pub options: Value,
    /// What the seed is derived for.
    pub deal: String,
    pub secret: Secret,
    pub cuts: Vec<Cut>,
    /// In the order of seats.
    pub names: Vec<String>,
    /// The day of its end.
    pub ended: String,
    /// The numbers of the seats that won.
    pub winners: Vec<u8>,
    pub moves: Vec<RecordedMove>,
}

/// A move that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    pub seat: Seat,
    pub line: String,
    /// What everybody was told of it.
    pub comment: String,
}

/// Why a text is no record, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BadRecord {
    pub line: usize,
    pub reason: String,
}

fn said(record: &Record) -> Option<TableFact> {
    if record.is_of_the_house() { serde_json::from_str(record.body.get()).ok() } else { None }
}

impl Tables {
    /// The record of a finished game; nothing while its secret is not published, and for games that go on from others.
    pub async fn game_record(&self, cached: &CachedTable, holders: &[Holder]) -> Result<Option<GameRecord>, ReadError> {
        let now = &cached.now;
        if now.status() != Status::Over || !now.started() || now.opened.played_on.is_some() {
            return Ok(None);
        }
        let Some(secret) = self.published(cached).await? else { return Ok(None) };
        let records = self.records(cached.id).await?;
        Ok(Some(GameRecord {
            game: now.opened.game.clone(),
            table: cached.id.to_string(),
            seats: now.opened.seats,
            options: now.opened.options.clone(),
            deal: now.opened.deal.clone(),
            secret,
            cuts: now.cuts.clone(),
            names: Seat::all(now.opened.seats).map(|seat| name_of(holders, seat)).collect(),
            ended: now.moved_at.format("%Y-%m-%d").to_string(),
            winners: now.winners().iter().map(Seat::number).collect(),
            moves: moves_that_count(&self.catalogue, &records)?,
        }))
    }
}

/// All moves but those that were taken back, each with what everybody was told.
fn moves_that_count(catalogue: &Catalogue, records: &[Record]) -> Result<Vec<RecordedMove>, ReadError> {
    let undone = |record: &Record| match said(record) {
        Some(TableFact::Undone { moves, .. }) => moves,
        _ => Vec::new(),
    };
    let undone: Vec<u32> = records.iter().flat_map(undone).collect();
    let Some((first, rest)) = records.split_first() else { return Ok(Vec::new()) };
    let mut now = TableState::begin(catalogue, first)?;
    let mut moves = Vec::new();
    for group in rest.chunk_by(|left, right| left.move_no == right.move_no) {
        let (mut line, mut told) = (None, Vec::new());
        for record in group {
            if let (Some(TableFact::Said { line: text, .. }), Some(seat)) = (said(record), record.seat) {
                line = Some((seat, text));
            }
            if !record.is_of_the_house() {
                told.extend(now.describe_event(record, Viewer::Public)?);
            }
            now.fold(record)?;
        }
        if let Some((seat, line)) = line.filter(|_| !undone.contains(&group[0].move_no)) {
            let comment = Seat::fill_marks(&told.join(" "), |seat| format!("Seat {seat}"));
            moves.push(RecordedMove { seat, line, comment });
        }
    }
    Ok(moves)
}

/// A value in quotes, on one line.
fn quoted(value: &str) -> String {
    let value: String = value.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let (mut value, mut letters) = (String::new(), inner.chars());
    while let Some(letter) = letters.next() {
        value.push(if letter == '\\' { letters.next()? } else { letter });
    }
    Some(value)
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_TAG}")?;
        writeln!(f, "[Game {}]", quoted(&self.game))?;
        writeln!(f, "[Table {}]", quoted(&self.table))?;
        writeln!(f, "[Ended {}]", quoted(&self.ended))?;
        writeln!(f, "[Options {}]", quoted(&self.options.to_string()))?;
        for (number, name) in (1..).zip(&self.names) {
            writeln!(f, "[Seat{number} {}]", quoted(name))?;
        }
        let winners: Vec<String> = self.winners.iter().map(u8::to_string).collect();
        writeln!(f, "[Won {}]", quoted(&winners.join(" ")))?;
        writeln!(f, "[Deal {}]", quoted(&self.deal))?;
        writeln!(f, "[Secret {}]", quoted(&HEXLOWER.encode(self.secret.bytes())))?;
        for cut in &self.cuts {
            writeln!(f, "[Cut{} {}]", cut.seat, quoted(&cut.word))?;
        }
        writeln!(f)?;
        for (number, mv) in (1..).zip(&self.moves) {
            let comment = if mv.comment.is_empty() { String::new() } else { format!("  ; {}", mv.comment) };
            writeln!(f, "{number}. {} {}{comment}", mv.seat, mv.line)?;
        }
        writeln!(f)
    }
}

/// What a record says before its moves.
#[derive(Default)]
struct Draft {
    tags: Vec<(String, String)>,
    moves: Vec<RecordedMove>,
}

impl Draft {
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    fn wanted(&self, name: &str) -> Result<&str, String> {
        self.tag(name).ok_or_else(|| format!("the record that ends here has no [{name} …]"))
    }

    fn finish(self) -> Result<GameRecord, String> {
        let numbered = |what: &'static str| Seat::all(Seat::MOST).map(move |seat| (seat, format!("{what}{seat}")));
        let names: Vec<String> = numbered("Seat").map_while(|(_, tag)| self.tag(&tag).map(str::to_owned)).collect();
        let cuts = numbered("Cut").filter_map(|(seat, tag)| Some(Cut { seat, word: self.tag(&tag)?.to_owned() }));
        let cuts: Vec<Cut> = cuts.collect();
        let secret = HEXLOWER.decode(self.wanted("Secret")?.as_bytes()).ok();
        let winners = self.tag("Won").unwrap_or_default().split_whitespace().map(str::parse::<u8>);
        Ok(GameRecord {
            game: self.wanted("Game")?.to_owned(),
            table: self.tag("Table").unwrap_or_default().to_owned(),
            seats: u8::try_from(names.len()).unwrap_or(0),
            options: serde_json::from_str(self.wanted("Options")?).map_err(|error| format!("the options: {error}"))?,
            deal: self.wanted("Deal")?.to_owned(),
            secret: secret
                .and_then(|bytes| Secret::from_slice(&bytes))
                .ok_or("the secret is not 32 bytes in hexadecimal")?,
            cuts,
            ended: self.tag("Ended").unwrap_or_default().to_owned(),
            winners: winners.collect::<Result<_, _>>().map_err(|_| "[Won …] lists the numbers of seats")?,
            names,
            moves: self.moves,
        })
    }
}

/// Reads records, one after the other.
pub fn read_records(text: &str) -> Result<Vec<GameRecord>, BadRecord> {
    let mut records = Vec::new();
    let mut draft: Option<Draft> = None;
    let bad = |line: usize| move |reason: String| BadRecord { line: line + 1, reason };
    let mut last = 0;
    for (place, line) in text.lines().enumerate() {
        last = place;
        let line = line.trim();
        if line == FIRST_TAG {
            if let Some(draft) = draft.replace(Draft::default()) {
                records.push(draft.finish().map_err(bad(place))?);
            }
            continue;
        }
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        let draft = draft.as_mut().ok_or_else(|| bad(place)(format!("a record begins with {FIRST_TAG}")))?;
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(tag) => draft.tags.push(read_tag(tag).ok_or_else(|| bad(place)("this is no tag".to_owned()))?),
            None => draft.moves.push(read_move(line).ok_or_else(|| bad(place)("this is no move".to_owned()))?),
        }
    }
    records.extend(draft.map(Draft::finish).transpose().map_err(bad(last))?);
    Ok(records)
}

fn read_tag(tag: &str) -> Option<(String, String)> {
    let (name, value) = tag.split_once(' ')?;
    Some((name.to_owned(), unquoted(value.trim())?))
}

/// A move: “12. 1 attack 2 with q♦  ; Seat 1 attacks.”
fn read_move(line: &str) -> Option<RecordedMove> {
    let (number, rest) = line.split_once(". ")?;
    number.parse::<u32>().ok()?;
    let (said, comment) = rest.split_once("  ; ").unwrap_or((rest, ""));
    let (seat, said) = said.split_once(' ')?;
    let seat = Seat::new(seat.parse().ok()?)?;
    Some(RecordedMove { seat, line: said.trim().to_owned(), comment: comment.to_owned() })
}

/// A record that was played once more.
pub struct Replayed {
    pub game: &'static dyn Game,
    pub steps: Vec<GameStep>,
}

impl GameRecord {
    /// Plays the game once more, move by move; says which move would be refused.
    pub fn replay(&self, catalogue: &Catalogue) -> Result<Replayed, String> {
        let game = catalogue.find(&self.game).ok_or_else(|| format!("there is no game “{}”", self.game))?;
        let seed = self.secret.seed(&self.deal, &self.cuts);
        let begun = game.begin(&self.options, self.seats).map_err(|refusal| refusal.to_string())?;
        let dealt = begun.set_up(&mut seed.chance(0)).map_err(|refusal| refusal.to_string())?;
        let mut drawn = dealt.draws.len() as u64;
        let first = GameStep { move_no: 0, seat: None, said: None, log: Vec::new(), position: dealt.position };
        let mut steps = vec![first];
        for (number, mv) in (1..).zip(&self.moves) {
            let before = &steps[steps.len() - 1].position;
            let decided = before.decide_line(mv.seat, &mv.line, &mut seed.chance(drawn));
            let decided = decided.map_err(|refusal| format!("move {number} ({}) is refused: {refusal}", mv.line))?;
            drawn += decided.draws.len() as u64;
            steps.push(GameStep {
                move_no: number,
                seat: Some(mv.seat),
                said: Some(mv.line.clone()),
                log: vec![mv.comment.clone()],
                position: decided.position,
            });
        }
        Ok(Replayed { game, steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wonderpost_games::catalogue;

    fn record(moves: &[(u8, &str)]) -> GameRecord {
        let game = catalogue().find("red-queen").unwrap();
        let moves = moves.iter().map(|(seat, line)| RecordedMove {
            seat: Seat::new(*seat).unwrap(),
            line: (*line).to_owned(),
            comment: "Seat 1 draws a card; one of many.".to_owned(),
        });
        GameRecord {
            game: "red-queen".to_owned(),
            table: "t".to_owned(),
            seats: 2,
            options: game.complete_options(&serde_json::json!({"first": 1})).unwrap(),
            deal: "table t".to_owned(),
            secret: Secret::new([7; 32]),
            cuts: vec![Cut { seat: Seat::FIRST, word: "jam \"tomorrow\" \\".to_owned() }],
            names: vec!["Alice".to_owned(), "B] \"ob\"".to_owned()],
            ended: "2026-11-18".to_owned(),
            winners: vec![1],
            moves: moves.collect(),
        }
    }

    #[test]
    fn what_is_written_is_read_again_one_game_after_the_other() {
        let (one, two) = (record(&[(1, "draw"), (1, "draw")]), record(&[]));
        let text = format!("; my games\n{one}{two}");
        assert_eq!(read_records(&text).unwrap(), [one, two], "{text}");
    }

    #[test]
    fn a_wrong_line_is_named() {
        let text = record(&[(1, "draw")]).to_string();
        let wrong = text.replace("1. 1 draw", "1. draw");
        assert!(read_records(&wrong).is_err_and(|bad| bad.reason == "this is no move"), "{wrong}");
        assert!(read_records("[Game \"x\"]").is_err_and(|bad| bad.line == 1));
        assert!(read_records(&text.replace("Secret", "Hidden")).is_err_and(|bad| bad.reason.contains("[Secret")));
    }

    #[test]
    fn a_record_is_played_once_more_and_a_move_against_the_rules_is_found() {
        let found = |moves: &[(u8, &str)]| record(moves).replay(&catalogue()).map(|played| played.steps.len());
        // Whoever is to move first may draw.
        let first = (1..=2).find(|seat| found(&[(*seat, "draw")]).is_ok()).expect("somebody begins");
        assert_eq!(found(&[(first, "draw")]), Ok(2));
        assert!(found(&[(3 - first, "draw")]).is_err_and(|reason| reason.contains("move 1")));
    }
}
