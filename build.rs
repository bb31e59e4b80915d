//! Names the shape of snapshots: those written by other code are not read.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

fn main() {
    for input in INPUTS {
        println!("cargo:rerun-if-changed={input}");
    }
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rustc-env=WONDERPOST_SHAPE={:016x}", shape(Path::new(".")));
}

/// What can change how a snapshot is written or what it means: all of our code, and the crates that it serializes with. A narrower
/// choice could leave out a type that is inside a snapshot; this one costs no more than folding each table anew after an upgrade.
const INPUTS: [&str; 3] = ["crates", "src", "Cargo.lock"];

/// A digest of all inputs below a root folder.
pub fn shape(root: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    for input in INPUTS {
        hash(root, Path::new(input), &mut hasher);
    }
    hasher.finish()
}

fn hash(root: &Path, path: &Path, hasher: &mut DefaultHasher) {
    let there = root.join(path);
    if there.is_dir() {
        let entries = fs::read_dir(&there).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| path.join(entry.file_name())).collect();
        names.sort();
        names.iter().for_each(|name| hash(root, name, hasher));
    } else {
        path.hash(hasher);
        fs::read(there).unwrap_or_default().hash(hasher);
    }
}
