//! A game as a file of JSON lines: all of it once it is over, what its viewer may know while it runs.

use chrono::{DateTime, SecondsFormat, Utc};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::tables::state::record::Record;
use crate::tables::state::table_state::{TableState, Unfoldable};
use crate::tables::{CachedTable, Holder, ReadError, TableId, Tables, with_names};
use wonderpost_rules::seed::{Cut, Secret};
use wonderpost_rules::{Catalogue, Seat, Viewer};

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The version of the format.
    wonderpost: u32,
    table: String,
    game: String,
    promise: String,
    deal: String,
    cuts: Vec<Cut>,
    /// In hexadecimal; missing until it is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    /// A seat or "public" where the file holds one viewer's knowledge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    viewer: Option<Value>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    seq: i64,
    #[serde(rename = "move")]
    move_no: u32,
    seat: Option<Seat>,
    at: String,
    kind: String,
    body: Box<RawValue>,
    digest: String,
}

/// A whole game, read back from a file.
pub struct Export {
    pub table: TableId,
    pub secret: Option<Secret>,
    pub records: Vec<Record>,
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("line {line}: {reason}")]
    Line { line: usize, reason: String },
    #[error("this file holds what one viewer knew of a running game; only a finished game can be checked")]
    OfOneViewer,
    #[error("the file is empty")]
    Empty,
}

fn head(id: TableId, folded: &TableState) -> Head {
    Head {
        wonderpost: 1,
        table: id.to_string(),
        game: folded.opened.game.clone(),
        promise: folded.opened.promise.clone(),
        deal: folded.opened.deal.clone(),
        cuts: folded.cuts.clone(),
        secret: None,
        viewer: None,
    }
}

fn push(text: &mut String, line: &impl Serialize) {
    text.push_str(&serde_json::to_string(line).expect("an export is plain data"));
    text.push('\n');
}

/// A finished game: every event, and the secret if it is published.
pub fn write_whole(cached: &CachedTable, records: &[Record], secret: Option<&Secret>) -> String {
    let mut text = String::new();
    push(
        &mut text,
        &Head { secret: secret.map(|secret| HEXLOWER.encode(secret.bytes())), ..head(cached.id, &cached.now) },
    );
    for record in records {
        let line = Line {
            seq: record.seq,
            move_no: record.move_no,
            seat: record.seat,
            at: record.at.to_rfc3339_opts(SecondsFormat::Micros, true),
            kind: record.kind.clone(),
            body: record.body.clone(),
            digest: HEXLOWER.encode(&record.digest),
        };
        push(&mut text, &line);
    }
    text
}

/// What a viewer knows of a game: the log and the view after each move.
pub fn write_known(
    catalogue: &Catalogue,
    id: TableId,
    records: &[Record],
    holders: &[Holder],
    viewer: Viewer,
) -> Result<String, Unfoldable> {
    let numbering = TableState::from_records(catalogue, records)?.numbering(viewer);
    let (first, rest) = records.split_first().ok_or(Unfoldable::Empty)?;
    let mut folded = TableState::begin(catalogue, first)?;
    let mut moves = String::new();
    for group in rest.chunk_by(|left, right| numbering.shown(left.move_no) == numbering.shown(right.move_no)) {
        let mut log = Vec::new();
        for record in group {
            if !numbering.hides(record) {
                log.extend(folded.describe_event(record, viewer)?.map(|line| with_names(&line, holders)));
            }
            folded.fold(record)?;
        }
        let at = group[0].at.to_rfc3339_opts(SecondsFormat::Micros, true);
        let number = numbering.shown(folded.moves);
        push(&mut moves, &json!({"move": number, "at": at, "log": log, "view": folded.position.view(viewer)}));
    }
    let viewer = viewer.seat().map_or_else(|| "public".into(), |seat| seat.number().into());
    let mut text = String::new();
    push(&mut text, &Head { viewer: Some(viewer), ..head(id, &folded) });
    Ok(text + &moves)
}

/// Reads a finished game back.
pub fn read(text: &str) -> Result<Export, ImportError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.next().ok_or(ImportError::Empty)?;
    let wrong = |line: usize| move |reason: String| ImportError::Line { line: line + 1, reason };
    let head: Head = serde_json::from_str(first).map_err(|error| wrong(0)(error.to_string()))?;
    if head.wonderpost != 1 {
        return Err(wrong(0)(format!("version {} of the format is not known here", head.wonderpost)));
    }
    if head.viewer.is_some() {
        return Err(ImportError::OfOneViewer);
    }
    let table = head.table.parse().map_err(|error: crate::tables::NoTableId| wrong(0)(error.to_string()))?;
    let secret = match &head.secret {
        None => None,
        Some(text) => Some(
            HEXLOWER
                .decode(text.as_bytes())
                .ok()
                .and_then(|bytes| Secret::from_slice(&bytes))
                .ok_or_else(|| wrong(0)("the secret is not 32 bytes in hexadecimal".into()))?,
        ),
    };
    let mut records = Vec::new();
    for (place, line) in lines {
        records.push(read_record(line).map_err(wrong(place))?);
    }
    Ok(Export { table, secret, records })
}

fn read_record(line: &str) -> Result<Record, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let at: DateTime<Utc> = line.at.parse().map_err(|error: chrono::ParseError| error.to_string())?;
    let digest = HEXLOWER.decode(line.digest.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
    Ok(Record {
        seq: line.seq,
        move_no: line.move_no,
        seat: line.seat,
        at,
        kind: line.kind,
        body: line.body,
        digest: digest.ok_or("a digest is 32 bytes in hexadecimal")?,
    })
}

impl Tables {
    /// The secret of a finished table, once it is published: with the end of the game, or of the garden's day.
    pub async fn published(&self, cached: &CachedTable) -> Result<Option<Secret>, ReadError> {
        match cached.now.opened.day {
            Some(day) => self.published_secret(day).await,
            None => Ok(cached.now.revealed.clone()),
        }
    }

    /// The table as a file for this viewer. All events are in it once nobody can learn from them what is still to come.
    pub async fn export(&self, cached: &CachedTable, viewer: Viewer) -> Result<String, ReadError> {
        let records = self.records_of(cached).await?;
        match self.published(cached).await? {
            Some(secret) if cached.now.position.result().is_some() => Ok(write_whole(cached, &records, Some(&secret))),
            _ => Ok(write_known(&self.catalogue, cached.id, &records, &self.holders(cached.id).await?, viewer)?),
        }
    }
}
