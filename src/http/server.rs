//! The HTTP server: bound to its addresses, with all middleware and routes.

use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use actix_web::body::MessageBody;
use actix_web::dev::{Server, ServerHandle, ServiceRequest, ServiceResponse};
use actix_web::middleware::{Next, from_fn};
use actix_web::{App, HttpServer, web};
use anyhow::Context;
use tokio::task::JoinHandle;

use crate::app::settings::ServeSettings;
use crate::db::time_budget;
use crate::http::listeners::Listeners;
use crate::http::middleware::connection_timeouts::Connections;
use crate::http::middleware::{access_log, compression, connection_timeouts, http10, security_headers};
use crate::http::pages::host;
use crate::http::problem::Problem;
use crate::http::shutdown::Shutdown;
use crate::http::state::AppState;
use crate::http::{api, routes};
use crate::tables::Tables;

/// The most that a form may hold.
pub(in crate::http) const MOST_FORM_BYTES: usize = 32 * 1024;

/// A service that is bound to its address and not yet answering.
pub struct Application {
    server: Server,
    listeners: Listeners,
    connections: Arc<Connections>,
    pub addresses: Vec<SocketAddr>,
    /// Where people find the service: links in letters begin so.
    pub base: String,
    /// Whether letters are shown at `/mailbox`.
    pub has_mailbox: bool,
    pub shutdown: Shutdown,
}

fn base(settings: &ServeSettings, addresses: &[SocketAddr]) -> String {
    match (&settings.public_url, addresses.first()) {
        (Some(url), _) => url.trim_end_matches('/').to_owned(),
        (None, Some(address)) if settings.listen.starts_with("localhost:") => {
            format!("http://localhost:{}", address.port())
        }
        (None, Some(address)) => format!("http://{address}"),
        (None, None) => String::new(),
    }
}

impl Application {
    pub fn build(settings: &ServeSettings, tables: Arc<Tables>) -> std::io::Result<Application> {
        let listeners = Listeners::bind(&settings.listen)?;
        let addresses = listeners.addresses();
        let base = base(settings, &addresses);
        let app = web::Data::new(AppState::new(tables, settings, base.clone(), &addresses));
        let (has_mailbox, shutdown) = (app.has_mailbox, app.shutdown.clone());
        let connections = Connections::new(settings.timeouts);
        let mut server = HttpServer::new(move || {
            App::new()
                .app_data(app.clone())
                .app_data(web::FormConfig::default().limit(MOST_FORM_BYTES).error_handler(unreadable_form))
                .app_data(web::PathConfig::default().error_handler(|_, _| Problem::NoPage.into()))
                .app_data(web::QueryConfig::default().error_handler(|_, _| Problem::Unreadable.into()))
                .wrap(from_fn(security_headers::guard))
                .wrap(from_fn(limit_waiting))
                .wrap(from_fn(access_log::observe))
                .wrap(from_fn(compression::compress))
                .wrap(from_fn(http10::without_chunks))
                .wrap(from_fn(connection_timeouts::track))
                .configure(api::routes)
                .configure(host::routes)
                .configure(routes::routes)
        })
        .disable_signals()
        .on_connect({
            let connections = connections.clone();
            move |io, data| connections.connected(io, data)
        })
        .client_request_timeout(settings.timeouts.head)
        .keep_alive(settings.timeouts.keep_alive)
        // Head and body may go out one after the other; the second would wait 40 ms for the browser to confirm the first.
        .tcp_nodelay(true)
        .shutdown_timeout(15);
        for listener in listeners.for_server()? {
            server = server.listen(listener)?;
        }
        let workers = settings.workers.unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get)).max(1);
        server = server.workers(workers).max_connections(connection_timeouts::most_per_worker(workers));
        Ok(Application { server: server.run(), listeners, connections, addresses, base, has_mailbox, shutdown })
    }

    /// Answers requests until it is stopped.
    pub fn start(self) -> Running {
        let handle = self.server.handle();
        let answering = tokio::spawn(async move {
            tokio::select! {
                ended = self.server => ended,
                never = self.connections.sweep() => match never {},
            }
        });
        Running { handle, listeners: self.listeners, answering }
    }
}

/// A service that answers.
pub struct Running {
    handle: ServerHandle,
    listeners: Listeners,
    answering: JoinHandle<std::io::Result<()>>,
}

impl Running {
    /// Lets nobody in any more, and answers those who are.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.listeners.let_in_the_last().await;
        self.handle.stop(true).await;
        ended(self.answering).await
    }

    /// For stopping it at once.
    pub fn handle(&self) -> ServerHandle {
        self.handle.clone()
    }

    /// Waits until it is stopped.
    pub async fn ended(self) -> anyhow::Result<()> {
        ended(self.answering).await
    }
}

async fn ended(answering: JoinHandle<std::io::Result<()>>) -> anyhow::Result<()> {
    Ok(answering.await.context("the service broke off")??)
}

/// Middleware: whatever a request asks of the database is answered in time, or the request is answered without it.
async fn limit_waiting(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    time_budget::within(time_budget::REQUEST, next.call(request)).await
}

fn unreadable_form(error: actix_web::error::UrlencodedError, _: &actix_web::HttpRequest) -> actix_web::Error {
    use actix_web::error::UrlencodedError::{Overflow, UnknownLength};
    match error {
        Overflow { .. } | UnknownLength => Problem::TooLarge.into(),
        _ => Problem::Unreadable.into(),
    }
}
