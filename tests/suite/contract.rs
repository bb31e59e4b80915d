//! What every game of the catalogue owes the house, shown on random games over all seat counts and options.

use std::collections::BTreeSet;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use wonderpost_games::catalogue;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Chance, Choices, Decided, Fact, Game, Level, Position, Scene, Scripted, Seat, Viewer};

/// Random games for each seat count and each choice of options.
const GAMES: u64 = 24;
/// Steps for each game of the catalogue, shared out evenly among its seat counts and options; one game is played with each at least.
const STEPS: usize = 1_500;
/// A game longer than this is broken.
const MOST_MOVES: usize = 20_000;
/// In one of so many steps it is looked whether what can be undone told anybody anything.
const UNDO_EVERY: usize = 8;
/// Lines that no game knows.
const NONSENSE: [&str; 6] = ["", " ", "dance", "pass the marmalade", "attack z9", "’twas brillig"];

#[test]
fn random_games_keep_the_contract() {
    for game in catalogue().iter() {
        let tables = tables(game);
        let share = STEPS / tables.len().max(1);
        for (seats, options) in tables {
            let mut heard = BTreeSet::new();
            let mut steps = 0;
            for number in 0..GAMES {
                if steps < share {
                    let name = format!("{} for {seats} with {options}, game {number}", game.info().slug);
                    steps += play(game, seats, &options, number, &mut heard, &name);
                }
            }
        }
    }
}

#[test]
fn a_board_does_not_depend_on_what_its_viewer_cannot_know() {
    const LOOKED_AT: usize = 90;
    for game in catalogue().iter() {
        let seats = game.info().seats.1;
        let name = game.info().slug;
        let mut rng = SmallRng::seed_from_u64(7);
        let seed = Seed::of_number(7);
        let mut before = game.begin(&game.default_options(), seats).unwrap();
        let mut decided = before.set_up(&mut seed.chance(0)).unwrap();
        let mut drawn = 0;
        for step in 0..LOOKED_AT {
            drawn += decided.draws.len() as u64;
            let position = decided.position;
            if position.result().is_some() {
                break;
            }
            // What differs from the step before is marked, and the marks tell nothing either.
            for viewer in viewers(seats).filter(|_| step % 3 == 0) {
                let was = if step == 0 { before.boxed_clone() } else { before.resample_hidden(viewer, &mut rng) };
                let board = position.resample_hidden(viewer, &mut rng).board(Some(&*was), viewer, &Scene::default());
                let expected = position.board(Some(&*before), viewer, &Scene::default());
                assert!(board == expected, "{name}, step {step}: the board of {viewer:?} tells what is hidden");
            }
            let seat = position.awaiting().iter().next().unwrap();
            let moves = position.legal_moves(seat);
            let line = moves.choose(&mut rng).unwrap();
            decided = position.decide_line(seat, line, &mut seed.chance(drawn)).unwrap();
            before = position;
        }
    }
}

#[test]
fn seats_and_options_that_a_game_does_not_have_are_refused() {
    for game in catalogue().iter() {
        let (fewest, most) = game.info().seats;
        for seats in [fewest - 1, most + 1, u8::MAX] {
            assert!(game.begin(&game.default_options(), seats).is_err(), "{} for {seats}", game.info().slug);
        }
        let unknown = serde_json::json!({"no such option": 1});
        assert!(game.begin(&unknown, fewest).is_err());
        assert!(game.begin(&Value::Null, fewest).is_err());
        for (_, options) in tables(game) {
            assert_eq!(game.complete_options(&options).unwrap(), options);
        }
    }
}

#[test]
fn bots_of_every_level_finish_a_game_with_legal_moves() {
    for game in catalogue().iter() {
        for level in Level::ALL {
            let (_, seats) = game.info().seats;
            let seed = Seed::of_number(1);
            let mut rng = SmallRng::seed_from_u64(1);
            let begun = game.begin(&game.default_options(), seats).unwrap();
            let Decided { mut position, draws, .. } = begun.set_up(&mut seed.chance(0)).unwrap();
            let mut drawn = draws.len() as u64;
            let mut moves = 0;
            while let Some(seat) = position.awaiting().iter().next() {
                let said = position.bot(level, seat, &mut rng);
                assert!(!said.is_empty(), "{}: {level:?} has nothing to say", game.info().slug);
                for line in said {
                    let decided = position.decide_move(seat, &line, &mut seed.chance(drawn));
                    let decided = decided.unwrap_or_else(|refusal| panic!("{level:?} says “{line}”: {refusal}"));
                    position = decided.position;
                    drawn += decided.draws.len() as u64;
                    moves += 1;
                    assert!(moves < MOST_MOVES, "{}: no end", game.info().slug);
                    if decided.revealing || !position.awaiting().contains(seat) {
                        break;
                    }
                }
            }
            assert!(position.result().is_some());
        }
    }
}

