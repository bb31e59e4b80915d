//! Finding players, and renaming them.

use reqwest::StatusCode;

use super::{deeds, hosted, id_of};
use crate::harness::{TestDatabase, letters};

const ALICE: &str = "alice@example.org";

#[actix_web::test]
async fn players_are_found_by_name_or_address_and_their_address_is_not_shown() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let alice = service.visitor();
    letters::sign_in(&database, &alice, ALICE).await;
    alice.post("/me/name", &[("name", "Émile Bandersnatch")]).await.location();
    alice.begin().await;
    let id = id_of(&database, ALICE).await;
    for q in ["EMILE", "bandersn", ALICE, "ALICE@example.org"] {
        let page = host.look(&format!("/host/players?q={q}")).await;
        assert!(page.contains(&format!("<a href=\"/host/players/{id}\">Émile Bandersnatch</a>")), "{q}: {page}");
        assert!(page.contains("a…@example.org"), "{page}");
    }
    for q in ["lice@example.org", "Jubjub", "100%"] {
        assert!(host.look(&format!("/host/players?q={q}")).await.contains("Nobody."), "{q}");
    }
    let page = host.look(&format!("/host/players/{id}")).await;
    for words in ["Émile Bandersnatch", "a…@example.org", "1 browser, 0 tokens", "1 running, 0 finished"] {
        assert!(page.contains(words), "{words} in {page}");
    }
    assert!(!page.contains(ALICE));
    for nobody in ["01a1e2cd-1a47-7173-a748-989ab4da1ea4", "nobody"] {
        assert_eq!(host.get(&format!("/host/players/{nobody}")).await.status, StatusCode::NOT_FOUND);
    }
}

#[actix_web::test]
async fn a_bad_name_is_changed_and_its_player_is_told() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let alice = service.visitor();
    letters::sign_in(&database, &alice, ALICE).await;
    alice.post("/me/name", &[("name", "Rude Word")]).await.location();
    let id = id_of(&database, ALICE).await;
    let rename = format!("/host/players/{id}/rename");
    let host_name: String = sqlx::query_scalar("select name from player where email = $1")
        .bind(super::HOST)
        .fetch_one(&mut database.connection().await)
        .await
        .unwrap();
    for (name, reason) in
        [("Jubjub", ""), ("<b>", "rude"), ("Rude Word", "rude"), (&host_name, "rude"), ("Administrator", "rude")]
    {
        let answer = host.post(&rename, &[("name", name), ("reason", reason)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name} {reason}");
    }
    assert!(deeds(&database).await.is_empty());
    let form = [("name", "Jubjub"), ("reason", "That word hurts people")];
    assert_eq!(host.post(&rename, &form).await.location(), format!("/host/players/{id}?done=renamed"));
    assert_eq!(deeds(&database).await, [("renamed".to_owned(), "That word hurts people".to_owned())]);
    assert!(host.look("/host/log").await.contains("renamed Rude Word to Jubjub"));
    let me = alice.look("/me").await;
    assert!(me.contains("<h1>Jubjub</h1>"), "{me}");
    assert!(me.contains("The host changed your name from “Rude Word” to “Jubjub”."), "{me}");
    let letter = letters::newest(&database, ALICE).await;
    assert_eq!(letter.subject, "From the host of Wonderpost");
    assert!(
        letter.text.contains("from “Rude Word” to “Jubjub”") && letter.text.contains("hurts people"),
        "{}",
        letter.text
    );
    assert!(alice.look("/me/export.json").await.contains("Rude Word"));
    // Without a name the house finds one.
    host.post(&rename, &[("name", ""), ("reason", "Again")]).await.location();
    assert!(!alice.look("/me").await.contains("<h1>Jubjub</h1>"));
    // The old name goes with the account, the log stays.
    alice.post("/me/delete", &[("sure", "yes")]).await.location();
    let log = host.look("/host/log").await;
    assert!(!log.contains("Rude Word") && log.contains("renamed a former player"), "{log}");
}
