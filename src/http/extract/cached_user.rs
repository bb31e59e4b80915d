//! Whoever makes a move, from memory if possible.

use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::http::AppState;
use crate::http::extract::csrf::StampCookie;
use crate::http::extract::network::Network;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::session::{app, check_suspension, token_digest};
use crate::http::pages::announcements::dismissed;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::players::{Account, PlayerSettings};
use crate::tables::{Credentials, PlayerId};

/// Whoever makes a move. Who it is may be remembered from an earlier request: a hint that saves a query, since the statement that stores
/// the move checks the session itself.
pub struct CachedUser {
    pub credentials: Credentials,
    account: Arc<Account>,
    network: Network,
    frame: Frame,
}

impl CachedUser {
    pub fn player(&self) -> PlayerId {
        self.credentials.player
    }

    pub fn settings(&self) -> &PlayerSettings {
        &self.account.settings
    }

    /// The same user, confirmed by the database. Memory is not enough to show a hand: somebody may have signed out elsewhere.
    pub async fn confirm(&self, app: &AppState) -> Result<RequestUser, Problem> {
        let known = app.players.account(&self.credentials.token_digest).await?;
        if known.is_none_or(|(account, _)| account.player != self.credentials.player) {
            app.players.forget_session(&self.credentials.token_digest);
            return Err(Problem::NotSeated);
        }
        Ok(RequestUser {
            credentials: Some(self.credentials.clone()),
            account: Some(self.account.clone()),
            network: self.network,
            frame: self.frame.clone(),
        })
    }

    fn from_memory(request: &HttpRequest) -> Option<Result<CachedUser, Problem>> {
        let (token_digest, app) = (token_digest(request)?, app(request).ok()?);
        let (account, key) = (app.players.cached_account(&token_digest)?, app.stamp_key_at_hand()?);
        if let Err(problem) = check_suspension(request, account.suspension.as_ref()) {
            return Some(Err(problem));
        }
        let csrf = key.stamp(&StampCookie::Session(token_digest));
        let frame = app.frame(Some(&account), csrf, app.shows_mailbox(request.head()), &dismissed(request));
        let credentials = Credentials { player: account.player, token_digest };
        Some(Ok(CachedUser { credentials, account, network: Network::of(request, app.behind_proxy), frame }))
    }
}

impl FromRequest for CachedUser {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<CachedUser, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if let Some(user) = CachedUser::from_memory(request) {
            return Box::pin(ready(user));
        }
        let user = RequestUser::from_request(request, payload);
        Box::pin(async move {
            let RequestUser { credentials, account, network, frame } = user.await?;
            let (credentials, account) = credentials.zip(account).ok_or(Problem::NotSeated)?;
            Ok(CachedUser { credentials, account, network, frame })
        })
    }
}
