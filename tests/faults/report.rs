//! What the runs showed, as a table.

use std::fmt::Write as _;
use std::time::Duration;

use wonderpost_bench::ledger::audit::Audit;
use wonderpost_bench::ledger::book::Book;

/// One run: a load, a fault, and what came of it.
pub struct Row {
    pub fault: String,
    pub load: String,
    pub acknowledged: usize,
    pub lost: usize,
    pub doubled: usize,
    pub longest_gap: Duration,
    pub slowest_answer: Duration,
    pub failed_requests: u64,
    /// What is not as it must be.
    pub troubles: Vec<String>,
}

impl Row {
    pub fn new(fault: &str, load: String, book: &Book, audit: &Audit) -> Row {
        let answers = book.answers();
        let mut row = Row {
            fault: fault.to_owned(),
            load,
            acknowledged: audit.acknowledged,
            lost: audit.lost.len(),
            doubled: audit.doubled.len(),
            longest_gap: book.longest_gap(),
            slowest_answer: answers.slowest,
            failed_requests: answers.failed + answers.unanswered,
            troubles: Vec::new(),
        };
        row.expect(audit.acknowledged > 0, || "nothing was played".into());
        row.expect(audit.doubled.is_empty() && audit.unsound.is_empty(), || audit.to_string());
        row
    }

    pub fn failed(fault: &str, error: &anyhow::Error) -> Row {
        Row {
            fault: fault.to_owned(),
            load: String::new(),
            acknowledged: 0,
            lost: 0,
            doubled: 0,
            longest_gap: Duration::ZERO,
            slowest_answer: Duration::ZERO,
            failed_requests: 0,
            troubles: vec![format!("{error:#}")],
        }
    }

    pub fn expect(&mut self, holds: bool, trouble: impl FnOnce() -> String) {
        if !holds {
            self.troubles.push(trouble());
        }
    }

    /// No acknowledged move may be missing.
    pub fn expect_none_lost(&mut self) {
        let lost = self.lost;
        self.expect(lost == 0, || format!("{lost} acknowledged moves are lost"));
    }

    /// With few connections there must be half as many moves a second as with all.
    pub fn expect_rates(&mut self, full: f64, few: f64) {
        self.load += &format!(", {full:.0} moves/s, then {few:.0}");
        self.expect(few * 2.0 >= full, || format!("{few:.0} moves a second instead of {full:.0}"));
    }

    /// Nobody may wait longer than that for an answer, good or bad.
    pub fn expect_answers_within(&mut self, bound: Duration) {
        let slowest = self.slowest_answer;
        self.expect(slowest <= bound, || format!("an answer took {:.1} s", slowest.as_secs_f64()));
    }

    /// No player may be without an acknowledged move for longer than that.
    pub fn expect_gap_within(&mut self, bound: Duration) {
        let gap = self.longest_gap;
        self.expect(gap <= bound, || format!("a player could not move for {:.1} s", gap.as_secs_f64()));
    }
}

/// The rows as a table in Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| fault | load | acknowledged | lost | doubled | longest gap | slowest answer | failed requests | |\n\
         | --- | --- | --: | --: | --: | --: | --: | --: | --- |\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.1} s | {:.1} s | {} | {} |",
            row.fault,
            row.load,
            row.acknowledged,
            row.lost,
            row.doubled,
            row.longest_gap.as_secs_f64(),
            row.slowest_answer.as_secs_f64(),
            row.failed_requests,
            if row.troubles.is_empty() { "holds" } else { "FAILS" },
        );
    }
    text
}
