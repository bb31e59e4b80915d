//! Tables for several: sitting down, bots, invitations, previews, leaving, live updates, the archive.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::harness::page::Page;
use crate::harness::red_queen::{open, say, sit, two_at_a_table, until_my_turn};
use crate::harness::table::calm_word;
use crate::harness::{Service, TestDatabase, Visitor, letters};

#[actix_web::test]
async fn a_newcomer_plays_against_a_bot_at_once() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    assert!(visitor.look("/games/red-queen").await.contains("Against a bot"));
    let table = open(&visitor, &[("seat-2", "decent")]).await;
    sit(&visitor, &table).await;
    let mut moves = 0;
    while moves < 8 {
        let body = until_my_turn(&visitor, &table).await;
        let page = Page(&body);
        let line =
            if page.offers("draw") { "draw".to_owned() } else { page.buttons().first().expect("a move").clone() };
        assert_eq!(say(&visitor, &table, page.step(), &line).await, StatusCode::SEE_OTHER, "{line}");
        moves += 1;
    }
    let desk = visitor.look("/").await;
    assert!(
        desk.contains("Your desk") && desk.contains("Red Queen") && desk.contains("March Hare (decent bot)"),
        "{desk}"
    );
}

#[actix_web::test]
async fn a_move_is_shown_before_it_is_said_unless_the_player_does_not_want_that() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, _, table) = two_at_a_table(&service).await;
    let body = one.look(&table).await;
    let step = Page(&body).step();
    let asked = one.say(&table, step, "end").await;
    assert_eq!(asked.status, StatusCode::OK);
    assert!(asked.body.contains("Say this?") && asked.body.contains("as it would be"), "{}", asked.body);
    assert!(one.look(&table).await.contains("It is your move"), "nothing was said yet");
    // What comes of a card drawn is not shown.
    let asked = one.say(&table, step, "draw").await;
    assert!(asked.body.contains("cannot be taken back"), "{}", asked.body);
    one.post("/me/settings", &[("theme", "system")]).await;
    assert_eq!(one.say(&table, step, "end").await.status, StatusCode::SEE_OTHER);
    assert!(one.look(&table).await.contains("is to move"));
}

#[actix_web::test]
async fn the_link_to_a_private_table_lets_people_in_while_there_is_a_seat() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (host, guest, stranger) = (service.visitor(), service.visitor(), service.visitor());
    let table = open(&host, &[("seat-2", "person"), ("private", "yes")]).await;
    sit(&host, &table).await;
    let body = host.look(&table).await;
    let link = format!("/i/{}", Page(&body).between("/i/", "<")[0]);
    assert!(guest.look(&link).await.contains("Sit down"));
    assert_eq!(guest.post(&link, &[("cut", "jam")]).await.location(), table);
    assert!(guest.look(&table).await.contains("Red Queen"));
    assert_eq!(stranger.get(&link).await.status, StatusCode::UNPROCESSABLE_ENTITY, "all seats are taken");
}

#[actix_web::test]
async fn somebody_without_an_account_is_invited_by_letter_and_told_of_their_turn() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let host = service.visitor();
    let table = open(&host, &[("seat-2", "person"), ("option-first", "1")]).await;
    sit(&host, &table).await;
    let invited = host.post(&format!("{table}/invite"), &[("address", "dormouse@example.org")]).await;
    assert_eq!(invited.location(), table);
    let letter = letters::newest(&database, "dormouse@example.org").await;
    assert!(!host.look(&table).await.contains("dormouse@example.org"), "addresses are shown to nobody");
    let guest = service.visitor();
    let link = letter.link();
    assert!(guest.look(&link).await.contains("Sit down"));
    let id = table.trim_start_matches("/t/").parse().expect("a table");
    let word = calm_word(&database.tables(), id).await;
    guest.post(&link, &[("cut", &word)]).await.location();
    let tied: bool = sqlx::query_scalar(
        "select exists (select from invitation join seat using (table_id, player_id) where seat = 2 and answer = 'accepted')",
    )
    .fetch_one(&mut database.connection().await)
    .await
    .unwrap();
    assert!(tied, "whoever came as nobody is the one who was invited");
    // The guest attaches an address; the host moves; a letter says so.
    guest.post("/sign-in", &[("email", "dormouse@example.org")]).await.location();
    let sign_in = letters::newest(&database, "dormouse@example.org").await.link();
    guest.post(&sign_in, &[]).await.location();
    let body = until_my_turn(&host, &table).await;
    assert_eq!(say(&host, &table, Page(&body).step(), "end").await, StatusCode::SEE_OTHER);
    letters::settled(&database).await;
    let turn: i64 =
        sqlx::query_scalar("select count(*) from letter where kind = 'turn' and to_address = 'dormouse@example.org'")
            .fetch_one(&mut database.connection().await)
            .await
            .unwrap();
    assert_eq!(turn, 1);
}

