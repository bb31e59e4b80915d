//! The garden of the day.

use std::sync::Arc;
use std::time::Duration;

use chrono::{Days, Utc};
use futures_util::future::join_all;
use wonderpost::tables::lifecycle::daily::Sight;
use wonderpost::tables::{TableId, Tables};
use wonderpost_rules::Viewer;

use crate::harness::{TestDatabase, table};

/// A day that does not end within the test.
pub async fn a_day_ahead() {
    while (Utc::now() + chrono::Duration::seconds(60)).date_naive() != Utc::now().date_naive() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn view(tables: &Tables, id: TableId) -> serde_json::Value {
    let mut view = tables.load_fresh(id).await.expect("a table").now.position.view(Viewer::Public);
    view.as_object_mut().expect("a view").remove("moves");
    view
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_has_one_game_a_day_however_often_they_click() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let houses = [Arc::new(database.tables()), Arc::new(database.tables())];
    let (one, two) = (table::guest(&houses[0].store).await, table::guest(&houses[0].store).await);
    let clicks = (0..16).map(|click: usize| {
        let (tables, player) = (houses[click % 2].clone(), one.player);
        tokio::spawn(async move { tables.play_today(player).await })
    });
    let mut games: Vec<TableId> =
        join_all(clicks).await.into_iter().map(|click| click.expect("it").expect("a game")).collect();
    games.dedup();
    let [game] = games[..] else { panic!("one game, not {games:?}") };
    assert_eq!(houses[0].all_ids().await.expect("ids"), vec![game]);

    // Another player has another game, of the same garden.
    let other = houses[1].play_today(two.player).await.expect("a game");
    assert_ne!(other, game);
    assert_eq!(view(&houses[0], game).await, view(&houses[0], other).await);
    // The same moves bring up the same cards.
    for (tables, caller, game) in [(&houses[0], &one, game), (&houses[1], &two, other)] {
        table::play(tables, caller, game, 5).await;
    }
    assert_eq!(view(&houses[0], game).await, view(&houses[1], other).await);
}

#[tokio::test]
async fn a_game_of_today_is_hidden_from_those_who_have_not_finished_theirs() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let tables = database.tables();
    let (one, two) = (table::guest(&tables.store).await, table::guest(&tables.store).await);
    let game = tables.play_today(one.player).await.expect("a game");
    let sight = async |player| {
        let kept = tables.load_fresh(game).await.expect("a table");
        tables.sight(&kept, player).await.expect("an answer")
    };
    assert_eq!(sight(Some(one.player)).await, Sight::Whole);
    assert_eq!(sight(None).await, Sight::ResultOnly);
    assert_eq!(sight(Some(two.player)).await, Sight::ResultOnly);
    let other = tables.play_today(two.player).await.expect("a game");
    assert_eq!(sight(Some(two.player)).await, Sight::ResultOnly, "begun is not finished");
    table::end(&tables, &two, other).await;
    assert_eq!(sight(Some(two.player)).await, Sight::Whole);
    assert_eq!(sight(None).await, Sight::ResultOnly);
}

#[tokio::test]
async fn results_count_roses_then_shuffles_left_then_turns() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let tables = database.tables();
    let mut games = Vec::new();
    // Who shuffled, who is still playing, who took longer, and two who stopped at once.
    for lines in ["shuffle\nend", "", "pass\nend", "end", "end"] {
        let caller = table::guest(&tables.store).await;
        let game = tables.play_today(caller.player).await.expect("a game");
        for line in lines.lines() {
            // Brambles on the way are planted.
            let step = loop {
                let kept = tables.load_fresh(game).await.expect("a table");
                let moves = kept.now.position.legal_moves(table::SEAT);
                if moves.iter().any(|offered| offered == line) || moves.is_empty() {
                    break kept.now.moves;
                }
                table::move_on(&tables, &caller, game).await;
            };
            tables.submit_moves(&caller, game, step, line).await.expect("a legal move");
        }
        games.push((caller.player, game));
    }
    let results = tables.results_of_day(tables.today(), Some(games[4].0)).await.expect("results");
    let order: Vec<(usize, TableId, bool)> = results.iter().map(|line| (line.place, line.table, line.over)).collect();
    let at = |place: usize| games[place].1;
    assert_eq!(order, vec![(1, at(3), true), (1, at(4), true), (3, at(2), true), (4, at(0), true), (5, at(1), false)]);
    assert_eq!(results.iter().map(|line| line.is_mine).collect::<Vec<_>>(), [false, true, false, false, false]);
    let [_, shuffles_left, minus_turns] = results[3].ranking_key[..] else { panic!("three numbers") };
    assert_eq!((shuffles_left, minus_turns < 0), (0, true));
    assert!(results[2].ranking_key[2] < results[0].ranking_key[2], "more turns are worse");
}

#[tokio::test]
async fn the_secret_of_a_day_is_published_when_the_day_is_over() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let tables = database.tables();
    let caller = table::guest(&tables.store).await;
    let game = tables.play_today(caller.player).await.expect("a game");
    table::end(&tables, &caller, game).await;
    let tomorrow = tables.today().checked_add_days(Days::new(1)).expect("a day");
    let yesterday = tables.today().checked_sub_days(Days::new(1)).expect("a day");
    let (promise, next) = tables.promises(tables.today()).await.expect("promises");
    assert_eq!(tables.promises(tables.today()).await.expect("promises"), (promise, next), "they stay");
    for day in [tables.today(), tomorrow, yesterday] {
        assert!(tables.published_secret(day).await.expect("an answer").is_none(), "{day}");
    }
    // Even of a finished game.
    let kept = tables.load_fresh(game).await.expect("a table");
    assert!(kept.now.revealed.is_none());
    assert!(tables.published(&kept).await.expect("an answer").is_none());
    let report = tables.check(game).await.expect("a report");
    assert!(!report.fails() && !report.is_complete(), "{report}");
    assert!(!tables.export(&kept, table::PLAYER).await.expect("a file").contains("\"digest\""));

    database.tamper(&format!("insert into garden_of_the_day (day, secret) values ('{yesterday}', sha256('x'))")).await;
    assert!(tables.published_secret(yesterday).await.expect("an answer").is_some());
}
