//! The seeds of the fuzz targets, through the same functions: what strangers write makes nothing panic.

#[path = "../../fuzz/entry.rs"]
mod entry;

use std::fs;
use std::path::Path;

/// A target by its name.
type Target = (&'static str, fn(&[u8]));

#[test]
fn no_seed_makes_a_reader_panic() {
    let targets: [Target; 4] =
        [("reply", entry::reply), ("html", entry::html), ("case", entry::case), ("moves", entry::moves)];
    for (name, target) in targets {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let seeds: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "seed")).collect();
        assert!(!seeds.is_empty(), "{} has no seeds", folder.display());
        for seed in seeds {
            println!("{}", seed.display());
            let data = fs::read(&seed).unwrap();
            target(&data);
            // Cut off anywhere, and with a byte changed anywhere.
            for place in (0..data.len()).step_by(data.len() / 16 + 1) {
                target(&data[..place]);
                let mut changed = data.clone();
                changed[place] ^= 0x24;
                target(&changed);
            }
        }
    }
}