/// What leaves a random game long enough to show something. Games not named take any move.
fn lively(slug: &str, prompt: &str, line: &str) -> bool {
    match (slug, prompt) {
        ("we-are-not-amused", "play") => !matches!(line, "end" | "shuffle" | "pass all"),
        ("we-are-not-amused", "stuck") => line != "end",
        _ => true,
    }
}

/// What a rulebook accepts in other forms than those it lists: the order of the seats asked, and ways to pay.
fn has_other_forms(slug: &str, line: &str) -> bool {
    match slug {
        "munchkin-wonderland" => line.starts_with("ask "),
        // Any legal payment is accepted, in any order, and an action without one.
        "messenger-rabbits" => line.contains(' '),
        _ => false,
    }
}

/// All seat counts with the default options; and a sample of the values of all options, one varied at a time, over the seat counts in turn.
fn tables(game: &dyn Game) -> Vec<(u8, Value)> {
    let defaults = game.default_options();
    let mut all = vec![defaults.clone()];
    for spec in game.options() {
        let values: Vec<Value> = match &spec.choices {
            Choices::Flag => vec![true.into(), false.into()],
            Choices::Number { from, to, step } => {
                // The ends of a short range; of a long one the low end, for much of the same shows nothing new.
                let values: Vec<i64> = (*from..=*to).step_by(usize::try_from(*step).unwrap()).collect();
                let last = if values.len() <= 16 { values.last() } else { None };
                values.iter().take(3).chain(last).copied().map(Value::from).collect()
            }
            Choices::One(choices) => choices.iter().map(|choice| choice.value.to_json()).collect(),
            Choices::Text => vec![],
        };
        for value in values {
            let mut options: Map<String, Value> = defaults.as_object().unwrap().clone();
            options.insert(spec.key.to_owned(), value);
            let options = Value::Object(options);
            if !all.contains(&options) {
                all.push(options);
            }
        }
    }
    let (fewest, most) = game.info().seats;
    let mut tables = Vec::new();
    for (number, options) in all.into_iter().enumerate() {
        // Some options ask for a seat that is not at every table.
        let takes: Vec<u8> = (fewest..=most).filter(|seats| game.begin(&options, *seats).is_ok()).collect();
        match number {
            0 => tables.extend(takes.iter().map(|seats| (*seats, options.clone()))),
            _ => tables.extend(takes.get(number % takes.len().max(1)).map(|seats| (*seats, options))),
        }
    }
    tables
}

/// Random play hardly ever finishes some games: those are left after so many steps.
fn most_steps(slug: &str) -> usize {
    if slug == "messenger-rabbits" { 150 } else { usize::MAX }
}

