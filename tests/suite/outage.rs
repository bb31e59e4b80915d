//! The database says nothing, or takes nothing: everybody is answered in time, and all goes on when it is back.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder, StatusCode};

use crate::harness::faults::{Wire, freeze, until};
use crate::harness::page::Page;
use crate::harness::standby::DatabaseServer;
use crate::harness::visitor::Answer;
use crate::harness::{Service, TestDatabase, Visitor};

/// What a page, a move or a call of the API may take; a machine with much else to do gets a second more.
const WITHIN: Duration = Duration::from_secs(5 + 1);

/// What a check of health may take.
const READY_WITHIN: Duration = Duration::from_secs(2 + 1);

/// Somebody in the middle of a game.
struct Player {
    visitor: Visitor,
    token: String,
    table: String,
    step: u32,
    line: String,
    stamp: String,
}

impl Player {
    async fn begin(service: &Service) -> Player {
        let visitor = service.visitor();
        let table = visitor.begin().await;
        visitor.move_on(&table).await.expect("a move");
        let token = visitor.token().await;
        let body = visitor.look(&table).await;
        let page = Page(&body);
        let (step, line) = (page.step(), page.next_move().expect("a move"));
        let stamp = visitor.stamp().await;
        Player { visitor, token, table, step, line, stamp }
    }

    /// The form of the next move.
    fn form(&self) -> RequestBuilder {
        let form = [("step", self.step.to_string()), ("say", self.line.clone()), ("csrf", self.stamp.clone())];
        self.visitor.request(Method::POST, &format!("{}/say", self.table)).form(&form)
    }

    fn api(&self, method: Method, path: &str) -> RequestBuilder {
        self.visitor.request(method, &format!("/api/v1{path}")).bearer_auth(&self.token)
    }

    fn open_by_api(&self) -> RequestBuilder {
        let request = self.api(Method::POST, "/tables").header("content-type", "application/json");
        request.body(r#"{"game": "red-queen"}"#)
    }

    async fn timed(&self, request: RequestBuilder) -> (Answer, Duration) {
        let begun = Instant::now();
        let answer = self.visitor.send(request).await;
        (answer, begun.elapsed())
    }

    /// Everything that is asked while the database says nothing is answered in time.
    async fn is_told_to_wait(&self) {
        let get = |path: &str| self.visitor.request(Method::GET, path);
        let asked = vec![
            get("/"),
            get(&self.table),
            get(&format!("{}/at/1", self.table)),
            get("/daily"),
            get("/me"),
            self.form(),
            self.api(Method::GET, "/me/tables"),
            self.open_by_api(),
        ];
        let ready = async {
            let answers = join_all((0..8).map(|_| self.timed(get("/readyz")))).await;
            for (answer, time) in answers {
                assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.body);
                assert_eq!(answer.body, "the database does not answer\n");
                assert!(time < READY_WITHIN, "readyz took {time:?}");
            }
            let (answer, time) = self.timed(get("/healthz")).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert!(time < Duration::from_secs(1), "healthz took {time:?}");
        };
        let others = async {
            for (answer, time) in join_all(asked.into_iter().map(|request| self.timed(request))).await {
                assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.body);
                assert_eq!(answer.header("retry-after"), "2", "{}", answer.body);
                assert!(time < WITHIN, "it took {time:?}: {}", answer.body);
            }
        };
        tokio::join!(ready, others);
    }

    /// The database is back: the form that was not answered is settled, and recorded once.
    async fn goes_on(&self) {
        until("the service is ready", async || self.visitor.get("/readyz").await.status == StatusCode::OK).await;
        let (answer, time) = self.timed(self.form()).await;
        assert_eq!(answer.location(), self.table);
        assert!(time < WITHIN, "it took {time:?}");
        let again = self.visitor.send(self.form()).await;
        assert_eq!(again.location(), self.table);
        let body = self.visitor.look(&self.table).await;
        assert_eq!(Page(&body).step(), self.step + 1, "recorded once");
        let answer = self.visitor.send(self.api(Method::GET, "/me/tables")).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_whose_processes_stand_still_holds_up_nobody_for_long() {
    let server = DatabaseServer::start(&[]).await;
    let service = Service::start_on(server.options(), |_| {});
    let player = Player::begin(&service).await;
    let frozen = freeze(server.pid());
    player.is_told_to_wait().await;
    drop(frozen);
    player.goes_on().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_swallows_everything_holds_up_nobody_for_long() {
    let server = DatabaseServer::start(&[]).await;
    let wire = Wire::to(server.socket());
    let service = Service::start_on(wire.options(), |_| {});
    let player = Player::begin(&service).await;
    wire.swallow();
    player.is_told_to_wait().await;
    wire.mend();
    player.goes_on().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_cannot_write_is_a_passing_trouble_and_the_service_is_not_ready() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let player = Player::begin(&service).await;
    assert_eq!(player.visitor.look("/readyz").await, "ready\n");
    for (setting, sentence) in [
        ("default_transaction_read_only = on", "the database takes nothing that is written\n"),
        // As little as a full disk leaves.
        ("temp_file_limit = 0", "the database does not answer\n"),
    ] {
        database.configure(&format!("set {setting}")).await;
        // What was written within the last second may be believed.
        until("the service is not ready", async || player.visitor.get("/readyz").await.status != StatusCode::OK).await;
        let answer = player.visitor.get("/readyz").await;
        assert_eq!((answer.status, &*answer.body), (StatusCode::SERVICE_UNAVAILABLE, sentence));
        assert_eq!(answer.header("retry-after"), "2");
        if setting.contains("read_only") {
            for request in [player.form(), player.open_by_api()] {
                let (answer, time) = player.timed(request).await;
                assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.body);
                assert_eq!(answer.header("retry-after"), "2");
                assert!(time < WITHIN, "it took {time:?}");
            }
            let answer = player.visitor.get(&player.table).await;
            assert!(answer.status == StatusCode::OK, "what only reads goes on: {}", answer.body);
        }
        database.configure("reset all").await;
        until("the service is ready", async || player.visitor.get("/readyz").await.status == StatusCode::OK).await;
    }
    player.goes_on().await;
}
