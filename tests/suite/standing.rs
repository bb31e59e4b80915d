//! Answers in advance: left by one player, made as soon as they are asked, seen by nobody else.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use reqwest::StatusCode;
use serde_json::json;
use wonderpost::tables::{CachedTable, Credentials, MoveError, TableId, TableOptions, Tables};
use wonderpost_rules::{Level, Seat, Term, Viewer};

use crate::harness::table::guest;
use crate::harness::{Service, TestDatabase};

const ONE: Seat = Seat::new(1).unwrap();
const TWO: Seat = Seat::new(2).unwrap();

/// Two people at a table that has begun.
async fn begin(tables: &Tables, game: &str, options: serde_json::Value, presets: bool) -> ([Credentials; 2], TableId) {
    let callers = [guest(&tables.store).await, guest(&tables.store).await];
    let wishes = TableOptions {
        game: tables.catalogue.find(game).expect("the game"),
        seats: 2,
        options,
        pace: Default::default(),
        private: false,
        by_lot: false,
        preset_answers: presets,
        bots: Vec::new(),
    };
    loop {
        let table = tables.open(&wishes, Some(callers[0].player)).await.expect("a table");
        for caller in &callers {
            tables.sit(caller.player, table, "treacle").await.expect("a seat");
        }
        // A lucky deal of Red Queen can win a round by itself; then the next one.
        let dealt = tables.load_fresh(table).await.expect("a table");
        if game != "red-queen" || dealt.now.position.view(Viewer::Public)["table"]["round"] == 1 {
            return (callers, table);
        }
    }
}

fn caller_of<'a>(callers: &'a [Credentials; 2], kept: &CachedTable, seat: Seat) -> &'a Credentials {
    callers.iter().find(|caller| kept.seat_of(Some(caller.player)) == Some(seat)).expect("a holder")
}

/// The first mark without a teacup in each zone for a card, found by asking the table as it would be.
fn marks(kept: &CachedTable, seat: Seat) -> Vec<String> {
    ["meadow", "woods", "keep"]
        .iter()
        .flat_map(|zone| (1..=12).map(move |number| format!("mark {zone}-{number}")))
        .chain(
            ["a", "b", "c", "d", "e", "f", "g"]
                .iter()
                .flat_map(|column| (1..=5).map(move |row| format!("mark keep-{column}{row}"))),
        )
        .filter(|line| kept.now.position.read_lines(seat, &[line.as_str()]).is_ok())
        .collect()
}

#[tokio::test]
async fn marks_sent_along_with_a_card_are_made_when_the_cards_are_shown_and_not_before() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (callers, table) = begin(&tables, "off-with-their-heads", json!({}), false).await;
    let kept = tables.load_fresh(table).await.unwrap();
    let plan = |seat: Seat| {
        // No ace, whose number would have to be said.
        let card = kept.now.position.legal_moves(seat).into_iter().find(|line| !line.contains(" A")).unwrap();
        format!("{card}\n{}", marks(&kept, seat).join("\n"))
    };
    let (first, second) = (caller_of(&callers, &kept, ONE), caller_of(&callers, &kept, TWO));
    let said = tables.submit_moves(first, table, 0, &plan(ONE)).await.expect("a card and a plan");
    assert_eq!((said.made, said.dropped.len()), (1, 0));
    assert!(!said.planned.is_empty() && said.planned.iter().all(|line| line.starts_with("mark: mark ")), "{said:?}");
    let before = tables.load_fresh(table).await.unwrap();
    assert_eq!(before.now.moves, 1, "nothing is painted before all have chosen");
    // The last to choose has a plan as well: the whole bout is over in one go.
    tables.submit_moves(second, table, 1, &plan(TWO)).await.expect("a card and a plan");
    let after = tables.load_fresh(table).await.unwrap();
    let prompts = [ONE, TWO].map(|seat| after.now.position.prompt(seat));
    assert!(prompts.iter().all(|prompt| *prompt != Some("mark")), "all marks are made: {prompts:?}");
    assert!(after.now.moves >= 3, "{}", after.now.moves);
    assert!(!tables.check(table).await.unwrap().fails());
}

#[tokio::test]
async fn a_plan_of_which_nothing_is_legal_is_dropped_with_a_reason() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (callers, table) = begin(&tables, "off-with-their-heads", json!({}), false).await;
    let kept = tables.load_fresh(table).await.unwrap();
    let (first, second) = (caller_of(&callers, &kept, ONE), caller_of(&callers, &kept, TWO));
    let card = |seat: Seat| kept.now.position.legal_moves(seat).into_iter().find(|line| !line.contains(" A")).unwrap();
    // The Red Keep cannot be reached in the first bout.
    tables.submit_moves(first, table, 0, &format!("{}\nlose", card(ONE))).await.expect("a card and a plan");
    tables.submit_moves(second, table, 1, &card(TWO)).await.expect("a card");
    let kept = tables.load_fresh(table).await.unwrap();
    assert_eq!(kept.now.position.prompt(ONE), Some("mark"), "the player is asked after all");
    let offers = tables.offers(&kept, ONE).await.unwrap();
    let mark = offers.iter().find(|offer| offer.prompt.prompt == "mark").unwrap();
    assert!(
        mark.lines.is_empty() && mark.trouble.as_ref().is_some_and(|trouble| trouble.contains("lose")),
        "{:?}",
        mark.trouble
    );
}

