//! Lists the lessons, so that a new one is a new file and nothing else.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> std::io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../lessons");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for folder in sorted(&root)? {
        println!("cargo:rerun-if-changed={}", folder.display());
        for file in sorted(&folder)? {
            let (slug, name) = (name_of(&folder), name_of(&file));
            let path = file.canonicalize()?;
            let _ = writeln!(list, "({slug:?}, {name:?}, include_str!({:?})),", path.display().to_string());
        }
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("lessons.rs"), list)
}

fn sorted(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Without its ending.
fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
