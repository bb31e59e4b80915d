//! Letters to people who never asked for any: few, and none to those who want none.

use std::time::Duration;

use reqwest::StatusCode;
use wonderpost::db::Store;
use wonderpost::db::players::rate_limits::RateLimit;
use wonderpost::db::tables::invitations::{InvitationLimits, Invited, NewInvitation};
use wonderpost::tables::{PlayerId, TableId};

use super::{count, post_from, proxied};
use crate::harness::letters::{self, execute};
use crate::harness::red_queen::{open, sit};
use crate::harness::{Service, TestDatabase, Visitor};

const STRANGER: &str = "dormouse@example.com";

/// Somebody new with a table that waits for players.
async fn host(service: &Service) -> (Visitor, String) {
    let host = service.visitor();
    let table = open(&host, &[("seat-2", "person")]).await;
    sit(&host, &table).await;
    (host, table)
}

/// Inviting somebody twice is inviting them once.
async fn invite(host: &Visitor, table: &str, address: &str) -> StatusCode {
    let stamp = host.stamp().await;
    host.insist(&format!("{table}/invite"), &[("address", address)], &stamp).await.status
}

#[actix_web::test]
async fn however_many_invite_a_stranger_at_once_a_few_letters_go() {
    let database = TestDatabase::new();
    let services = [Service::start(&database), Service::start(&database)];
    let mut hosts = Vec::new();
    for number in 0..10 {
        hosts.push(host(&services[number % 2]).await);
    }
    let answers = futures_util::future::join_all(hosts.iter().map(|(host, table)| invite(host, table, STRANGER))).await;
    assert_eq!(answers.iter().filter(|status| **status == StatusCode::SEE_OTHER).count(), 3, "{answers:?}");
    assert!(answers.iter().all(|status| [303, 422].contains(&status.as_u16())), "{answers:?}");
    assert_eq!(count(&database, "letter where kind = 'invitation'").await, 3);
    assert_eq!(count(&database, "invitation").await, 3);
    let refused = hosts.iter().zip(&answers).find(|(_, status)| **status != StatusCode::SEE_OTHER).expect("one").0;
    let answer = refused.0.post(&format!("{}/invite", refused.1), &[("address", "DORMOUSE@example.com")]).await;
    assert!(answer.body.contains("Give them the table&#39;s link"), "{}", answer.body);
    // Asking again whom one asked is no new invitation.
    let asked = hosts.iter().zip(&answers).find(|(_, status)| **status == StatusCode::SEE_OTHER).expect("one").0;
    assert_eq!(invite(&asked.0, &asked.1, STRANGER).await, StatusCode::SEE_OTHER);
    // Whoever the house knows is no different: else it would tell.
    letters::sign_in(&database, &services[0].visitor(), STRANGER).await;
    assert_eq!(invite(&refused.0, &refused.1, STRANGER).await, StatusCode::UNPROCESSABLE_ENTITY);
    // The next day.
    execute(&database, "update rate_limit set since = since - interval '1 day'").await;
    assert_eq!(invite(&refused.0, &refused.1, STRANGER).await, StatusCode::SEE_OTHER);
}

#[actix_web::test]
async fn somebody_is_invited_to_a_table_once_however_often_one_clicks() {
    let database = TestDatabase::new();
    let services = [Service::start(&database), Service::start(&database)];
    let (host, table) = host(&services[0]).await;
    let hosts: Vec<Visitor> = (0..8).map(|number| host.at(&services[number % 2].url)).collect();
    let answers = futures_util::future::join_all(hosts.iter().map(|host| invite(host, &table, STRANGER))).await;
    assert!(answers.iter().all(|status| *status == StatusCode::SEE_OTHER), "{answers:?}");
    assert_eq!(count(&database, "letter where kind = 'invitation'").await, 1);
    assert_eq!(count(&database, "invitation").await, 1);
    // What changed nothing is not counted.
    assert_eq!(count(&database, "rate_limit where what like 'invitations%' and count > 1").await, 0);
}

#[actix_web::test]
async fn a_guest_sends_ten_invitations_a_day_and_a_player_forty() {
    let database = TestDatabase::new();
    let services = [Service::start(&database), Service::start(&database)];
    for (address, most) in [(None, 10), (Some("alice@example.org"), 40)] {
        let (host, table) = host(&services[0]).await;
        if let Some(address) = address {
            letters::sign_in(&database, &host, address).await;
        }
        let hosts = [host.clone(), host.at(&services[1].url)];
        let stamp = host.stamp().await;
        let path = format!("{table}/invite");
        let asks = (0..most + 5).map(|number| {
            let (host, path, stamp) = (&hosts[number % 2], &path, &stamp);
            async move {
                let address = format!("guest{number}of{most}@example.com");
                host.insist(path, &[("address", &address)], stamp).await.status
            }
        });
        let answers = futures_util::future::join_all(asks).await;
        assert_eq!(answers.iter().filter(|status| **status == StatusCode::SEE_OTHER).count(), most, "{answers:?}");
    }
    assert_eq!(count(&database, "letter where kind = 'invitation'").await, 50);
}

