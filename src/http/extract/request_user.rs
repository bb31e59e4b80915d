//! Whoever sent a request, asked from the database.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse};

use crate::http::AppState;
use crate::http::extract::csrf::StampCookie;
use crate::http::extract::network::Network;
use crate::http::extract::session::{app, check_suspension, token_digest};
use crate::http::pages::announcements::dismissed;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::players::{Account, NewSession, Origin, PlayerSettings};
use crate::tables::{Credentials, PlayerId};

/// Whoever sent a request: a player by their session, or nobody.
pub struct RequestUser {
    pub credentials: Option<Credentials>,
    pub account: Option<Arc<Account>>,
    pub network: Network,
    pub(super) frame: Frame,
}

impl RequestUser {
    pub fn player(&self) -> Option<PlayerId> {
        self.credentials.as_ref().map(|credentials| credentials.player)
    }

    /// What proves their right to act at a table, where only those who sit there may.
    pub fn seated_credentials(&self) -> Result<&Credentials, Problem> {
        self.credentials.as_ref().ok_or(Problem::NotSeated)
    }

    /// Whether there is an address that letters go to; guests have none.
    pub fn has_address(&self) -> bool {
        self.account.as_ref().is_some_and(|account| account.has_address)
    }

    pub fn settings(&self) -> PlayerSettings {
        self.account.as_ref().map(|account| account.settings.clone()).unwrap_or_default()
    }

    /// Tells browsers apart by the stamp of their forms, which is made from their cookie.
    pub fn origin(&self) -> Origin {
        Origin { network: self.network.to_string(), browser: self.frame.csrf.clone() }
    }

    /// For the page that they are shown.
    pub fn frame(&self) -> Frame {
        self.frame.clone()
    }
}

impl FromRequest for RequestUser {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<RequestUser, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let app = app(&request)?;
            let mut known = None;
            if let Some(token_digest) = token_digest(&request)
                && let Some((account, expires_at)) = app.players.account(&token_digest).await?
            {
                app.renew_session(&request, &token_digest, expires_at).await;
                check_suspension(&request, account.suspension.as_ref())?;
                known = Some((Credentials { player: account.player, token_digest }, account));
            }
            let csrf = app.stamp_key().await?.stamp(&StampCookie::of_or_new(&request, app.https));
            app.announcements.refresh(&app.tables.store).await;
            let (credentials, account) = known.unzip();
            Ok(RequestUser {
                credentials,
                frame: app.frame(account.as_deref(), csrf, app.shows_mailbox(request.head()), &dismissed(&request)),
                account,
                network: Network::of(&request, app.behind_proxy),
            })
        })
    }
}

/// A player who may take a seat, and the session that they need if they came without one.
pub struct EnsuredPlayer {
    pub player: PlayerId,
    session: Option<NewSession>,
}

impl AppState {
    /// The player who sent a request; somebody without a session becomes a guest, who lives where their browser says.
    pub async fn ensure_player(&self, user: &RequestUser, zone: Option<&str>) -> Result<EnsuredPlayer, Problem> {
        if let Some(player) = user.player() {
            return Ok(EnsuredPlayer { player, session: None });
        }
        let network = Some(user.network).filter(|network| !network.is_here()).map(|network| network.to_string());
        let (player, session) = self.players.add_guest(network.as_deref()).await?;
        self.players.preset_zone(player, zone).await;
        Ok(EnsuredPlayer { player, session: Some(session) })
    }

    /// Gives the browser the cookie of the session that was begun for it, if one was.
    pub fn answer_ensured(&self, ensured: EnsuredPlayer, answer: HttpResponse) -> Result<HttpResponse, Problem> {
        match &ensured.session {
            Some(session) => self.give_cookie(session, answer),
            None => Ok(answer),
        }
    }
}
