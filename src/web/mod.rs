//! The web: pages, forms and sessions over actix.

mod announcements;
pub mod answers_panel;
pub mod api;
mod archive_pages;
pub mod assets;
mod chance_pages;
mod confirm;
mod connections;
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
mod host;
mod http10;
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
mod report_pages;
mod session;
mod shutdown;
mod sign_in_pages;
mod table_page;
mod table_pages;
mod talk_pages;
mod time_pages;
mod unsubscribe_pages;
mod watchers;

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use actix_web::body::MessageBody;
use actix_web::dev::{RequestHead, Server, ServerHandle, ServiceRequest, ServiceResponse};
use actix_web::{App, HttpResponse, HttpServer, ResponseError, middleware, web};
use quick_cache::sync::Cache;
use tokio::sync::OnceCell;

use crate::players::{BadAddress, EmailAddress};
use crate::post::receive::Intake;
use crate::post::unsubscribe::UnsubscribeLinks;
use crate::settings::{Hosts, ServeSettings, Timeouts};
use crate::store::{in_time, patiently, time_budget};
use crate::tables::Tables;
use announcements::Announcements;
use api::ApiRate;
use connections::Connections;
pub use csrf::{Bearer, StampKey};
use door::Door;
use network::{are_loopback, is_from_this_machine};
use problem::Problem;
pub use session::COOKIE;
use session::Person;
pub use shutdown::{Phase, Shutdown};
use watchers::Watchers;

/// So many sessions are remembered between a page and the move that follows it.
const REMEMBERED_SESSIONS: usize = 10_000;

/// The most that a form may hold.
const MOST_FORM_BYTES: usize = 32 * 1024;

/// What every request has at hand.
pub struct House {
    pub tables: Arc<Tables>,
    base: String,
    /// Whose session it was when last asked. A hint: the store checks again.
    sessions: Cache<[u8; 32], Arc<Person>>,
    /// Whether people come over https: then cookies go over https alone, and browsers are told to stay there.
    https: bool,
    behind_proxy: bool,
    metrics_token: Option<String>,
    /// Whether letters are kept, and only this machine can reach the service.
    has_mailbox: bool,
    /// Whether addresses are taken that no mail reaches over the Internet.
    takes_local_addresses: bool,
    stamp_key: OnceCell<StampKey>,
    /// Where mail comes in, if it does.
    intake: Option<Intake>,
    webhook_secret: Option<String>,
    unsubscribing: UnsubscribeLinks,
    /// How many days off a player has a year.
    days_off: u32,
    shutdown: Shutdown,
    timeouts: Timeouts,
    watchers: Arc<Watchers>,
    api_rate: ApiRate,
    hosts: Hosts,
    announcements: Announcements,
}

impl House {
    pub fn new(tables: Arc<Tables>, settings: &ServeSettings, base: String, addresses: &[SocketAddr]) -> House {
        let https = settings.public_url.as_deref().is_some_and(|url| url.starts_with("https://"));
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
            https,
            behind_proxy: settings.behind_proxy,
            metrics_token: settings.metrics_token.clone().filter(|token| !token.is_empty()),
            has_mailbox: has_mailbox(settings, addresses),
            takes_local_addresses: settings.post.takes_local_addresses(),
            stamp_key: OnceCell::new(),
            intake,
            webhook_secret: receive.webhook_secret.clone().filter(|secret| !secret.is_empty()),
            unsubscribing: UnsubscribeLinks::default(),
            days_off: settings.days_off,
            shutdown: Shutdown::default(),
            timeouts: settings.timeouts,
            watchers: Watchers::new(settings.watchers),
            api_rate: ApiRate::new(settings.api_rate),
            hosts: settings.hosts.clone(),
            announcements: Announcements::default(),
        }
    }

    /// Whether whoever asks may read the letters that are kept, and with them everybody's codes for signing in.
    fn shows_mailbox(&self, head: &RequestHead) -> bool {
        self.has_mailbox && is_from_this_machine(head)
    }

    /// A link to a page of ours that works from outside.
    fn link(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Reads an address that somebody typed.
    fn read_address(&self, typed: &str) -> Result<EmailAddress, BadAddress> {
        if self.takes_local_addresses { EmailAddress::parse(typed) } else { EmailAddress::parse_public(typed) }
    }

    /// The key that forms are stamped with; asked for once.
    async fn stamp_key(&self) -> Result<&StampKey, Problem> {
        let ask = || async {
            let fresh = session::fresh_token()?;
            let key = patiently(|| self.tables.store.house_key("forms", &fresh)).await?;
            StampKey::from_slice(&key).ok_or_else(|| Problem::Internal("the key of forms is damaged".into()))
        };
        // Somebody else may be asking.
        in_time(self.stamp_key.get_or_try_init(ask)).await
    }

    fn stamp_key_at_hand(&self) -> Option<&StampKey> {
        self.stamp_key.get()
    }
}

