//! Strangers can neither flood an address with letters nor keep its holder out.

use reqwest::StatusCode;

use super::{count, post_from, proxied};
use crate::harness::letters::{self, execute};
use crate::harness::{Service, TestDatabase, Visitor};

const VICTIM: &str = "alice@example.org";

/// A stranger at a browser and in a network of their own asks for a letter to the victim.
async fn attack(service: &Service, number: usize) -> Visitor {
    let visitor = service.visitor();
    let network = format!("198.51.{}.{}", number / 250, number % 250 + 1);
    let answer = post_from(&visitor, &network, "/sign-in", &[("email", VICTIM)]).await;
    assert_eq!(answer.location(), "/sign-in/code");
    visitor
}

/// The holder of the address asks for a letter, and signs in by the newest there is.
async fn sign_in(database: &TestDatabase, service: &Service) {
    let holder = service.visitor();
    assert_eq!(post_from(&holder, "203.0.113.7", "/sign-in", &[("email", VICTIM)]).await.location(), "/sign-in/code");
    assert!(holder.look("/sign-in/code").await.contains("the letter from then still works"));
    let link = letters::newest(database, VICTIM).await.link();
    assert_eq!(holder.post(&link, &[("leave_guest", "yes")]).await.location(), "/");
    assert!(holder.look("/me").await.contains(VICTIM));
}

#[actix_web::test]
async fn strangers_who_ask_for_letters_do_not_keep_the_holder_of_the_address_out() {
    let database = TestDatabase::new();
    let service = proxied(&database);
    let mut number = 0;
    for attempts in [5, 20, 100] {
        let before = count(&database, "letter").await;
        let mut strangers = Vec::new();
        for _ in 0..attempts {
            strangers.push(attack(&service, number).await);
            number += 1;
        }
        // Wrong codes of theirs void nothing but their own codes.
        for stranger in &strangers[..3] {
            for _ in 0..6 {
                let network = format!("192.0.2.{}", number % 250 + 1);
                let answer = post_from(stranger, &network, "/sign-in/code", &[("code", "000000")]).await;
                assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
            }
        }
        sign_in(&database, &service).await;
        assert!(count(&database, "letter").await - before <= 3, "the mailbox is not flooded");
        // And at once again, at another browser: letters that were used do not count.
        sign_in(&database, &service).await;
    }
}

#[actix_web::test]
async fn a_siege_of_a_whole_day_neither_floods_the_mailbox_nor_ever_leaves_it_without_a_good_link() {
    let database = TestDatabase::new();
    let service = proxied(&database);
    let minutes = 8;
    for number in 0..24 * 60 / minutes {
        attack(&service, number).await;
        let good = "sign_in where used_at is null and expires_at > now() + interval '10 minutes'";
        assert!(count(&database, good).await > 0, "after {} minutes", number * minutes);
        let hour = "sign_in where created_at > now() - interval '1 hour'";
        assert!(count(&database, hour).await <= 6, "after {} minutes", number * minutes);
        let passed = format!(
            "update sign_in set created_at = created_at - interval '{minutes} minutes', expires_at = expires_at - interval '{minutes} minutes'"
        );
        execute(&database, &passed).await;
    }
    let written = count(&database, "letter").await;
    assert!(written <= 45, "{written} letters went to one address within a day");
    sign_in(&database, &service).await;
}

#[actix_web::test]
async fn many_who_ask_at_once_get_no_more_letters_than_one_after_the_other() {
    let database = TestDatabase::new();
    let services = [proxied(&database), proxied(&database)];
    futures_util::future::join_all((0..12).map(|number| attack(&services[number % 2], number))).await;
    assert_eq!(count(&database, "sign_in").await, 3);
    letters::settled(&database).await;
    assert_eq!(letters::to(&database, VICTIM).await.len(), 3);
}

#[actix_web::test]
async fn a_code_stays_good_where_it_was_asked_for_though_no_new_letter_goes() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    for _ in 0..2 {
        visitor.post("/sign-in", &[("email", VICTIM)]).await.location();
    }
    let letter = letters::newest(&database, VICTIM).await;
    for _ in 0..3 {
        visitor.post("/sign-in", &[("email", VICTIM)]).await.location();
    }
    letters::settled(&database).await;
    assert_eq!(letters::to(&database, VICTIM).await.len(), 2);
    assert_eq!(visitor.post("/sign-in/code", &[("code", &letter.code())]).await.location(), "/");
}

