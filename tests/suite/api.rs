//! The API: it answers as its description says.

use std::cell::RefCell;
use std::collections::BTreeSet;

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::harness::table::calm_word;
use crate::harness::{Service, TestDatabase, Visitor, letters};

#[actix_web::test]
async fn the_api_answers_as_its_description_says() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (visitor, other) = (service.visitor(), service.visitor());
    let description: Value = serde_json::from_str(&visitor.look("/api/v1/openapi.json").await).unwrap();
    let token = visitor.token().await;
    let other_token = other.token().await;
    let walked = RefCell::default();
    let api = Api { visitor: &visitor, token: &token, description: &description, walked: &walked };
    let other_api = Api { visitor: &other, token: &other_token, description: &description, walked: &walked };

    api.get("/games", "/games").await;
    api.get("/games/{slug}", "/games/red-queen").await;
    let rabbits = api.get("/games/{slug}", "/games/messenger-rabbits").await;
    assert!(
        !rabbits["option_groups"].as_array().unwrap().is_empty() && !rabbits["presets"].as_array().unwrap().is_empty()
    );
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
    api.call(Method::POST, "/me/confirm", "/me/confirm", Value::Null).await;
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
    let invited = api.get("/tables/{id}/invitations", &at("/invitations")).await;
    assert_eq!(invited["invitations"][0]["address"], "mouse@example.org");
    assert!(invited["invitations"][0]["answer"].is_null());
    let word = calm_word(&database.tables(), id.parse().expect("a table")).await;
    let link = letters::newest(&database, "mouse@example.org").await.link();
    let invitation = format!("/invitations/{}", link.strip_prefix("/i/").expect("an invitation"));
    assert_eq!(other_api.get("/invitations/{token}", &invitation).await["seated"], serde_json::json!([1]));
    let accept = serde_json::json!({"accept": true, "cut": word});
    other_api.call(Method::POST, "/invitations/{token}", &invitation, accept).await;
    let table = api.get("/tables/{id}", &at("")).await;
    assert_eq!(table["my_seat"], 1);
    assert!(table["view"]["mine"]["hand"].is_array());
    let step = table["moves"].as_u64().unwrap();
    let mut moves = table["view"]["moves"].as_array().unwrap().iter().filter_map(Value::as_str);
    let place = moves.find(|line| line.starts_with("place")).expect("a card to place");
    api.call(Method::POST, "/tables/{id}/say", &at("/say"), serde_json::json!({"step": step, "say": place})).await;
    let undo = serde_json::json!({"step": step + 1});
    let step = api.call(Method::POST, "/tables/{id}/undo", &at("/undo"), undo).await["moves"].as_u64().unwrap();
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
    let own = api.get("/tables/{id}/moves/{move}", &at("/moves/0?as=all")).await;
    assert!(
        own.get("views").is_none() && own["viewer"] == 1,
        "while the game runs everybody looks from their own place"
    );
    api.get("/tables/{id}/check", &at("/check")).await;
    other_api.call(Method::POST, "/tables/{id}/talk", &at("/talk"), serde_json::json!({"words": "Well, well"})).await;
    let talk = api.get("/tables/{id}/talk", &at("/talk")).await;
    let said = |what: &str| at(&format!("/talk/{}/{what}", talk["talk"][0]["id"]));
    let reason = serde_json::json!({"reason": "not nice"});
    api.call(Method::POST, "/tables/{id}/talk/{talk}/report", &said("report"), reason).await;
    api.call(Method::POST, "/tables/{id}/talk/{talk}/mute", &said("mute"), Value::Null).await;
    let mutes = api.get("/me/mutes", "/me/mutes").await;
    let mute = format!("/me/mutes/{}", mutes["mutes"][0]["id"].as_str().unwrap());
    api.call(Method::DELETE, "/me/mutes/{mute}", &mute, Value::Null).await;
    assert_eq!(api.get("/me/mutes", "/me/mutes").await, serde_json::json!({"mutes": []}));
    api.get("/tables/{id}/answers", &at("/answers")).await;
    let answer = serde_json::json!({"prompt": "act", "lines": []});
    api.call(Method::POST, "/tables/{id}/answers", &at("/answers"), answer).await;
    let hours = serde_json::json!({"hours": {"zone": "Europe/Berlin", "from": "08:00", "until": "23:00"}});
    api.call(Method::PUT, "/me/hours", "/me/hours", hours.clone()).await;
    assert_eq!(api.get("/me/hours", "/me/hours").await, hours);
    let digest = serde_json::json!({"when": "digest", "zone": "Europe/Berlin", "digest": {"at": "18:30", "days": [1, 2, 3, 4, 5]}});
    api.call(Method::PUT, "/me/letters", "/me/letters", digest).await;
    let wishes = api.get("/me/letters", "/me/letters").await;
    assert_eq!((&wishes["wishes"]["when"], &wishes["wishes"]["quiet"]), (&Value::from("digest"), &Value::Null));
    assert!(wishes["in_words"][0].as_str().unwrap().starts_with("On weekdays at 18:30"), "{wishes}");
    let at_once =
        serde_json::json!({"when": "at-once", "off": false, "reminders": ["day", "two-hours"], "without": ["talk"]});
    api.call(Method::PUT, "/tables/{id}/letters", &at("/letters"), at_once.clone()).await;
    assert_eq!(api.get("/tables/{id}/letters", &at("/letters")).await, at_once);
    for (path, wrong) in [
        ("/me/letters".to_owned(), serde_json::json!({"when": "digest", "digest": {"at": "18:30", "days": []}})),
        ("/me/letters".to_owned(), serde_json::json!({"when": "whenever"})),
        (at("/letters"), serde_json::json!({"where": "at-once"})),
        (at("/letters"), serde_json::json!({"reminders": ["quarter", "day", "two-hours", "half-an-hour"]})),
    ] {
        let request = visitor.request(Method::PUT, &format!("/api/v1{path}")).bearer_auth(&token);
        let answer = visitor.send(request.header("content-type", "application/json").body(wrong.to_string())).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    assert_eq!(api.get("/me/letters", "/me/letters").await, wishes, "what is refused changes nothing");
    let today = chrono::Utc::now().date_naive() + chrono::TimeDelta::days(1);
    let days = serde_json::json!({"first": today, "last": today});
    api.call(Method::POST, "/me/days-off", "/me/days-off", days).await;
    let days = api.get("/me/days-off", "/me/days-off").await;
    let days_id = days["days_off"][0]["id"].as_str().unwrap().to_owned();
    api.call(Method::DELETE, "/me/days-off/{id}", &format!("/me/days-off/{days_id}"), Value::Null).await;
    assert_eq!(api.get("/me/devices", "/me/devices").await["devices"], serde_json::json!([]));
    api.call(Method::POST, "/me/feeds", "/me/feeds", Value::Null).await;
    assert!(api.get("/me/feeds", "/me/feeds").await["since"].is_string());
    let hook = serde_json::json!({"form": "json", "url": "https://hook.example.invalid/a"});
    api.call(Method::PUT, "/me/webhooks", "/me/webhooks", hook.clone()).await;
    api.call(Method::PUT, "/tables/{id}/webhook", &at("/webhook"), hook).await;
    let webhooks = api.get("/me/webhooks", "/me/webhooks").await;
    assert_eq!(
        (&webhooks["webhooks"][0]["table"], &webhooks["webhooks"][1]["table"]),
        (&Value::Null, &Value::from(id.as_str()))
    );
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
    assert_eq!(other_api.get("/tables/{id}/talk", &at("/talk")).await["talk"][1]["words"], "Curiouser and curiouser");
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
    let all = api.get("/tables/{id}/moves/{move}", &at("/moves/1?as=all")).await;
    let hands = all["views"].as_array().unwrap().iter().filter(|seen| seen["view"]["mine"]["hand"].is_array());
    assert_eq!((hands.count(), &all["viewer"]), (2, &Value::from("all")), "over, so all is revealed");
    api.call(Method::POST, "/tables/{id}/curve", &at("/curve"), Value::Null).await;
    assert_eq!(api.get("/tables/{id}/curve", &at("/curve")).await["state"], "waiting");
    let branch = serde_json::json!({"seat": 1, "bots": "easy"});
    api.call(Method::POST, "/tables/{id}/moves/{move}/play-on", &at("/moves/0/play-on"), branch).await;
    let name = api.get("/me", "/me").await["name"].as_str().unwrap().replace(' ', "%20");
    assert!(api.get("/players/{who}", &format!("/players/{name}")).await["games"].is_array());
    let again = api.call(Method::POST, "/tables/{id}/rematch", &at("/rematch"), Value::Null).await;
    let bots = format!("/tables/{}/bots", again["table"].as_str().unwrap());
    let seated = api.call(Method::POST, "/tables/{id}/bots", &bots, serde_json::json!({"level": "easy"})).await;
    assert_eq!(seated["seat"], 2, "a bot takes the seat of somebody who does not come");
    api.call(Method::DELETE, "/me/sessions", "/me/sessions", Value::Null).await;
    assert_eq!(visitor.get("/me").await.status, StatusCode::SEE_OTHER, "signed out");
    // Tokens end with the sessions.
    let answer = visitor.send(visitor.request(Method::GET, "/api/v1/me").bearer_auth(&token)).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    let mut left = answering_with_json(&description);
    left.retain(|operation| !walked.borrow().contains(operation));
    let itself = ("GET".to_owned(), "/openapi.json".to_owned());
    assert_eq!(left, BTreeSet::from([itself]), "every other answer was looked at");
}

