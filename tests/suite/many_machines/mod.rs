//! A house on many machines: several databases of which one leads, and a pooler between services and database.

mod hosts;
mod pgbouncer;

use std::time::Duration;

use reqwest::{Method, Response, StatusCode};
use tempfile::TempDir;

use crate::harness::Visitor;
use crate::harness::faults::until;
use crate::harness::page::Page;
use crate::harness::program::Program;
use crate::scratch;

/// What is told by one service to those who watch at another comes within so long.
const TOLD: Duration = Duration::from_secs(10);

/// Two services on one database, and somebody who plays at the one while others watch at the other.
struct House {
    services: [Program; 2],
    _folder: TempDir,
    visitor: Visitor,
    table: String,
}

impl House {
    /// Starts services that find their database by this address.
    async fn open(database_url: &str) -> House {
        House::open_with(database_url, &[]).await
    }

    async fn open_with(database_url: &str, more: &[&str]) -> House {
        let folder = scratch::folder();
        let settings: Vec<&str> = ["--database-url", database_url].into_iter().chain(more.iter().copied()).collect();
        let services = [(); 2].map(|()| Program::serve_with(folder.path(), &settings));
        let visitor = services[0].visitor();
        let table = visitor.begin().await;
        House { services, _folder: folder, visitor, table }
    }

    /// How many moves were made, as a service shows it.
    async fn step(&self, service: &Program) -> u32 {
        Page(&self.visitor.at(&service.url).look(&self.table).await).step()
    }

    /// A move at the first service is heard at the second one, and both show it.
    async fn is_played_and_watched(&self) {
        let [first, second] = &self.services;
        let before = self.step(second).await;
        let request = second.visitor().request(Method::GET, &format!("{}/live", self.table));
        let mut stream = request.send().await.expect("a stream");
        next_mark(&mut stream).await;
        self.visitor.move_on(&self.table).await.expect("a move");
        next_mark(&mut stream).await;
        for service in [first, second] {
            assert_eq!(self.step(service).await, before + 1, "made once, and shown everywhere");
        }
    }

    async fn becomes_ready(&self) {
        for service in &self.services {
            let visitor = service.visitor();
            until("the service is ready", async || visitor.get("/readyz").await.status == StatusCode::OK).await;
        }
    }
}

/// Waits for the next word that the table has moved; the first one says how it stands.
async fn next_mark(stream: &mut Response) {
    let told = async {
        loop {
            let chunk = stream.chunk().await.expect("a stream").expect("a word");
            if String::from_utf8_lossy(&chunk).contains("event: moved") {
                return;
            }
        }
    };
    tokio::time::timeout(TOLD, told).await.expect("told in time");
}
