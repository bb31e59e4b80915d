//! Sessions: a random cookie, known to the house by its digest alone.

use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use chrono::{DateTime, Utc};
use data_encoding::BASE64URL_NOPAD;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use super::House;
use super::csrf::Bearer;
use super::frame::Frame;
use super::network::{Network, is_from_this_machine};
use super::problem::Problem;
use crate::players::{PlayerName, PlayerSettings};
use crate::store::patiently;
use crate::store::players::SessionRow;
use crate::tables::{Caller, PlayerId};

/// The name of the cookie.
pub const COOKIE: &str = "wonderpost";
const DAYS: i64 = 365;

/// So often a guest's name may turn out to be taken.
const NAME_TRIES: u32 = 8;

/// A cookie, not yet known to belong to anybody.
pub(super) fn token_digest(request: &HttpRequest) -> Option<[u8; 32]> {
    let cookie = request.cookie(COOKIE)?;
    let token = BASE64URL_NOPAD.decode(cookie.value().as_bytes()).ok()?;
    (token.len() == 32).then(|| Sha256::digest(&token).into())
}

fn house(request: &HttpRequest) -> Result<web::Data<House>, Problem> {
    request.app_data::<web::Data<House>>().cloned().ok_or_else(|| Problem::Internal("the house is not there".into()))
}

/// Whom a session belongs to, as pages need it.
#[derive(Debug)]
pub struct Person {
    pub player: PlayerId,
    pub name: Option<String>,
    /// Guests have none.
    pub has_address: bool,
    pub settings: PlayerSettings,
}

impl From<SessionRow> for Person {
    fn from(row: SessionRow) -> Person {
        Person {
            player: PlayerId(row.player_id),
            name: row.name,
            has_address: row.has_address,
            settings: PlayerSettings::read(&row.settings),
        }
    }
}

impl House {
    fn frame(&self, person: Option<&Person>, csrf: String, from_this_machine: bool) -> Frame {
        let settings = person.map(|person| person.settings).unwrap_or_default();
        Frame {
            name: person.and_then(|person| person.name.clone()),
            is_signed_in: person.is_some_and(|person| person.has_address),
            theme: settings.theme,
            four_colour_suits: settings.four_colour_suits,
            shows_mailbox: self.keeps_letters && from_this_machine,
            csrf,
        }
    }
}

tokio::task_local! {
    static LOOKING: Looking;
}

/// Who looks, for pages that tell of a problem.
pub(super) struct Looking {
    house: web::Data<House>,
    token_digest: Option<[u8; 32]>,
    from_this_machine: bool,
}

impl Looking {
    pub fn new(request: &HttpRequest, house: web::Data<House>) -> Looking {
        let from_this_machine = is_from_this_machine(request);
        Looking { house, token_digest: token_digest(request), from_this_machine }
    }

    /// Remembers it while a request is answered.
    pub fn during<T>(self, answer: impl Future<Output = T>) -> impl Future<Output = T> {
        LOOKING.scope(self, answer)
    }
}

/// The frame of whoever looks, as far as it can be told from memory. Without a stamp for forms.
pub(super) fn frame_from_memory() -> Frame {
    let frame = LOOKING.try_with(|looking| {
        let person = looking.token_digest.and_then(|digest| looking.house.sessions.get(&digest));
        looking.house.frame(person.as_deref(), String::new(), looking.from_this_machine)
    });
    frame.unwrap_or_default()
}

/// Whoever is looking: a player by their session, or nobody.
pub struct Visitor {
    pub caller: Option<Caller>,
    pub person: Option<Arc<Person>>,
    pub network: Network,
    frame: Frame,
}

/// Whoever a page is for.
pub struct Looker {
    pub player: Option<PlayerId>,
    pub frame: Frame,
}

impl Visitor {
    pub fn looker(&self) -> Looker {
        Looker { player: self.player(), frame: self.frame() }
    }

    pub fn player(&self) -> Option<PlayerId> {
        self.caller.as_ref().map(|caller| caller.player)
    }

    pub fn settings(&self) -> PlayerSettings {
        self.person.as_ref().map(|person| person.settings).unwrap_or_default()
    }

    /// For the page that they are shown.
    pub fn frame(&self) -> Frame {
        self.frame.clone()
    }
}

impl FromRequest for Visitor {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Visitor, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let house = house(&request)?;
            let mut known = None;
            if let Some(token_digest) = token_digest(&request) {
                match patiently(|| house.tables.store.session(&token_digest)).await? {
                    Some(row) => {
                        let person = Arc::new(Person::from(row));
                        house.sessions.insert(token_digest, person.clone());
                        known = Some((Caller { player: person.player, token_digest }, person));
                    }
                    None => drop(house.sessions.remove(&token_digest)),
                }
            }
            let csrf = house.stamp_key().await?.stamp(&Bearer::of_visitor(&request, house.secure_cookies));
            let (caller, person) = known.unzip();
            Ok(Visitor {
                caller,
                frame: house.frame(person.as_deref(), csrf, is_from_this_machine(&request)),
                person,
                network: Network::of(&request, house.behind_proxy),
            })
        })
    }
}

