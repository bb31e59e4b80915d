//! Checkpoints are read by the code that wrote them, and by no other.

use std::fs;
use std::path::Path;

#[allow(dead_code)]
#[path = "../../build.rs"]
mod build;

/// Some sources, as they lie in the project.
const SOURCES: [&str; 5] = [
    "src/lib.rs",
    "src/tables/clock/pace.rs",
    "src/tables/state/record.rs",
    "crates/games/src/red_queen/red-queen.json",
    "Cargo.lock",
];

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn whatever_source_changes_the_shape_of_snapshots_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    SOURCES.iter().for_each(|path| write(root, path, "one"));
    let first = build::shape(root);
    assert_eq!(build::shape(root), first);
    for path in SOURCES {
        write(root, path, "another");
        assert_ne!(build::shape(root), first, "{path}");
        write(root, path, "one");
        assert_eq!(build::shape(root), first, "{path}");
    }
    write(root, "src/store/new.rs", "");
    assert_ne!(build::shape(root), first, "a file more");
}

#[test]
fn the_sources_named_here_are_there() {
    for path in SOURCES {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(path).is_file(), "{path}");
    }
}
