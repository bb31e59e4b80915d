//! Whoever sent a request, asked from the database.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse};

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::csrf::StampCookie;
use crate::http::extract::network::Network;
use crate::http::extract::session::{Account, NewSession, app, check_suspension, token_digest};
use crate::http::pages::announcements::dismissed;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::players::{PlayerName, PlayerSettings};
use crate::tables::{Credentials, PlayerId};

/// How often a guest's name may turn out to be taken before we give up.
const NAME_TRIES: u32 = 8;

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
        self.account.as_ref().map(|account| account.settings).unwrap_or_default()
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
            if let Some(token_digest) = token_digest(&request) {
                match retry_transient(|| app.tables.store.session(&token_digest)).await? {
                    Some(row) => {
                        app.renew_session(&request, &token_digest, row.expires_at).await;
                        let account = Arc::new(app.account(row));
                        check_suspension(&request, account.suspension.as_ref())?;
                        app.sessions.insert(token_digest, account.clone());
                        known = Some((Credentials { player: account.player, token_digest }, account));
                    }
                    None => drop(app.sessions.remove(&token_digest)),
                }
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
    /// The player who sent a request; somebody without a session becomes a guest.
    pub async fn ensure_player(&self, user: &RequestUser) -> Result<EnsuredPlayer, Problem> {
        if let Some(player) = user.player() {
            return Ok(EnsuredPlayer { player, session: None });
        }
        self.admit_guest(user.network).await?;
        let session = self.new_session();
        let player = PlayerId::fresh();
        for tries in 0..NAME_TRIES {
            let name = PlayerName::for_guest(tries);
            let (store, key) = (&self.tables.store, name.key());
            match store.add_guest(player.0, name.as_str(), &key, &session.digest, session.expires_at).await {
                Ok(()) => return Ok(EnsuredPlayer { player, session: Some(session) }),
                Err(error) if error.is_duplicate() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Problem::Internal("all names of guests are taken".into()))
    }
}

impl EnsuredPlayer {
    /// Gives the browser the cookie of the session that was begun for it, if one was.
    pub fn give_cookie(self, answer: HttpResponse) -> Result<HttpResponse, Problem> {
        match self.session {
            Some(session) => session.give_cookie(answer),
            None => Ok(answer),
        }
    }
}
