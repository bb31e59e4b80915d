//! The web: pages, forms and sessions over actix.

pub mod api;
mod archive_pages;
pub mod assets;
mod chance_pages;
mod csrf;
mod daily_pages;
mod frame;
mod game_pages;
mod guard;
mod health;
mod held_pages;
mod home;
mod letter_pages;
mod limit;
mod live;
mod mail_hook;
mod mailbox_pages;
mod me_pages;
mod network;
mod next_page;
mod observe;
mod open_table_page;
mod page;
mod problem;
mod session;
mod sign_in_pages;
mod table_page;
mod table_pages;
mod talk_pages;
mod time_pages;
mod unsubscribe_pages;

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;

use actix_web::dev::{Server, ServerHandle};
use actix_web::{App, HttpResponse, HttpServer, guard as guards, middleware, web};
use quick_cache::sync::Cache;
use tokio::sync::OnceCell;

use crate::post::receive::Intake;
use crate::post::unsubscribe::UnsubscribeLinks;
use crate::settings::ServeSettings;
use crate::store::patiently;
use crate::tables::Tables;
pub(crate) use csrf::{Bearer, StampKey};
use limit::HourlyLimit;
use problem::Problem;
pub(crate) use session::COOKIE;
use session::Person;

/// So many sessions are remembered between a page and the move that follows it.
const REMEMBERED_SESSIONS: usize = 10_000;

/// The most that a form may hold.
const MOST_FORM_BYTES: usize = 32 * 1024;

/// So many guests may come in from one network within an hour.
const GUESTS_AN_HOUR: u32 = 60;

/// What every request has at hand.
pub struct House {
    pub tables: Arc<Tables>,
    base: String,
    /// Whose session it was when last asked. A hint: the store checks again.
    sessions: Cache<[u8; 32], Arc<Person>>,
    secure_cookies: bool,
    behind_proxy: bool,
    /// Whether letters are kept instead of sent.
    keeps_letters: bool,
    stamp_key: OnceCell<StampKey>,
    guests: HourlyLimit,
    /// Where mail comes in, if it does.
    intake: Option<Intake>,
    webhook_secret: Option<String>,
    unsubscribing: UnsubscribeLinks,
    /// How many days off a player has a year.
    days_off: u32,
}

impl House {
    pub fn new(tables: Arc<Tables>, settings: &ServeSettings, base: String) -> House {
        let secure_cookies = settings.public_url.as_deref().is_some_and(|url| url.starts_with("https://"));
        let receive = &settings.post.receive;
        let intake = receive.addresses().map(|addresses| Intake {
            store: tables.store.clone(),
            addresses,
            arrivals: Arc::default(),
        });
        House {
            tables,
            base,
            sessions: Cache::new(REMEMBERED_SESSIONS),
            secure_cookies,
            behind_proxy: settings.behind_proxy,
            keeps_letters: settings.post.smtp.is_none(),
            stamp_key: OnceCell::new(),
            guests: HourlyLimit::new(GUESTS_AN_HOUR),
            intake,
            webhook_secret: receive.webhook_secret.clone().filter(|secret| !secret.is_empty()),
            unsubscribing: UnsubscribeLinks::default(),
            days_off: settings.days_off,
        }
    }

    /// A link to a page of ours that works from outside.
    fn link(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The key that forms are stamped with; asked for once.
    async fn stamp_key(&self) -> Result<&StampKey, Problem> {
        let ask = || async {
            let fresh = session::fresh_token()?;
            let key = patiently(|| self.tables.store.house_key("forms", &fresh)).await?;
            StampKey::from_slice(&key).ok_or_else(|| Problem::Internal("the key of forms is damaged".into()))
        };
        self.stamp_key.get_or_try_init(ask).await
    }

    fn stamp_key_at_hand(&self) -> Option<&StampKey> {
        self.stamp_key.get()
    }
}

/// A service that is bound to its address and not yet answering.
pub struct Application {
    server: Server,
    pub addresses: Vec<SocketAddr>,
    /// Where people find the service: links in letters begin so.
    pub base: String,
}

/// Everything that a name such as “localhost” stands for.
fn listeners(listen: &str) -> std::io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    let mut trouble = None;
    let mut port = None;
    for mut address in listen.to_socket_addrs()? {
        // With port 0 the system chooses one, and it is to be the same for all.
        if let (0, Some(port)) = (address.port(), port) {
            address.set_port(port);
        }
        match bind(address) {
            Ok(listener) => {
                port = listener.local_addr().ok().map(|address| address.port());
                listeners.push(listener);
            }
            Err(error) => trouble = Some(error),
        }
    }
    match trouble {
        Some(error) if listeners.is_empty() => Err(error),
        _ => Ok(listeners),
    }
}

fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
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
        let listeners = listeners(&settings.listen)?;
        let addresses: Vec<SocketAddr> = listeners.iter().filter_map(|listener| listener.local_addr().ok()).collect();
        let base = base(settings, &addresses);
        let house = web::Data::new(House::new(tables, settings, base.clone()));
        let mut server = HttpServer::new(move || {
            App::new()
                .app_data(house.clone())
                .app_data(web::FormConfig::default().limit(MOST_FORM_BYTES).error_handler(unreadable_form))
                .app_data(web::PathConfig::default().error_handler(|_, _| Problem::NoPage.into()))
                .app_data(web::QueryConfig::default().error_handler(|_, _| Problem::Unreadable.into()))
                .wrap(middleware::from_fn(guard::guard))
                .wrap(middleware::from_fn(observe::observe))
                .wrap(middleware::Compress::default())
                .configure(api::routes)
                .configure(routes)
        })
        .disable_signals()
        // A compressed page is sent in two parts; the second would wait 40 ms for the browser to confirm the first.
        .tcp_nodelay(true)
        .shutdown_timeout(15);
        for listener in listeners {
            server = server.listen(listener)?;
        }
        if let Some(workers) = settings.workers {
            server = server.workers(workers);
        }
        Ok(Application { server: server.run(), addresses, base })
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
        // A scope, and the first: a table's name is looked for once and not for each of its pages.
        .service(
            web::scope("/t/{id}")
                .service(page("").route(look().to(table_pages::show)))
                .service(
                    page("/say").route(web::post().to(table_pages::say)).route(look().to(table_pages::after_saying)),
                )
                .service(page("/at/{move}").route(look().to(table_pages::history)))
                .service(page("/live").route(look().to(live::stream)))
                .service(page("/sit").route(web::post().to(open_table_page::sit)))
                .service(page("/stand").route(web::post().to(open_table_page::stand)))
                .service(page("/invite").route(web::post().to(open_table_page::invite)))
                .service(page("/resign").route(web::post().to(table_pages::resign)))
                .service(page("/agree").route(web::post().to(table_pages::agree)))
                .service(page("/pause").route(web::post().to(time_pages::pause)))
                .service(page("/resume").route(web::post().to(time_pages::resume)))
                .service(page("/return").route(web::post().to(time_pages::come_back)))
                .service(page("/go-on").route(web::post().to(time_pages::go_on)))
                .service(page("/talk").route(web::post().to(talk_pages::talk)))
                .service(page("/note").route(web::post().to(talk_pages::note)))
                .service(page("/rematch").route(web::post().to(table_pages::rematch)))
                .service(
                    page("/letters")
                        .route(look().to(letter_pages::show_of_table))
                        .route(web::post().to(letter_pages::keep_of_table)),
                )
                .service(page("/check").route(look().to(chance_pages::check)))
                .service(page("/export.jsonl").route(look().to(chance_pages::export)))
                .default_service(web::route().to(no_page)),
        )
        .service(page("/").route(look().to(home::show)))
        .service(page("/next").route(look().to(next_page::show)))
        .service(page("/games/{slug}").route(look().to(game_pages::show)))
        .service(page("/tables").route(web::post().to(game_pages::open)))
        .service(page("/archive").route(look().to(archive_pages::show)))
        .service(
            page("/i/{token}")
                .route(look().to(open_table_page::invitation))
                .route(web::post().to(open_table_page::answer)),
        )
        .service(page("/daily").route(look().to(daily_pages::show)).route(web::post().to(daily_pages::play)))
        .service(page("/daily/{day}").route(look().to(daily_pages::show_day)))
        .service(page("/sign-in").route(look().to(sign_in_pages::show)).route(web::post().to(sign_in_pages::ask)))
        .service(
            page("/sign-in/code")
                .route(look().to(sign_in_pages::show_code))
                .route(web::post().to(sign_in_pages::enter_code)),
        )
        .service(
            page("/sign-in/{token}")
                .route(look().to(sign_in_pages::show_link))
                .route(web::post().to(sign_in_pages::enter_by_link)),
        )
        .service(page("/sign-out").route(web::post().to(sign_in_pages::sign_out)))
        .service(page("/sign-out/everywhere").route(web::post().to(sign_in_pages::sign_out_everywhere)))
        .service(page("/me").route(look().to(me_pages::show)))
        .service(page("/me/name").route(web::post().to(me_pages::rename)))
        .service(page("/me/address").route(web::post().to(me_pages::change_address)))
        .service(page("/me/settings").route(web::post().to(me_pages::keep_settings)))
        .service(page("/me/letters").route(look().to(letter_pages::show)).route(web::post().to(letter_pages::keep)))
        .service(
            page("/unsubscribe/{token}")
                .route(look().to(unsubscribe_pages::show))
                .route(web::post().to(unsubscribe_pages::act)),
        )
        .service(page("/me/hours").route(web::post().to(time_pages::declare_hours)))
        .service(page("/me/days-off").route(web::post().to(time_pages::announce_days_off)))
        .service(page("/me/days-off/{id}/end").route(web::post().to(time_pages::end_days_off)))
        .service(page("/me/tokens").route(web::post().to(me_pages::make_token)))
        .service(page("/me/tokens/{id}/revoke").route(web::post().to(me_pages::revoke_token)))
        .service(page("/me/export.json").route(look().to(me_pages::export)))
        .service(page("/me/delete").route(look().to(me_pages::ask_to_delete)).route(web::post().to(me_pages::delete)))
        .service(page("/me/mail-on").route(web::post().to(me_pages::turn_mail_on)))
        .service(page("/held/{token}").route(look().to(held_pages::show)).route(web::post().to(held_pages::confirm)))
        .service(page("/in/mail").route(web::post().to(mail_hook::take)))
        .service(page("/mailbox").route(look().to(mailbox_pages::show)))
        .service(page("/mailbox/{letter}").route(look().to(mailbox_pages::show_html)))
        .service(page("/chance").route(look().to(chance_pages::explain)))
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
