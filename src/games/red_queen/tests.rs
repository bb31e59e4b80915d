use crate::games::catalogue;
use crate::rules::case;

#[test]
fn the_case_files_pass() {
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/red-queen");
    let files = case::files(&[folder]).unwrap();
    let mut failures = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        if let Err(failure) = case::run(&catalogue(), &text) {
            failures.push(format!("{}: {failure}", file.display()));
        }
    }
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), files.len(), failures.join("\n"));
}
