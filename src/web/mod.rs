//! The web: pages, forms and sessions over actix.

pub mod answers_panel;
pub mod api;
mod archive_pages;
pub mod assets;
mod chance_pages;
mod csrf;
mod daily_pages;
mod dead_letter_pages;
mod door;
mod frame;
mod game_pages;
mod guard;
mod health;
mod held_pages;
mod history_page;
mod home;
mod letter_pages;
mod limit;
mod live;
mod local_path;
mod look_back;
mod mail_hook;
mod mailbox_pages;
mod me_pages;
mod network;
mod next_page;
mod observe;
mod open_table_page;
mod opening_form;
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
use actix_web::{App, HttpResponse, HttpServer, ResponseError, middleware, web};
use quick_cache::sync::Cache;
use tokio::sync::OnceCell;

use crate::post::receive::Intake;
use crate::post::unsubscribe::UnsubscribeLinks;
use crate::settings::ServeSettings;
use crate::store::patiently;
use crate::tables::Tables;
pub(crate) use csrf::{Bearer, StampKey};
use door::Door;
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

fn routes(config: &mut web::ServiceConfig) {
    let page = |path: &str| Door::new(path, |takes| Problem::NoMethod(takes).error_response());
    config
        // A scope, and the first: a table's name is looked for once and not for each of its pages.
        .service(
            web::scope("/t/{id}")
                .service(page("").look(table_pages::show))
                .service(page("/say").post(table_pages::say).look(table_pages::after_saying))
                .service(page("/at/{move}").look(table_pages::history))
                .service(page("/live").look(live::stream))
                .service(page("/sit").post(open_table_page::sit))
                .service(page("/stand").post(open_table_page::stand))
                .service(page("/invite").post(open_table_page::invite))
                .service(page("/resign").post(table_pages::resign))
                .service(page("/answers").post(answers_panel::leave).look(table_pages::after_saying))
                .service(page("/agree").post(table_pages::agree))
                .service(page("/pause").post(time_pages::pause))
                .service(page("/resume").post(time_pages::resume))
                .service(page("/return").post(time_pages::come_back))
                .service(page("/go-on").post(time_pages::go_on))
                .service(page("/talk").post(talk_pages::talk))
                .service(page("/note").post(talk_pages::note))
                .service(page("/rematch").post(table_pages::rematch))
                .service(page("/letters").look(letter_pages::show_of_table).post(letter_pages::keep_of_table))
                .service(page("/check").look(chance_pages::check))
                .service(page("/export.jsonl").look(chance_pages::export))
                .default_service(web::route().to(no_page)),
        )
        .service(page("/").look(home::show))
        .service(page("/next").look(next_page::show))
        .service(page("/games/{slug}").look(game_pages::show))
        .service(page("/games/{slug}/fits").look(game_pages::fits))
        .service(page("/tables").post(game_pages::open))
        .service(page("/archive").look(archive_pages::show))
        .service(page("/i/{token}").look(open_table_page::invitation).post(open_table_page::answer))
        .service(page("/daily").look(daily_pages::show).post(daily_pages::play))
        .service(page("/daily/{day}").look(daily_pages::show_day))
        .service(page("/sign-in").look(sign_in_pages::show).post(sign_in_pages::ask))
        .service(page("/sign-in/code").look(sign_in_pages::show_code).post(sign_in_pages::enter_code))
        .service(page("/sign-in/{token}").look(sign_in_pages::show_link).post(sign_in_pages::enter_by_link))
        .service(page("/sign-out").post(sign_in_pages::sign_out))
        .service(page("/sign-out/everywhere").post(sign_in_pages::sign_out_everywhere))
        .service(page("/me").look(me_pages::show))
        .service(page("/me/name").post(me_pages::rename))
        .service(page("/me/address").post(me_pages::change_address))
        .service(page("/me/settings").post(me_pages::keep_settings))
        .service(page("/me/letters").look(letter_pages::show).post(letter_pages::keep))
        .service(page("/unsubscribe/{token}").look(unsubscribe_pages::show).post(unsubscribe_pages::act))
        .service(page("/me/hours").post(time_pages::declare_hours))
        .service(page("/me/days-off").post(time_pages::announce_days_off))
        .service(page("/me/days-off/{id}/end").post(time_pages::end_days_off))
        .service(page("/me/tokens").post(me_pages::make_token))
        .service(page("/me/tokens/{id}/revoke").post(me_pages::revoke_token))
        .service(page("/me/export.json").look(me_pages::export))
        .service(page("/me/delete").look(me_pages::ask_to_delete).post(me_pages::delete))
        .service(page("/me/mail-on").post(me_pages::turn_mail_on))
        .service(page("/held/{token}").look(held_pages::show).post(held_pages::confirm))
        .service(page("/in/mail").post(mail_hook::take))
        .service(page("/mailbox").look(mailbox_pages::show))
        .service(page("/mailbox/dead").look(dead_letter_pages::show).post(dead_letter_pages::try_again))
        .service(page("/mailbox/{letter}").look(mailbox_pages::show_html))
        .service(page("/chance").look(chance_pages::explain))
        .service(page("/static/{digest}/{name}").look(assets::show))
        .service(page("/favicon.ico").look(assets::favicon))
        .service(page("/healthz").look(health::alive))
        .service(page("/readyz").look(health::ready))
        .service(page("/metrics").look(health::metrics))
        .default_service(web::route().to(no_page));
}

async fn no_page() -> Result<HttpResponse, Problem> {
    Err(Problem::NoPage)
}

fn unreadable_form(error: actix_web::error::UrlencodedError, _: &actix_web::HttpRequest) -> actix_web::Error {
    use actix_web::error::UrlencodedError::{Overflow, UnknownLength};
    match error {
        Overflow { .. } | UnknownLength => Problem::TooLarge.into(),
        _ => Problem::Unreadable.into(),
    }
}
