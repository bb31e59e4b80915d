//! Pages and the API refuse the same things for the same reasons, in the same words.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Service, TestDatabase, Visitor};

/// Something that is refused: as a form sends it, and as a program does.
struct Refused<'a> {
    form: (&'a str, &'a [(&'a str, &'a str)]),
    call: (Method, &'a str, Value),
}

/// A page as people read it.
fn readable(page: &str) -> String {
    let page = page.replace("&#39;", "'").replace("&#x27;", "'").replace("&#34;", "\"").replace("&quot;", "\"");
    page.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&#38;", "&")
}

impl Refused<'_> {
    async fn is_refused_alike(&self, visitor: &Visitor, token: &str) {
        let (path, fields) = self.form;
        let page = visitor.post(path, fields).await;
        assert!(page.status.is_client_error(), "{path}: {}", page.status);
        let (method, call, body) = &self.call;
        let request = visitor.request(method.clone(), &format!("/api/v1{call}")).bearer_auth(token);
        let request = request.header("content-type", "application/json").body(body.to_string());
        let answer = visitor.send(request).await;
        assert_eq!(answer.status, page.status, "{path} and {call}: {}", answer.body);
        let problem: Value = serde_json::from_str(&answer.body).expect("a problem document");
        let sentence = problem["detail"].as_str().expect("a sentence");
        assert!(readable(&page.body).contains(sentence), "{path} does not say “{sentence}”");
    }
}

async fn all_alike(visitor: &Visitor, token: &str, refused: &[Refused<'_>]) {
    for one in refused {
        one.is_refused_alike(visitor, token).await;
    }
}

#[actix_web::test]
async fn what_is_refused_about_an_account_is_refused_alike() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, other) = (service.visitor(), service.visitor());
    let token = visitor.token().await;
    other.begin().await;
    assert_eq!(other.post("/me/name", &[("name", "Bill the Lizard")]).await.location(), "/me?done=name");
    let name = |typed| Refused { form: ("/me/name", typed), call: (Method::PATCH, "/me", json!({"name": typed[0].1})) };
    let refused = [
        name(&[("name", "x")]),
        name(&[("name", "Wonderpost")]),
        name(&[("name", "bill the lizard")]),
        Refused {
            form: ("/me/address", &[("email", "nonsense")]),
            call: (Method::POST, "/me/address", json!({"address": "nonsense"})),
        },
        Refused { form: ("/me/tokens", &[("title", " ")]), call: (Method::POST, "/me/tokens", json!({"title": " "})) },
        Refused {
            form: ("/me/hours", &[("zone", "Europe/Berlin"), ("from", "07:00"), ("until", "08:00")]),
            call: (
                Method::PUT,
                "/me/hours",
                json!({"hours": {"zone": "Europe/Berlin", "from": "07:00", "until": "08:00"}}),
            ),
        },
        Refused {
            form: ("/me/days-off", &[("first", "2020-01-02"), ("last", "2020-01-01")]),
            call: (Method::POST, "/me/days-off", json!({"first": "2020-01-02", "last": "2020-01-01"})),
        },
        Refused {
            form: (
                "/me/letters",
                &[
                    ("zone", "Europe/Berlin"),
                    ("digest_at", "08:00"),
                    ("quiet", "on"),
                    ("quiet_from", "07:00"),
                    ("quiet_until", "07:00"),
                ],
            ),
            call: (Method::PUT, "/me/letters", json!({"quiet": {"from": "07:00", "until": "07:00"}})),
        },
        Refused {
            form: ("/i/nonsense", &[("cut", "")]),
            call: (Method::POST, "/invitations/nonsense", json!({"accept": true})),
        },
    ];
    all_alike(&visitor, &token, &refused).await;
}

#[actix_web::test]
async fn what_is_refused_at_a_table_is_refused_alike() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, other) = (service.visitor(), service.visitor());
    let token = visitor.token().await;
    let (mine, theirs) = (visitor.begin().await, other.begin().await);
    let api = |table: &str, rest: &str| format!("/tables/{}{rest}", table.trim_start_matches("/t/"));
    let refused_at = async |table: &str, rest: &str, form: &[(&str, &str)], body: Value| {
        let (page, call) = (format!("{table}{rest}"), api(table, rest));
        Refused { form: (&page, form), call: (Method::POST, &call, body) }.is_refused_alike(&visitor, &token).await;
    };
    refused_at(&theirs, "/sit", &[("cut", "tarts")], json!({"cut": "tarts"})).await;
    refused_at(&theirs, "/say", &[("step", "0"), ("say", "end")], json!({"step": 0, "say": "end"})).await;
    refused_at(&theirs, "/invite", &[("address", "hatter@example.org")], json!({"address": "hatter@example.org"}))
        .await;
    refused_at(&theirs, "/invite", &[("address", "nonsense")], json!({"address": "nonsense"})).await;
    refused_at(&theirs, "/talk", &[("words", "hello")], json!({"words": "hello"})).await;
    refused_at(&theirs, "/rematch", &[], json!({})).await;
    refused_at(&theirs, "/pause", &[("pause", "true")], json!({"pause": true})).await;
    refused_at(&mine, "/resign", &[], json!({})).await;
    refused_at(&mine, "/agree", &[("end", "true")], json!({"end": true})).await;
    refused_at(&mine, "/rematch", &[], json!({})).await;
    let unknown = Refused {
        form: ("/tables", &[("game", "hazard")]),
        call: (Method::POST, "/tables", json!({"game": "hazard"})),
    };
    unknown.is_refused_alike(&visitor, &token).await;
    refused_at("/t/nonsense", "/sit", &[("cut", "")], json!({"cut": ""})).await;
}