/// Whoever says a move. Who it is may come from memory: the statement that stores the move checks the session once more.
pub struct Mover {
    pub caller: Caller,
    pub settings: PlayerSettings,
    frame: Frame,
}

impl Mover {
    /// For the page that they are shown if the move is not made. Memory is not enough to show a hand: somebody may have signed
    /// out elsewhere.
    pub async fn looker(&self, house: &House) -> Result<Looker, Problem> {
        let session = patiently(|| house.tables.store.session(&self.caller.token_digest)).await?;
        match session {
            Some(row) if PlayerId(row.player_id) == self.caller.player => {
                Ok(Looker { player: Some(self.caller.player), frame: self.frame.clone() })
            }
            _ => {
                house.sessions.remove(&self.caller.token_digest);
                Err(Problem::NotSeated)
            }
        }
    }
}

impl FromRequest for Mover {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Mover, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if let (Some(token_digest), Ok(house)) = (token_digest(request), house(request))
            && let (Some(person), Some(key)) = (house.sessions.get(&token_digest), house.stamp_key_at_hand())
        {
            let csrf = key.stamp(&Bearer::Session(token_digest));
            let frame = house.frame(Some(&person), csrf, is_from_this_machine(request));
            let caller = Caller { player: person.player, token_digest };
            return Box::pin(ready(Ok(Mover { caller, settings: person.settings, frame })));
        }
        let visitor = Visitor::from_request(request, payload);
        Box::pin(async move {
            let visitor = visitor.await?;
            let settings = visitor.settings();
            let caller = visitor.caller.ok_or(Problem::NotSeated)?;
            Ok(Mover { caller, settings, frame: visitor.frame })
        })
    }
}

/// A fresh secret for a cookie or a link.
pub(super) fn fresh_token() -> Result<[u8; 32], Problem> {
    let mut token = [0; 32];
    SysRng.try_fill_bytes(&mut token).map_err(|error| Problem::Internal(error.to_string()))?;
    Ok(token)
}

/// A session that is to begin: its cookie goes to the browser, its digest into the store.
pub(super) struct NewSession {
    pub digest: [u8; 32],
    pub expires_at: DateTime<Utc>,
    cookie: Cookie<'static>,
}

impl NewSession {
    pub fn give_cookie(self, mut answer: HttpResponse) -> Result<HttpResponse, Problem> {
        answer.add_cookie(&self.cookie).map_err(|error| Problem::Internal(error.to_string()))?;
        Ok(answer)
    }
}

impl House {
    pub(super) fn new_session(&self) -> Result<NewSession, Problem> {
        let token = fresh_token()?;
        let cookie = Cookie::build(COOKIE, BASE64URL_NOPAD.encode(&token))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure_cookies)
            .max_age(time::Duration::days(DAYS))
            .finish();
        let expires_at = Utc::now() + chrono::Duration::days(DAYS);
        Ok(NewSession { digest: Sha256::digest(token).into(), expires_at, cookie })
    }
}

impl House {
    /// Takes the session's cookie back.
    pub(super) fn take_cookie(&self, mut answer: HttpResponse) -> Result<HttpResponse, Problem> {
        let mut cookie = Cookie::build(COOKIE, "")
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure_cookies)
            .finish();
        cookie.make_removal();
        answer.add_cookie(&cookie).map_err(|error| Problem::Internal(error.to_string()))?;
        Ok(answer)
    }

    /// Forgets what was remembered of a player: it has changed.
    pub(super) fn forget_person(&self, player: PlayerId) {
        self.sessions.retain(|_, person| person.player != player);
    }
}

/// A visitor who is to have a seat, and the session they need if they came without one.
pub struct Welcome {
    pub player: PlayerId,
    session: Option<NewSession>,
}

impl House {
    /// Makes a guest of a visitor who has no session yet.
    pub async fn welcome(&self, visitor: &Visitor) -> Result<Welcome, Problem> {
        if let Some(caller) = &visitor.caller {
            return Ok(Welcome { player: caller.player, session: None });
        }
        // Whoever sits at the machine itself runs the house.
        if !visitor.network.is_here() && !self.guests.admits(visitor.network) {
            return Err(Problem::TooMany);
        }
        let session = self.new_session()?;
        let player = PlayerId::fresh();
        for tries in 0..NAME_TRIES {
            let name = PlayerName::for_guest(tries);
            let (store, key) = (&self.tables.store, name.key());
            match store.add_guest(player.0, name.as_str(), &key, &session.digest, session.expires_at).await {
                Ok(()) => return Ok(Welcome { player, session: Some(session) }),
                Err(error) if error.is_duplicate() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Problem::Internal("all names of guests are taken".into()))
    }
}

impl Welcome {
    pub fn give_cookie(self, answer: HttpResponse) -> Result<HttpResponse, Problem> {
        match self.session {
            Some(session) => session.give_cookie(answer),
            None => Ok(answer),
        }
    }
}
