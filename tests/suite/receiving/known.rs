//! What is kept of those who write by mail is theirs: they can take it away, and it goes when they go.

use serde_json::Value;

use crate::harness::letters;
use crate::harness::post_house::{ALICE, PostHouse};

#[actix_web::test]
async fn messages_are_among_what_is_known_of_a_player_until_they_leave() {
    let mut house = PostHouse::open().await;
    let (table, letter) = house.alice_to_move().await;
    house.reply(&letter, ALICE, "note beware of the Jack").await;
    // A machine of hers answers, too: that is never taken for her.
    let absent = house.write(&letter, ALICE, "I am at the seaside.");
    house.hand_in(&letter, &format!("Auto-Submitted: auto-replied\n{absent}")).await;
    // Somebody else writes to the same address.
    house.reply(&letter, "duchess@example.com", "hello").await;

    let alice = house.service.visitor();
    alice.post("/sign-in", &[("email", ALICE)]).await.location();
    let link = house.letter_to(ALICE).await.text;
    let link = link.split("/sign-in/").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a link");
    alice.post(&format!("/sign-in/{link}"), &[]).await.location();
    alice.post(&format!("/t/{table}/letters"), &[("when", "at-once")]).await.location();
    let export: Value = serde_json::from_str(&alice.look("/me/export.json").await).expect("JSON");
    let messages = export["messages"].as_array().expect("messages");
    let [message, away] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(away["outcome"], "not read: out of office");
    assert_eq!((message["way"].as_str(), message["outcome"].as_str()), (Some("lmtp"), Some("done: 0 moves, 1 lines")));
    assert!(message["received_at"].is_string());
    assert!(
        message["raw"].as_str().is_some_and(|raw| raw.starts_with("From: A Player <alice@example.org>\r\n")),
        "{message}"
    );
    let seats = export["seats"].as_array().expect("seats");
    let seat = seats.iter().find(|seat| seat["table"] == table.0.to_string()).expect("her seat");
    assert_eq!(seat["letters"]["when"], "at-once");
    assert!(seat["replied_at"].is_string());
    assert!(export["player"]["letters"].is_object());

    assert_eq!(house.count("inbox").await, 3);
    // Somebody else names her in a message that has not been read yet.
    letters::execute(
        &house.database,
        "insert into inbox (digest, recipient, null_sender, way, raw, received_at, work_after)
         values ('\\x01', 'm-of-another', false, 'lmtp', 'draw\n\n> ask alice@example.org', now(), now() + interval '1 day')",
    )
    .await;
    alice.post("/me/delete", &[("sure", "yes")]).await.location();
    assert_eq!(house.count("inbox where player_id is not null").await, 0);
    let naming_her = "inbox where position(convert_to('alice@example.org', 'UTF8') in raw) > 0";
    assert_eq!(house.count(&format!("{naming_her} and done_at is not null")).await, 0);
    assert_eq!(house.count(&format!("{naming_her} and done_at is null")).await, 1, "what others wrote is not lost");
}