/// Methods and paths.
type Operations = BTreeSet<(String, String)>;

/// The operations whose answers have a schema.
fn answering_with_json(description: &Value) -> Operations {
    let paths = description["paths"].as_object().expect("paths");
    let all = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().expect("methods").iter().map(move |(method, operation)| (method, path, operation))
    });
    all.filter(|(_, _, operation)| operation["responses"]["200"]["content"]["application/json"].is_object())
        .map(|(method, path, _)| (method.to_uppercase(), path.clone()))
        .collect()
}

struct Api<'a> {
    visitor: &'a Visitor,
    token: &'a str,
    description: &'a Value,
    walked: &'a RefCell<Operations>,
}

impl Api<'_> {
    async fn get(&self, pattern: &str, path: &str) -> Value {
        self.call(Method::GET, pattern, path, Value::Null).await
    }

    /// Asks, and holds the answer to its description.
    async fn call(&self, method: Method, pattern: &str, path: &str, body: Value) -> Value {
        let operation = &self.description["paths"][pattern][method.as_str().to_lowercase()];
        assert!(operation.is_object(), "{method} {pattern} is not described");
        self.walked.borrow_mut().insert((method.to_string(), pattern.to_owned()));
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

/// Whether a text is what a format says.
fn has_format(text: &str, format: &str) -> bool {
    match format {
        "date-time" => chrono::DateTime::parse_from_rfc3339(text).is_ok(),
        "date" => text.parse::<chrono::NaiveDate>().is_ok(),
        "uuid" => text.parse::<uuid::Uuid>().is_ok(),
        _ => true,
    }
}

/// Whether a value is what a schema says: types, bounds, formats, required fields, nothing that is not described.
fn fits(value: &Value, schema: &Value, description: &Value, path: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return fits(value, &description["components"]["schemas"][name], description, path);
    }
    for (choices, most) in [(&schema["oneOf"], 1), (&schema["anyOf"], usize::MAX)] {
        let Some(choices) = choices.as_array() else { continue };
        let fitting = choices.iter().filter(|choice| fits(value, choice, description, path).is_ok()).count();
        if fitting == 0 || fitting > most {
            return Err(format!("{path}: {value} fits {fitting} of the choices"));
        }
        return Ok(());
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        // Whole numbers are numbers, too.
        Value::String(one) => one == kind || (one == "number" && kind == "integer"),
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
    if schema.get("const").is_some_and(|only| only != value) {
        return Err(format!("{path}: {value} is not {}", schema["const"]));
    }
    if let Some(text) = value.as_str()
        && !has_format(text, schema["format"].as_str().unwrap_or_default())
    {
        return Err(format!("{path}: {value} is no {}", schema["format"]));
    }
    let beyond = |limit: &str, wrong: fn(i64, i64) -> bool| {
        value.as_i64().zip(schema[limit].as_i64()).is_some_and(|(number, limit)| wrong(number, limit))
    };
    if beyond("minimum", |number, least| number < least) || beyond("maximum", |number, most| number > most) {
        return Err(format!("{path}: {value} is out of bounds"));
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
