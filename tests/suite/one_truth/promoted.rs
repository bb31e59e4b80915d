//! The primary fails under load, and a standby takes its place: one that had fallen behind, or one that every move waited for.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use wonderpost::db::Store;
use wonderpost::tables::state::record::Record;
use wonderpost::tables::{ReadError, Tables};

use super::{assert_sound, id_of, said};
use crate::harness::standby::{DatabaseServer, Forwarder};
use crate::harness::visitor::{Answer, GAME};
use crate::harness::{Service, Visitor};

const CLIENTS: usize = 16;

/// Waiting for longer than this is in vain.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tables must be playable again so soon.
const SOON: Duration = Duration::from_secs(5);

/// What all clients know of the run.
#[derive(Default)]
struct Run {
    is_over: AtomicBool,
    /// Whether the standby has taken over.
    has_failed_over: AtomicBool,
    acknowledged: AtomicUsize,
    /// How many clients have moved since then.
    back_at_play: AtomicUsize,
}

/// A move that was acknowledged.
struct Acknowledged {
    move_no: u32,
    line: String,
    at: DateTime<Utc>,
    /// It was sent after the standby had taken over.
    is_after: bool,
}

impl Acknowledged {
    /// Whether this very move is among the records. The same line may have been said once more later, after it was lost.
    fn is_among(&self, records: &[Record]) -> bool {
        said(records)
            .iter()
            .any(|said| (said.move_no, said.line.as_str()) == (self.move_no, self.line.as_str()) && said.at <= self.at)
    }
}

/// Somebody who plays at two services by turns, as behind a proxy, and keeps a ledger.
struct Client {
    at: [Visitor; 2],
    turn: usize,
    table: Option<String>,
    ledger: BTreeMap<String, Vec<Acknowledged>>,
    first_after: Option<Instant>,
}

impl Client {
    fn visitor(&mut self) -> Visitor {
        self.turn += 1;
        self.at[self.turn % 2].clone()
    }

