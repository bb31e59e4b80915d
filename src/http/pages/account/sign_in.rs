//! Signing in by letter, and out again.

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use askama::Template;
use chrono::Utc;
use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use serde_json::json;

use crate::db::players::sign_ins::{Asked, Browser, NewSignIn, OpenLink, Proof, Purpose, SignedIn};
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::local_path::LocalPath;
use crate::http::extract::network::Network;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::rate_limit::{LETTER_PACE, browser_of};
use crate::http::render::{html, see};
use crate::players::sign_in;
use crate::players::sign_in::{Token, fresh_code, read_code};
use crate::players::{EmailAddress, PlayerName};
use crate::tables::{PlayerId, TableId};

/// Holds the secret of the browser that asked for a letter.
const ASK_COOKIE: &str = "wonderpost-ask";

/// Holds the page to which that browser goes back.
const BACK_COOKIE: &str = "wonderpost-back";

/// So often a newcomer's name may turn out to be taken.
const NAME_TRIES: u32 = 8;

#[derive(Template)]
#[template(path = "pages/sign_in.html")]
struct SignInPage {
    frame: Frame,
    error: Option<String>,
    email: String,
    /// The page to go back to, or nothing.
    to: String,
}

#[derive(Template)]
#[template(path = "pages/sign_in_code.html")]
struct CodePage {
    frame: Frame,
    error: Option<&'static str>,
    minutes: i64,
}

#[derive(Template)]
#[template(path = "pages/sign_in_link.html")]
struct LinkPage {
    frame: Frame,
    token: String,
    email: String,
    /// Whether the link changes an address; else it signs in.
    changes_address: bool,
    asked_by: Option<String>,
    /// Whether a guest who is not at this browser asked for the letter.
    asks_about_guest: bool,
}

#[derive(Template)]
#[template(path = "pages/identity_link.html")]
struct IdentityLinkPage {
    frame: Frame,
    token: String,
    asked_by: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/identity_confirmed.html")]
struct ConfirmedPage {
    frame: Frame,
}

#[derive(Template)]
#[template(path = "pages/sign_in_void.html")]
struct VoidPage {
    frame: Frame,
}

#[derive(Deserialize)]
pub struct WayBack {
    to: Option<String>,
}

/// `GET /sign-in`: afterwards the user is back where they were.
pub async fn show(
    request: HttpRequest,
    query: web::Query<WayBack>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let to = match &query.to {
        Some(to) => LocalPath::parse(to),
        None => LocalPath::before(&request),
    };
    if user.has_address() {
        return Ok(see(to.as_ref().map_or("/me", LocalPath::as_str)));
    }
    let to = to.map(|to| to.as_str().to_owned()).unwrap_or_default();
    Ok(html(StatusCode::OK, &SignInPage { frame: user.frame(), error: None, email: String::new(), to })?)
}

#[derive(Deserialize)]
pub struct AddressForm {
    email: String,
    #[serde(default)]
    to: String,
}

/// `POST /sign-in`: the answer is the same whoever has that address, and whether or not a letter goes out.
pub async fn ask(
    app: web::Data<AppState>,
    form: web::Form<AddressForm>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let email = match app.read_address(&form.email) {
        Ok(email) => email,
        Err(error) => {
            let page = SignInPage {
                frame: user.frame(),
                error: Some(error.to_string()),
                email: form.email.chars().take(300).collect(),
                to: LocalPath::parse(&form.to).map(|to| to.as_str().to_owned()).unwrap_or_default(),
            };
            return Ok(html(StatusCode::UNPROCESSABLE_ENTITY, &page)?);
        }
    };
    let guest = user.player().filter(|_| !user.has_address());
    app.ask_for_letter(&request, &user, Purpose::SignIn, &email, guest, LocalPath::parse(&form.to)).await
}

/// A letter with a link and a code that somebody wants.
pub(crate) struct WantedLetter<'a> {
    pub purpose: Purpose,
    pub email: &'a EmailAddress,
    pub asked_by: Option<PlayerId>,
    /// The session or token that it is to confirm, if it is for that.
    pub bearer_digest: Option<[u8; 32]>,
    pub network: Network,
    /// What tells browsers, or players with their programs, apart.
    pub browser: String,
    /// What the browser got when it last asked.
    pub earlier_ask: Option<Token>,
}

