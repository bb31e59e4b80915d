//! Forms: moves made, refused, sent twice, sent late, and sent by others.

use futures_util::future::join_all;
use reqwest::{Method, StatusCode};

use crate::harness::page::Page;
use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase};

/// A page that says in words what went wrong, and by which number to ask about it.
fn assert_problem(answer: &Answer, status: StatusCode, words: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert!(answer.body.starts_with("<!doctype html>") && answer.body.contains("</html>"), "{}", answer.body);
    assert!(answer.body.contains(words), "{words}: {}", answer.body);
    let number = answer.header("x-request-id");
    assert_eq!(number.len(), 16, "{:?}", answer.headers);
    assert!(answer.body.contains(&format!("<code>{number}</code>")), "{}", answer.body);
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn a_refused_move_is_the_same_page_with_the_sentence() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    for (line, words) in [("collect d4", "."), ("dance", "is no move"), ("", "Say what you want"), ("plant z9", "z9")] {
        let answer = visitor.say(&table, 0, line).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{line}");
        let sentence = answer.page().sentence("error").expect("a sentence");
        assert!(sentence.contains(words) && sentence.ends_with('.'), "{line}: {sentence}");
        assert!(answer.body.contains("id=\"board\""), "the board is still there");
        assert_eq!(answer.page().step(), 0);
        assert!(!answer.page().buttons().is_empty());
    }
    // The page that came back can be fetched again, and its links lead to the table.
    assert_eq!(visitor.get(&format!("{table}/say")).await.location(), table);
    let begun = visitor.get(&format!("{table}/say?begun=end")).await.location();
    assert_eq!(begun, format!("{table}?begun=end"));
}

#[tokio::test]
async fn what_a_player_writes_is_shown_as_text() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.open().await;
    let spell = "<b onclick=x>&\"'";
    visitor.post(&format!("{table}/sit"), &[("cut", spell)]).await.location();
    let page = visitor.look(&table).await;
    assert!(!page.contains("<b onclick") && page.contains("onclick=x"), "{page}");
    let page = visitor.say(&table, 0, "pass\n<script>alert(1)</script>").await.body;
    assert!(!page.contains("<script>") && page.contains("alert(1)"), "{page}");
    let page = visitor.look(&format!("{table}?begun=%3Cscript%3E%22")).await;
    assert!(!page.contains("<script>"), "{page}");
    let long = "x".repeat(41);
    let answer = visitor.post(&format!("{}/sit", visitor.open().await), &[("cut", &long)]).await;
    assert_problem(&answer, StatusCode::UNPROCESSABLE_ENTITY, "at most 40 characters");
}

#[tokio::test]
async fn a_stale_form_is_answered_with_the_table_as_it_is_now() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let (_, line) = visitor.move_on(&table).await.expect("a move");
    let other = if line == "pass" { "pass all" } else { "pass" };
    let answer = visitor.say(&table, 0, other).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.page().sentence("error").expect("a sentence").contains("Somebody moved first"));
    assert!(answer.body.contains("id=\"board\""));
    assert_eq!(answer.page().step(), 1);
}

#[tokio::test]
async fn a_double_click_is_one_move_even_at_two_services() {
    let database = TestDatabase::new();
    let (one, two) = (Service::start(&database), Service::start(&database));
    let visitor = one.visitor();
    let table = visitor.begin().await;
    let elsewhere = visitor.at(&two.url);
    for step in 0..5 {
        let line = Page(&visitor.look(&table).await).next_move().expect("a move");
        let clicks = [&visitor, &visitor, &elsewhere, &elsewhere].map(|somebody| somebody.say(&table, step, &line));
        for answer in join_all(clicks).await {
            assert_eq!(answer.location(), table);
        }
        assert_eq!(Page(&elsewhere.look(&table).await).step(), step + 1);
    }
}

