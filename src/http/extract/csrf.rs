//! Forms that come from our own pages: each carries a stamp that only the house can make, bound to the visitor's own cookie.
//!
//! The stamp is HMAC-SHA-256, under a key of the house, of the digest of the session cookie, or of a passing cookie for visitors
//! who have no session yet. Checking it asks the database nothing.

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::web;
use actix_web::{HttpMessage, HttpRequest};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use serde::Deserialize;
use uuid::Builder;

use crate::http::AppState;
use crate::http::extract::session::token_digest;
use crate::http::problem::Problem;
use crate::tables::state::live::ShortDigest;
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::hmac::{Hmac, Mac, hmac_sha256};

const VISIT_COOKIE: &str = "wonderpost-visit";
const VISIT_DAYS: i64 = 2;

/// Machines come with a token or a signature in a header instead of a cookie, so nobody else can make them ask; and the links with
/// which letters are refused are tokens themselves.
const WITHOUT_COOKIES: [&str; 3] = ["/api/", "/in/", UNSUBSCRIBE];

/// Mail programs post here for their readers, from wherever they are.
pub const UNSUBSCRIBE: &str = "/unsubscribe/";

/// The key that stamps are made with.
#[derive(Clone)]
pub struct StampKey([u8; 32]);

impl StampKey {
    pub fn from_slice(bytes: &[u8]) -> Option<StampKey> {
        bytes.try_into().ok().map(StampKey)
    }

    fn mac(&self, cookie: &StampCookie) -> Hmac {
        let mut mac = hmac_sha256(&self.0);
        match cookie {
            StampCookie::Session(digest) => {
                mac.update(b"session ");
                mac.update(digest);
            }
            StampCookie::Visit(value) => {
                mac.update(b"visit ");
                mac.update(value);
            }
        }
        mac
    }

    pub fn stamp(&self, cookie: &StampCookie) -> String {
        BASE64URL_NOPAD.encode(&self.mac(cookie).finalize().into_bytes())
    }

    /// A mark of a state of a table: it tells that something changed, and not how many events there have been.
    pub fn mark(&self, table: TableId, head: ShortDigest) -> String {
        let mut mac = hmac_sha256(&self.0);
        mac.update(b"state ");
        mac.update(table.0.as_bytes());
        mac.update(&head);
        HEXLOWER.encode(&mac.finalize().into_bytes()[..8])
    }

    /// The id of the table that a player opens with an idempotency key: the same whenever it is tried.
    pub fn new_table(&self, player: PlayerId, key_digest: &[u8; 32]) -> TableId {
        let mut mac = hmac_sha256(&self.0);
        mac.update(b"table ");
        mac.update(player.0.as_bytes());
        mac.update(key_digest);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&mac.finalize().into_bytes()[..16]);
        TableId(Builder::from_custom_bytes(bytes).into_uuid())
    }

    fn is_ours(&self, stamp: &str, cookie: &StampCookie) -> bool {
        BASE64URL_NOPAD.decode(stamp.as_bytes()).is_ok_and(|stamp| self.mac(cookie).verify_slice(&stamp).is_ok())
    }
}

/// The cookie that a stamp is bound to. Whether a session is (still) good does not matter: its cookie is the visitor's own.
pub enum StampCookie {
    Session([u8; 32]),
    Visit([u8; 16]),
}

/// A cookie that the answer is to set.
struct NewVisit(Cookie<'static>);

impl StampCookie {
    fn of(request: &HttpRequest) -> Option<StampCookie> {
        if let Some(digest) = token_digest(request) {
            return Some(StampCookie::Session(digest));
        }
        let value = BASE64URL_NOPAD.decode(request.cookie(VISIT_COOKIE)?.value().as_bytes()).ok()?;
        value.try_into().ok().map(StampCookie::Visit)
    }

    /// The cookie of whoever looks at a page; somebody who has none is given one with the answer.
    pub fn of_or_new(request: &HttpRequest, secure: bool) -> StampCookie {
        StampCookie::of(request).unwrap_or_else(|| {
            let value: [u8; 16] = rand::random();
            let cookie = Cookie::build(VISIT_COOKIE, BASE64URL_NOPAD.encode(&value))
                .path("/")
                .http_only(true)
                .same_site(SameSite::Lax)
                .secure(secure)
                .max_age(time::Duration::days(VISIT_DAYS))
                .finish();
            request.extensions_mut().insert(NewVisit(cookie));
            StampCookie::Visit(value)
        })
    }
}

/// The cookie that the answer to this request is to set, if a page was stamped for somebody without one.
pub fn new_visit(request: &HttpRequest) -> Option<Cookie<'static>> {
    request.extensions_mut().remove::<NewVisit>().map(|visit| visit.0)
}

#[derive(Deserialize)]
struct Stamped {
    csrf: String,
}

/// Lets a form pass only with its stamp.
pub async fn check(request: &ServiceRequest, body: &[u8], app: &AppState) -> Result<(), Problem> {
    // Forms are posted; what else changes something no form can send.
    if request.method() != Method::POST || WITHOUT_COOKIES.iter().any(|path| request.path().starts_with(path)) {
        return Ok(());
    }
    let stamped = std::str::from_utf8(body).ok().and_then(|form| web::Query::<Stamped>::from_query(form).ok());
    let cookie = StampCookie::of(request.request());
    let (Some(stamped), Some(cookie)) = (stamped, cookie) else { return Err(Problem::StaleForm) };
    if !app.stamp_key().await?.is_ours(&stamped.csrf, &cookie) {
        return Err(Problem::StaleForm);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_holds_for_its_own_bearer_and_key_alone() {
        let (key, other) = (StampKey([1; 32]), StampKey([2; 32]));
        let stamp = key.stamp(&StampCookie::Session([7; 32]));
        assert!(key.is_ours(&stamp, &StampCookie::Session([7; 32])));
        assert!(!key.is_ours(&stamp, &StampCookie::Session([8; 32])));
        assert!(!key.is_ours(&stamp, &StampCookie::Visit([7; 16])));
        assert!(!other.is_ours(&stamp, &StampCookie::Session([7; 32])));
        assert!(!key.is_ours("", &StampCookie::Session([7; 32])));
    }

    #[test]
    fn every_state_of_every_table_has_a_mark_of_its_own() {
        let key = StampKey([1; 32]);
        let (one, other) = (TableId::fresh(), TableId::fresh());
        assert_eq!(key.mark(one, [7; 8]), key.mark(one, [7; 8]));
        assert_ne!(key.mark(one, [7; 8]), key.mark(one, [8; 8]));
        assert_ne!(key.mark(one, [7; 8]), key.mark(other, [7; 8]));
    }
}