#[actix_web::test]
async fn a_browser_and_a_network_that_ask_too_much_are_told_to_wait() {
    let database = TestDatabase::new();
    let services = [proxied(&database), proxied(&database)];
    let ask = async |visitor: &Visitor, number: usize, network: &str| {
        let address = format!("guest{number}@example.org");
        post_from(visitor, network, "/sign-in", &[("email", &address)]).await
    };
    // Ten from a browser, whichever process answers.
    let browser = services[0].visitor();
    for number in 0..10 {
        let browser = browser.at(&services[number % 2].url);
        assert_eq!(ask(&browser, number, "198.51.100.1, 2001:db8::7").await.location(), "/sign-in/code");
    }
    let answer = ask(&browser, 11, "192.0.2.1").await;
    assert_eq!((answer.status, answer.header("retry-after")), (StatusCode::TOO_MANY_REQUESTS, "3600"));
    assert!(answer.body.contains("a great many letters"), "{}", answer.body);
    // Thirty from a household.
    for number in 20..40 {
        let answer = ask(&services[number % 2].visitor(), number, "2001:db8::8:1:2:3").await;
        assert_eq!(answer.location(), "/sign-in/code");
    }
    for service in &services {
        let answer = ask(&service.visitor(), 50, "2001:db8::7").await;
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(ask(&services[0].visitor(), 60, "2001:db8:0:1::7").await.location(), "/sign-in/code");
    assert_eq!(count(&database, "sign_in").await, 31);
    // An hour later.
    execute(&database, "update rate_limit set since = since - interval '1 hour'").await;
    assert_eq!(ask(&browser, 70, "2001:db8::7").await.location(), "/sign-in/code");
}

#[actix_web::test]
async fn sixty_codes_an_hour_are_read_from_one_network() {
    let database = TestDatabase::new();
    let service = proxied(&database);
    let stranger = attack(&service, 1).await;
    for _ in 0..60 {
        let answer = post_from(&stranger, "192.0.2.1", "/sign-in/code", &[("code", "000000")]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = post_from(&stranger, "192.0.2.1", "/sign-in/code", &[("code", "000000")]).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(
        post_from(&stranger, "192.0.2.2", "/sign-in/code", &[("code", "000000")]).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[actix_web::test]
async fn a_strangers_guest_stays_outside_if_one_says_so() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let mallory = service.visitor();
    mallory.post("/daily", &[]).await.location();
    mallory.post("/sign-in", &[("email", VICTIM)]).await.location();
    let link = letters::newest(&database, VICTIM).await.link();
    let alice = service.visitor();
    assert!(alice.look(&link).await.contains("Sign in without these games"));
    assert_eq!(alice.post(&link, &[("leave_guest", "yes")]).await.location(), "/");
    assert!(alice.look("/me").await.contains(VICTIM));
    assert_eq!(count(&database, "seat join player on player.id = player_id where email is not null").await, 0);
    // Mallory plays on as a guest.
    assert!(mallory.look("/me").await.contains("You are a guest"));
}

#[actix_web::test]
async fn addresses_that_no_mail_reaches_are_taken_only_where_the_host_allows_it() {
    let database = TestDatabase::new();
    for (smtp, allowed, taken) in
        [(None, false, true), (Some("smtp://127.0.0.1:1"), false, false), (Some("smtp://127.0.0.1:1"), true, true)]
    {
        let service = Service::start_with(&database, |settings| {
            settings.post.smtp = smtp.map(str::to_owned);
            settings.post.allow_local_addresses = allowed;
        });
        let visitor = service.visitor();
        visitor.begin().await;
        let table = visitor.post("/tables", &[("game", "red-queen"), ("seat-2", "person")]).await.location();
        visitor.post(&format!("{table}/sit"), &[("cut", "tarts")]).await.location();
        for address in ["a@localhost", "a@[127.0.0.1]", "a@mailhost", "a@printer.local", "a@b.test"] {
            for (path, field) in
                [("/sign-in", "email"), ("/me/address", "email"), (&*format!("{table}/invite"), "address")]
            {
                execute(&database, "delete from rate_limit").await;
                let answer = visitor.post(path, &[(field, address)]).await;
                if taken {
                    answer.location();
                } else {
                    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{path} {address}");
                    assert!(answer.body.contains("cannot reach that address"), "{path}: {}", answer.body);
                }
            }
        }
    }
}
