//! Sessions: a random cookie, known to the house by its digest alone.

use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::{FromRequest, HttpMessage, HttpRequest, HttpResponse, web};
use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::BASE64URL_NOPAD;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use crate::db::players::accounts::SessionRow;
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::csrf::Bearer;
use crate::http::extract::network::Network;
use crate::http::pages::announcements::dismissed;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::players::{PlayerName, PlayerSettings, Suspension};
use crate::tables::{Caller, PlayerId};

/// The name of the cookie.
pub const COOKIE: &str = "wonderpost";
/// How many days a session lasts in which nobody uses it.
const IDLE_DAYS: i64 = 90;
/// A session whose end was moved on within this time is left as it is, so that not every page writes.
const RENEWED_EVERY: TimeDelta = TimeDelta::days(1);

/// So often a guest's name may turn out to be taken.
const NAME_TRIES: u32 = 8;

/// A cookie, not yet known to belong to anybody.
pub(crate) fn token_digest(request: &HttpRequest) -> Option<[u8; 32]> {
    let cookie = request.cookie(COOKIE)?;
    let token = BASE64URL_NOPAD.decode(cookie.value().as_bytes()).ok()?;
    (token.len() == 32).then(|| Sha256::digest(&token).into())
}

fn app(request: &HttpRequest) -> Result<web::Data<AppState>, Problem> {
    request.app_data::<web::Data<AppState>>().cloned().ok_or_else(|| Problem::Internal("the house is not there".into()))
}

/// Whom a session belongs to, as pages need it.
#[derive(Debug)]
pub struct Person {
    pub player: PlayerId,
    pub name: Option<String>,
    /// Guests have none.
    pub has_address: bool,
    /// Whether they run the house.
    pub is_host: bool,
    pub suspension: Option<Suspension>,
    pub settings: PlayerSettings,
}

impl AppState {
    fn person(&self, row: SessionRow) -> Person {
        Person {
            player: PlayerId(row.player_id),
            name: row.name,
            has_address: row.has_address,
            is_host: self.hosts.has(row.email.as_deref()),
            settings: PlayerSettings::read(&row.settings),
            suspension: Suspension::from_columns(row.suspended_since, row.suspension_reason),
        }
    }

    fn frame(&self, person: Option<&Person>, csrf: String, shows_mailbox: bool, dismissed: &[i64]) -> Frame {
        let settings = person.map(|person| person.settings).unwrap_or_default();
        Frame {
            name: person.and_then(|person| person.name.clone()),
            is_signed_in: person.is_some_and(|person| person.has_address),
            is_host: person.is_some_and(|person| person.is_host),
            suspension: person.and_then(|person| person.suspension.as_ref()).map(Suspension::to_string),
            theme: settings.theme,
            four_colour_suits: settings.four_colour_suits,
            shows_mailbox,
            csrf,
            announcements: self.announcements.shown(self.tables.now(), dismissed),
        }
    }
}

/// What somebody may do who is suspended, besides looking: leave, and refuse letters.
const WHILE_SUSPENDED: [&str; 5] = ["/sign-in", "/sign-out", "/me/delete", "/me/letters", "/unsubscribe/"];

/// Refuses whatever changes something to those who are suspended.
pub(crate) fn check_suspension(request: &HttpRequest, suspension: Option<&Suspension>) -> Result<(), Problem> {
    let Some(suspension) = suspension else { return Ok(()) };
    let (method, path) = (request.method(), request.path());
    let is_api = path.starts_with("/api/");
    let allowed = method.is_safe()
        || (is_api && method == Method::DELETE && (path == "/api/v1/me" || path.starts_with("/api/v1/me/")))
        || (!is_api && WHILE_SUSPENDED.iter().any(|start| path.starts_with(start)));
    if allowed { Ok(()) } else { Err(Problem::Suspended(suspension.clone())) }
}

tokio::task_local! {
    static LOOKING: Looking;
}

/// Who looks, for pages that tell of a problem.
pub(crate) struct Looking {
    app: web::Data<AppState>,
    token_digest: Option<[u8; 32]>,
    shows_mailbox: bool,
    /// The announcements that this browser has dismissed.
    dismissed: Vec<i64>,
}

impl Looking {
    pub fn new(request: &HttpRequest, app: web::Data<AppState>) -> Looking {
        let shows_mailbox = app.shows_mailbox(request.head());
        Looking { app, token_digest: token_digest(request), shows_mailbox, dismissed: dismissed(request) }
    }

    /// Remembers it while a request is answered.
    pub fn during<T>(self, answer: impl Future<Output = T>) -> impl Future<Output = T> {
        LOOKING.scope(self, answer)
    }
}

