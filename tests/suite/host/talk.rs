//! Reporting what was said, and muting who said it.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::Value;

use super::{deeds, hosted};
use crate::harness::red_queen::two_at_a_table;
use crate::harness::{TestDatabase, Visitor, letters};

async fn write(visitor: &Visitor, table: &str, words: &str) {
    assert_eq!(visitor.post(&format!("{table}/talk"), &[("words", words)]).await.status, StatusCode::SEE_OTHER);
}

/// The way to report the last message that can be.
fn report_link(page: &str) -> String {
    let link = page.split("class=\"report\" href=\"").last().and_then(|rest| rest.split('"').next());
    link.filter(|link| link.ends_with("/report")).expect("a message to report").to_owned()
}

#[actix_web::test]
async fn a_message_is_reported_once_seen_in_its_context_and_removed_for_all() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let (one, two, table) = two_at_a_table(&service).await;
    letters::sign_in(&database, &one, "alice@example.org").await;
    for words in ["far away", "before that", "and that", "a kind word", "You <i>fool</i>!"] {
        write(&one, &table, words).await;
    }
    write(&two, &table, "Mind your words").await;
    let page = two.look(&table).await;
    assert_eq!(page.matches("class=\"report\"").count(), 5, "all but one's own");
    let link = report_link(&page);
    assert!(two.look(&link).await.contains("You &#60;i&#62;fool&#60;/i&#62;!"));
    // It is for those who may read it.
    let spectator = service.visitor();
    assert_eq!(spectator.get(&link).await.location(), format!("/sign-in?to={table}"));
    spectator.begin().await;
    assert_eq!(spectator.get(&link).await.status, StatusCode::NOT_FOUND);
    assert_eq!(spectator.post(&link, &[]).await.status, StatusCode::FORBIDDEN);
    assert_eq!(one.get(&link).await.status, StatusCode::NOT_FOUND, "nobody reports themselves");
    assert_eq!(one.post(&link, &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let long = "x".repeat(501);
    assert_eq!(two.post(&link, &[("reason", &long)]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    for _ in 0..2 {
        assert_eq!(two.post(&link, &[("reason", "Not nice")]).await.location(), format!("{link}?done=reported"));
    }
    assert!(two.look(&format!("{link}?done=reported")).await.contains("The host will look at this message."));

    let page = host.look("/host/reports").await;
    assert_eq!(page.matches("<article").count(), 1, "{page}");
    for words in ["You &#60;i&#62;fool&#60;/i&#62;!", "before that", "a kind word", "Mind your words", "Not nice"] {
        assert!(page.contains(words), "{words} in {page}");
    }
    assert_eq!(page.matches("Reported by").count(), 1);
    assert!(!page.contains("far away"), "a few lines are enough");
    let talk = link.split('/').nth(4).expect("a number");
    let remove = format!("/host/reports/{talk}/remove");
    assert_eq!(host.post(&remove, &[("reason", "")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(host.post(&remove, &[("reason", "No insults")]).await.location(), "/host/reports?done=removed");
    for who in [&one, &two] {
        let page = who.look(&table).await;
        assert!(page.contains("removed by the host") && !page.contains("fool"), "{page}");
    }
    assert!(host.look("/host/reports").await.contains("Nothing waits to be judged."));
    assert_eq!(host.post(&remove, &[("reason", "No insults")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(deeds(&database).await, [("talk-removed".to_owned(), "No insults".to_owned())]);
    let me = one.look("/me").await;
    assert!(me.contains("The host removed a message that you wrote at a table of Red Queen."), "{me}");
    let letter = letters::newest(&database, "alice@example.org").await;
    assert!(letter.text.contains("No insults") && !letter.text.contains("fool"), "{}", letter.text);
    assert!(two.look("/me/export.json").await.contains("Not nice"));
}

#[actix_web::test]
async fn reports_by_the_api_can_be_dismissed_and_only_what_was_reported_can_be_removed() {
    let database = TestDatabase::new();
    let (service, host) = hosted(&database).await;
    let (one, two, table) = two_at_a_table(&service).await;
    write(&one, &table, "Good morning").await;
    let token = two.token().await;
    let api = format!("/api/v1/tables{}/talk", table.trim_start_matches("/t"));
    let ask = async |method: Method, path: &str, body: &str| {
        let request = two.request(method, path).bearer_auth(&token).header("content-type", "application/json");
        two.send(request.body(body.to_owned())).await
    };
    let talk: Value = serde_json::from_str(&ask(Method::GET, &api, "").await.body).unwrap();
    let id = &talk["talk"][0]["id"];
    assert_eq!(talk["talk"][0]["removed"], false);
    assert_eq!(
        host.post(&format!("/host/reports/{id}/remove"), &[("reason", "Hm")]).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    for _ in 0..2 {
        assert_eq!(ask(Method::POST, &format!("{api}/{id}/report"), "{}").await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(ask(Method::POST, &format!("{api}/999/report"), "{}").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(host.look("/host/reports").await.contains("Good morning"));
    let dismissed = host.post(&format!("/host/reports/{id}/dismiss"), &[("reason", "")]).await;
    assert_eq!(dismissed.location(), "/host/reports?done=dismissed");
    assert!(two.look(&table).await.contains("Good morning"));
    assert!(!one.look("/me").await.contains("From the host"), "it does not concern the writer");
    assert_eq!(deeds(&database).await, [("reports-dismissed".to_owned(), String::new())]);
}

#[actix_web::test]
async fn what_a_muted_player_writes_is_hidden_on_pages_in_letters_by_the_api_and_live() {
    let database = TestDatabase::new();
    let (service, _host) = hosted(&database).await;
    let (one, two, table) = two_at_a_table(&service).await;
    letters::sign_in(&database, &two, "bob@example.org").await;
    write(&one, &table, "chatter").await;
    let link = report_link(&two.look(&table).await);
    let mute = link.replace("/report", "/mute");
    assert_eq!(two.post(&mute, &[]).await.location(), format!("{table}#talk"));
    assert_eq!(two.post(&mute, &[]).await.location(), format!("{table}#talk"), "twice is once");
    letters::execute(&database, "delete from letter where kind = 'talk'").await;
    let mut live = two.request(Method::GET, &format!("{table}/live")).send().await.expect("a stream");
    live.chunk().await.unwrap().expect("the version now");
    write(&one, &table, "more chatter").await;
    let page = two.look(&table).await;
    assert!(!page.contains("chatter") && page.contains("You have muted"), "{page}");
    let api = format!("/api/v1/tables{}/talk", table.trim_start_matches("/t"));
    let token = two.token().await;
    let asked = async |path: &str| two.send(two.request(Method::GET, path).bearer_auth(&token)).await.body;
    assert!(!asked(&api).await.contains("chatter"));
    let written: i64 = sqlx::query_scalar("select count(*) from letter where kind = 'talk'")
        .fetch_one(&mut database.connection().await)
        .await
        .unwrap();
    assert_eq!(written, 0, "no letter");
    let word = tokio::time::timeout(Duration::from_millis(500), live.chunk()).await;
    assert!(!format!("{word:?}").contains("talk"), "{word:?}");
    // The one who is muted notices nothing, and reads the other.
    write(&two, &table, "Silence at last").await;
    let page = one.look(&table).await;
    assert!(page.contains("Silence at last") && page.contains("more chatter") && !page.contains("muted"), "{page}");

    let mutes: Value = serde_json::from_str(&asked("/api/v1/me/mutes").await).unwrap();
    let mute = mutes["mutes"][0]["id"].as_str().expect("a mute").to_owned();
    let me = two.look("/me").await;
    assert!(me.contains(&format!("/me/mutes/{mute}/end")), "{me}");
    // Nobody else ends it.
    one.post(&format!("/me/mutes/{mute}/end"), &[]).await.location();
    assert!(!two.look(&table).await.contains("more chatter"));
    assert_eq!(two.post(&format!("/me/mutes/{mute}/end"), &[]).await.location(), "/me");
    assert!(two.look(&table).await.contains("more chatter"));
}
