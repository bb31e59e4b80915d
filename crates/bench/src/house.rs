//! A house of its own for measuring: a durable database in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use sqlx::{Connection, PgConnection};

use super::processor_time;
use super::service::Service;
use wonderpost::db::Store;
use wonderpost::db::cluster::{Cluster, ClusterSettings, DATABASE, SUPERUSER};
use wonderpost::tables::Tables;

/// How many connections prepare what is measured.
const CONNECTIONS: u32 = 4;

pub struct House {
    pub tables: Tables,
    pub cluster: Cluster,
    pub folder: TemporaryFolder,
}

/// A folder that is gone when it is dropped.
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> TemporaryFolder {
        TemporaryFolder(std::env::temp_dir().join(format!("wonderpost-bench-{}", std::process::id())))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl House {
    /// A house with room for so many clients of pgbench besides the service.
    pub async fn open(clients: usize) -> anyhow::Result<House> {
        let folder = TemporaryFolder::new();
        let mut settings = ClusterSettings::new(folder.path());
        settings.server_settings.push(("max_connections".into(), (clients + 50).to_string()));
        let cluster = Cluster::start(&settings)?;
        let store = Store::new(cluster.options(DATABASE), CONNECTIONS);
        store.migrate().await.context("the database cannot be brought up to date")?;
        let tables = Tables::new(store, wonderpost_games::catalogue(), Arc::default());
        Ok(House { tables, cluster, folder })
    }

    pub fn start_service(&self) -> anyhow::Result<Service> {
        Service::start(&self.cluster.url(), &self.folder.path().join("service.log"))
    }

    /// A connection for statements that are no part of the product.
    pub async fn connect(&self, role: &str) -> anyhow::Result<PgConnection> {
        Ok(PgConnection::connect_with(&self.cluster.options(DATABASE).username(role)).await?)
    }

    /// Brings everything to the disk, so that each measurement begins with the same chores ahead.
    pub async fn settle(&self) -> anyhow::Result<()> {
        sqlx::query("checkpoint").execute(&mut self.connect(SUPERUSER).await?).await?;
        Ok(())
    }

    /// The processor time that Postgres has used so far.
    pub fn postgres_time(&self) -> std::io::Result<std::time::Duration> {
        processor_time::of_family(self.cluster.pid())
    }
}