#[tokio::test]
async fn several_lines_say_what_became_of_them() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    while !Page(&visitor.look(&table).await).offers("pass") {
        visitor.move_on(&table).await.expect("a move");
    }
    let step = Page(&visitor.look(&table).await).step();
    for _ in 0..2 {
        let answer = visitor.say(&table, step, "pass\ncollect d4").await;
        assert_eq!(answer.status, StatusCode::OK);
        let notice = answer.page().sentence("notice").expect("a notice");
        assert!(notice.starts_with("The first line was made. Then something new came up"), "{notice}");
        assert_eq!(answer.page().step(), step + 1);
    }
    while !Page(&visitor.look(&table).await).offers("end") {
        visitor.move_on(&table).await.expect("a move");
    }
    let step = Page(&visitor.look(&table).await).step();
    let answer = visitor.play(&table, step, "end\npass").await;
    let notice = answer.page().sentence("notice").expect("a notice");
    assert_eq!(notice, "The first line was made. Nobody asked for the rest any more: pass.");
    assert!(answer.body.contains("The game is over"));
}

#[tokio::test]
async fn nobody_moves_at_the_table_of_another() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let owner = service.visitor();
    let table = owner.begin().await;
    let (stranger, nobody) = (service.visitor(), service.visitor());
    stranger.begin().await;
    for somebody in [&stranger, &nobody] {
        let answer = somebody.say(&table, 0, "pass").await;
        assert_problem(&answer, StatusCode::FORBIDDEN, "You do not sit at this table");
        let page = somebody.look(&table).await;
        assert!(!page.contains("name=\"say\"") && page.contains("s move"), "{page}");
    }
    let answer = stranger.post(&format!("{table}/sit"), &[("cut", "me too")]).await;
    assert_problem(&answer, StatusCode::UNPROCESSABLE_ENTITY, "All seats of this table are taken");
    // A made-up cookie is no session.
    for cookie in ["wonderpost=AAAA", "wonderpost=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "wonderpost=%00"] {
        let request = service.visitor().request(Method::POST, &format!("{table}/say"));
        let request = request.header("cookie", cookie).form(&[("step", "0"), ("say", "pass")]);
        assert_problem(&nobody.send(request).await, StatusCode::FORBIDDEN, "nothing was done");
    }
    assert_eq!(Page(&owner.look(&table).await).step(), 0);
}

#[tokio::test]
async fn forms_from_other_sites_are_refused() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    let host = service.url.trim_start_matches("http://");
    let stamp = visitor.stamp().await;
    let say = |header: &str, value: &str| {
        let form = [("step", "0"), ("say", "pass all"), ("csrf", &stamp)];
        visitor.send(visitor.request(Method::POST, &format!("{table}/say")).header(header, value).form(&form))
    };
    for (header, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", &format!("http://{host}.evil.example")),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let answer = say(header, value).await;
        assert_problem(&answer, StatusCode::FORBIDDEN, "came from another site");
        assert_eq!(answer.header("x-frame-options"), "DENY");
    }
    assert_eq!(Page(&visitor.look(&table).await).step(), 0);
    // Looking is free.
    let request = visitor.request(Method::GET, &table).header("sec-fetch-site", "cross-site");
    assert_eq!(visitor.send(request).await.status, StatusCode::OK);
    assert_ne!(say("origin", &service.url).await.status, StatusCode::FORBIDDEN);
    assert_ne!(say("sec-fetch-site", "same-origin").await.status, StatusCode::FORBIDDEN);
    let figures = visitor.look("/metrics").await;
    assert!(figures.contains("status=\"403\""), "they are counted: {figures}");
}

