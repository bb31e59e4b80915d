//! Several lines at once: all or nothing, until something new comes up.

use wonderpost::tables::{MoveError, Said, Tables};

use crate::harness::{TestDatabase, table};

/// Refused everywhere: the Queen is not to be picked.
const NONSENSE: &str = "collect d4";

/// What whoever sends the same lines once more is told.
fn again(said: &Said) -> Said {
    Said { is_repeated: true, ..said.clone() }
}

async fn version(tables: &Tables, id: wonderpost::tables::TableId) -> i64 {
    tables.load_fresh(id).await.expect("a table").now.version
}

/// A table at a card that can be left alone.
async fn at_a_card_to_pass(tables: &Tables) -> (wonderpost::tables::Credentials, wonderpost::tables::TableId, u32) {
    let (caller, id) = table::begin(tables).await;
    loop {
        let kept = tables.load_fresh(id).await.expect("a table");
        if kept.now.position.legal_moves(table::SEAT).iter().any(|line| line == "pass") {
            return (caller, id, kept.now.moves);
        }
        table::move_on(tables, &caller, id).await.expect("a move");
    }
}

#[tokio::test]
async fn refused_after_known_cards_alone_nothing_is_made() {
    let database = TestDatabase::new();
    let (tables, others) = (database.tables(), database.tables());
    let (caller, id, step) = at_a_card_to_pass(&tables).await;
    // Once the deck has come round it is known, as far as nothing is played.
    tables.submit_moves(&caller, id, step, "pass all").await.expect("a legal move");
    let kept = tables.load_fresh(id).await.expect("a table");
    let view = kept.now.position.view(table::PLAYER);
    assert_eq!(view["table"]["cycle"], 2, "{view}");
    assert!(view["table"]["ahead"].as_array().expect("cards").iter().all(|card| !card.is_null()), "{view}");
    let before = kept.now.version;
    for tables in [&tables, &others] {
        let refusal = tables
            .submit_moves(&caller, id, step + 1, &format!("pass\n\n{NONSENSE}\npass"))
            .await
            .expect_err("nonsense");
        let MoveError::Refused { line, refusal } = refusal else { panic!("{refusal}") };
        assert_eq!(line.as_deref(), Some(NONSENSE));
        assert!(refusal.to_string().ends_with('.'), "a sentence: {refusal}");
        assert_eq!(version(tables, id).await, before);
    }
    // A line that is no move at all is found before any is made, whatever comes up.
    let refusal = tables.submit_moves(&caller, id, step + 1, "pass all\ndance").await.expect_err("no move");
    assert!(matches!(refusal, MoveError::Refused { line: Some(line), .. } if line == "dance"));
    assert_eq!(version(&tables, id).await, before);
}

#[tokio::test]
async fn refused_after_an_unknown_card_came_up_the_lines_before_it_stay() {
    let database = TestDatabase::new();
    let (tables, others) = (database.tables(), database.tables());
    let (caller, id, step) = at_a_card_to_pass(&tables).await;
    let lines = format!("pass\n{NONSENSE}\npass");
    let said = tables.submit_moves(&caller, id, step, &lines).await.expect("one of them");
    assert_eq!((said.made, said.moves), (1, step + 1));
    let (line, refusal) = said.refused.as_ref().expect("the second");
    assert_eq!(line, NONSENSE);
    assert!(refusal.to_string().ends_with('.'), "a sentence: {refusal}");
    assert_eq!(said.dropped, Vec::<String>::new());
    let before = version(&tables, id).await;
    for tables in [&tables, &others] {
        assert_eq!(tables.submit_moves(&caller, id, step, &lines).await.expect("the same answer"), again(&said));
        assert_eq!(version(tables, id).await, before);
    }
}

#[tokio::test]
async fn lines_that_nobody_asks_for_any_more_are_dropped() {
    let database = TestDatabase::new();
    let (tables, others) = (database.tables(), database.tables());
    let (caller, id, step) = at_a_card_to_pass(&tables).await;
    let said = tables.submit_moves(&caller, id, step, "end\npass\nswap").await.expect("the first");
    let dropped = vec!["pass".to_owned(), "swap".to_owned()];
    assert_eq!(said, Said { made: 1, refused: None, planned: vec![], dropped, moves: step + 1, is_repeated: false });
    assert_eq!(others.submit_moves(&caller, id, step, "end\npass\nswap").await.expect("the same answer"), again(&said));
    let refusal = tables.submit_moves(&caller, id, step + 1, "pass").await.expect_err("it is over");
    assert_eq!(refusal.to_string(), "The game is over.");
}

#[tokio::test]
async fn several_lines_are_several_moves() {
    let database = TestDatabase::new();
    let (tables, others) = (database.tables(), database.tables());
    let (caller, id, step) = at_a_card_to_pass(&tables).await;
    tables.submit_moves(&caller, id, step, "pass all").await.expect("a legal move");
    let said = tables.submit_moves(&caller, id, step + 1, "pass\r\npass\r\n").await.expect("two moves");
    assert_eq!(
        said,
        Said { made: 2, refused: None, planned: vec![], dropped: vec![], moves: step + 3, is_repeated: false }
    );
    assert_eq!(others.submit_moves(&caller, id, step + 1, "pass\npass").await.expect("the same answer"), again(&said));
    for (lines, words) in
        [("", "Say what you want to do"), ("\n \n", "Say what you want"), (&"pass\n".repeat(201), "too much")]
    {
        let refusal = tables.submit_moves(&caller, id, step + 3, lines).await.expect_err("not so");
        assert!(refusal.to_string().contains(words), "{refusal}");
    }
}