    /// Plays until the run is over. What fails is tried again from the page.
    async fn play(mut self, run: Arc<Run>) -> Client {
        while !run.is_over.load(Ordering::Relaxed) {
            if !self.step(&run).await {
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        }
        self
    }

    async fn step(&mut self, run: &Run) -> bool {
        let Some(table) = self.table.clone() else {
            self.table = self.begin().await;
            return self.table.is_some();
        };
        let Some(shown) = look(&self.visitor(), &table).await else { return false };
        if shown.status == StatusCode::NOT_FOUND {
            self.table = None;
        }
        if shown.status != StatusCode::OK {
            return false;
        }
        let page = shown.page();
        let Some(line) = page.next_move() else {
            self.table = None;
            return true;
        };
        let is_after = run.has_failed_over.load(Ordering::SeqCst);
        let step = page.step();
        let form = [("step", step.to_string()), ("say", line.clone()), ("csrf", page.stamp().to_owned())];
        if post(&self.visitor(), &format!("{table}/say"), &form).await.is_none() {
            return false;
        }
        self.ledger.entry(table).or_default().push(Acknowledged { move_no: step + 1, line, at: Utc::now(), is_after });
        run.acknowledged.fetch_add(1, Ordering::Relaxed);
        if is_after && self.first_after.is_none() {
            self.first_after = Some(Instant::now());
            run.back_at_play.fetch_add(1, Ordering::Relaxed);
        }
        true
    }

    async fn begin(&mut self) -> Option<String> {
        let visitor = self.visitor();
        let stamp = stamp(&look(&visitor, "/games/we-are-not-amused").await?)?;
        let form = [("game", GAME.to_owned()), ("option-shuffles", "2".to_owned()), ("csrf", stamp)];
        let table = post(&visitor, "/tables", &form).await?.location();
        // A guest's session begins with the table, and another stamp with it.
        let stamp = self::stamp(&look(&visitor, &table).await?)?;
        post(&visitor, &format!("{table}/sit"), &[("cut", "treacle".to_owned()), ("csrf", stamp)]).await?;
        Some(table)
    }
}

/// A page, or what is said in its place, if there is an answer.
async fn look(visitor: &Visitor, path: &str) -> Option<Answer> {
    visitor.try_send(visitor.request(Method::GET, path)).await.ok()
}

/// The answer to a form that was acknowledged.
async fn post(visitor: &Visitor, path: &str, form: &[(&str, String)]) -> Option<Answer> {
    let answer = visitor.try_send(visitor.request(Method::POST, path).form(form)).await.ok()?;
    (answer.status == StatusCode::SEE_OTHER).then_some(answer)
}

fn stamp(page: &Answer) -> Option<String> {
    page.page().between("name=\"csrf\" value=\"", "\"").first().map(|stamp| (*stamp).to_owned())
}

fn tables_on(options: sqlx::postgres::PgConnectOptions) -> Tables {
    Tables::new(Store::new(options, 4), wonderpost_games::catalogue(), Arc::default())
}

async fn await_moves(run: &Run, more: usize) {
    let (begun, target) = (Instant::now(), run.acknowledged.load(Ordering::Relaxed) + more);
    while run.acknowledged.load(Ordering::Relaxed) < target {
        assert!(begun.elapsed() < PATIENCE, "nobody can move");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Lets the primary crash under load and the standby take over. Says how many acknowledged moves are lost.
async fn fail_over(primary: DatabaseServer, standby: DatabaseServer, falls_behind: bool) -> usize {
    let address = Forwarder::start(primary.socket());
    let services = [(); 2].map(|()| Service::start_on(address.options(), |_| {}));
    let run = Arc::new(Run::default());
    let playing: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let visitor = services[0].visitor();
            let at = [visitor.clone(), visitor.at(&services[1].url)];
            let client = Client { at, turn: 0, table: None, ledger: BTreeMap::new(), first_after: None };
            tokio::spawn(client.play(run.clone()))
        })
        .collect();
    let begun = Instant::now();
    await_moves(&run, 5 * CLIENTS).await;
    // On a machine that is very busy otherwise everything takes longer.
    let soon = SOON.max(2 * begun.elapsed());
    // What the standby has from here on, if it hears no more.
    let mut had = None;
    if falls_behind {
        standby.cut_off().await;
        had = Some(tables_on(standby.options()));
        await_moves(&run, 3 * CLIENTS).await;
    }
    primary.crash().await;
    let mut moves_had = HashMap::new();
    if let Some(had) = had {
        for id in had.all_ids().await.expect("tables") {
            moves_had.insert(id, had.load_fresh(id).await.expect("a table").now.moves);
        }
        had.store.close().await;
    }
    run.has_failed_over.store(true, Ordering::SeqCst);
    standby.promote().await;
    let since = Instant::now();
    address.lead_to(standby.socket());
    while run.back_at_play.load(Ordering::Relaxed) < CLIENTS {
        assert!(since.elapsed() < PATIENCE, "somebody cannot play on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    await_moves(&run, 2 * CLIENTS).await;
    run.is_over.store(true, Ordering::Relaxed);
    let clients: Vec<Client> = join_all(playing).await.into_iter().map(|client| client.expect("a client")).collect();

    let fresh = Service::start_on(standby.options(), |_| {});
    let tables = tables_on(standby.options());
    let mut lost = 0;
    for client in &clients {
        let first = client.first_after.expect("everybody plays on");
        assert!(first - since < soon, "playable after {:?}", first - since);
        for (table, ledger) in &client.ledger {
            let id = id_of(table);
            let had = moves_had.get(&id).copied();
            let records = match tables.records(id).await {
                Ok(records) => records,
                Err(ReadError::NoTable) => {
                    assert!(falls_behind && had.is_none(), "a table that the standby had is gone");
                    assert_eq!(client.at[0].get(table).await.status, StatusCode::NOT_FOUND);
                    assert_eq!(client.at[1].get(table).await.status, StatusCode::NOT_FOUND);
                    lost += ledger.len();
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            assert_sound(&tables, id).await;
            for acknowledged in ledger {
                if !acknowledged.is_among(&records) {
                    assert!(!acknowledged.is_after, "{table}: move {} is lost", acknowledged.move_no);
                    assert!(falls_behind && had.is_none_or(|had| acknowledged.move_no > had), "the standby had it");
                    lost += 1;
                }
            }
            let shown = super::shown(&client.at[0].at(&fresh.url), table).await;
            for visitor in &client.at {
                assert_eq!(super::shown(visitor, table).await, shown, "what a service shows that remembers the table");
            }
        }
    }
    lost
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_fell_behind_takes_over_and_loses_what_it_never_had() {
    let primary = DatabaseServer::start(&[]).await;
    let standby = primary.standby().await;
    let lost = fail_over(primary, standby, true).await;
    assert!(lost > 0, "moves were acknowledged that the standby never had");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronous_standby_takes_over_and_loses_nothing() {
    let primary = DatabaseServer::start(&[]).await;
    let standby = primary.standby().await;
    for text in ["alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"] {
        primary.statement(text).await;
    }
    primary.await_that("select exists (select from pg_stat_replication where sync_state = 'sync')").await;
    assert_eq!(fail_over(primary, standby, false).await, 0);
}
