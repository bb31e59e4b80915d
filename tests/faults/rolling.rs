//! Four services behind a proxy are restarted one after the other.

use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::ensure;
use wonderpost_bench::ledger::Load;
use wonderpost_bench::ledger::book::Book;

use crate::proxies::{self, Proxy};
use crate::report::Row;
use crate::service::Service;
use crate::setting::{PATIENCE, Setting};
use crate::watcher::Watcher;

/// How long each service goes on taking requests after it has said that it is not ready any more: a few looks of the proxy.
const GRACE: &str = "1";
/// Services stop within three seconds, besides that grace.
const STOP: Duration = Duration::from_millis(4500);
/// Time for the proxy to see that a service is back.
const BACK: Duration = Duration::from_secs(3);

pub fn haproxy(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    restart_in_turn(setting, fault, proxies::haproxy)
}

pub fn nginx(setting: &Setting, fault: &str) -> anyhow::Result<Row> {
    restart_in_turn(setting, fault, proxies::nginx)
}

fn restart_in_turn(
    setting: &Setting,
    fault: &str,
    proxy: fn(&Path, &[SocketAddr]) -> anyhow::Result<Proxy>,
) -> anyhow::Result<Row> {
    let mut house = setting.house(0, &[])?;
    for _ in 0..4 {
        let more = ["--behind-proxy", "--grace-seconds", GRACE];
        house.services.push(Service::start(&house.way.url(), house.folder.path(), &more)?);
    }
    let proxy = proxy(house.folder.path(), &house.addresses())?;
    let load = setting.play_at(&[proxy.address])?;
    // Slow games, so that there is something to watch all the time.
    let slow = Load::start(&[proxy.address], 4, Duration::from_millis(400), Book::begin(None)?);
    ensure!(slow.goes_on(8, PATIENCE), "the slow players do not get going");
    let watchers: Vec<Watcher> =
        slow.book.tables().into_iter().map(|table| Watcher::start(proxy.address, table)).collect();
    thread::sleep(Duration::from_secs(1));
    let heard_before: usize = watchers.iter().map(|watcher| watcher.heard().words).sum();
    let mut stops = Vec::new();
    for service in &mut house.services {
        stops.push(service.stop()?);
        service.start_again()?;
        thread::sleep(BACK);
    }
    let slow_book = slow.stop()?;
    thread::sleep(Duration::from_secs(1));
    let mut row = setting.conclude(fault, &house, load)?;
    row.expect_none_lost();
    let failed = row.failed_requests + slow_book.answers().failed + slow_book.answers().unanswered;
    row.expect(failed == 0, || format!("{failed} requests failed"));
    let slowest = stops.iter().max().copied().unwrap_or_default();
    row.expect(slowest <= STOP, || format!("a service took {:.1} s to stop", slowest.as_secs_f64()));
    let heard: Vec<_> = watchers.iter().map(Watcher::heard).collect();
    let broken: usize = heard.iter().map(|heard| heard.broken).sum();
    row.expect(broken == 0, || format!("{broken} streams of events broke off"));
    row.expect(heard.iter().any(|heard| heard.ended > 0), || "nobody who watches was asked to come back".into());
    row.expect(heard.iter().map(|heard| heard.words).sum::<usize>() > heard_before, || "nobody heard a move".into());
    let lost = watchers.iter().filter(|watcher| !watcher.is_up_to_date(proxy.address)).count();
    row.expect(lost == 0, || format!("{lost} of {} watchers have not heard the last move", watchers.len()));
    row.load += &format!(", {} watchers", watchers.len());
    Ok(row)
}
