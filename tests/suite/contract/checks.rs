//! What must hold at every step of a game.

use super::*;

/// A move that a game calls concealed is noticed by nobody else; and one that nobody else could notice is called so, because its number
/// and time would tell of it.
pub(super) fn check_concealment(before: &dyn Position, decided: &Decided, seat: Seat, seats: u8, name: &str) {
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
pub(super) fn check_untold(
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
pub(super) fn told_and_seen(before: &dyn Position, decided: &Decided, viewer: Viewer) -> (Vec<String>, Value) {
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
pub(super) fn could_look_like(
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
pub(super) fn is_noticed(before: &dyn Position, decided: &Decided, viewer: Viewer) -> bool {
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

pub(super) fn fold(folded: &mut Box<dyn Position>, fact: &Fact, seats: u8, name: &str) {
    let body: Box<RawValue> = serde_json::from_str(&fact.body).unwrap();
    assert!(fact.body.contains(&format!("\"{}\"", fact.kind)), "{name}: {fact:?}");
    for viewer in viewers(seats) {
        let line = folded.describe_event(&body, viewer).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(line.is_none_or(|line| !line.is_empty()), "{name}: an empty line is told of {fact:?}");
    }
    folded.fold(&body).unwrap_or_else(|error| panic!("{name}: {error}"));
}

pub(super) fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public])
}

/// Each view is whole and in order, and does not tell what its viewer may not know.
pub(super) fn check_views(position: &dyn Position, seats: u8, rng: &mut SmallRng, name: &str) {
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
pub(super) fn foresee(
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
pub(super) fn check_moves(
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