/// Plays one random game and checks it at every step. Gives back how many there were.
fn play(game: &dyn Game, seats: u8, options: &Value, number: u64, heard: &mut BTreeSet<String>, name: &str) -> usize {
    let mut rng = SmallRng::seed_from_u64(number);
    let seed = Seed::of_number(number);
    let begun = game.begin(options, seats).unwrap();
    let mut folded = begun.boxed_clone();
    let mut drawn = 0;
    let mut decided = begun.set_up(&mut seed.chance(0)).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    for step in 0.. {
        let name = format!("{name}, step {step}");
        assert!(step < MOST_MOVES, "{name}: no end");
        if step >= most_steps(game.info().slug) {
            return step;
        }
        drawn += decided.draws.len() as u64;
        assert!(decided.revealing || decided.draws.is_empty(), "{name}: chance was drawn in secret");
        decided.facts.iter().for_each(|fact| fold(&mut folded, fact, seats, &name));
        let position = decided.position;
        assert_eq!(folded.snapshot(), position.snapshot(), "{name}: the facts do not fold to the state");
        let restored = game.restore(&position.snapshot()).unwrap();
        assert_eq!(restored.snapshot(), position.snapshot(), "{name}: a snapshot reads back as something else");
        check_views(&*position, seats, &mut rng, &name);
        if position.result().is_some() {
            let refused =
                Seat::all(seats).all(|seat| position.decide_line(seat, "pass", &mut seed.chance(drawn)).is_err());
            assert!(refused, "{name}: a move after the end");
            return step;
        }
        check_moves(&*position, seats, &seed, drawn, heard, &mut rng, &name);
        heard.retain(|line| !has_other_forms(game.info().slug, line));
        let awaited: Vec<Seat> = position.awaiting().iter().collect();
        let seat = *awaited.choose(&mut rng).unwrap_or_else(|| panic!("{name}: nobody is awaited"));
        let prompt = position.view(Viewer::Seat(seat))["prompt"].as_str().unwrap_or_default().to_owned();
        let moves = position.legal_moves(seat);
        let mut worth: Vec<&String> = moves.iter().filter(|line| lively(game.info().slug, &prompt, line)).collect();
        if worth.is_empty() || rng.random_ratio(1, 100) {
            worth = moves.iter().collect();
        }
        let line = *worth.choose(&mut rng).unwrap_or_else(|| panic!("{name}: no move to make"));
        decided = position
            .decide_line(seat, line, &mut seed.chance(drawn))
            .unwrap_or_else(|refusal| panic!("{name}: “{line}” is listed and refused: {refusal}"));
        check_concealment(&*position, &decided, seat, seats, &format!("{name}, “{line}”"));
        if decided.reversible && step.is_multiple_of(UNDO_EVERY) {
            check_untold(&*position, line, &decided, seat, seats, &mut rng, &name);
        }
    }
    unreachable!("a game that does not end")
}

/// A move that a game calls concealed is noticed by nobody else; and one that nobody else could notice is called so, because its number
/// and time would tell of it.
fn check_concealment(before: &dyn Position, decided: &Decided, seat: Seat, seats: u8, name: &str) {
    let after = &*decided.position;
    let concealed = after.concealed_moves(seat) > before.concealed_moves(seat);
    for other in Seat::all(seats).filter(|other| !concealed || *other != seat) {
        let (was, is) = (before.concealed_moves(other), after.concealed_moves(other));
        assert!(is == was || is == 0, "{name}: {was} concealed moves of seat {other} became {is}");
    }
    let others = viewers(seats).filter(|viewer| *viewer != Viewer::Seat(seat));
    let noticed = others.filter(|viewer| is_noticed(before, decided, *viewer)).collect::<Vec<_>>();
    assert!(seats == 1 || concealed == noticed.is_empty(), "{name}: concealed is {concealed}, noticed by {noticed:?}");
    if concealed {
        assert_eq!(after.concealed_moves(seat), before.concealed_moves(seat) + 1, "{name}");
        assert!(after.awaiting().contains(seat), "{name}: who is done is public");
        assert!(!decided.revealing && decided.draws.is_empty(), "{name}: a concealed move reveals nothing");
    }
}

/// A move that can be undone has told nobody else anything: whatever is true of what they cannot see, the seat could have come to what
/// looks the same to them.
fn check_untold(
    before: &dyn Position,
    line: &str,
    decided: &Decided,
    seat: Seat,
    seats: u8,
    rng: &mut SmallRng,
    name: &str,
) {
    assert!(!decided.revealing && decided.draws.is_empty(), "{name}, “{line}”: what is undone was not known before");
    for other in viewers(seats).filter(|viewer| *viewer != Viewer::Seat(seat)) {
        if !is_noticed(before, decided, other) {
            continue;
        }
        let (resampled, seen) = (before.resample_hidden(other, rng), told_and_seen(before, decided, other));
        // Not all that is accepted is listed, such as all ways to pay.
        let again = resampled.decide_line(seat, line, &mut Scripted::new([]));
        let is_same = again.is_ok_and(|again| again.reversible && told_and_seen(&*resampled, &again, other) == seen);
        let told = || format!("{name}, “{line}” tells {other:?} what is hidden: {:?}", seen.0);
        assert!(is_same || could_look_like(&*resampled, seat, other, &seen, 4), "{}", told());
    }
}

