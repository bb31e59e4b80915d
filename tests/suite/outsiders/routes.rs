//! Every address of the house. A route that is not listed here fails a test, so that none is added without being walked.

use std::collections::BTreeSet;

use reqwest::Method;

use crate::harness::Visitor;
use crate::harness::visitor::Answer;

/// An address, and what is sent there.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub method: &'static str,
    pub path: &'static str,
    sends: Sends,
}

#[derive(Clone, Copy, Debug)]
enum Sends {
    Nothing,
    Form(&'static [(&'static str, &'static str)]),
    Json(&'static str),
}

const fn look(path: &'static str) -> Route {
    Route { method: "GET", path, sends: Sends::Nothing }
}

const fn form(path: &'static str, fields: &'static [(&'static str, &'static str)]) -> Route {
    Route { method: "POST", path, sends: Sends::Form(fields) }
}

const fn json(method: &'static str, path: &'static str, body: &'static str) -> Route {
    Route { method, path, sends: Sends::Json(body) }
}

/// Those after which a walker is still who they were.
const ROUTES: &[Route] = &[
    look("/t/{id}"),
    look("/t/{id}/say"),
    form("/t/{id}/say", &[("step", "0"), ("say", "draw"), ("sure", "yes")]),
    look("/t/{id}/undo"),
    form("/t/{id}/undo", &[("step", "0")]),
    look("/t/{id}/take-back"),
    form("/t/{id}/take-back", &[("word", "ask")]),
    look("/t/{id}/at/{move}"),
    look("/t/{id}/live"),
    form("/t/{id}/sit", &[("cut", "jam")]),
    form("/t/{id}/stand", &[]),
    form("/t/{id}/invite", &[("address", "snark@example.org")]),
    form("/t/{id}/invitations/{invitation}/withdraw", &[]),
    form("/t/{id}/bot", &[("level", "easy")]),
    look("/t/{id}/picture.png"),
    look("/t/{id}/board.svg"),
    look("/t/{id}/preview.png"),
    form("/t/{id}/resign", &[]),
    form("/t/{id}/agree", &[("end", "true")]),
    look("/t/{id}/answers"),
    form("/t/{id}/answers", &[("prompt", "act"), ("choice", "0")]),
    form("/t/{id}/pause", &[("pause", "true")]),
    form("/t/{id}/resume", &[]),
    form("/t/{id}/return", &[]),
    form("/t/{id}/go-on", &[]),
    form("/t/{id}/talk", &[("words", "Who are you?")]),
    look("/t/{id}/talk/{talk}/report"),
    form("/t/{id}/talk/{talk}/report", &[("reason", "rude")]),
    form("/t/{id}/talk/{talk}/mute", &[]),
    form("/t/{id}/note", &[("words", "treacle")]),
    look("/t/{id}/letters"),
    form("/t/{id}/letters", &[("when", "at-once")]),
    form("/t/{id}/webhook", &[("form", "json"), ("url", "https://10.0.0.1/hook")]),
    form("/t/{id}/rematch", &[]),
    form("/t/{id}/at/{move}/play-on", &[("seat", "1"), ("others", "easy")]),
    look("/t/{id}/curve"),
    form("/t/{id}/curve", &[]),
    look("/t/{id}/check"),
    look("/t/{id}/export.jsonl"),
    look("/t/{id}/record.txt"),
    look("/"),
    look("/desk/offline"),
    look("/offline"),
    look("/service-worker.js"),
    look("/next"),
    look("/games/{slug}"),
    look("/games/{slug}/fits"),
    form("/games/{slug}/first-steps", &[]),
    look("/learn"),
    look("/learn/{slug}"),
    look("/learn/{slug}/{lesson}"),
    look("/learn/{slug}/{lesson}/{place}"),
    look("/learn/{slug}/{lesson}/{place}/say"),
    form("/learn/{slug}/{lesson}/{place}/say", &[("say", "draw")]),
    look("/games/{slug}/rules"),
    look("/games/{slug}/rules/{example}.png"),
    look("/rules"),
    look("/games/{slug}/preview.png"),
    form("/tables", &[("game", "red-queen"), ("seat-2", "easy")]),
    look("/archive"),
    look("/archive.atom"),
    look("/players/{who}"),
    look("/i/{token}"),
    form("/i/{token}", &[("cut", "jam")]),
    look("/daily"),
    form("/daily", &[]),
    look("/daily/former"),
    look("/daily/{day}"),
    form("/daily/{day}", &[]),
    look("/daily/{day}/garden.svg"),
    look("/daily/{day}/preview.png"),
    look("/sign-in"),
    form("/sign-in", &[("email", "boojum@example.org")]),
    look("/sign-in/code"),
    form("/sign-in/code", &[("code", "123 456")]),
    look("/sign-in/{token}"),
    form("/sign-in/{token}", &[]),
    look("/me"),
    form("/me/name", &[("name", "Bandersnatch")]),
    form("/me/address", &[("email", "boojum@example.org")]),
    form("/me/settings", &[("theme", "dark")]),
    look("/me/letters"),
    form("/me/letters", &[("when", "at-once")]),
    form(
        "/me/letters/devices",
        &[("endpoint", "https://push.example.org/a"), ("p256dh", "BA"), ("auth", "BTBZMqHH6r4Tts7J_aSIgg")],
    ),
    form("/me/letters/devices/{device}/remove", &[]),
    form("/me/letters/feeds", &[]),
    form("/me/letters/feeds/remove", &[]),
    form("/me/letters/webhooks", &[("form", "json"), ("url", "https://10.0.0.1/hook")]),
    form("/me/letters/webhooks/{webhook}/remove", &[]),
    form("/me/letters/webhooks/{webhook}/try-again", &[]),
    look("/feeds/finished.atom"),
    look("/feeds/gardens.atom"),
    look("/feeds/mine/{token}/tables.atom"),
    look("/feeds/mine/{token}/deadlines.ics"),
    look("/unsubscribe/{token}"),
    form("/unsubscribe/{token}", &[("what", "kind")]),
    form("/me/zone", &[("zone", "Europe/Berlin")]),
    form("/me/hours", &[("zone", "Europe/Berlin"), ("from", "08:00"), ("until", "23:00")]),
    form("/me/days-off", &[("first", "2031-01-01"), ("last", "2031-01-02")]),
    form("/me/days-off/{token-id}/end", &[]),
    form("/me/mutes/{mute}/end", &[]),
    form("/announcements/{announcement}/dismiss", &[]),
    form("/me/mail-on", &[]),
    look("/held/{token}"),
    form("/held/{token}", &[]),
    form("/in/mail", &[]),
    form("/me/tokens", &[("title", "another")]),
    form("/me/tokens/{token-id}/revoke", &[]),
    look("/me/export.json"),
    look("/me/games.txt"),
    look("/me/delete"),
    look("/host"),
    look("/host/letters"),
    form("/host/letters", &[("letter", "1")]),
    look("/host/log"),
    look("/host/players"),
    look("/host/players/{player}"),
    form("/host/players/{player}/suspend", &[("reason", "rude")]),
    form("/host/players/{player}/lift", &[]),
    form("/host/players/{player}/rename", &[("name", "Snark"), ("reason", "rude")]),
    look("/host/tables"),
    look("/host/tables/{id}"),
    form("/host/tables/{id}/close", &[("reason", "rude")]),
    look("/host/reports"),
    form("/host/reports/{talk}/remove", &[("reason", "rude")]),
    form("/host/reports/{talk}/dismiss", &[]),
    look("/host/announcements"),
    form("/host/announcements", &[("words", "Tea"), ("until", "2031-01-01T00:00")]),
    form("/host/announcements/{announcement}/end", &[]),
    look("/mailbox"),
    look("/mailbox/dead"),
    form("/mailbox/dead", &[("letter", "1")]),
    look("/mailbox/{letter}"),
    look("/chance"),
    look("/static/{digest}/{name}"),
    look("/favicon.ico"),
    look("/robots.txt"),
    look("/sitemap.xml"),
    look("/healthz"),
    look("/readyz"),
    look("/metrics"),
    look("/api/v1/openapi.json"),
    look("/api/v1/games"),
    look("/api/v1/games/{slug}"),
    look("/api/v1/archive"),
    look("/api/v1/players/{who}"),
    look("/api/v1/daily"),
    json("POST", "/api/v1/daily", "{}"),
    look("/api/v1/daily/{day}"),
    look("/api/v1/me"),
    json("PATCH", "/api/v1/me", r#"{"name": "Jubjub"}"#),
    look("/api/v1/me/tables"),
    look("/api/v1/me/next"),
    look("/api/v1/me/hours"),
    json("PUT", "/api/v1/me/hours", r#"{"hours": null}"#),
    look("/api/v1/me/letters"),
    json("PUT", "/api/v1/me/letters", r#"{"when": "held"}"#),
    look("/api/v1/me/days-off"),
    json("POST", "/api/v1/me/days-off", r#"{"first": "2031-01-01", "last": "2031-01-02"}"#),
    json("DELETE", "/api/v1/me/days-off/{token-id}", "{}"),
    look("/api/v1/me/invitations"),
    look("/api/v1/me/export"),
    json("POST", "/api/v1/me/address", r#"{"address": "boojum@example.org"}"#),
    json("POST", "/api/v1/me/confirm", "{}"),
    json("PUT", "/api/v1/me/confirm", r#"{"ask": "snark", "code": "123456"}"#),
    look("/api/v1/me/devices"),
    json("DELETE", "/api/v1/me/devices/{device}", "{}"),
    look("/api/v1/me/feeds"),
    json("POST", "/api/v1/me/feeds", "{}"),
    json("DELETE", "/api/v1/me/feeds", "{}"),
    look("/api/v1/me/webhooks"),
    json("PUT", "/api/v1/me/webhooks", r#"{"form": "json", "url": "https://10.0.0.1/hook"}"#),
    json("DELETE", "/api/v1/me/webhooks/{webhook}", "{}"),
    json("POST", "/api/v1/me/webhooks/{webhook}/try-again", "{}"),
    json("PUT", "/api/v1/tables/{id}/webhook", r#"{"form": "json", "url": "https://10.0.0.1/hook"}"#),
    look("/api/v1/me/tokens"),
    json("POST", "/api/v1/me/tokens", r#"{"title": "another"}"#),
    json("DELETE", "/api/v1/me/tokens/{token}", "{}"),
    look("/api/v1/invitations/{token}"),
    json("POST", "/api/v1/invitations/{token}", r#"{"accept": true}"#),
    look("/api/v1/tables"),
    json("POST", "/api/v1/tables", r#"{"game": "red-queen", "seats": 2, "bots": ["easy"]}"#),
    look("/api/v1/tables/{id}"),
    json("POST", "/api/v1/tables/{id}/sit", "{}"),
    json("POST", "/api/v1/tables/{id}/stand", "{}"),
    json("POST", "/api/v1/tables/{id}/invite", r#"{"address": "snark@example.org"}"#),
    look("/api/v1/tables/{id}/invitations"),
    json("DELETE", "/api/v1/tables/{id}/invitations/{invitation}", "{}"),
    json("POST", "/api/v1/tables/{id}/bots", r#"{"level": "easy"}"#),
    json("POST", "/api/v1/tables/{id}/say", r#"{"step": 0, "say": "draw"}"#),
    json("POST", "/api/v1/tables/{id}/undo", r#"{"step": 0}"#),
    json("POST", "/api/v1/tables/{id}/take-back", r#"{"word": "ask"}"#),
    json("POST", "/api/v1/tables/{id}/resign", "{}"),
    json("POST", "/api/v1/tables/{id}/agree", r#"{"end": true}"#),
    look("/api/v1/tables/{id}/answers"),
    json("POST", "/api/v1/tables/{id}/answers", r#"{"prompt": "act", "lines": ["end"]}"#),
    json("POST", "/api/v1/tables/{id}/pause", r#"{"pause": true}"#),
    json("POST", "/api/v1/tables/{id}/resume", "{}"),
    json("POST", "/api/v1/tables/{id}/return", "{}"),
    json("POST", "/api/v1/tables/{id}/go-on", "{}"),
    look("/api/v1/tables/{id}/talk"),
    json("POST", "/api/v1/tables/{id}/talk", r#"{"words": "Who are you?"}"#),
    json("POST", "/api/v1/tables/{id}/talk/{talk}/report", "{}"),
    json("POST", "/api/v1/tables/{id}/talk/{talk}/mute", "{}"),
    look("/api/v1/me/mutes"),
    json("DELETE", "/api/v1/me/mutes/{mute}", "{}"),
    look("/api/v1/tables/{id}/note"),
    json("PUT", "/api/v1/tables/{id}/note", r#"{"words": "treacle"}"#),
    look("/api/v1/tables/{id}/letters"),
    json("PUT", "/api/v1/tables/{id}/letters", r#"{"when": null}"#),
    json("POST", "/api/v1/tables/{id}/rematch", "{}"),
    look("/api/v1/tables/{id}/moves/{move}"),
    look("/api/v1/tables/{id}/live"),
    json("POST", "/api/v1/tables/{id}/moves/{move}/play-on", r#"{"seat": 1, "bots": "easy"}"#),
    look("/api/v1/tables/{id}/curve"),
    json("POST", "/api/v1/tables/{id}/curve", "{}"),
    look("/api/v1/tables/{id}/check"),
    look("/api/v1/tables/{id}/export.jsonl"),
    form("/me/delete", &[]),
];

/// They end sessions and accounts.
const PARTING_ROUTES: [Route; 4] = [
    form("/sign-out", &[]),
    form("/sign-out/everywhere", &[]),
    json("DELETE", "/api/v1/me/sessions", "{}"),
    json("DELETE", "/api/v1/me", "{}"),
];

/// The routes of the host's console.
pub fn host_routes() -> impl Iterator<Item = Route> {
    Route::all().filter(|route| route.path.starts_with("/host"))
}

impl Route {
    /// Every route; those that end something come last.
    pub fn all() -> impl Iterator<Item = Route> {
        ROUTES.iter().copied().chain(PARTING_ROUTES)
    }

    /// Whether it is about one table.
    pub fn is_of_a_table(&self) -> bool {
        self.path.contains("{id}")
    }

    /// Whether it tells how a game is played, and names cards for that.
    pub fn tells_rules(&self) -> bool {
        ["/games/{slug}", "/learn/{slug}"].iter().any(|rules| self.path.contains(rules))
    }

    pub fn only_looks(&self) -> bool {
        self.method == "GET"
    }

    /// The address with everything filled in.
    pub fn address(&self, table: &str, move_no: u32) -> String {
        self.path
            .replace("{id}", table)
            .replace("{move}", &move_no.to_string())
            .replace("{slug}", "red-queen")
            .replace("{lesson}", "01-strike-the-queen")
            .replace("{place}", "a")
            .replace("{example}", "attack")
            .replace("{token}", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
            .replace("{token-id}", "01a1e2cd1a477173a748989ab4da1ea4")
            .replace("{day}", &chrono::Utc::now().date_naive().to_string())
            .replace("{letter}", "1")
            .replace("{talk}", "1")
            .replace("{announcement}", "1")
            .replace("{invitation}", "01a1e2cd1a477173a748989ab4da1ea4")
            .replace("{device}", "01a1e2cd1a477173a748989ab4da1ea4")
            .replace("{webhook}", "01a1e2cd1a477173a748989ab4da1ea4")
            .replace("{mute}", "01a1e2cd1a477173a748989ab4da1ea4")
            .replace("{who}", "01a1e2cd1a477173a748989ab4da1ea4")
            .replace("{player}", "01a1e2cd1a477173a748989ab4da1ea4")
            .replace("{digest}", "0")
            .replace("{name}", "style.css")
    }
}

/// Somebody who goes from door to door, from another machine: the mailbox is not theirs.
pub struct Walker {
    pub name: &'static str,
    pub visitor: Visitor,
    /// For the API.
    pub token: Option<String>,
    stamp: String,
}

impl Walker {
    pub async fn new(name: &'static str, visitor: Visitor, token: Option<String>) -> Walker {
        let stamp = visitor.stamp().await;
        Walker { name, visitor, token, stamp }
    }

    /// Whoever has no session.
    pub async fn nobody(url: &str) -> Walker {
        Walker::new("nobody", Visitor::from_afar(url), None).await
    }

    /// Asks at a route, with all that it takes.
    pub async fn ask(&self, route: &Route, table: &str, move_no: u32) -> Answer {
        let method: Method = route.method.parse().expect("a method");
        let mut request = self.visitor.request(method, &route.address(table, move_no));
        if let Some(token) = self.token.as_ref().filter(|_| route.path.starts_with("/api/")) {
            request = request.bearer_auth(token);
        }
        let request = match route.sends {
            Sends::Nothing => request,
            Sends::Form(fields) => {
                let fields: Vec<_> = fields.iter().copied().chain([("csrf", self.stamp.as_str())]).collect();
                request.form(&fields)
            }
            Sends::Json(body) => request.header("content-type", "application/json").body(body),
        };
        // A stream has no end: its first word tells how it is.
        if !route.path.ends_with("/live") {
            return self.visitor.send(request).await;
        }
        let mut answer = request.send().await.expect("an answer");
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.chunk().await.expect("a word").unwrap_or_default();
        Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned() }
    }
}

/// The routes that a file of the service declares: each resource is `kind("path")` followed by its methods.
fn declared(source: &str, kind: &str, prefix: &str) -> BTreeSet<(String, String)> {
    let mut routes = BTreeSet::new();
    for resource in source.split(&format!("{kind}(\"")).skip(1) {
        let (path, rest) = resource.split_once('"').expect("a path");
        let methods =
            [(".get(", "GET"), (".post(", "POST"), (".put(", "PUT"), (".patch(", "PATCH"), (".delete(", "DELETE")];
        let found: Vec<_> = methods.iter().filter(|(word, _)| rest.contains(word)).collect();
        assert!(!found.is_empty(), "{path} takes no request");
        routes.extend(found.iter().map(|(_, method)| ((*method).to_owned(), format!("{prefix}{path}"))));
    }
    routes
}

#[test]
fn every_route_of_the_service_is_walked() {
    let pages = include_str!("../../../src/http/routes.rs");
    let server = include_str!("../../../src/http/server.rs");
    let api = include_str!("../../../src/http/api/mod.rs");
    let host = include_str!("../../../src/http/pages/host/mod.rs");
    // All routes are declared in these three files, in one way.
    assert_eq!(server.matches(".configure(").count(), 3, "the pages, the API and the host's console are all there is");
    for source in [pages, api, host] {
        assert_eq!(source.matches("Route::new(").count(), 1, "every resource is made by the same short word");
        assert!(!source.contains("web::resource(") && !source.contains(".route("), "and in no other way");
    }
    let (head, rest) = pages.split_once("web::scope(\"/t/{id}\")").expect("the pages of a table");
    let (of_a_table, others) = rest.split_once("default_service(web::route().to(no_page)),").expect("their end");
    assert!(!head.contains("page(\""));
    let mut there = declared(of_a_table, "page", "/t/{id}");
    there.extend(declared(others, "page", ""));
    there.extend(declared(api, "at", "/api/v1"));
    there.extend(declared(host, "room", "/host"));
    let resources: usize = [pages, api, host].map(|source| source.matches(".service(").count()).iter().sum();
    let paths: BTreeSet<&String> = there.iter().map(|(_, path)| path).collect();
    assert_eq!(paths.len(), resources - 3, "each service but the three scopes is a resource with a path of its own");
    // What a token of the API is called in an address is no secret of a table.
    let walked: BTreeSet<(String, String)> =
        Route::all().map(|route| (route.method.to_owned(), route.path.replace("{token-id}", "{id}"))).collect();
    assert_eq!(walked, there, "a route is walked if, and only if, it is there");
    assert_eq!(walked.len(), Route::all().count(), "none is listed twice");
    let described: serde_json::Value = serde_json::from_str(&wonderpost::http::api::OPENAPI).unwrap();
    let described: BTreeSet<(String, String)> = described["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, operations)| {
            let methods = operations.as_object().unwrap().keys();
            methods.map(move |method| (method.to_uppercase(), format!("/api/v1{path}")))
        })
        .collect();
    let of_the_api = there.into_iter().filter(|(_, path)| path.starts_with("/api/")).collect();
    assert_eq!(described, of_the_api, "the API is described as it is");
}
