//! Letters are refused by a message as well: to an address that only the house can make.

use crate::harness::letters;
use crate::harness::post_house::{ALICE, DOMAIN, PostHouse};

/// What a mail program writes by itself when its reader wants no more.
const MESSAGE: &str = "From: somebody@example.com\nSubject: unsubscribe\nAuto-Submitted: auto-generated\n\n\n";

const STRANGER: &str = "dormouse@example.com";

/// The address in the newest letter to somebody that refuses such letters.
fn way_out(house: &PostHouse, reader: &str) -> String {
    let received = house.sink.received();
    let letter = received.iter().rev().find(|letter| letter.to == reader).expect("a letter");
    let ways = letter.header("List-Unsubscribe");
    assert!(ways.starts_with("<http"), "the link comes first: {ways}");
    assert_eq!(letter.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    let address = ways.split("<mailto:").nth(1).and_then(|rest| rest.split_once("?subject=unsubscribe>"));
    address.expect("an address").0.to_owned()
}

#[actix_web::test]
async fn a_message_refuses_letters_of_a_kind_and_is_not_answered() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    let address = way_out(&house, ALICE);
    let (local, domain) = address.split_once('@').expect("an address");
    assert!(local.starts_with("u-") && local.len() <= 64 && domain == DOMAIN, "{address}");
    let refuses = "player where letters::jsonb -> 'off' ? 'turn'";

    // What comes back from nobody refuses nothing, nor does an address that somebody changed.
    let mut lmtp = house.lmtp().await;
    assert_eq!(lmtp.hand_in("", &[&address], MESSAGE).await[0].code, 250);
    assert_eq!(house.outcome().await, "not read: automatic (no sender)");
    let changed = format!("u-{}{}@{DOMAIN}", if &local[2..3] == "a" { "b" } else { "a" }, &local[3..]);
    assert_eq!(lmtp.hand_in(ALICE, &[&changed], MESSAGE).await[0].code, 550);
    assert_eq!(house.count(refuses).await, 0);

    let sent = house.letters_to(ALICE).await;
    let message = MESSAGE.replace("unsubscribe", "please");
    assert_eq!(lmtp.hand_in(ALICE, &[&address], &message).await[0].code, 250);
    assert_eq!(house.outcome().await, "no more such letters (turn)");
    assert_eq!((house.count(refuses).await, house.letters_to(ALICE).await), (1, sent));
    let another = format!(
        "insert into letter (kind, player_id, table_id, move_no) select 'turn', player_id, table_id, 0
                           from seat where table_id = '{table}' and seat = 1"
    );
    letters::execute(&house.database, &another).await;
    assert_eq!(house.letters_to(ALICE).await, sent);
    // She still plays, and what she asks for she gets.
    assert_eq!(house.reply(&letter, ALICE, "draw").await, "done, and still to move");
    assert_eq!(house.letters_to(ALICE).await, sent + 1);
}

#[actix_web::test]
async fn somebody_without_an_account_refuses_invitations_by_a_message() {
    let house = PostHouse::empty().await;
    let host = house.service.visitor();
    for round in 0..2 {
        let table = host.post("/tables", &[("game", "red-queen"), ("seat-2", "person")]).await.location();
        host.post(&format!("{table}/sit"), &[("cut", "treacle")]).await.location();
        host.post(&format!("{table}/invite"), &[("address", STRANGER)]).await.location();
        assert_eq!(house.letters_to(STRANGER).await, 1, "round {round}");
        if round == 0 {
            let address = way_out(&house, STRANGER);
            assert_eq!(house.lmtp().await.hand_in(STRANGER, &[&address], MESSAGE).await[0].code, 250);
            assert_eq!(house.outcome().await, "no more such letters (invitation)");
        }
    }
}