/// What a viewer is told of a move, and sees after it.
fn told_and_seen(before: &dyn Position, decided: &Decided, viewer: Viewer) -> (Vec<String>, Value) {
    let mut folded = before.boxed_clone();
    let mut told = Vec::new();
    for fact in &decided.facts {
        let body: Box<RawValue> = serde_json::from_str(&fact.body).unwrap();
        told.extend(folded.describe_event(&body, viewer).unwrap());
        folded.fold(&body).unwrap();
    }
    (told, decided.position.view(viewer))
}

/// Whether a seat can come to what looks so to somebody else with a move, or with several of which only the last is noticed.
fn could_look_like(
    position: &dyn Position,
    seat: Seat,
    other: Viewer,
    seen: &(Vec<String>, Value),
    most: usize,
) -> bool {
    let mut concealed = Vec::new();
    for line in position.legal_moves(seat) {
        let decided = position.decide_line(seat, &line, &mut Scripted::new([]));
        let Some(decided) = decided.ok().filter(|decided| decided.reversible) else { continue };
        if decided.position.concealed_moves(seat) > position.concealed_moves(seat) {
            concealed.push(decided.position);
        } else if told_and_seen(position, &decided, other) == *seen {
            return true;
        }
    }
    most > 1 && concealed.iter().any(|then| could_look_like(&**then, seat, other, seen, most - 1))
}

/// Whether a viewer sees or is told anything of a move, or is asked something else after it.
fn is_noticed(before: &dyn Position, decided: &Decided, viewer: Viewer) -> bool {
    let after = &*decided.position;
    let mut folded = before.boxed_clone();
    let mut told = false;
    for fact in &decided.facts {
        let body: Box<RawValue> = serde_json::from_str(&fact.body).unwrap();
        told |= folded.describe_event(&body, viewer).unwrap().is_some();
        told |= viewer.seat().is_some_and(|seat| folded.aftermath(&body, seat).unwrap().is_some());
        folded.fold(&body).unwrap();
    }
    let asked = |position: &dyn Position| {
        viewer.seat().map(|seat| (position.prompt(seat), position.legal_moves(seat), position.plannable_prompts(seat)))
    };
    told || before.view(viewer) != after.view(viewer)
        || before.text(viewer) != after.text(viewer)
        || asked(before) != asked(after)
        || before.scores() != after.scores()
        || before.ranking_key() != after.ranking_key()
}

fn fold(folded: &mut Box<dyn Position>, fact: &Fact, seats: u8, name: &str) {
    let body: Box<RawValue> = serde_json::from_str(&fact.body).unwrap();
    assert!(fact.body.contains(&format!("\"{}\"", fact.kind)), "{name}: {fact:?}");
    for viewer in viewers(seats) {
        let line = folded.describe_event(&body, viewer).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(line.is_none_or(|line| !line.is_empty()), "{name}: an empty line is told of {fact:?}");
    }
    folded.fold(&body).unwrap_or_else(|error| panic!("{name}: {error}"));
}

fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public])
}

