//! Names the shape of the rules: checkpoints written by other rules are not read.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

fn main() {
    let mut hasher = DefaultHasher::new();
    for folder in [
        "src/rules",
        "src/games",
        "src/tables/folded.rs",
        "src/tables/times.rs",
        "src/tables/timetable.rs",
        "src/tables/pace.rs",
    ] {
        println!("cargo:rerun-if-changed={folder}");
        hash(Path::new(folder), &mut hasher);
    }
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rustc-env=WONDERPOST_SHAPE={:016x}", hasher.finish());
}

fn hash(path: &Path, hasher: &mut DefaultHasher) {
    if path.is_dir() {
        let mut entries: Vec<_> =
            fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| hash(entry, hasher));
    } else {
        path.hash(hasher);
        fs::read(path).unwrap_or_default().hash(hasher);
    }
}
