//! Checking a game: nothing changed, chance as promised, every move by the rules.

use crate::tables::TableId;
use crate::tables::history::export::Export;
use crate::tables::state::concealed::is_concealed;
use crate::tables::state::record::{Digest, Record, TableFact};
use crate::tables::state::table_state::{Status, TableState, Unfoldable};
use wonderpost_rules::seed::Secret;
use wonderpost_rules::{Catalogue, Decided, Draw, Outcome, Refusal, Scripted, Seat};

/// How one thing that was checked came out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Fails,
    /// It can be checked once the secret is published.
    NotYet,
}

/// One thing that was checked, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub title: &'static str,
    pub verdict: Verdict,
    pub words: String,
}

/// All that was checked of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub findings: Vec<Finding>,
}

impl Report {
    pub fn fails(&self) -> bool {
        self.findings.iter().any(|finding| finding.verdict == Verdict::Fails)
    }

    /// Whether nothing is left that can only be checked later.
    pub fn is_complete(&self) -> bool {
        self.findings.iter().all(|finding| finding.verdict == Verdict::Holds)
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for finding in &self.findings {
            let mark = match finding.verdict {
                Verdict::Holds => "holds  ",
                Verdict::Fails => "FAILS  ",
                Verdict::NotYet => "not yet",
            };
            writeln!(f, "{mark}  {}: {}", finding.title, finding.words)?;
        }
        Ok(())
    }
}

/// Checks the records of a table. The secret is known once the game (or the day of its garden) is over.
pub fn check(catalogue: &Catalogue, table: TableId, records: &[Record], secret: Option<&Secret>) -> Report {
    let mut findings = vec![finding("Nothing was changed", check_chain(table, records, secret.is_some()))];
    match TableState::from_records(catalogue, records) {
        Ok(folded) => {
            findings.push(promise_finding(&folded, secret));
            findings.push(chance_finding(&folded, records, secret));
            findings.push(finding("Every move by the rules", check_moves(catalogue, records, secret.is_some())));
            findings.extend(played_on_finding(&folded));
        }
        Err(error) => findings.push(finding("The events make a game", Err(error.to_string()))),
    }
    Report { findings }
}

/// Checks a game read from a file. Only finished games are written to files, so the end must be there, too.
pub fn check_file(catalogue: &Catalogue, game: &Export) -> Report {
    let mut report = check(catalogue, game.table, &game.records, game.secret.as_ref());
    if let Ok(folded) = TableState::from_records(catalogue, &game.records) {
        let whole = match (folded.status(), folded.opened.day) {
            (Status::Open | Status::Playing | Status::Gone, _) => {
                Err("the game is not over: its end is missing.".to_owned())
            }
            (Status::Over, None) if folded.revealed.is_none() || folded.revealed != game.secret => {
                Err("the last event, which publishes the secret, is missing or publishes another.".to_owned())
            }
            (Status::Over, _) => Ok("the file goes on to the end of the game.".to_owned()),
        };
        report.findings.push(finding("Nothing is missing", whole));
    }
    report
}

fn finding(title: &'static str, checked: Result<String, String>) -> Finding {
    match checked {
        Ok(words) => Finding { title, verdict: Verdict::Holds, words },
        Err(words) => Finding { title, verdict: Verdict::Fails, words },
    }
}

/// Whether each record carries the digest that it must. While the game runs neither the digests nor the number of events are told:
/// they could be used to try out what is hidden.
fn check_chain(table: TableId, records: &[Record], over: bool) -> Result<String, String> {
    let mut head: Digest = [0; 32];
    for (place, record) in records.iter().enumerate() {
        if record.seq != place as i64 + 1 {
            return Err(format!("event {} stands where event {} belongs.", record.seq, place + 1));
        }
        if record.expected_digest(table, &head) != record.digest {
            return Err(format!("event {} is not the one that was recorded, or one before it is missing.", record.seq));
        }
        head = record.digest;
    }
    if !over {
        return Ok("the events so far form an unbroken chain.".into());
    }
    let head = data_encoding::HEXLOWER.encode(&head);
    Ok(format!("{} events form an unbroken chain; its last digest is {head}.", records.len()))
}

fn promise_finding(folded: &TableState, secret: Option<&Secret>) -> Finding {
    let title = "Chance as promised";
    let promise = &folded.opened.promise;
    let Some(secret) = secret else {
        let words = format!("the secret behind the promise {promise} is published when the game is over.");
        return Finding { title, verdict: Verdict::NotYet, words };
    };
    let digest = secret.promise().to_string();
    finding(
        title,
        if digest == *promise {
            Ok(format!(
                "the published secret has the SHA-256 {promise}, which stood at the table before anybody sat down."
            ))
        } else {
            Err(format!("the promise was {promise}, the published secret has the SHA-256 {digest}."))
        },
    )
}