/// Each view is whole and in order, and does not tell what its viewer may not know.
fn check_views(position: &dyn Position, seats: u8, rng: &mut SmallRng, name: &str) {
    let awaiting = position.awaiting();
    let over = position.result().is_some();
    assert_eq!(over, awaiting.is_empty(), "{name}: somebody is awaited if, and only if, the game goes on");
    assert_eq!(position.scores().len(), usize::from(seats), "{name}");
    for viewer in viewers(seats) {
        let view = position.view(viewer);
        let awaited = viewer.seat().is_some_and(|seat| awaiting.contains(seat));
        let moves: Vec<&str> = view["moves"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        assert!(moves.is_sorted_by(|one, next| one < next), "{name}: moves are sorted and unique: {moves:?}");
        assert!(
            moves.iter().all(|line| position.read_line(line).is_ok_and(|mv| mv.as_str() == *line)),
            "{name}: moves are canonical: {moves:?}"
        );
        assert_eq!(moves.is_empty(), !awaited, "{name}: there are moves for those awaited");
        assert_eq!(view["prompt"].is_null(), !awaited, "{name}: there is a prompt for those awaited");
        match view["default"].as_str() {
            Some(default) => assert!(moves.contains(&default), "{name}: the default “{default}” is a legal move"),
            None => assert!(!awaited, "{name}: there is a default for those awaited"),
        }
        assert_eq!(view["over"], over, "{name}");
        assert_eq!(view.get("mine").is_some(), viewer.seat().is_some(), "{name}");
        let resampled = position.resample_hidden(viewer, rng);
        assert_eq!(resampled.view(viewer), view, "{name}: the view of {viewer:?} tells what is hidden");
        assert_eq!(
            resampled.text(viewer),
            position.text(viewer),
            "{name}: the text for {viewer:?} tells what is hidden"
        );
        assert!(!position.text(viewer).is_empty(), "{name}");
        // The same random numbers deal the same anew, whatever is true.
        let [there, here] =
            [&*resampled, position].map(|position| position.resample_hidden(viewer, &mut rng.clone()).snapshot());
        assert_eq!(there, here, "{name}: what {viewer:?} imagines depends on what is hidden");
        if let Some(seat) = viewer.seat().filter(|_| awaited) {
            let asked = position.call_to_action(seat);
            assert_eq!(resampled.call_to_action(seat), asked, "{name}: the letters to seat {seat} tell what is hidden");
        }
        // Pictures take their time, and change with the view: a sample will do.
        if rng.random_ratio(1, 50) {
            let picture = position.picture(viewer);
            assert_eq!(resampled.picture(viewer), picture, "{name}: the picture for {viewer:?} tells what is hidden");
            assert!(!picture.alt.is_empty(), "{name}");
            assert_eq!(resampled.showpiece(viewer), position.showpiece(viewer), "{name}: the board tells {viewer:?}");
        }
    }
}

/// What a line comes to for whoever says it: the log and the view, unless somebody learns what was hidden; or why it is refused.
fn foresee(
    position: &dyn Position,
    seat: Seat,
    line: &str,
    chance: &mut dyn Chance,
) -> Result<Option<(Vec<String>, Value)>, String> {
    let decided = position.decide_line(seat, line, chance).map_err(|refusal| refusal.to_string())?;
    if decided.revealing {
        return Ok(None);
    }
    let mut folded = position.boxed_clone();
    let mut log = Vec::new();
    for fact in &decided.facts {
        let body: Box<RawValue> = serde_json::from_str(&fact.body).unwrap();
        log.extend(folded.describe_event(&body, Viewer::Seat(seat)).unwrap());
        folded.fold(&body).unwrap();
    }
    Ok(Some((log, folded.view(Viewer::Seat(seat)))))
}

/// Each listed move is accepted, anything else is refused, and asking changes nothing.
fn check_moves(
    position: &dyn Position,
    seats: u8,
    seed: &Seed,
    drawn: u64,
    heard: &mut BTreeSet<String>,
    rng: &mut SmallRng,
    name: &str,
) {
    let before = position.snapshot();
    for seat in Seat::all(seats) {
        let moves = if position.awaiting().contains(seat) { position.legal_moves(seat) } else { vec![] };
        let resampled = position.resample_hidden(Viewer::Seat(seat), rng);
        let check_telling = |line: &str| {
            let [there, here] =
                [&*resampled, position].map(|position| foresee(position, seat, line, &mut seed.chance(drawn)));
            assert_eq!(there, here, "{name}: trying “{line}” tells seat {seat} what is hidden");
        };
        for line in &moves {
            let said = position.decide_line(seat, line, &mut seed.chance(drawn));
            assert!(said.is_ok(), "{name}: “{line}” is listed for seat {seat}, and refused");
        }
        // One tells as much as another: a sample will do.
        moves.sample(rng, 2).for_each(|line| check_telling(line));
        let others: Vec<&String> = heard.iter().filter(|line| !moves.contains(line)).collect();
        let others = others.sample(rng, 6).map(|line| line.as_str());
        for line in others.chain(NONSENSE) {
            let said = position.decide_line(seat, line, &mut seed.chance(drawn));
            let refusal = said.err().unwrap_or_else(|| panic!("{name}: “{line}” is not listed, and accepted"));
            assert!(!refusal.is_fault() && !refusal.sentence().is_empty(), "{name}: {refusal}");
            check_telling(line);
        }
        heard.extend(moves);
    }
    assert_eq!(position.snapshot(), before, "{name}: asking changed the table");
}
