//! `DATABASE_URL` names several servers: the one that takes changes is found, at the start and when another has taken its place.

use wonderpost::db::cluster::{DATABASE, ROLE};

use super::House;
use crate::harness::program::run;
use crate::harness::standby::{DatabaseServer, Forwarder};
use crate::scratch;

/// Plays before and after the standby takes the primary's place. The services know nothing but the address.
async fn play_on_across_a_promotion(address: &str, primary: DatabaseServer, standby: DatabaseServer) {
    let house = House::open(address).await;
    house.is_played_and_watched().await;
    primary.await_standby(&standby).await;
    primary.crash().await;
    standby.promote().await;
    house.becomes_ready().await;
    house.is_played_and_watched().await;
    // A service that is started now finds it just so.
    let late = House::open(address).await;
    late.is_played_and_watched().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_hosts_in_a_url_the_primary_is_found_also_after_a_promotion() {
    let primary = DatabaseServer::start(&[]).await;
    let standby = primary.standby().await;
    // The standby is asked first.
    let ways = [&standby, &primary].map(|server| Forwarder::start(server.socket()));
    let [first, second] = ways.each_ref().map(|way| way.options().get_port());
    let address = format!("postgres://{ROLE}@127.0.0.1:{first},127.0.0.1:{second}/{DATABASE}?sslmode=disable");
    play_on_across_a_promotion(&address, primary, standby).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_several_hosts_in_a_list_of_words_the_primary_is_found_also_after_a_promotion() {
    let primary = DatabaseServer::start(&[]).await;
    let standby = primary.standby().await;
    let folders = [&standby, &primary].map(|server| server.socket_folder().display().to_string());
    let address = format!(
        "host={} port=5432 user={ROLE} dbname={DATABASE} sslmode=disable target_session_attrs=read-write",
        folders.join(",")
    );
    play_on_across_a_promotion(&address, primary, standby).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn if_no_host_takes_changes_the_service_says_so_instead_of_starting() {
    let primary = DatabaseServer::start(&[]).await;
    let standby = primary.standby().await;
    primary.crash().await;
    let address = format!(
        "host={0},{0} user={ROLE} dbname={DATABASE} sslmode=disable target_session_attrs=read-write",
        standby.socket_folder().display()
    );
    let folder = scratch::folder();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--database-wait", "1", "--database-url", &address];
    let ended = run(folder.path(), &arguments);
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.contains("such as one that takes writes"), "{said}");
}
