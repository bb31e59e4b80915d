//! Whole games by letter alone: no page is opened.

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};
use wonderpost::tables::state::table_state::Status;
use wonderpost_rules::{AnyMove, Level};

use crate::harness::post_house::{ALICE, HATTER, PostHouse};
use crate::harness::{letters, table};

/// Two players answer letters until the game is over, each time with another mail program.
async fn play_by_letter(game: &str, options: Value) {
    let mut house = PostHouse::empty().await;
    let (alice, hatter) = (house.player(ALICE).await, house.player(HATTER).await);
    let table = table::begin_together(&house.tables, game, options, &[&alice, &hatter]).await;
    let mut rng = StdRng::seed_from_u64(7);
    let mut lmtp = house.lmtp().await;
    loop {
        let letter = house.next_letter().await;
        let kept = house.tables.load_fresh(table).await.unwrap();
        if kept.now.status() == Status::Over {
            break;
        }
        let player = if letter.to == ALICE { alice.player } else { hatter.player };
        let seat = kept.seat_of(Some(player)).unwrap();
        // The table may have come to the reader of a letter that asked for nothing: another letter will say so.
        if !kept.now.awaiting().contains(seat) || !letter.text.to_uppercase().contains("YOUR MOVES") {
            continue;
        }
        let moves = kept.now.position.bot(Level::Easy, seat, &mut rng);
        let lines: Vec<&str> = moves.iter().map(AnyMove::as_str).collect();
        if kept.now.position.legal_moves(seat).len() <= 12 {
            assert!(letter.text.contains(lines[0]), "{} is not in {}", lines[0], letter.text);
        }
        let to = letter.reply_to.clone().expect("a turn can be answered");
        let message = house.write(&letter, &letter.to, &lines.join("\n"));
        assert_eq!(lmtp.hand_in(&letter.to, &[&to], &message).await[0].code, 250);
        let outcome = house.outcome().await;
        assert!(outcome.starts_with("done") || outcome == "made in part", "{outcome}: {message}");
    }
    letters::settled(&house.database).await;
    assert_eq!(house.count("letter where kind = 'over' and sent_at is not null").await, 2);
    assert_eq!(house.count("seat where last_look_at is not null").await, 0);
    assert!(!house.tables.check(table).await.unwrap().fails());
    // Every reply was read once, and every move came from one.
    let replies = house.count("inbox where outcome like 'done%' or outcome = 'made in part'").await;
    assert_eq!(house.count("inbox").await, replies);
    assert!(i64::from(house.moves(table).await) >= replies, "{replies} replies");
}

#[actix_web::test]
async fn a_game_of_red_queen_is_played_by_letter_alone() {
    play_by_letter("red-queen", json!({"rounds": 1})).await;
}

#[actix_web::test]
async fn a_game_of_off_with_their_heads_is_played_by_letter_alone() {
    play_by_letter("off-with-their-heads", json!({})).await;
}

#[actix_web::test]
async fn a_game_of_messenger_rabbits_is_played_by_letter_alone() {
    play_by_letter("messenger-rabbits", json!({})).await;
}

#[actix_web::test]
async fn a_game_of_munchkin_wonderland_is_played_by_letter_alone() {
    play_by_letter("munchkin-wonderland", json!({"short": true})).await;
}
