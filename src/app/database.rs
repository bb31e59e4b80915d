//! The database of a command: the given one, or the program's own.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use crate::app::settings::DatabaseSettings;
use crate::db::cluster::{Cluster, ClusterError, ClusterSettings, DATABASE, running_server};
use crate::db::standby::Standby;
use crate::db::{Address, Store};

/// A database with its schema up to date, and the cluster that runs it if it is ours.
pub struct Database {
    pub store: Store,
    /// Where finished games and history are read, if there is a standby.
    pub standby: Option<Arc<Standby>>,
    pub cluster: Option<Cluster>,
    /// How other programs connect to it.
    pub url: String,
}

impl Database {
    /// Connects to the given database or starts our own, and brings the schema up to date. If another process of ours runs our own,
    /// that one is used.
    pub async fn open(settings: &DatabaseSettings) -> anyhow::Result<Database> {
        let (address, url, cluster) = match &settings.database_url {
            Some(url) => {
                let address = url.parse().context("DATABASE_URL is not an address of a Postgres")?;
                (address, url.clone(), None)
            }
            None => start_own(settings)?,
        };
        let mut store = Store::new(address, settings.connections);
        if let Some(url) = &settings.direct_database_url {
            let address = url.parse().context("WONDERPOST_DIRECT_DATABASE_URL is not an address of a Postgres")?;
            store = store.with_direct_address(address);
        }
        store.connect(Duration::from_secs(settings.database_wait)).await?;
        store.migrate().await.context("the database cannot be brought up to date")?;
        let standby = match &settings.read_database_url {
            Some(url) => {
                let address: Address =
                    url.parse().context("WONDERPOST_READ_DATABASE_URL is not an address of a Postgres")?;
                Some(Arc::new(Standby::new(Store::new(address, settings.connections))))
            }
            None => None,
        };
        Ok(Database { store, standby, cluster, url })
    }

    /// Closes connections and stops our own cluster.
    pub async fn close(self) -> anyhow::Result<()> {
        if let Some(standby) = self.standby {
            standby.close().await;
        }
        self.store.close().await;
        if let Some(cluster) = self.cluster {
            cluster.stop()?;
        }
        Ok(())
    }
}

fn start_own(settings: &DatabaseSettings) -> anyhow::Result<(Address, String, Option<Cluster>)> {
    let mut cluster_settings = ClusterSettings::new(&settings.data);
    if settings.postgres.is_some() {
        cluster_settings.programs.clone_from(&settings.postgres);
    }
    match Cluster::start(&cluster_settings) {
        Ok(cluster) => Ok((cluster.options(DATABASE).into(), cluster.url(), Some(cluster))),
        Err(in_use @ ClusterError::InUse { .. }) => {
            let running = running_server(&settings.data).ok_or(in_use)?;
            Ok((running.options(DATABASE).into(), running.url_of(DATABASE), None))
        }
        Err(error) => Err(error.into()),
    }
}
