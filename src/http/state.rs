//! What every request has at hand.

use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::dev::RequestHead;
use tokio::sync::OnceCell;

use crate::app::settings::{ServeSettings, Timeouts};
use crate::db::{in_time, retry_transient};
use crate::http::api::ApiRate;
use crate::http::extract::csrf::StampKey;
use crate::http::extract::network::{are_loopback, is_from_this_machine};
use crate::http::pages::announcements::Announcements;
use crate::http::pages::table::watchers::Watchers;
use crate::http::pages::welcome::{self, MonthFigures};
use crate::http::problem::Problem;
use crate::http::refreshed::Refreshed;
use crate::http::shutdown::Shutdown;
use crate::mail::inbox::Intake;
use crate::mail::reply_address::ReplyAddresses;
use crate::players::Players;
use crate::players::sign_in::Token;
use crate::tables::Tables;

/// What every request has at hand.
pub struct AppState {
    pub tables: Arc<Tables>,
    pub players: Players,
    pub(in crate::http) base: String,
    /// Whether people come over https: then cookies go over https alone, and browsers are told to stay there.
    pub(in crate::http) https: bool,
    pub(in crate::http) behind_proxy: bool,
    pub(in crate::http) metrics_token: Option<String>,
    /// Whether letters are kept, and only this machine can reach the service.
    pub(in crate::http) has_mailbox: bool,
    pub(in crate::http) stamp_key: OnceCell<StampKey>,
    /// Where mail comes in, if it does.
    pub(in crate::http) intake: Option<Intake>,
    pub(in crate::http) webhook_secret: Option<String>,
    pub(in crate::http) shutdown: Shutdown,
    pub(in crate::http) timeouts: Timeouts,
    pub(in crate::http) watchers: Arc<Watchers>,
    pub(in crate::http) api_rate: ApiRate,
    pub(in crate::http) announcements: Announcements,
    pub(in crate::http) month_figures: Refreshed<Option<MonthFigures>>,
}

impl AppState {
    pub fn new(tables: Arc<Tables>, settings: &ServeSettings, base: String, addresses: &[SocketAddr]) -> AppState {
        let https = settings.public_url.as_deref().is_some_and(|url| url.starts_with("https://"));
        let receive = &settings.post.receive;
        let intake = ReplyAddresses::from_settings(receive).map(|addresses| Intake {
            store: tables.store.clone(),
            addresses,
            arrivals: Arc::default(),
        });
        AppState {
            players: Players::new(tables.clone(), settings),
            tables,
            base,
            https,
            behind_proxy: settings.behind_proxy,
            metrics_token: settings.metrics_token.clone().filter(|token| !token.is_empty()),
            has_mailbox: has_mailbox(settings, addresses),
            stamp_key: OnceCell::new(),
            intake,
            webhook_secret: receive.webhook_secret.clone().filter(|secret| !secret.is_empty()),
            shutdown: Shutdown::default(),
            timeouts: settings.timeouts,
            watchers: Watchers::new(settings.watchers),
            api_rate: ApiRate::new(settings.api_rate),
            announcements: Announcements::default(),
            month_figures: Refreshed::every(welcome::FIGURES_FRESH_FOR),
        }
    }

    /// Whether whoever asks may read the letters that are kept, and with them everybody's codes for signing in.
    pub(in crate::http) fn shows_mailbox(&self, head: &RequestHead) -> bool {
        self.has_mailbox && is_from_this_machine(head)
    }

    /// A link to a page of ours that works from outside.
    pub(in crate::http) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The key that forms are stamped with; asked for once.
    pub(in crate::http) async fn stamp_key(&self) -> Result<&StampKey, Problem> {
        let ask = || async {
            let fresh = Token::fresh().bytes();
            let key = retry_transient(|| self.tables.store.house_key("forms", &fresh)).await?;
            StampKey::from_slice(&key).ok_or_else(|| Problem::Internal("the key of forms is damaged".into()))
        };
        // Somebody else may be asking.
        in_time(self.stamp_key.get_or_try_init(ask)).await
    }

    pub(in crate::http) fn stamp_key_at_hand(&self) -> Option<&StampKey> {
        self.stamp_key.get()
    }
}

/// A mailbox is for trying things out on one's own machine: without a mail server, and where nothing says that others come in.
fn has_mailbox(settings: &ServeSettings, addresses: &[SocketAddr]) -> bool {
    settings.post.smtp.is_none() && settings.public_url.is_none() && !settings.behind_proxy && are_loopback(addresses)
}