#[tokio::test]
async fn a_batch_that_is_refused_leaves_no_answers() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (callers, table) = begin(&tables, "off-with-their-heads", json!({}), false).await;
    let kept = tables.load_fresh(table).await.unwrap();
    let first = caller_of(&callers, &kept, ONE);
    let not_mine = kept.now.position.legal_moves(TWO)[0].clone();
    for lines in [format!("{not_mine}\nmark woods-6"), "mark: skip".to_owned(), "tea: skip".to_owned()] {
        let refused = tables.submit_moves(first, table, 0, &lines).await;
        assert!(matches!(refused, Err(MoveError::Refused { .. })), "{lines}: {refused:?}");
    }
    let offers = tables.offers(&kept, ONE).await.unwrap();
    assert!(offers.iter().all(|offer| offer.lines.is_empty()));
}

#[tokio::test]
async fn who_sits_out_a_round_is_asked_again_in_the_next() {
    let database = TestDatabase::new();
    let tables = database.tables();
    let (callers, table) = begin(&tables, "red-queen", json!({"first": 1}), false).await;
    let kept = tables.load_fresh(table).await.unwrap();
    let (first, second) = (caller_of(&callers, &kept, ONE), caller_of(&callers, &kept, TWO));
    tables.leave_answer(second.player, table, "act", &["end"]).await.expect("an answer");
    // “end” left over from a turn that has ended is no such answer.
    let said = tables.submit_moves(first, table, 0, "end\nend").await.expect("a move");
    assert_eq!((said.made, said.dropped, said.planned), (1, vec!["end".to_owned()], vec![]));
    let round = |kept: &CachedTable| match kept.now.position.plannable_prompts(ONE)[0].term {
        Term::Stretch { now, .. } => now,
        Term::Open => panic!("rounds come to an end"),
    };
    let mut kept = tables.load_fresh(table).await.unwrap();
    let begun = round(&kept);
    let mut rng = SmallRng::seed_from_u64(7);
    while round(&kept) == begun && !kept.now.awaiting().is_empty() {
        assert!(kept.now.position.prompt(TWO) != Some("act"), "the seat that sits out is not asked to act");
        let seat = kept.now.awaiting().iter().next().unwrap();
        let line = kept.now.position.bot(Level::Easy, seat, &mut rng)[0].clone();
        tables
            .submit_moves(caller_of(&callers, &kept, seat), table, kept.now.moves, line.as_str())
            .await
            .expect("a legal move");
        kept = tables.load_fresh(table).await.unwrap();
    }
    let offers = tables.offers(&kept, TWO).await.unwrap();
    assert!(offers.iter().all(|offer| offer.lines.is_empty()), "the answer was for one round");
}

#[tokio::test]
async fn whoever_has_answered_in_advance_is_never_waited_for() {
    let database = TestDatabase::new();
    let tables = database.tables();
    for (game, presets) in [("munchkin-wonderland", false), ("messenger-rabbits", false), ("messenger-rabbits", true)] {
        let (callers, table) = begin(&tables, game, json!({}), presets).await;
        let mut kept = tables.load_fresh(table).await.unwrap();
        let mut answered = vec!["contest"];
        if !presets {
            let player = caller_of(&callers, &kept, TWO).player;
            for prompt in kept.now.position.plannable_prompts(TWO) {
                let Some(last) = prompt.suggestions.last() else { continue };
                let lines: Vec<&str> = last.lines.iter().map(String::as_str).collect();
                tables.leave_answer(player, table, prompt.prompt, &lines).await.expect("a suggestion is good");
                answered.push(prompt.prompt);
            }
        }
        let mut rng = SmallRng::seed_from_u64(3);
        for _ in 0..120 {
            let Some(seat) = kept.now.awaiting().iter().next() else { break };
            for seat in kept.now.awaiting().iter().filter(|seat| presets || *seat == TWO) {
                let asked = kept.now.position.prompt(seat).unwrap();
                let open = answered.contains(&asked)
                    && tables.offers(&kept, seat).await.unwrap().iter().any(|offer| {
                        let legal = kept.now.position.legal_moves(seat);
                        offer.prompt.prompt == asked && offer.lines.iter().any(|line| legal.contains(line))
                    });
                assert!(!open, "{game}: seat {seat} is asked to {asked} although it has answered");
            }
            let legal = kept.now.position.legal_moves(seat);
            let line = legal.choose(&mut rng).unwrap();
            tables
                .submit_moves(caller_of(&callers, &kept, seat), table, kept.now.moves, line)
                .await
                .expect("a legal move");
            kept = tables.load_fresh(table).await.unwrap();
        }
        assert!(!tables.check(table).await.unwrap().fails());
    }
}

#[actix_web::test]
async fn answers_are_shown_to_their_owner_alone() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two) = (service.visitor(), service.visitor());
    let form = [("game", "red-queen"), ("seat-2", "person"), ("option-first", "1")];
    let table = one.post("/tables", &form).await.location();
    for visitor in [&one, &two] {
        visitor.post(&format!("{table}/sit"), &[("cut", "tarts")]).await;
    }
    let left = two.post(&format!("{table}/answers"), &[("prompt", "act"), ("choice", "0")]).await;
    assert_eq!(left.status, StatusCode::SEE_OTHER);
    assert!(two.look(&table).await.contains("Planned: Sit it out"));
    assert!(!one.look(&table).await.contains("Planned: Sit it out"));
    let public = service.visitor();
    assert!(!public.look(&table).await.contains("Planned:"));
    assert_eq!(
        public.post(&format!("{table}/answers"), &[("prompt", "act"), ("choice", "0")]).await.status,
        StatusCode::FORBIDDEN
    );
    // It is withdrawn as easily.
    two.post(&format!("{table}/answers"), &[("prompt", "act"), ("choice", "ask")]).await;
    assert!(!two.look(&table).await.contains("Sit it out</summary>"));
    let bad = two.post(&format!("{table}/answers"), &[("prompt", "draw"), ("choice", "own"), ("lines", "draw")]).await;
    assert_eq!(bad.status, StatusCode::UNPROCESSABLE_ENTITY);
}
