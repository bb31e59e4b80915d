//! Nothing secret leaks: not in a page, a header, a file or the log.

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use wonderpost::tables::TableId;
use wonderpost::tables::state::record::TableFact;

use crate::harness::visitor::Visitor;
use crate::harness::{Service, TestDatabase, log};
use crate::store::days::a_day_ahead;

/// Every way in which bytes could be written down.
fn spellings(bytes: &[u8]) -> Vec<String> {
    let encodings = [HEXLOWER, HEXUPPER, BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD];
    let mut spellings: Vec<String> = encodings.iter().map(|encoding| encoding.encode(bytes)).collect();
    // Debug and JSON lists of numbers.
    let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
    spellings.extend([numbers.join(", "), numbers.join(",")]);
    spellings
}

/// All that a visitor is told at all addresses of a table: headers and bodies.
async fn told(visitor: &Visitor, table: &str, moves: u32) -> Vec<(String, String)> {
    let mut paths = vec![
        "/".into(),
        "/daily".into(),
        "/chance".into(),
        "/metrics".into(),
        "/readyz".into(),
        "/nothing".into(),
        table.to_owned(),
        format!("{table}?begun=shuffle"),
        format!("{table}/check"),
        format!("{table}/export.jsonl"),
        format!("{table}/say"),
        format!("{table}/at/99"),
    ];
    paths.extend((0..=moves).map(|number| format!("{table}/at/{number}")));
    let mut told = Vec::new();
    for path in paths {
        let answer = visitor.get(&path).await;
        told.push((path, format!("{:?}\n{}", answer.headers, answer.body)));
    }
    for (step, line) in [(moves, "collect d4"), (0, "pass\npass all"), (moves, "dance")] {
        let answer = visitor.say(table, step, line).await;
        told.push((format!("{table}/say {line}"), format!("{:?}\n{}", answer.headers, answer.body)));
    }
    told
}

#[tokio::test]
async fn secret_seed_tokens_draws_and_digests_of_a_running_game_are_nowhere() {
    a_day_ahead().await;
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let tables = database.tables();
    let (owner, other, nobody) = (service.visitor(), service.visitor(), service.visitor());
    other.begin().await;
    let opened = owner.post("/tables", &[("game", "we-are-not-amused")]).await;
    let open = opened.location();
    owner.post(&format!("{open}/sit"), &[("cut", "treacle")]).await.location();
    let cookie = opened.header("set-cookie").trim_start_matches("wonderpost=").to_owned();
    let token = cookie.split(';').next().expect("a token").to_owned();
    let daily = owner.post("/daily", &[]).await.location();
    for table in [&open, &daily] {
        for _ in 0..6 {
            owner.move_on(table).await.expect("a move");
        }
    }
    for table in [&open, &daily] {
        let id: TableId = table.trim_start_matches("/t/").parse().expect("an id");
        let secret = tables.store.secret_of_table(id).await.expect("it").expect("a secret");
        let kept = tables.load_fresh(id).await.expect("a table");
        let seed = {
            let mut mac = Hmac::<Sha256>::new_from_slice(&secret).expect("a key");
            mac.update(format!("wonderpost seed 1\n{}\n", kept.now.opened.deal).as_bytes());
            kept.now.cuts.iter().for_each(|cut| mac.update(format!("{} {}\n", cut.seat, cut.word).as_bytes()));
            mac.finalize().into_bytes()
        };
        let token_bytes = BASE64URL_NOPAD.decode(token.as_bytes()).expect("a token");
        let mut hidden = spellings(&secret);
        hidden.extend(spellings(&seed));
        hidden.extend(spellings(&token_bytes));
        hidden.extend(spellings(&Sha256::digest(&token_bytes)));
        hidden.push("table-drew".into());
        hidden.push("table-revealed".into());
        for record in tables.records(id).await.expect("records") {
            hidden.extend(spellings(&record.digest));
            if let Ok(TableFact::Drew(draw)) = serde_json::from_str(record.body.get()) {
                hidden.push(serde_json::to_string(&draw).expect("JSON"));
            }
            if record.kind == "laid-out" {
                let body: serde_json::Value = serde_json::from_str(record.body.get()).expect("JSON");
                hidden.push(body["laid-out"]["deck"].to_string());
            }
        }
        for (who, visitor) in [("owner", &owner), ("other", &other), ("nobody", &nobody)] {
            for (path, text) in told(visitor, table, kept.now.moves).await {
                for hidden in &hidden {
                    assert!(!text.contains(hidden.as_str()), "{who} is told {hidden} at {path}");
                }
            }
        }
        let log = log::lines();
        assert!(log.contains("answered"), "there is a log");
        for hidden in &hidden {
            assert!(!log.contains(hidden.as_str()), "{hidden} is in the log");
        }
        assert!(!log.contains("wonderpost="), "no cookie is in the log");
    }
}

#[tokio::test]
async fn pages_are_the_same_whatever_lies_face_down() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let tables = database.tables();
    let visitor = service.visitor();
    let table = visitor.begin().await;
    for _ in 0..3 {
        visitor.move_on(&table).await.expect("a move");
    }
    let id: TableId = table.trim_start_matches("/t/").parse().expect("an id");
    let kept = tables.load_fresh(id).await.expect("a table");
    let position = &kept.now.position;
    for viewer in [crate::harness::table::PLAYER, wonderpost_rules::Viewer::Public] {
        let mut different = 0;
        for number in 0..20u64 {
            let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(number);
            let resampled = position.resample_hidden(viewer, &mut rng);
            different += usize::from(resampled.snapshot() != position.snapshot());
            let scene = wonderpost_rules::Scene::default();
            assert_eq!(resampled.board(None, viewer, &scene), position.board(None, viewer, &scene));
            assert_eq!(resampled.view(viewer), position.view(viewer));
            assert_eq!(resampled.text(viewer), position.text(viewer));
        }
        assert!(different > 10, "something is hidden");
    }
}
