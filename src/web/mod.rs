//! The web: pages, forms and sessions over actix.

pub mod assets;
mod chance_pages;
mod daily_pages;
mod guard;
mod health;
mod home;
mod observe;
mod page;
mod problem;
mod session;
mod table_pages;

use std::net::SocketAddr;

use actix_web::dev::{Server, ServerHandle};
use actix_web::{App, HttpResponse, HttpServer, guard as guards, middleware, web};
use quick_cache::sync::Cache;

use crate::settings::ServeSettings;
use crate::tables::{PlayerId, Tables};
use problem::Problem;
pub(crate) use session::COOKIE;

/// So many sessions are remembered between a page and the move that follows it.
const REMEMBERED_SESSIONS: usize = 10_000;

/// The most that a form may hold.
const MOST_FORM_BYTES: usize = 32 * 1024;

/// What every request has at hand.
pub struct House {
    pub tables: Tables,
    /// Whose session it was when last asked. A hint: the store checks again.
    sessions: Cache<[u8; 32], PlayerId>,
    secure_cookies: bool,
}

impl House {
    pub fn new(tables: Tables, settings: &ServeSettings) -> House {
        let secure_cookies = settings.public_url.as_deref().is_some_and(|url| url.starts_with("https://"));
        House { tables, sessions: Cache::new(REMEMBERED_SESSIONS), secure_cookies }
    }
}

/// A service that is bound to its address and not yet answering.
pub struct Application {
    server: Server,
    pub addresses: Vec<SocketAddr>,
}

impl Application {
    pub fn build(settings: &ServeSettings, tables: Tables) -> std::io::Result<Application> {
        let house = web::Data::new(House::new(tables, settings));
        let mut server = HttpServer::new(move || {
            App::new()
                .app_data(house.clone())
                .app_data(web::FormConfig::default().limit(MOST_FORM_BYTES).error_handler(unreadable_form))
                .app_data(web::PathConfig::default().error_handler(|_, _| Problem::NoPage.into()))
                .app_data(web::QueryConfig::default().error_handler(|_, _| Problem::Unreadable.into()))
                .wrap(middleware::from_fn(guard::guard))
                .wrap(middleware::from_fn(observe::observe))
                .wrap(middleware::Compress::default())
                .configure(routes)
        })
        .disable_signals()
        // A compressed page is sent in two parts; the second would wait 40 ms for the browser to confirm the first.
        .tcp_nodelay(true)
        .shutdown_timeout(15)
        .bind(&settings.listen)?;
        if let Some(workers) = settings.workers {
            server = server.workers(workers);
        }
        let addresses = server.addrs();
        Ok(Application { server: server.run(), addresses })
    }

    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Answers requests until somebody stops it by its handle.
    pub async fn run(self) -> std::io::Result<()> {
        self.server.await
    }
}

/// A page that can be looked at.
fn look() -> actix_web::Route {
    web::route().guard(guards::Any(guards::Get()).or(guards::Head()))
}

fn routes(config: &mut web::ServiceConfig) {
    let page = |path: &str| web::resource(path).default_service(web::route().to(no_method));
    config
        .service(page("/").route(look().to(home::show)))
        .service(page("/tables").route(web::post().to(home::open)))
        .service(page("/daily").route(look().to(daily_pages::show)).route(web::post().to(daily_pages::play)))
        .service(page("/chance").route(look().to(chance_pages::explain)))
        // A scope, so that a table's name is looked for once and not for each of its pages.
        .service(
            web::scope("/t/{id}")
                .service(page("").route(look().to(table_pages::show)))
                .service(page("/sit").route(web::post().to(table_pages::sit)))
                .service(
                    page("/say").route(web::post().to(table_pages::say)).route(look().to(table_pages::after_saying)),
                )
                .service(page("/at/{move}").route(look().to(table_pages::history)))
                .service(page("/check").route(look().to(chance_pages::check)))
                .service(page("/export.jsonl").route(look().to(chance_pages::export))),
        )
        .service(page("/daily/{day}").route(look().to(daily_pages::show_day)))
        .service(page("/static/{digest}/{name}").route(look().to(assets::show)))
        .service(page("/favicon.ico").route(look().to(assets::favicon)))
        .service(page("/healthz").route(look().to(health::alive)))
        .service(page("/readyz").route(look().to(health::ready)))
        .service(page("/metrics").route(look().to(health::metrics)))
        .default_service(web::route().to(no_page));
}

async fn no_page() -> Result<HttpResponse, Problem> {
    Err(Problem::NoPage)
}

async fn no_method() -> Result<HttpResponse, Problem> {
    Err(Problem::NoMethod)
}

fn unreadable_form(error: actix_web::error::UrlencodedError, _: &actix_web::HttpRequest) -> actix_web::Error {
    use actix_web::error::UrlencodedError::{Overflow, UnknownLength};
    match error {
        Overflow { .. } | UnknownLength => Problem::TooLarge.into(),
        _ => Problem::Unreadable.into(),
    }
}
