//! Every rule of the rulebooks is found in the code that enforces it, and in a case or test that shows it.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use wonderpost_rules::{HowToPlay, case};

/// The prefix of each game's rule ids.
const PREFIXES: [(&str, &str); 5] = [
    ("messenger-rabbits", "MR"),
    ("munchkin-wonderland", "MW"),
    ("off-with-their-heads", "OWH"),
    ("red-queen", "RQ"),
    ("we-are-not-amused", "WNA"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files in a folder and below whose names end so.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found
}

/// The numbers of the rules that a text names; `MR-3 to MR-5` names three if ranges count.
fn named(text: &str, prefix: &str, with_ranges: bool) -> BTreeSet<u16> {
    let start = format!("{prefix}-");
    let mut numbers = BTreeSet::new();
    let mut last = None;
    let mut rest = text;
    while let Some(place) = rest.find(&start) {
        let between = &rest[..place];
        let is_word = !between.ends_with(|before: char| before.is_ascii_alphanumeric() || before == '-');
        rest = &rest[place + start.len()..];
        let digits = rest.find(|other: char| !other.is_ascii_digit()).unwrap_or(rest.len());
        let Ok(number) = rest[..digits].parse::<u16>() else { continue };
        rest = &rest[digits..];
        if !is_word {
            continue;
        }
        match last {
            Some(first) if with_ranges && between == " to " => numbers.extend(first..=number),
            _ => drop(numbers.insert(number)),
        }
        last = Some(number);
    }
    numbers
}

fn named_in(files: &[PathBuf], prefix: &str, with_ranges: bool) -> BTreeSet<u16> {
    files.iter().flat_map(|file| named(&fs::read_to_string(file).unwrap(), prefix, with_ranges)).collect()
}

#[test]
fn every_game_has_a_rulebook() {
    let catalogue = wonderpost_games::catalogue();
    let games = catalogue.iter().map(|game| game.info().slug.to_owned());
    let listed = PREFIXES.map(|(slug, _)| slug.to_owned());
    assert_eq!(games.collect::<BTreeSet<_>>(), BTreeSet::from(listed));
}

#[test]
fn every_rule_is_found_in_code_and_in_a_case_or_test() {
    let mut missing = vec![];
    for (slug, prefix) in PREFIXES {
        let book = root().join(format!("docs/rules/{slug}.md"));
        let rules = named_in(&[book], prefix, false);
        assert!(rules.len() > 30, "{slug}: {} rules are too few", rules.len());

        let folder = root().join("crates/games/src").join(slug.replace('-', "_"));
        let (tests, code): (Vec<PathBuf>, Vec<PathBuf>) =
            files(&folder, ".rs").into_iter().partition(|file| file.ends_with("tests.rs"));
        // A reader searches for one id: in code each is written out.
        let enforced = named_in(&code, prefix, false);

        let mut shown = named_in(&files(&root().join("tests/cases").join(slug), ".json"), prefix, true);
        shown.extend(named_in(&tests, prefix, true));
        shown.extend(named_in(&files(&root().join("tests/suite"), ".rs"), prefix, true));

        let lacking = |what: &str, there: &BTreeSet<u16>| {
            rules.difference(there).map(|rule| format!("{prefix}-{rule} is in no {what}")).collect::<Vec<_>>()
        };
        missing.extend(lacking("code", &enforced));
        missing.extend(lacking("case or test", &shown));
        missing.extend(enforced.difference(&rules).map(|rule| format!("{prefix}-{rule} is in no rulebook")));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_rulebooks_refer_to_files_that_exist() {
    for book in files(&root().join("docs/rules"), ".md") {
        let text = fs::read_to_string(&book).unwrap();
        for name in text.split('`').filter(|name| name.starts_with("data/") && !name.contains('<')) {
            assert!(root().join("docs/rules").join(name).is_file(), "{}: there is no {name}", book.display());
        }
    }
}

fn how_to_play(slug: &str) -> HowToPlay {
    HowToPlay::new(wonderpost_games::catalogue().find(slug).unwrap().how_to_play())
}

#[test]
fn the_rules_for_players_tell_of_every_rule() {
    for (slug, prefix) in PREFIXES {
        let rules = named_in(&[root().join(format!("docs/rules/{slug}.md"))], prefix, false);
        let told: BTreeSet<u16> =
            how_to_play(slug).sections.iter().flat_map(|section| named(section.rules, prefix, true)).collect();
        assert_eq!(told, rules, "{slug}: the rules that sections tell of, and those of the rulebook");
    }
}

/// The names that stand in backquotes after these words, up to the end of the sentence.
fn listed_after(text: &str, words: &str) -> Vec<String> {
    let Some((_, list)) = text.split_once(words) else { return vec![] };
    let sentence = list.split_once(['.', ';']).map_or(list, |(sentence, _)| sentence);
    sentence.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn a_section_explains_every_prompt_and_every_phase() {
    for (slug, _) in PREFIXES {
        let book = fs::read_to_string(root().join(format!("docs/rules/{slug}.md"))).unwrap();
        let page = how_to_play(slug);
        let lists = ["Phases: ", "Prompts: ", "each also the name of its prompt: ", "`phase` is "];
        let names: Vec<String> = lists.iter().flat_map(|words| listed_after(&book, words)).collect();
        assert!(names.iter().any(|name| name == "over"), "{slug}: {names:?}");
        for name in names {
            assert!(page.section_on(&name).is_some(), "{slug}: no section on {name}");
        }
    }
}

#[test]
fn sections_have_names_of_their_own_and_examples_that_are_positions_of_the_game() {
    let catalogue = wonderpost_games::catalogue();
    for game in catalogue.iter() {
        let slug = game.info().slug;
        let sections = how_to_play(slug).sections;
        let anchors: BTreeSet<&str> = sections.iter().map(|section| section.anchor).collect();
        assert_eq!(anchors.len(), sections.len(), "{slug}: {anchors:?}");
        let shown: Vec<&str> = sections.iter().filter_map(|section| section.example).collect();
        assert!(shown.len() >= 2, "{slug} shows {shown:?}");
        let there: Vec<&str> = game.examples().iter().map(|(name, _)| *name).collect();
        assert_eq!(shown, there, "{slug}");
        for (name, text) in game.examples() {
            case::run(&catalogue, text).unwrap_or_else(|error| panic!("{slug}, {name}: {error}"));
            let last = case::last_position(game, text).unwrap();
            assert!(!last.title.is_empty(), "{slug}, {name} has no caption");
            let picture = last.position.picture(last.viewer);
            assert!(picture.svg.starts_with("<svg") && !picture.alt.is_empty(), "{slug}, {name}");
        }
    }
}
