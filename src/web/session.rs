//! Sessions: a random cookie, known to the house by its digest alone.

use std::future::{Ready, ready};
use std::pin::Pin;

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use chrono::Utc;
use data_encoding::BASE64URL_NOPAD;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use super::House;
use super::problem::Problem;
use crate::store::patiently;
use crate::tables::{Caller, PlayerId};

/// The name of the cookie.
pub const COOKIE: &str = "wonderpost";
const DAYS: i64 = 365;

/// A cookie, not yet known to belong to anybody.
fn token_digest(request: &HttpRequest) -> Option<[u8; 32]> {
    let cookie = request.cookie(COOKIE)?;
    let token = BASE64URL_NOPAD.decode(cookie.value().as_bytes()).ok()?;
    (token.len() == 32).then(|| Sha256::digest(&token).into())
}

fn house(request: &HttpRequest) -> Result<web::Data<House>, Problem> {
    request.app_data::<web::Data<House>>().cloned().ok_or_else(|| Problem::Internal("the house is not there".into()))
}

/// Whoever is looking: a player by their session, or nobody.
pub struct Visitor(pub Option<Caller>);

impl Visitor {
    pub fn player(&self) -> Option<PlayerId> {
        self.0.as_ref().map(|caller| caller.player)
    }
}

impl FromRequest for Visitor {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Visitor, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let digest = token_digest(request);
        let house = house(request);
        Box::pin(async move {
            let Some(token_digest) = digest else { return Ok(Visitor(None)) };
            let house = house?;
            let player = patiently(|| house.tables.store.player_of_session(&token_digest)).await?;
            if let Some(player) = player {
                house.sessions.insert(token_digest, PlayerId(player));
            }
            Ok(Visitor(player.map(|player| Caller { player: PlayerId(player), token_digest })))
        })
    }
}

/// Whoever says a move. Who it is may come from memory: the statement that stores the move checks the session once more.
pub struct Mover(pub Caller);

impl FromRequest for Mover {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Mover, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if let (Some(token_digest), Ok(house)) = (token_digest(request), house(request))
            && let Some(player) = house.sessions.get(&token_digest)
        {
            return Box::pin(ready(Ok(Mover(Caller { player, token_digest }))) as Ready<_>);
        }
        let visitor = Visitor::from_request(request, payload);
        Box::pin(async move { visitor.await?.0.map(Mover).ok_or(Problem::NotSeated) })
    }
}

/// A visitor who is to have a seat, and the cookie they need if they came without one.
pub struct Welcome {
    pub player: PlayerId,
    cookie: Option<Cookie<'static>>,
}

impl House {
    /// Makes a guest of a visitor who has no session yet.
    pub async fn welcome(&self, visitor: &Visitor) -> Result<Welcome, Problem> {
        if let Some(caller) = &visitor.0 {
            return Ok(Welcome { player: caller.player, cookie: None });
        }
        let mut token = [0; 32];
        SysRng.try_fill_bytes(&mut token).map_err(|error| Problem::Internal(error.to_string()))?;
        let player = PlayerId::fresh();
        let expires_at = Utc::now() + chrono::Duration::days(DAYS);
        self.tables.store.add_guest(player.0, &Sha256::digest(token), expires_at).await?;
        let cookie = Cookie::build(COOKIE, BASE64URL_NOPAD.encode(&token))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure_cookies)
            .max_age(time::Duration::days(DAYS))
            .finish();
        Ok(Welcome { player, cookie: Some(cookie) })
    }
}

impl Welcome {
    pub fn give_cookie(self, mut answer: HttpResponse) -> Result<HttpResponse, Problem> {
        if let Some(cookie) = self.cookie {
            answer.add_cookie(&cookie).map_err(|error| Problem::Internal(error.to_string()))?;
        }
        Ok(answer)
    }
}