/// A mailbox is for trying things out on one's own machine: without a mail server, and where nothing says that others come in.
fn has_mailbox(settings: &ServeSettings, addresses: &[SocketAddr]) -> bool {
    settings.post.smtp.is_none() && settings.public_url.is_none() && !settings.behind_proxy && are_loopback(addresses)
}

/// A service that is bound to its address and not yet answering.
pub struct Application {
    server: Server,
    connections: Arc<Connections>,
    pub addresses: Vec<SocketAddr>,
    /// Where people find the service: links in letters begin so.
    pub base: String,
    /// Whether letters are shown at `/mailbox`.
    pub has_mailbox: bool,
    pub shutdown: Shutdown,
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
        let house = web::Data::new(House::new(tables, settings, base.clone(), &addresses));
        let (has_mailbox, shutdown) = (house.has_mailbox, house.shutdown.clone());
        let connections = Connections::new(settings.timeouts);
        let mut server = HttpServer::new(move || {
            App::new()
                .app_data(house.clone())
                .app_data(web::FormConfig::default().limit(MOST_FORM_BYTES).error_handler(unreadable_form))
                .app_data(web::PathConfig::default().error_handler(|_, _| Problem::NoPage.into()))
                .app_data(web::QueryConfig::default().error_handler(|_, _| Problem::Unreadable.into()))
                .wrap(middleware::from_fn(guard::guard))
                .wrap(middleware::from_fn(limit_waiting))
                .wrap(middleware::from_fn(observe::observe))
                .wrap(middleware::Compress::default())
                .wrap(middleware::from_fn(http10::without_chunks))
                .wrap(middleware::from_fn(connections::track))
                .configure(api::routes)
                .configure(host::routes)
                .configure(routes)
        })
        .disable_signals()
        .on_connect({
            let connections = connections.clone();
            move |io, data| connections.connected(io, data)
        })
        .client_request_timeout(settings.timeouts.head)
        .keep_alive(settings.timeouts.keep_alive)
        // A compressed page is sent in two parts; the second would wait 40 ms for the browser to confirm the first.
        .tcp_nodelay(true)
        .shutdown_timeout(15);
        for listener in listeners {
            server = server.listen(listener)?;
        }
        let workers = settings.workers.unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get)).max(1);
        server = server.workers(workers).max_connections(connections::most_per_worker(workers));
        Ok(Application { server: server.run(), connections, addresses, base, has_mailbox, shutdown })
    }

    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Answers requests until somebody stops it by its handle.
    pub async fn run(self) -> std::io::Result<()> {
        tokio::select! {
            ended = self.server => ended,
            never = self.connections.sweep() => match never {},
        }
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
                .service(page("/talk/{talk}/report").look(report_pages::show).post(report_pages::report))
                .service(page("/talk/{talk}/mute").post(report_pages::mute))
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
        .service(page("/me/mutes/{mute}/end").post(report_pages::unmute))
        .service(page("/announcements/{announcement}/dismiss").post(announcements::dismiss))
        .service(page("/me/mail-on").post(me_pages::turn_mail_on))
        .service(page("/held/{token}").look(held_pages::show).post(held_pages::confirm))
        .service(page("/in/mail").post(mail_hook::take))
        .service(page("/mailbox").only_if(House::shows_mailbox).look(mailbox_pages::show))
        .service(
            page("/mailbox/dead")
                .only_if(House::shows_mailbox)
                .look(dead_letter_pages::show)
                .post(dead_letter_pages::try_again),
        )
        .service(page("/mailbox/{letter}").only_if(House::shows_mailbox).look(mailbox_pages::show_html))
        .service(page("/chance").look(chance_pages::explain))
        .service(page("/static/{digest}/{name}").look(assets::show))
        .service(page("/favicon.ico").look(assets::favicon))
        .service(page("/healthz").look(health::alive))
        .service(page("/readyz").look(health::ready))
        .service(page("/metrics").only_if(House::shows_metrics).look(health::metrics))
        .default_service(web::route().to(no_page));
}

/// Middleware: whatever a request asks of the database is answered in time, or the request is answered without it.
async fn limit_waiting(
    request: ServiceRequest,
    next: middleware::Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    time_budget::within(time_budget::REQUEST, next.call(request)).await
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