fn chance_finding(folded: &TableState, records: &[Record], secret: Option<&Secret>) -> Finding {
    let title = "Every draw from the seed";
    let Some(secret) = secret else {
        let words = "every shuffle and roll can be derived again once the secret is published.".into();
        return Finding { title, verdict: Verdict::NotYet, words };
    };
    let draws: Vec<(i64, Draw)> = records.iter().filter_map(|record| Some((record.seq, drawn(record)?))).collect();
    let seed = folded.seed(secret);
    let wrong = draws.iter().enumerate().find(|(number, (_, draw))| !seed.gives(*number as u64, draw));
    let cuts: Vec<String> = folded.cuts.iter().map(|cut| format!("“{}”", cut.word)).collect();
    let from =
        if cuts.is_empty() { "the secret".to_owned() } else { format!("the secret and the cut {}", cuts.join(", ")) };
    finding(
        title,
        match wrong {
            None => {
                Ok(format!("all {} shuffles and rolls, derived again from {from}, gave what was dealt.", draws.len()))
            }
            Some((number, (seq, _))) => Err(format!("draw {} (event {seq}) is not what {from} gives.", number + 1)),
        },
    )
}

/// What a table goes on from is checked with that game; here is said which it is.
fn played_on_finding(folded: &TableState) -> Option<Finding> {
    let from = folded.opened.played_on.as_ref()?;
    let words = format!(
        "it begins after move {} of table {}, whose facts stand in the place of a deal. Check that game, too.",
        from.move_no, from.table
    );
    Some(Finding { title: "Another game goes on here", verdict: Verdict::Holds, words })
}

fn drawn(record: &Record) -> Option<Draw> {
    match fact(record)? {
        TableFact::Drew(draw) => Some(draw),
        _ => None,
    }
}

fn fact(record: &Record) -> Option<TableFact> {
    if record.is_of_the_house() { serde_json::from_str(record.body.get()).ok() } else { None }
}

/// Whether a record, the next to be folded, takes back what could be taken back, with the consent of all who had to agree.
fn check_undoing(folded: &TableState, record: &Record) -> Result<(), String> {
    let allowed = match fact(record) {
        Some(undone @ TableFact::Undone { .. }) => folded.allows_undoing(record.seat, &undone),
        Some(TableFact::TakeBack { seat, of, word }) => record.seat == Some(seat) && folded.allows_word(seat, of, word),
        _ => true,
    };
    if allowed { Ok(()) } else { Err(format!("event {} takes back what could not be taken back.", record.seq)) }
}

/// Decides every move again with the recorded draws, and compares what comes of it with what was recorded.
fn check_moves(catalogue: &Catalogue, records: &[Record], over: bool) -> Result<String, String> {
    let (first, rest) = records.split_first().ok_or("there are no events.")?;
    let mut folded = TableState::begin(catalogue, first).map_err(|error: Unfoldable| error.to_string())?;
    let mut moves = 0;
    for group in rest.chunk_by(|left, right| left.move_no == right.move_no) {
        let number = group[0].move_no;
        let expected = if moves == 0 && number == 0 { 0 } else { moves + 1 };
        if number != expected {
            return Err(format!("move {number} stands where move {expected} belongs."));
        }
        let draws = group.iter().filter_map(drawn).map(|draw| Outcome::from(&draw));
        let mut chance = Scripted::new(draws);
        let said = group.iter().find_map(|record| match fact(record)? {
            TableFact::Said { line, concealed, reversible, .. } => {
                Some((record.seat.unwrap_or(Seat::FIRST), line, concealed, reversible))
            }
            _ => None,
        });
        let decided: Option<Result<Decided, Refusal>> = match &said {
            Some((seat, line, ..)) => Some(folded.position.decide_line(*seat, line, &mut chance)),
            // What goes on from another game has its facts in the place of a deal.
            None if folded.opened.played_on.is_some() => None,
            // Without a move there is nothing but the deal, once all are seated.
            None if group.iter().any(|record| !record.is_of_the_house()) => Some(folded.position.set_up(&mut chance)),
            None => None,
        };
        if let Some(decided) = decided {
            let decided = decided.map_err(|refusal| format!("move {number} would be refused: {refusal}"))?;
            let recorded = group.iter().filter(|record| !record.is_of_the_house());
            let same = recorded.clone().count() == decided.facts.len()
                && recorded
                    .zip(&decided.facts)
                    .all(|(record, fact)| record.kind == fact.kind && record.body.get() == fact.body)
                && chance.left() == 0;
            // Moves that were recorded before there was such a thing are not marked.
            let as_marked = said.is_none_or(|(seat, _, concealed, reversible)| {
                (!concealed || is_concealed(&*folded.position, &*decided.position, seat))
                    && (!reversible || decided.reversible)
            });
            if !same || !as_marked {
                return Err(format!("move {number}, decided again, comes to something else than what was recorded."));
            }
        }
        for record in group {
            check_undoing(&folded, record)?;
            folded.fold(record).map_err(|error| error.to_string())?;
        }
        moves = number;
    }
    if !over {
        // How many there are may be more than anybody knows of.
        return Ok("the deal and every move so far, decided again, came to exactly what was recorded.".into());
    }
    Ok(format!("the deal and {moves} moves, decided again, came to exactly what was recorded."))
}
