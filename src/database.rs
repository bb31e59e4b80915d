//! The database of a command: the given one, or the program's own.

use anyhow::Context;
use sqlx::postgres::PgConnectOptions;

use crate::settings::DatabaseSettings;
use crate::store::Store;
use crate::store::cluster::{Cluster, ClusterError, ClusterSettings, DATABASE, running_server};

/// A database with its schema up to date, and the cluster that runs it if it is ours.
pub struct Database {
    pub store: Store,
    pub cluster: Option<Cluster>,
    /// How other programs connect to it.
    pub url: String,
}

impl Database {
    /// Connects to the given database or starts our own, and brings the schema up to date. If another process of ours runs our own,
    /// that one is used.
    pub async fn open(settings: &DatabaseSettings) -> anyhow::Result<Database> {
        let (options, url, cluster) = match &settings.database_url {
            Some(url) => {
                let options: PgConnectOptions = url.parse().context("DATABASE_URL is not an address of a Postgres")?;
                (options, url.clone(), None)
            }
            None => start_own(settings)?,
        };
        let store = Store::new(options, settings.connections);
        store.migrate().await.context("the database cannot be brought up to date")?;
        Ok(Database { store, cluster, url })
    }

    /// Closes connections and stops our own cluster.
    pub async fn close(self) -> anyhow::Result<()> {
        self.store.close().await;
        if let Some(cluster) = self.cluster {
            cluster.stop()?;
        }
        Ok(())
    }
}

fn start_own(settings: &DatabaseSettings) -> anyhow::Result<(PgConnectOptions, String, Option<Cluster>)> {
    let mut cluster_settings = ClusterSettings::new(&settings.data);
    if settings.postgres.is_some() {
        cluster_settings.programs.clone_from(&settings.postgres);
    }
    match Cluster::start(&cluster_settings) {
        Ok(cluster) => Ok((cluster.options(DATABASE), cluster.url(), Some(cluster))),
        Err(in_use @ ClusterError::InUse { .. }) => {
            let running = running_server(&settings.data).ok_or(in_use)?;
            Ok((running.options(DATABASE), running.url_of(DATABASE), None))
        }
        Err(error) => Err(error.into()),
    }
}