#[actix_web::test]
async fn resigning_and_agreeing_end_a_game_and_publish_its_secret() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, two, table) = two_at_a_table(&service).await;
    assert_eq!(one.post(&format!("{table}/agree"), &[("end", "true")]).await.location(), table);
    assert!(two.look(&table).await.contains("would like to end it here"));
    assert_eq!(two.post(&format!("{table}/agree"), &[("end", "true")]).await.location(), table);
    assert!(two.look(&table).await.contains("Ended by agreement"));
    assert!(two.look(&format!("{table}/check")).await.contains("All of it is as it should be"));
    let again = two.post(&format!("{table}/rematch"), &[]).await.location();
    assert_ne!(again, table);
    assert!(one.look("/").await.contains("asks you to the table"));

    let (one, two, table) = two_at_a_table(&service).await;
    assert_eq!(two.post(&format!("{table}/resign"), &[]).await.location(), table);
    let body = one.look(&table).await;
    assert!(body.contains("Ended by resignation") && body.contains("winner"), "{body}");
    // Now all is revealed: the board of each, and what each was told.
    let all = service.visitor().look(&format!("{table}/at/0?as=all")).await;
    assert_eq!(all.matches("class=\"rq-hand\"").count(), 2, "{all}");
    assert_eq!(all.matches(" was told: Round 1").count(), 4, "each in what changed and in the log: {all}");
    let mut names = Page(&all).between(" id=\"", "\"");
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), number, "no part of the page is called like another");
    assert!(service.visitor().look("/archive?game=red-queen").await.contains(&table));
}

#[actix_web::test]
async fn moves_are_told_live_on_every_process() {
    let database = TestDatabase::new();
    let (here, there) = (Service::start(&database), Service::start(&database));
    let (one, two, table) = two_at_a_table(&here).await;
    let mut stream = two.at(&there.url).request(Method::GET, &format!("{table}/live")).send().await.expect("a stream");
    let first = stream.chunk().await.unwrap().expect("the version now");
    let mark = |chunk: &[u8]| -> String {
        let text = String::from_utf8_lossy(chunk).into_owned();
        text.split("data: ").nth(1).unwrap_or_else(|| panic!("{text}")).trim().to_owned()
    };
    let before = mark(&first);
    let body = one.look(&table).await;
    assert_eq!(
        Page(&body).between("data-mark=\"", "\""),
        [before.as_str()],
        "the page and the stream mean the same state"
    );
    assert_eq!(say(&one, &table, Page(&body).step(), "end").await, StatusCode::SEE_OTHER);
    let told = async { while mark(&stream.chunk().await.unwrap().expect("a word")) == before {} };
    tokio::time::timeout(Duration::from_secs(10), told).await.expect("told in time");
    assert!(two.at(&there.url).look(&table).await.contains("It is your move"));
    assert!(two.look(&table).await.contains("Since your last visit"));
}

