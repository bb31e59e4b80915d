//! Playing without a page: on the tables of the house themselves.

use sha2::{Digest, Sha256};
use uuid::Uuid;
use wonderpost::db::Store;
use wonderpost::tables::{CachedTable, Credentials, PlayerId, TableId, TableOptions, Tables};
use wonderpost_rules::{Position, Seat, Viewer};

use super::rehearsal::{Rehearsal, search};
use super::visitor::GAME;

pub const SEAT: Seat = Seat::new(1).unwrap();
pub const PLAYER: Viewer = Viewer::Seat(SEAT);

/// Somebody with a session.
pub async fn guest(store: &Store) -> Credentials {
    let player = PlayerId::fresh();
    let token_digest: [u8; 32] = Sha256::digest(Uuid::now_v7().as_bytes()).into();
    let later = chrono::Utc::now() + chrono::Duration::days(1);
    let name = format!("Guest {}", player.0.simple());
    store.add_guest(player, &name, &name.to_lowercase(), &token_digest, later).await.expect("a guest");
    Credentials { player, token_digest }
}

/// A table that is dealt, and who sits at it.
pub async fn begin(tables: &Tables) -> (Credentials, TableId) {
    let caller = guest(&tables.store).await;
    let table = begin_for(tables, &caller).await;
    (caller, table)
}

pub async fn begin_for(tables: &Tables, caller: &Credentials) -> TableId {
    let game = tables.catalogue.find(GAME).expect("the game");
    let wishes = TableOptions {
        game,
        seats: 1,
        options: serde_json::json!({"shuffles": 2}),
        pace: Default::default(),
        private: false,
        by_lot: false,
        preset_answers: false,
        bots: Vec::new(),
    };
    let table = tables.open(&wishes, Some(caller.player)).await.expect("a table");
    tables.sit(caller.player, table, "treacle").await.expect("a seat");
    table
}

/// A table for several that has begun, with these players in order of seats.
pub async fn begin_together(
    tables: &Tables,
    game: &str,
    options: serde_json::Value,
    players: &[&Credentials],
) -> TableId {
    let table = open(tables, game, options, players).await;
    for caller in players {
        tables.sit(caller.player, table, "treacle").await.expect("a seat");
    }
    table
}

/// A table with as many seats as there are players, opened by the first of them; nobody sits yet.
pub async fn open(tables: &Tables, game: &str, options: serde_json::Value, players: &[&Credentials]) -> TableId {
    let wishes = TableOptions {
        game: tables.catalogue.find(game).expect("the game"),
        seats: u8::try_from(players.len()).expect("a few"),
        options,
        pace: Default::default(),
        private: false,
        by_lot: false,
        preset_answers: false,
        bots: Vec::new(),
    };
    tables.open(&wishes, Some(players[0].player)).await.expect("a table")
}

/// Somebody with an address.
pub async fn player(store: &Store, database: &super::TestDatabase, email: &str) -> Credentials {
    let caller = guest(store).await;
    sqlx::query("update player set email = $2 where id = $1")
        .bind(caller.player)
        .bind(email)
        .execute(&mut database.connection().await)
        .await
        .expect("an address");
    caller
}

/// The move to make of those on offer: rather a card played than one left, and the game goes on as long as it can.
pub fn prefer<'a>(moves: impl Iterator<Item = &'a String> + Clone) -> Option<String> {
    let rank = |line: &String| match line.as_str() {
        "swap" => 1,
        "pass" => 2,
        "pass all" => 3,
        "shuffle" => 4,
        "end" => 5,
        _ => 0,
    };
    moves.min_by_key(|line| rank(line)).cloned()
}

/// The move to make at a table; `None` if the game is over.
pub fn next_move(kept: &CachedTable) -> Option<String> {
    if kept.now.awaiting().is_empty() {
        return None;
    }
    prefer(kept.now.position.legal_moves(SEAT).iter())
}

/// Makes a move; `None` if the game is over.
pub async fn move_on(tables: &Tables, caller: &Credentials, table: TableId) -> Option<(u32, String)> {
    let kept = tables.load_fresh(table).await.expect("a table");
    let line = next_move(&kept)?;
    let step = kept.now.moves;
    let said = tables.submit_moves(caller, table, step, &line).await.expect("a legal move");
    assert_eq!((said.made, said.moves), (1, step + 1));
    Some((step, line))
}

/// Plays until the game is over or so many moves are made, and says how many there are.
pub async fn play(tables: &Tables, caller: &Credentials, table: TableId, most: u32) -> u32 {
    for made in 0..most {
        if move_on(tables, caller, table).await.is_none() {
            return made;
        }
    }
    most
}

/// Stops the game.
pub async fn end(tables: &Tables, caller: &Credentials, table: TableId) {
    loop {
        let kept = tables.load_fresh(table).await.expect("a table");
        let Some(mut line) = next_move(&kept) else { return };
        if kept.now.position.legal_moves(SEAT).iter().any(|line| line == "end") {
            line = "end".into();
        }
        tables.submit_moves(caller, table, kept.now.moves, &line).await.expect("a legal move");
    }
}

/// A word for the last seat with which the first to be named is the first to move, and no card that is drawn next wins: a lucky deal can
/// win a round by itself.
pub async fn calm_word(tables: &Tables, table: TableId) -> String {
    let is_red_queen = tables.load_fresh(table).await.expect("a table").now.game.info().slug == "red-queen";
    let is_calm = |rehearsal: Rehearsal| (!is_red_queen || is_calm_siege(&*rehearsal.position)).then_some(());
    search(tables, table, is_calm).await.0
}

/// The first round goes on, and its Queen is more than a card away from winning it.
fn is_calm_siege(position: &dyn Position) -> bool {
    let public = &position.view(Viewer::Public)["table"];
    let queen = public["queen"].as_u64().and_then(|number| Seat::new(number as u8)).expect("a Queen");
    let hand = position.view(Viewer::Seat(queen))["mine"]["hand"].clone();
    let hand: Vec<&str> = hand.as_array().expect("a hand").iter().filter_map(|card| card.as_str()).collect();
    let killers = hand.iter().filter(|card| ["JH", "QD", "BJ", "RJ"].contains(card)).count();
    let aces = hand.iter().filter(|card| card.starts_with('A')).count();
    public["round"] == 1 && killers == 0 && aces < 2
}
