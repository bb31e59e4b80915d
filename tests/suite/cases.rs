//! The case files below `tests/cases`: scripted games with checks.

use std::path::PathBuf;

use wonderpost_games::catalogue;
use wonderpost_rules::case;

#[test]
fn every_case_file_passes() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = case::files(&[folder]).unwrap();
    assert!(!files.is_empty());
    let catalogue = catalogue();
    let mut failures = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        if let Err(failure) = case::run(&catalogue, &text) {
            failures.push(format!("{}: {failure}", file.display()));
        }
    }
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), files.len(), failures.join("\n"));
}
