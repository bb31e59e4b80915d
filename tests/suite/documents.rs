//! Documents name files that exist, and sources are laid out for people.

use std::fs;
use std::path::Path;

const FOLDERS: [&str; 10] =
    ["crates/", "deploy/", "docs/", "fuzz/", "migrations/", "scripts/", "src/", "static/", "templates/", "tests/"];

/// What stands in backticks and looks like a file or folder of ours, and what links lead to.
fn named(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let quoted = quoted.filter(|name| FOLDERS.iter().any(|folder| name.starts_with(folder)));
    quoted.filter(|name| !name.contains(['<', '{', '*', '…', ' '])).collect()
}

/// Where relative links lead, without the places within a page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let ours = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    ours.filter_map(|target| target.split('#').next())
}

#[test]
fn the_documents_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut missing = vec![];
    for document in ["README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/rules/README.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        let folder = root.join(document).parent().unwrap().to_owned();
        missing.extend(
            named(&text).into_iter().filter(|name| !root.join(name).exists()).map(|name| (document, name.to_owned())),
        );
        missing.extend(links(&text).filter(|link| !folder.join(link).exists()).map(|link| (document, link.to_owned())));
    }
    assert!(missing.is_empty(), "{missing:#?}");
    let architecture = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    assert!(named(&architecture).len() > 40, "the walks name their files");
}

fn templates(folder: &Path, list: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => templates(&entry, list),
            false => list.push(entry),
        }
    }
}

#[test]
fn no_line_of_a_template_is_longer_than_140_characters() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list = vec![];
    ["templates", "crates/games/templates"].iter().for_each(|folder| templates(&root.join(folder), &mut list));
    assert!(list.len() > 100, "the templates are found");
    for template in list {
        let text = fs::read_to_string(&template).unwrap();
        let long = text.lines().position(|line| line.chars().count() > 140);
        assert_eq!(long.map(|line| line + 1), None, "a line of {}", template.display());
    }
}
