//! A hand is its holder's alone, and what lies face down before the Red Queen is hers: on every page and at every step.

use std::collections::BTreeSet;

use serde_json::Value;
use wonderpost::tables;
use wonderpost::tables::{CachedTable, Tables};
use wonderpost_games::{self, playing_cards};
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Card, Position, Scene, Seat, Viewer};

use super::other_people;
use super::routes::{Route, Walker};
use crate::harness::red_queen::{open, say, sit};
use crate::harness::{Service, TestDatabase, Visitor, letters};

const QUEEN: Seat = Seat::new(1).unwrap();
const COMPANION: Seat = Seat::new(2).unwrap();

/// The killers and the aces have their badges on every board, wherever the cards are; the Queen of Hearts is a role.
const ON_EVERY_BOARD: [&str; 7] = ["QH", "JH", "QD", "AS", "AH", "AD", "AC"];

fn is_telling(card: &Card) -> bool {
    !ON_EVERY_BOARD.contains(&card.to_string().as_str())
}

/// All cards that are named in some JSON.
fn cards(value: &Value) -> BTreeSet<String> {
    match value {
        Value::String(text) if text.parse::<Card>().is_ok() => BTreeSet::from([text.clone()]),
        Value::Array(values) => values.iter().flat_map(cards).collect(),
        Value::Object(fields) => fields.values().flat_map(cards).collect(),
        _ => BTreeSet::new(),
    }
}

/// The cards whose whereabouts a viewer cannot know: those in others' hands, in the pile and face down in the coterie.
pub fn hidden(position: &dyn Position, viewer: Viewer) -> Vec<Card> {
    let table = &position.view(Viewer::Public)["table"];
    let mut known: BTreeSet<String> = ["discard", "seen", "coterie", "last_attack", "history"]
        .iter()
        .flat_map(|field| cards(&table[field]))
        .collect();
    if viewer.seat().is_some() {
        known.extend(cards(&position.view(viewer)["mine"]));
    }
    Card::plain().filter(|card| is_telling(card) && !known.contains(&card.to_string())).collect()
}

/// A page without what is the same on all of them: the drawings that cards are made of.
fn without_drawings(body: &str) -> String {
    let mut pieces = body.split(" d=\"");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('"').map_or("", |(_, rest)| rest))
}

/// Whether a text names or pictures a card.
fn shows(text: &str, card: Card) -> bool {
    let code = card.to_string();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    let stands_alone = |(place, _): (usize, &str)| {
        !text[..place].ends_with(is_part) && !text[place + code.len()..].starts_with(is_part)
    };
    text.contains(&format!("#card-{code}\""))
        || text.contains(&format!("#small-{code}\""))
        || text.to_lowercase().contains(&playing_cards::name(card))
        || text.match_indices(&code).any(stands_alone)
}

/// No hidden card is shown, and names stand where the rules put marks for them.
pub fn assert_shows_none(body: &str, hidden: &[Card], who: &str, place: &str) {
    // A picture has no letters. It is drawn from the view alone: tests of pictures see to that.
    if place.ends_with(".png") {
        return;
    }
    assert!(!body.contains(|letter| Seat::all(Seat::MOST).any(|seat| seat.mark() == letter)), "{place}:\n{body}");
    let text = without_drawings(body);
    for card in hidden {
        assert!(!shows(&text, *card), "{who} is shown {card} at {place}:\n{text}");
    }
}

/// A siege that has begun: two guards placed, shuffled and attacked.
struct Siege {
    queen: Visitor,
    companion: Visitor,
    /// The name of the table alone.
    table: String,
    kept: std::sync::Arc<CachedTable>,
}