#[tokio::test]
async fn every_problem_is_a_page_that_says_what_to_do_next() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let table = visitor.begin().await;
    for nowhere in ["/nothing", "/t/none", "/t/0123456789abcdef0123456789abcdef", "/static/0/style.css", "/t//", "/T"] {
        assert_problem(&visitor.get(nowhere).await, StatusCode::NOT_FOUND, "There is no such");
    }
    for (method, path, takes) in [
        (Method::DELETE, &*table, "GET, HEAD"),
        (Method::GET, "/tables", "POST"),
        (Method::PUT, "/daily", "GET, HEAD, POST"),
    ] {
        let answer = visitor.send(visitor.request(method, path)).await;
        assert_problem(&answer, StatusCode::METHOD_NOT_ALLOWED, "does not take that kind of request");
        assert_eq!(answer.header("allow"), takes, "{path}");
    }
    let answer = visitor.send(visitor.request(Method::PUT, "/api/v1/me")).await;
    assert_eq!((answer.status, answer.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD, PATCH, DELETE"));
    let answer = visitor.post("/", &[]).await;
    assert_problem(&answer, StatusCode::METHOD_NOT_ALLOWED, "does not take that kind of request");
    let answer = visitor.say(&table, 0, &"pass\n".repeat(10_000)).await;
    assert_problem(&answer, StatusCode::PAYLOAD_TOO_LARGE, "more than this page takes");
    for form in [
        &[("step", "0")][..],
        &[("say", "pass")],
        &[("step", "-1"), ("say", "pass")],
        &[("step", "x"), ("say", "pass")],
    ] {
        let answer = visitor.post(&format!("{table}/say"), form).await;
        assert_problem(&answer, StatusCode::UNPROCESSABLE_ENTITY, "not filled in");
    }
    let request =
        visitor.request(Method::POST, &format!("{table}/say")).header("content-type", "application/json").body("{}");
    assert_problem(&visitor.send(request).await, StatusCode::FORBIDDEN, "nothing was done");
    let request = visitor.request(Method::POST, &format!("{table}/say"));
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(&b"step=0&say=%ff%fe"[..]);
    assert_ne!(visitor.send(request).await.status, StatusCode::INTERNAL_SERVER_ERROR);
    for form in [&[("game", "chess")][..], &[]] {
        let answer = visitor.post("/tables", form).await;
        assert_problem(&answer, StatusCode::UNPROCESSABLE_ENTITY, "");
    }
    // What is wrong with options is said where they are chosen.
    let answer = visitor.post("/tables", &[("game", "we-are-not-amused"), ("option-shuffles", "9")]).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.page().sentence("error"), Some("“Shuffles” cannot be 9."));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_go_together_is_said_and_what_was_filled_in_stays() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let sentence = "Aces are either ambivalent or capital, not both.";
    let form = [
        ("game", "messenger-rabbits"),
        ("options", "given"),
        ("seat-2", "easy"),
        ("seat-3", "person"),
        ("private", "yes"),
        ("pace", "move-86400"),
        ("option-objective", "tribal"),
        ("option-ambivalent_aces", "true"),
        ("option-capital_aces", "true"),
    ];
    let answer = visitor.post("/tables", &form).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.page().sentence("error"), Some(sentence));
    for kept in [
        "name=\"option-objective\" value=\"tribal\" checked",
        "name=\"option-ambivalent_aces\" value=\"true\" checked",
        "name=\"option-capital_aces\" value=\"true\" checked",
        "name=\"private\" value=\"yes\" checked",
        "<option value=\"easy\" selected>",
        "<option value=\"person\" selected>",
        "<option value=\"move-86400\" selected>",
    ] {
        assert!(answer.body.contains(kept), "{kept}:\n{}", answer.body);
    }
    // What was on by default and was taken away stays away.
    assert!(!answer.body.contains("name=\"option-late_start\" value=\"true\" checked"));
    // The same is asked for while choosing.
    let fits = "/games/messenger-rabbits/fits?options=given&seat-2=easy&option-capital_aces=true";
    assert_eq!(visitor.look(fits).await, "");
    assert_eq!(visitor.look(&format!("{fits}&option-ambivalent_aces=true")).await, sentence);
    assert!(visitor.look(&format!("{fits}&option-board=moon")).await.contains("cannot be moon"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preset_fills_in_the_form_and_every_preset_can_be_played() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let page = visitor.look("/games/messenger-rabbits?preset=first-game").await;
    assert!(page.contains("name=\"option-level\" value=\"intro\" checked"));
    let page = visitor.look("/games/messenger-rabbits?preset=everything").await;
    assert!(page.contains("name=\"option-special_flights\" value=\"true\" checked"));
    for game in wonderpost_games::catalogue().iter() {
        let named: Vec<_> = game.option_groups().iter().flat_map(|group| group.keys).collect();
        let all = game.options().iter().map(|spec| spec.key);
        assert!(named.is_empty() || all.clone().all(|key| named.iter().filter(|named| ***named == key).count() == 1));
        for preset in game.presets() {
            let (fewest, most) = game.info().seats;
            for seats in fewest..=most {
                assert!(game.begin(&preset.options(), seats).is_ok(), "{} for {seats}", preset.title);
            }
        }
    }
}
