//! What keeps accounts safe.

use super::*;

#[actix_web::test]
async fn a_form_without_our_stamp_changes_nothing() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, other) = (service.visitor(), service.visitor());
    let table = visitor.post("/daily", &[]).await.location();
    let step = visitor.look(&table).await;
    let step = step.as_str();
    let step = crate::harness::page::Page(step).step().to_string();
    let strange = other.stamp().await;
    let forms: [(&str, Vec<(&str, &str)>); 6] = [
        ("/daily", vec![]),
        ("/sign-in", vec![("email", ALICE)]),
        ("/me/name", vec![("name", "Mallory")]),
        ("/me/delete", vec![("sure", "yes")]),
        ("/sign-out/everywhere", vec![]),
        (&format!("{table}/say"), vec![("step", &step), ("say", "pass")]),
    ];
    for (path, form) in forms {
        for stamp in [None, Some(""), Some("AAAA"), Some(strange.as_str())] {
            let mut form = form.clone();
            form.extend(stamp.map(|stamp| ("csrf", stamp)));
            let answer = visitor.send(visitor.request(Method::POST, path).form(&form)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {stamp:?}");
            assert!(answer.body.contains("An old form"), "{path}: {}", answer.body);
        }
    }
    assert!(visitor.look(&table).await.contains("After move 0"));
    // A stamp from before signing in is no good after it.
    let stamp = visitor.stamp().await;
    sign_in(&database, &visitor, ALICE).await;
    let form = [("csrf", stamp.as_str())];
    let answer = visitor.send(visitor.request(Method::POST, "/sign-out").form(&form)).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[actix_web::test]
async fn sixty_guests_an_hour_come_in_from_one_network_through_all_processes() {
    let database = TestDatabase::new();
    let start = || Service::start_with(&database, |settings| settings.behind_proxy = true);
    let services = [start(), start()];
    let come_in = async |number: usize, network: &str| {
        let visitor = services[number % 2].visitor();
        let form = [("csrf", visitor.stamp().await)];
        visitor
            .send(visitor.request(Method::POST, "/daily").header("x-forwarded-for", network).form(&form))
            .await
            .status
    };
    for number in 0..60 {
        assert_eq!(come_in(number, "203.0.113.5").await, StatusCode::SEE_OTHER);
    }
    for number in 0..2 {
        assert_eq!(come_in(number, "203.0.113.5").await, StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(come_in(0, "203.0.113.6").await, StatusCode::SEE_OTHER);
}

#[actix_web::test]
async fn neither_addresses_nor_secrets_are_logged() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let address = "very.private@example.org";
    ask(&visitor, address).await;
    let letter = letters::newest(&database, address).await;
    visitor.look(&letter.link()).await;
    visitor.post(&letter.link(), &[]).await.location();
    let page = visitor.post("/me/tokens", &[("title", "my robot")]).await;
    let token = page.page().between("<code class=\"digest\">", "</code>")[0].to_owned();
    let log = log::lines();
    let secret = letter.link().replace("/sign-in/", "");
    for word in [address, "very.private", &secret, &token, token.trim_start_matches("wonderpost-")] {
        assert!(!log.contains(word), "{word} is in the log");
    }
}