async fn siege(service: &Service, database: &TestDatabase, tables: &Tables) -> Siege {
    let (queen, companion) = (Visitor::from_afar(&service.url), Visitor::from_afar(&service.url));
    letters::sign_in(database, &companion, "companion@example.org").await;
    loop {
        let table = open(&queen, &[("seat-2", "person"), ("option-first", "1")]).await;
        sit(&queen, &table).await;
        sit(&companion, &table).await;
        let id = table.trim_start_matches("/t/").parse().unwrap();
        let kept = tables.load_fresh(id).await.unwrap();
        let hand = |seat: Seat| -> Vec<Card> {
            let view = kept.now.position.view(Viewer::Seat(seat));
            let hand: Vec<Card> = serde_json::from_value(view["mine"]["hand"].clone()).unwrap();
            hand.into_iter().filter(is_telling).collect()
        };
        // A deal that wins the round by itself, or with too many cards that are on every board, is left alone.
        let ([first, second, ..], [spare, ..]) = (&*hand(QUEEN), &*hand(COMPANION)) else { continue };
        if kept.now.position.view(Viewer::Public)["table"]["round"] != 1 {
            continue;
        }
        let lines =
            [format!("place {first}"), format!("place {second}"), format!("shuffle {second} {first}"), "end".into()];
        for (step, line) in lines.iter().enumerate() {
            assert_eq!(say(&queen, &table, step as u32, line).await, 303, "{line}");
        }
        // The letter is on its way before its reader looks.
        letters::settled(database).await;
        for (step, line) in [format!("attack 2 {spare}"), "draw".into(), "end".into()].iter().enumerate() {
            assert_eq!(say(&companion, &table, 4 + step as u32, line).await, 303, "{line}");
        }
        let kept = tables.load_fresh(id).await.unwrap();
        // So is one in which luck won the round meanwhile: its cards were shown.
        if kept.now.position.view(Viewer::Public)["table"]["round"] != 1 {
            continue;
        }
        return Siege { queen, companion, table: id.to_string(), kept };
    }
}