/// The frame of whoever looks, as far as it can be told from memory. Without a stamp for forms.
pub(crate) fn frame_from_memory() -> Frame {
    let frame = LOOKING.try_with(|looking| {
        let person = looking.token_digest.and_then(|digest| looking.app.sessions.get(&digest));
        looking.app.frame(person.as_deref(), String::new(), looking.shows_mailbox, &looking.dismissed)
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
            let app = app(&request)?;
            let mut known = None;
            if let Some(token_digest) = token_digest(&request) {
                match retry_transient(|| app.tables.store.session(&token_digest)).await? {
                    Some(row) => {
                        app.renew(&request, &token_digest, row.expires_at).await;
                        let person = Arc::new(app.person(row));
                        check_suspension(&request, person.suspension.as_ref())?;
                        app.sessions.insert(token_digest, person.clone());
                        known = Some((Caller { player: person.player, token_digest }, person));
                    }
                    None => drop(app.sessions.remove(&token_digest)),
                }
            }
            let csrf = app.stamp_key().await?.stamp(&Bearer::of_visitor(&request, app.https));
            app.announcements.refresh(&app.tables.store).await;
            let (caller, person) = known.unzip();
            Ok(Visitor {
                caller,
                frame: app.frame(person.as_deref(), csrf, app.shows_mailbox(request.head()), &dismissed(&request)),
                person,
                network: Network::of(&request, app.behind_proxy),
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
    pub async fn looker(&self, app: &AppState) -> Result<Looker, Problem> {
        let session = retry_transient(|| app.tables.store.session(&self.caller.token_digest)).await?;
        match session {
            Some(row) if PlayerId(row.player_id) == self.caller.player => {
                Ok(Looker { player: Some(self.caller.player), frame: self.frame.clone() })
            }
            _ => {
                app.sessions.remove(&self.caller.token_digest);
                Err(Problem::NotSeated)
            }
        }
    }
}

impl FromRequest for Mover {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Mover, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if let (Some(token_digest), Ok(app)) = (token_digest(request), app(request))
            && let (Some(person), Some(key)) = (app.sessions.get(&token_digest), app.stamp_key_at_hand())
        {
            if let Err(problem) = check_suspension(request, person.suspension.as_ref()) {
                return Box::pin(ready(Err(problem)));
            }
            let csrf = key.stamp(&Bearer::Session(token_digest));
            let frame = app.frame(Some(&person), csrf, app.shows_mailbox(request.head()), &dismissed(request));
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
pub(crate) fn fresh_token() -> Result<[u8; 32], Problem> {
    let mut token = [0; 32];
    SysRng.try_fill_bytes(&mut token).map_err(|error| Problem::Internal(error.to_string()))?;
    Ok(token)
}

/// A session that is to begin: its cookie goes to the browser, its digest into the store.
pub(crate) struct NewSession {
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

/// A cookie that the answer is to set again, because its session ends later now.
struct Renewed(Cookie<'static>);

/// The session's cookie, if the answer to this request is to set it again.
pub(crate) fn renewed_cookie(request: &HttpRequest) -> Option<Cookie<'static>> {
    request.extensions_mut().remove::<Renewed>().map(|renewed| renewed.0)
}

impl AppState {
    fn session_cookie(&self, value: String) -> Cookie<'static> {
        Cookie::build(COOKIE, value)
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.https)
            .max_age(time::Duration::days(IDLE_DAYS))
            .finish()
    }

    /// Moves the end of a session on while it is used, once a day.
    async fn renew(&self, request: &HttpRequest, token_digest: &[u8], expires_at: DateTime<Utc>) {
        let later = Utc::now() + TimeDelta::days(IDLE_DAYS);
        let Some(cookie) = request.cookie(COOKIE).filter(|_| later - expires_at >= RENEWED_EVERY) else { return };
        match self.tables.store.renew_session(token_digest, later).await {
            Ok(()) => {
                request.extensions_mut().insert(Renewed(self.session_cookie(cookie.value().to_owned())));
            }
            // The page can be shown all the same; the next one tries again.
            Err(error) => tracing::warn!(%error, "a session could not be renewed"),
        }
    }

    pub(crate) fn new_session(&self) -> Result<NewSession, Problem> {
        let token = fresh_token()?;
        let cookie = self.session_cookie(BASE64URL_NOPAD.encode(&token));
        let expires_at = Utc::now() + TimeDelta::days(IDLE_DAYS);
        Ok(NewSession { digest: Sha256::digest(token).into(), expires_at, cookie })
    }
}

impl AppState {
    /// Takes the session's cookie back.
    pub(crate) fn take_cookie(&self, mut answer: HttpResponse) -> Result<HttpResponse, Problem> {
        let mut cookie =
            Cookie::build(COOKIE, "").path("/").http_only(true).same_site(SameSite::Lax).secure(self.https).finish();
        cookie.make_removal();
        answer.add_cookie(&cookie).map_err(|error| Problem::Internal(error.to_string()))?;
        Ok(answer)
    }

    /// Forgets what was remembered of a player: it has changed.
    pub(crate) fn forget_person(&self, player: PlayerId) {
        self.sessions.retain(|_, person| person.player != player);
    }
}

/// A visitor who is to have a seat, and the session they need if they came without one.
pub struct Welcome {
    pub player: PlayerId,
    session: Option<NewSession>,
}

impl AppState {
    /// Makes a guest of a visitor who has no session yet.
    pub async fn welcome(&self, visitor: &Visitor) -> Result<Welcome, Problem> {
        if let Some(caller) = &visitor.caller {
            return Ok(Welcome { player: caller.player, session: None });
        }
        self.admit_guest(visitor.network).await?;
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