/// Connections for quick questions wait for a locked row only a moment. One of them that is used because no other is free does not.
#[actix_web::test]
async fn many_who_invite_at_once_wait_for_each_other_on_whichever_connection() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    for _ in 0..2 {
        host(&service).await;
    }
    let hosts: Vec<(TableId, PlayerId)> = sqlx::query_as("select id, opened_by from game_table")
        .fetch_all(&mut database.connection().await)
        .await
        .expect("tables");
    let (host, table) = host(&service).await;
    assert_eq!(invite(&host, &table, STRANGER).await, StatusCode::SEE_OTHER);
    // One connection for quick questions, and one for all else.
    let store = Store::new(database.options(), 2);
    store.answers_at(hosts[0].0).await.expect("a quick answer");
    let mut holder = database.connection().await;
    for text in ["begin", "select count from rate_limit for update"] {
        sqlx::raw_sql(text).execute(&mut holder).await.expect("the counters are held");
    }
    let limit = RateLimit::a_day("invitations to an address", 3);
    let asks = hosts.iter().map(|(table, player)| {
        let (store, limit, player) = (&store, &limit, *player);
        async move {
            let token = table.to_string();
            let new = NewInvitation { token: &token, table: *table, email: STRANGER, invited_by: player, words: None };
            let limits = InvitationLimits { of_sender: &[], of_recipient: limit };
            store.invite(&new, &limits).await.expect("an answer")
        }
    });
    let release = async {
        tokio::time::sleep(Duration::from_millis(900)).await;
        sqlx::raw_sql("rollback").execute(&mut holder).await.expect("the counters are free");
    };
    let (answers, _) = tokio::join!(futures_util::future::join_all(asks), release);
    assert_eq!(answers, [Invited::Written; 2]);
}

#[actix_web::test]
async fn the_guests_of_one_network_send_thirty_invitations_a_day() {
    let database = TestDatabase::new();
    let service = proxied(&database);
    let mut sent = 0;
    for guest in 0..4 {
        let (host, table) = host(&service).await;
        for number in 0..10 {
            let address = format!("guest{number}of{guest}@example.com");
            let path = format!("{table}/invite");
            let answer = post_from(&host, "198.51.100.9", &path, &[("address", &address)]).await;
            sent += usize::from(answer.status == StatusCode::SEE_OTHER);
        }
    }
    assert_eq!(sent, 30);
}

#[actix_web::test]
async fn an_address_that_wants_no_letters_gets_none_until_its_holder_signs_in() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, table) = host(&service).await;
    assert_eq!(invite(&host, &table, STRANGER).await, StatusCode::SEE_OTHER);
    let letter = letters::newest(&database, STRANGER).await;
    assert!(letter.text.contains("Never write to this address again: http"), "{}", letter.text);
    assert!(letter.html.contains("Never write to this address again"));
    let way_out = letter.text.split(&service.url).find(|text| text.starts_with("/unsubscribe/")).expect("a link");
    let way_out = way_out.split_whitespace().next().expect("a link");
    let reader = service.visitor();
    assert!(reader.look(way_out).await.contains("Never write to this address again"));
    let form = [("List-Unsubscribe", "One-Click")];
    let answer = reader.send(reader.request(reqwest::Method::POST, way_out).form(&form)).await;
    assert_eq!(answer.status, StatusCode::OK);

    // Nobody reaches them any more: with an invitation, or by naming their address as one's own.
    let (other, another) = self::host(&service).await;
    assert_eq!(invite(&other, &another, STRANGER).await, StatusCode::SEE_OTHER);
    let player = service.visitor();
    letters::sign_in(&database, &player, "hatter@example.org").await;
    player.post("/me/address", &[("email", STRANGER)]).await.location();
    letters::settled(&database).await;
    assert_eq!(letters::to(&database, STRANGER).await.len(), 1);
    assert!(!player.look("/me/export.json").await.contains("silent"));

    // Whoever signs in is written to again.
    reader.post("/sign-in", &[("email", STRANGER)]).await.location();
    let letter = letters::newest(&database, STRANGER).await;
    assert!(letter.text.contains("You told us never to write to this address. Signing in lifts that."));
    reader.post(&letter.link(), &[]).await.location();
    assert_eq!(count(&database, "silent_address").await, 0);
    let (third, table) = self::host(&service).await;
    assert_eq!(invite(&third, &table, STRANGER).await, StatusCode::SEE_OTHER);
    assert!(letters::newest(&database, STRANGER).await.subject.contains("invites you"));
}