#[actix_web::test]
async fn the_api_answers_as_its_description_says() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, other) = (service.visitor(), service.visitor());
    let description: Value = serde_json::from_str(&visitor.look("/api/v1/openapi.json").await).unwrap();
    let token = visitor.token().await;
    let other_token = other.token().await;
    let api = Api { visitor: &visitor, token: &token, description: &description };
    let other_api = Api { visitor: &other, token: &other_token, description: &description };

    api.get("/games", "/games").await;
    api.get("/games/{slug}", "/games/red-queen").await;
    api.get("/me", "/me").await;
    api.call(Method::PATCH, "/me", "/me", serde_json::json!({"name": "Bill the Lizard"})).await;
    api.get("/me/tables", "/me/tables").await;
    api.get("/me/invitations", "/me/invitations").await;
    api.get("/me/export", "/me/export").await;
    api.get("/tables", "/tables").await;
    api.get("/archive", "/archive").await;
    let today = api.get("/daily", "/daily").await["day"].as_str().unwrap().to_owned();
    api.get("/daily/{day}", &format!("/daily/{today}")).await;
    api.call(Method::POST, "/daily", "/daily", Value::Null).await;
    let address = serde_json::json!({"address": "bill@example.org"});
    api.call(Method::POST, "/me/address", "/me/address", address).await;
    assert!(letters::newest(&database, "bill@example.org").await.link().starts_with("/sign-in/"));
    let made = api.call(Method::POST, "/me/tokens", "/me/tokens", serde_json::json!({"title": "a second"})).await;
    assert!(made["token"].as_str().unwrap().starts_with("wonderpost-"));
    let tokens = api.get("/me/tokens", "/me/tokens").await;
    let second = tokens["tokens"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    let path = format!("/me/tokens/{second}");
    api.call(Method::DELETE, "/me/tokens/{token}", &path, Value::Null).await;
    assert_eq!(api.get("/me/tokens", "/me/tokens").await["tokens"].as_array().unwrap().len(), 1);
    let opened = api
        .call(
            Method::POST,
            "/tables",
            "/tables",
            serde_json::json!({
                "game": "red-queen", "seats": 2, "options": {"first": 1}, "nights_off": true, "when_late": "bot",
                "bank": {"start": 86_400, "refill": 3_600, "most": 172_800},
            }),
        )
        .await;
    let id = opened["table"].as_str().unwrap().to_owned();
    let at = |rest: &str| format!("/tables/{id}{rest}");
    api.call(Method::POST, "/tables/{id}/sit", &at("/sit"), serde_json::json!({"cut": "tarts"})).await;
    api.call(Method::POST, "/tables/{id}/invite", &at("/invite"), serde_json::json!({"address": "mouse@example.org"}))
        .await;
    other_api.call(Method::POST, "/tables/{id}/sit", &at("/sit"), serde_json::json!({})).await;
    let table = api.get("/tables/{id}", &at("")).await;
    assert_eq!(table["my_seat"], 1);
    assert!(table["view"]["mine"]["hand"].is_array());
    let step = table["moves"].as_u64().unwrap();
    api.call(
        Method::POST,
        "/tables/{id}/say",
        &at("/say"),
        serde_json::json!({"step": step, "say": "end", "preview": true}),
    )
    .await;
    api.call(Method::POST, "/tables/{id}/say", &at("/say"), serde_json::json!({"step": step, "say": "draw"})).await;
    // The same again is the same.
    let again =
        api.call(Method::POST, "/tables/{id}/say", &at("/say"), serde_json::json!({"step": step, "say": "draw"})).await;
    assert_eq!((again["made"].as_u64(), again["moves"].as_u64()), (Some(1), Some(step + 1)));
    api.get("/tables/{id}/moves/{move}", &at("/moves/0")).await;
    api.get("/tables/{id}/check", &at("/check")).await;
    api.get("/tables/{id}/answers", &at("/answers")).await;
    let answer = serde_json::json!({"prompt": "act", "lines": []});
    api.call(Method::POST, "/tables/{id}/answers", &at("/answers"), answer).await;
    let hours = serde_json::json!({"hours": {"zone": "Europe/Berlin", "from": "08:00", "until": "23:00"}});
    api.call(Method::PUT, "/me/hours", "/me/hours", hours.clone()).await;
    assert_eq!(api.get("/me/hours", "/me/hours").await, hours);
    let today = chrono::Utc::now().date_naive() + chrono::TimeDelta::days(1);
    let days = serde_json::json!({"first": today, "last": today});
    api.call(Method::POST, "/me/days-off", "/me/days-off", days).await;
    let days = api.get("/me/days-off", "/me/days-off").await;
    let days_id = days["days_off"][0]["id"].as_str().unwrap().to_owned();
    api.call(Method::DELETE, "/me/days-off/{id}", &format!("/me/days-off/{days_id}"), Value::Null).await;
    for who in [&api, &other_api] {
        who.call(Method::POST, "/tables/{id}/pause", &at("/pause"), serde_json::json!({"pause": true})).await;
    }
    let paused = api.get("/tables/{id}", &at("")).await;
    assert_eq!((&paused["paused"], &paused["bank"]["refill"]), (&Value::Bool(true), &Value::from(3_600)));
    for (pattern, rest) in
        [("/tables/{id}/resume", "/resume"), ("/tables/{id}/return", "/return"), ("/tables/{id}/go-on", "/go-on")]
    {
        api.call(Method::POST, pattern, &at(rest), Value::Null).await;
    }
    assert_eq!(api.get("/tables/{id}", &at("")).await["paused"], false);
    let words = |words: &str| serde_json::json!({"words": words});
    api.call(Method::POST, "/tables/{id}/talk", &at("/talk"), words("Curiouser and curiouser")).await;
    assert_eq!(other_api.get("/tables/{id}/talk", &at("/talk")).await["talk"][0]["words"], "Curiouser and curiouser");
    api.call(Method::PUT, "/tables/{id}/note", &at("/note"), words("tarts")).await;
    assert_eq!(api.get("/tables/{id}/note", &at("/note")).await["words"], "tarts");
    assert_eq!(api.get("/me/next", "/me/next").await["table"], Value::String(id.clone()));
    let public = visitor.look(&format!("/api/v1{}", at(""))).await;
    let public: Value = serde_json::from_str(&public).unwrap();
    assert!(public["view"].get("mine").is_none() && public["my_seat"].is_null());

    for (method, path, status) in [
        (Method::GET, "/tables/nothing".to_owned(), StatusCode::NOT_FOUND),
        (Method::GET, "/nothing".to_owned(), StatusCode::NOT_FOUND),
        (Method::PUT, "/games".to_owned(), StatusCode::METHOD_NOT_ALLOWED),
        (Method::GET, "/me".to_owned(), StatusCode::UNAUTHORIZED),
        (Method::POST, at("/resign"), StatusCode::UNAUTHORIZED),
    ] {
        let answer = visitor.send(visitor.request(method, &format!("/api/v1{path}"))).await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        let problem: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(problem["status"], status.as_u16());
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
    }
    api.call(Method::POST, "/tables/{id}/agree", &at("/agree"), serde_json::json!({"end": true})).await;
    api.call(Method::POST, "/tables/{id}/resign", &at("/resign"), Value::Null).await;
    api.call(Method::POST, "/tables/{id}/rematch", &at("/rematch"), Value::Null).await;
    api.call(Method::DELETE, "/me/sessions", "/me/sessions", Value::Null).await;
    assert_eq!(visitor.get("/me").await.status, StatusCode::SEE_OTHER, "signed out");
    // A token that is revoked opens nothing.
    letters::execute(&database, "delete from api_token").await;
    let answer = visitor.send(visitor.request(Method::GET, "/api/v1/me").bearer_auth(&token)).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}

