//! A bare page: one lookup by key, and a text that was handed in before, through the same framework, pool and compression.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock};

use actix_web::middleware::from_fn;
use actix_web::web::{Bytes, Data, PayloadConfig, get, post};
use actix_web::{App, HttpResponse, HttpServer};
use anyhow::Context;
use clap::Args;

use crate::house::House;
use wonderpost::db::{Address, Store};
use wonderpost::http::middleware::compression::compress;
use wonderpost::tables::TableId;

/// The most that a page may have.
const MOST_BYTES: usize = 1 << 20;

/// How many connections to the database it may use.
const CONNECTIONS: u32 = 4;

/// Where the rows are that it looks up.
#[derive(Args)]
pub struct Settings {
    #[arg(long)]
    database_url: Address,
}

/// A server of bare pages, as a process of its own.
pub struct Bare {
    child: Child,
    pub address: SocketAddr,
}

impl Bare {
    pub fn start(house: &House) -> anyhow::Result<Bare> {
        let program = env::current_exe().context("cannot find the program itself")?;
        let mut child = Command::new(program)
            .args(["bare-page", "--database-url", &house.cluster.url()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the server of bare pages")?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let mut bare = Bare { child, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        bare.address = line.trim().parse().context("the server of bare pages did not get ready")?;
        Ok(bare)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Page {
    store: Store,
    table: TableId,
    text: RwLock<Bytes>,
}

async fn keep(page: Data<Page>, text: Bytes) -> HttpResponse {
    *page.text.write().unwrap_or_else(PoisonError::into_inner) = text;
    HttpResponse::Ok().finish()
}

async fn show(page: Data<Page>) -> HttpResponse {
    match page.store.projection(page.table).await {
        Ok(Some(_)) => {
            let text = page.text.read().unwrap_or_else(PoisonError::into_inner).clone();
            HttpResponse::Ok().content_type("text/html; charset=utf-8").body(text)
        }
        _ => HttpResponse::InternalServerError().finish(),
    }
}

/// Serves until the process is ended.
pub fn serve(settings: Settings) -> anyhow::Result<()> {
    actix_web::rt::System::new().block_on(async {
        let store = Store::new(settings.database_url, CONNECTIONS);
        let table = store.table_ids_after(TableId(Default::default()), 1).await?;
        let table = *table.first().context("there is no table to look up")?;
        let page = Data::new(Page { store, table, text: RwLock::default() });
        let server = HttpServer::new(move || {
            App::new()
                .app_data(page.clone())
                .app_data(PayloadConfig::new(MOST_BYTES))
                .wrap(from_fn(compress))
                .route("/bare", get().to(show))
                .route("/bare", post().to(keep))
        });
        let server = server.tcp_nodelay(true).bind(("127.0.0.1", 0))?;
        let address = server.addrs().first().copied().context("no address")?;
        let _ = writeln!(std::io::stdout(), "{address}");
        Ok(server.run().await?)
    })
}