impl AppState {
    /// Writes a letter with a link and a code, within limits; gives the secret with which the code can be typed.
    pub(crate) async fn write_to(&self, wanted: WantedLetter<'_>) -> Result<Token, Problem> {
        self.admit_letter(&wanted.browser, wanted.network).await?;
        let (token, ask, code) = (Token::fresh(), Token::fresh(), fresh_code());
        let new = NewSignIn {
            purpose: wanted.purpose,
            token_digest: token.digest(),
            ask_digest: ask.digest(),
            code_digest: ask.code_digest(&code),
            email: wanted.email.as_str(),
            asked_by: wanted.asked_by.map(|player| player.0),
            bearer_digest: wanted.bearer_digest,
            earlier_ask: wanted.earlier_ask.as_ref().map(Token::digest),
            network: wanted.network.to_string(),
            expires_at: Utc::now() + sign_in::GOOD_FOR,
            details: json!({ "token": token.reveal(), "code": code }).to_string(),
        };
        Ok(match (self.tables.store.ask_to_sign_in(&new, &LETTER_PACE).await?, wanted.earlier_ask) {
            (Asked::StillGood, Some(earlier)) => earlier,
            (Asked::Written | Asked::StillGood | Asked::Waiting, _) => ask,
        })
    }

    /// Writes the letter, and lets the browser that asked for it type the code.
    pub(crate) async fn ask_for_letter(
        &self,
        request: &HttpRequest,
        user: &RequestUser,
        purpose: Purpose,
        email: &EmailAddress,
        asked_by: Option<PlayerId>,
        back: Option<LocalPath>,
    ) -> Result<HttpResponse, Problem> {
        let wanted = WantedLetter {
            purpose,
            email,
            asked_by,
            bearer_digest: None,
            network: user.network,
            browser: browser_of(user),
            earlier_ask: asked(request),
        };
        let ask = self.write_to(wanted).await?;
        let mut answer = see("/sign-in/code");
        let good_for = time::Duration::seconds(sign_in::GOOD_FOR.num_seconds());
        self.keep_cookie(&mut answer, ASK_COOKIE, ask.reveal(), good_for)?;
        let back = back.map(|back| BASE64URL_NOPAD.encode(back.as_str().as_bytes()));
        let good_for = if back.is_some() { good_for } else { time::Duration::ZERO };
        self.keep_cookie(&mut answer, BACK_COOKIE, back.unwrap_or_default(), good_for)?;
        Ok(answer)
    }

    /// Gives a browser something to remember while it signs in.
    fn keep_cookie(
        &self,
        answer: &mut HttpResponse,
        name: &'static str,
        value: String,
        good_for: time::Duration,
    ) -> Result<(), Problem> {
        let cookie = Cookie::build(name, value)
            .path("/sign-in")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.https)
            .max_age(good_for)
            .finish();
        answer.add_cookie(&cookie).map_err(|error| Problem::Internal(error.to_string()))
    }
}

/// The secret that the browser got when it asked for a letter.
fn asked(request: &HttpRequest) -> Option<Token> {
    Token::parse(request.cookie(ASK_COOKIE)?.value())
}

/// Where the user was when they asked for the letter.
fn way_back(request: &HttpRequest) -> Option<LocalPath> {
    let path = BASE64URL_NOPAD.decode(request.cookie(BACK_COOKIE)?.value().as_bytes()).ok()?;
    LocalPath::parse(std::str::from_utf8(&path).ok()?)
}

fn code_page(user: &RequestUser, status: StatusCode, error: Option<&'static str>) -> Result<HttpResponse, Problem> {
    Ok(html(status, &CodePage { frame: user.frame(), error, minutes: sign_in::GOOD_FOR.num_minutes() })?)
}

/// `GET /sign-in/code`
pub async fn show_code(request: HttpRequest, user: RequestUser) -> Result<HttpResponse, Problem> {
    match request.cookie(ASK_COOKIE) {
        Some(_) => code_page(&user, StatusCode::OK, None),
        None => Ok(see("/sign-in")),
    }
}

#[derive(Deserialize)]
pub struct CodeForm {
    code: String,
}

/// `POST /sign-in/code`: wrong, used up, too old and never sent are told with the same words.
pub async fn enter_code(
    app: web::Data<AppState>,
    form: web::Form<CodeForm>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    app.admit_code(user.network).await?;
    let proof = asked(&request).zip(read_code(&form.code)).map(|(ask, code)| Proof::Code {
        ask_digest: ask.digest(),
        code_digest: ask.code_digest(&code),
        most_tries: sign_in::MOST_TRIES,
    });
    let entered = match &proof {
        Some(proof) => app.enter(&user, proof, way_back(&request)).await?,
        None => None,
    };
    match entered {
        Some(answer) => Ok(answer),
        None => code_page(
            &user,
            StatusCode::UNPROCESSABLE_ENTITY,
            Some(
                "That code does not fit: it is not the one in the letter you asked for here, has been used, or is too old. The link in the newest letter works as well.",
            ),
        ),
    }
}