struct Api<'a> {
    visitor: &'a Visitor,
    token: &'a str,
    description: &'a Value,
}

impl Api<'_> {
    async fn get(&self, pattern: &str, path: &str) -> Value {
        self.call(Method::GET, pattern, path, Value::Null).await
    }

    /// Asks, and holds the answer to its description.
    async fn call(&self, method: Method, pattern: &str, path: &str, body: Value) -> Value {
        let operation = &self.description["paths"][pattern][method.as_str().to_lowercase()];
        assert!(operation.is_object(), "{method} {pattern} is not described");
        let mut request = self.visitor.request(method, &format!("/api/v1{path}")).bearer_auth(self.token);
        if !body.is_null() {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let answer = self.visitor.send(request).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.body);
        let described = &operation["responses"][answer.status.as_str()];
        assert!(described.is_object(), "{path}: {} is not described", answer.status);
        if answer.status == StatusCode::NO_CONTENT {
            return Value::Null;
        }
        let value: Value = serde_json::from_str(&answer.body).unwrap_or_else(|error| panic!("{path}: {error}"));
        let schema = &described["content"]["application/json"]["schema"];
        if let Err(wrong) = fits(&value, schema, self.description, path) {
            panic!("{wrong}");
        }
        value
    }
}

/// Whether a value is what a schema says: types, required fields, nothing that is not described.
fn fits(value: &Value, schema: &Value, description: &Value, path: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return fits(value, &description["components"]["schemas"][name], description, path);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fitting = choices.iter().filter(|choice| fits(value, choice, description, path).is_ok()).count();
        return if fitting == 1 { Ok(()) } else { Err(format!("{path}: {value} fits {fitting} of the choices")) };
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        Value::String(one) => one == kind,
        Value::Array(several) => several.iter().any(|one| one == kind),
        _ => true,
    };
    if !allowed {
        return Err(format!("{path}: {value} is not {}", schema["type"]));
    }
    if let Some(choices) = schema["enum"].as_array()
        && !choices.contains(value)
    {
        return Err(format!("{path}: {value} is none of {}", schema["enum"]));
    }
    if let (Value::Object(fields), Some(known)) = (value, schema["properties"].as_object()) {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().unwrap_or_default()) {
                return Err(format!("{path}: {name} is missing"));
            }
        }
        for (name, field) in fields {
            let schema = known.get(name).ok_or_else(|| format!("{path}: {name} is not described"))?;
            fits(field, schema, description, &format!("{path}.{name}"))?;
        }
    }
    for item in value.as_array().into_iter().flatten() {
        fits(item, &schema["items"], description, &format!("{path}[]"))?;
    }
    Ok(())
}