#[actix_web::test]
async fn a_hand_is_seen_by_its_holder_alone_at_every_address_and_step() {
    let database = TestDatabase::new();
    let service = Service::start_with(&database, |settings| settings.post.hold_seconds = Some(0));
    let tables = database.tables();
    let Siege { queen, companion, table, kept } = siege(&service, &database, &tables).await;
    let now = &*kept.now.position;

    // What we look for is found where it may be.
    let own = without_drawings(&queen.look(&format!("/t/{table}")).await);
    let mine: Vec<Card> =
        cards(&now.view(Viewer::Seat(QUEEN))["mine"]).iter().map(|card| card.parse().unwrap()).collect();
    assert!(mine.iter().all(|card| shows(&own, *card)), "the Red Queen sees her own cards");
    let file = queen.look(&format!("/t/{table}/export.jsonl")).await;
    assert!(mine.iter().all(|card| shows(&file, *card)), "and takes them home");
    assert!(file.contains("Round 1: you are the Red Queen."), "the log calls its reader you: {file}");
    let theirs = companion.look(&format!("/t/{table}/export.jsonl")).await;
    let name = tables::name_of(&kept.holders, QUEEN);
    assert!(theirs.contains(&format!("Round 1: {name} is the Red Queen.")), "the log names people: {theirs}");
    assert!(hidden(now, Viewer::Public).len() > hidden(now, Viewer::Seat(QUEEN)).len());

    // Outsiders try all they can, and change nothing.
    let others = other_people(&database, &service).await;
    let unknown = hidden(now, Viewer::Public);
    for route in Route::all() {
        let nobody = Walker::nobody(&service.url).await;
        for walker in others.iter().chain([&nobody]) {
            let answer = walker.ask(&route, &table, kept.now.moves).await;
            let text = format!("{:?}\n{}", answer.headers, answer.body);
            // The rules of the game name cards, the same to everybody.
            if !route.tells_rules() {
                assert_shows_none(&text, &unknown, walker.name, route.path);
            }
            if route.path.ends_with("/live") {
                let word = answer.body.strip_prefix("event: moved\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
                assert!(word.is_some_and(|word| word.len() == 16), "a mark, and nothing else: {}", answer.body);
            }
        }
    }
    assert_eq!(tables.load_fresh(kept.id).await.unwrap().now.version, kept.now.version, "nothing has changed");

    // The companion knows their own hand and no more; so it was at every step, wherever one claims to sit.
    let token = companion.token().await;
    let companion = Walker::new("the companion", companion, Some(token)).await;
    let nobody = Walker::nobody(&service.url).await;
    for (walker, viewer) in [(&companion, Viewer::Seat(COMPANION)), (&nobody, Viewer::Public)] {
        let unknown = hidden(now, viewer);
        for route in Route::all().filter(|route| route.only_looks() && !route.tells_rules()) {
            let answer = walker.ask(&route, &table, kept.now.moves).await;
            assert_shows_none(&answer.body, &unknown, walker.name, route.path);
        }
        for number in 0..=kept.now.moves {
            let then = tables.table_at_move(&kept, number, viewer).await.unwrap().now;
            let unknown = hidden(&*then.position, viewer);
            for place in ["", "?as=1", "?as=2", "?as=public", "?as=all"] {
                for path in [format!("/t/{table}/at/{number}"), format!("/api/v1/tables/{table}/moves/{number}")] {
                    let mut request = walker.visitor.request(reqwest::Method::GET, &format!("{path}{place}"));
                    if let Some(token) = walker.token.as_ref().filter(|_| path.starts_with("/api")) {
                        request = request.bearer_auth(token);
                    }
                    let answer = walker.visitor.send(request).await;
                    assert_shows_none(&answer.body, &unknown, walker.name, &format!("{path}{place}"));
                }
            }
        }
    }

    let letters = letters::to(&database, "companion@example.org").await;
    assert!(letters.iter().any(|letter| letter.subject.contains("Red Queen with")), "there was a letter");
    let unknown = hidden(now, Viewer::Seat(COMPANION));
    for letter in letters {
        assert_shows_none(
            &format!("{}\n{}\n{}", letter.subject, letter.text, letter.html),
            &unknown,
            "the companion",
            "a letter",
        );
    }
}

/// What the others are shown and told of a move.
fn seen_by_others(before: &dyn Position, line: &str, seed: &Seed) -> Vec<String> {
    let decided = before.decide_line(QUEEN, line, &mut seed.chance(1)).unwrap();
    let mut seen = vec![format!("{} facts, {} draws, {}", decided.facts.len(), decided.draws.len(), decided.revealing)];
    for viewer in [Viewer::Seat(COMPANION), Viewer::Seat(Seat::new(3).unwrap()), Viewer::Public] {
        let now = &*decided.position;
        seen.push(now.view(viewer).to_string());
        seen.push(now.text(viewer));
        seen.push(format!("{:?}", now.board(Some(before), viewer, &Scene::default())));
        for fact in &decided.facts {
            let body: Box<serde_json::value::RawValue> = serde_json::from_str(&fact.body).unwrap();
            seen.extend(before.describe_event(&body, viewer).unwrap());
        }
    }
    seen
}

#[test]
fn what_a_shuffle_of_the_coterie_did_is_told_to_nobody_else() {
    let catalogue = wonderpost_games::catalogue();
    let game = catalogue.find("red-queen").unwrap();
    let mut shuffled = 0;
    for number in 0..12 {
        let seed = Seed::of_number(number);
        let options = game.complete_options(&serde_json::json!({"first": 1})).unwrap();
        let mut position = game.begin(&options, 3).unwrap().set_up(&mut seed.chance(0)).unwrap().position;
        // Three guards, laid as they come.
        for _ in 0..3 {
            let moves = position.legal_moves(QUEEN);
            let Some(place) = moves.iter().find(|line| line.starts_with("place")) else { break };
            position = position.decide_line(QUEEN, place, &mut seed.chance(1)).unwrap().position;
        }
        let moves = position.legal_moves(QUEEN);
        let orders: Vec<&String> = moves.iter().filter(|line| line.starts_with("shuffle")).collect();
        let Some((first, others)) = orders.split_first() else { continue };
        assert_eq!(others.len(), 5, "three cards lie in six orders");
        let expected = seen_by_others(&*position, first, &seed);
        for order in others {
            assert_eq!(seen_by_others(&*position, order, &seed), expected, "{order}");
        }
        shuffled += 1;
    }
    assert!(shuffled > 6, "there were coteries to shuffle");
}