/// `GET /sign-in/{token}`: programs that read mail fetch links, so looking changes nothing; the button does.
pub async fn show_link(
    app: web::Data<AppState>,
    token: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let link = match Token::parse(&token).map(|token| token.digest()) {
        Some(digest) => retry_transient(|| app.tables.store.open_link(&digest)).await?,
        None => None,
    };
    let Some(OpenLink { purpose, email, asked_by, asker }) = link else { return void(&user) };
    let (frame, token) = (user.frame(), token.into_inner());
    let changes_address = match purpose {
        Purpose::Identity => return Ok(html(StatusCode::OK, &IdentityLinkPage { frame, token, asked_by })?),
        Purpose::Address => true,
        Purpose::SignIn => false,
    };
    let asks_about_guest = !changes_address && asker.is_some() && asker != user.player().map(|player| player.0);
    Ok(html(StatusCode::OK, &LinkPage { frame, token, email, changes_address, asked_by, asks_about_guest })?)
}

fn void(user: &RequestUser) -> Result<HttpResponse, Problem> {
    Ok(html(StatusCode::GONE, &VoidPage { frame: user.frame() })?)
}

#[derive(Deserialize)]
pub struct LinkForm {
    /// The games of the guest who asked for the letter are not brought along.
    leave_guest: Option<String>,
}

/// `POST /sign-in/{token}`
pub async fn enter_by_link(
    app: web::Data<AppState>,
    token: web::Path<String>,
    form: web::Form<LinkForm>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let Some(token) = Token::parse(&token) else { return void(&user) };
    let proof = Proof::Link { token_digest: token.digest(), leave_guest: form.leave_guest.is_some() };
    match app.enter(&user, &proof, way_back(&request)).await? {
        Some(answer) => Ok(answer),
        None => void(&user),
    }
}

impl AppState {
    /// Signs a user in and sends them back to where they were; `None` if the proof is no good.
    async fn enter(
        &self,
        user: &RequestUser,
        proof: &Proof,
        back: Option<LocalPath>,
    ) -> Result<Option<HttpResponse>, Problem> {
        let old = user.credentials.as_ref().map(|caller| caller.token_digest);
        let session = self.new_session();
        let player = PlayerId::fresh();
        let mut tries = 0;
        let signed_in = loop {
            let name = PlayerName::for_guest(tries);
            let browser = Browser {
                session: old.as_ref().map(|digest| digest.as_slice()),
                new_session: &session.digest,
                expires_at: session.expires_at,
                fresh: (player.0, name.as_str(), &name.key()),
            };
            match self.tables.store.sign_in(proof, &browser).await {
                Err(error) if error.is_duplicate() && tries < NAME_TRIES => tries += 1,
                outcome => break outcome?,
            }
        };
        let mut suspension = None;
        let (place, moved) = match signed_in {
            SignedIn::No => return Ok(None),
            SignedIn::AddressTaken => {
                return Err(Problem::Refused(
                    "That address belongs to another player already. Sign in with it instead.".into(),
                ));
            }
            SignedIn::AddressChanged { player } if user.player().map(|player| player.0) != Some(player) => {
                ("/sign-in", None)
            }
            SignedIn::AddressChanged { .. } => ("/me?done=address", None),
            SignedIn::Confirmed => {
                return Ok(Some(html(StatusCode::OK, &ConfirmedPage { frame: user.frame() })?));
            }
            SignedIn::Yes { moved, player } => {
                suspension = self.tables.store.suspension_of(player).await?;
                if suspension.is_some() {
                    // What a guest brings along is not to wait for somebody who cannot move.
                    self.tables.hold_seats(PlayerId(player)).await?;
                }
                (back.as_ref().map_or("/", LocalPath::as_str), Some(moved))
            }
        };
        // They are let in as far as they need to see, download or delete what is kept of them.
        let mut answer =
            suspension.map_or_else(|| see(place), |suspension| Problem::Suspended(suspension).error_response());
        for spent in [ASK_COOKIE, BACK_COOKIE] {
            self.keep_cookie(&mut answer, spent, String::new(), time::Duration::ZERO)?;
        }
        // A new address needs no new session.
        let Some(moved) = moved else { return Ok(Some(answer)) };
        if let Some(old) = old {
            self.sessions.remove(&old);
        }
        for table in moved {
            self.tables.seats_changed(TableId(table));
        }
        session.give_cookie(answer).map(Some)
    }
}

/// `POST /sign-out`
pub async fn sign_out(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    if let Some(caller) = &user.credentials {
        app.tables.store.end_session(&caller.token_digest).await?;
        app.sessions.remove(&caller.token_digest);
    }
    app.take_cookie(see("/"))
}

/// `POST /sign-out/everywhere`
pub async fn sign_out_everywhere(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    if let Some(player) = user.player() {
        app.tables.store.end_all_sessions(player.0).await?;
        app.forget_account(player);
    }
    app.take_cookie(see("/"))
}
