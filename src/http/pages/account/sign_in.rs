//! Signing in by letter, and out again.

use actix_web::cookie::{Cookie, SameSite, time};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use askama::Template;
use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;

use crate::db::players::sign_ins::{OpenLink, Purpose};
use crate::http::AppState;
use crate::http::extract::local_path::LocalPath;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{html, see};
use crate::players::Entered;
use crate::players::sign_in;
use crate::players::sign_in::Token;

/// Holds the secret of the browser that asked for a letter.
const ASK_COOKIE: &str = "wonderpost-ask";

/// Holds the page to which that browser goes back.
const BACK_COOKIE: &str = "wonderpost-back";

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
    let email = match app.players.read_address(&form.email) {
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
    let ask = app.players.ask_to_sign_in(&email, guest, asked(&request), &user.origin()).await?;
    app.await_code(&ask, LocalPath::parse(&form.to).as_ref())
}

impl AppState {
    /// Lets the browser that asked for a letter type its code.
    pub(crate) fn await_code(&self, ask: &Token, back: Option<&LocalPath>) -> Result<HttpResponse, Problem> {
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
pub(crate) fn asked(request: &HttpRequest) -> Option<Token> {
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
    zone: Option<String>,
}

/// `POST /sign-in/code`: wrong, used up, too old and never sent are told with the same words.
pub async fn enter_code(
    app: web::Data<AppState>,
    form: web::Form<CodeForm>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let old = user.credentials.as_ref().map(|credentials| credentials.token_digest);
    let entered = app.players.enter_with_code(asked(&request), &form.code, old, &user.origin()).await?;
    app.preset_zone_of(&entered, form.zone.as_deref()).await;
    match app.answer_entered(&user, entered, way_back(&request).as_ref())? {
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
    let link = app.players.open_link(&token).await?;
    let Some(OpenLink { purpose, email, asked_by, asker }) = link else { return void(&user) };
    let (frame, token) = (user.frame(), token.into_inner());
    let changes_address = match purpose {
        Purpose::Identity => return Ok(html(StatusCode::OK, &IdentityLinkPage { frame, token, asked_by })?),
        Purpose::Address => true,
        Purpose::SignIn => false,
    };
    let asks_about_guest = !changes_address && asker.is_some() && asker != user.player();
    Ok(html(StatusCode::OK, &LinkPage { frame, token, email, changes_address, asked_by, asks_about_guest })?)
}

fn void(user: &RequestUser) -> Result<HttpResponse, Problem> {
    Ok(html(StatusCode::GONE, &VoidPage { frame: user.frame() })?)
}

#[derive(Deserialize)]
pub struct LinkForm {
    /// The games of the guest who asked for the letter are not brought along.
    leave_guest: Option<String>,
    zone: Option<String>,
}

/// `POST /sign-in/{token}`
pub async fn enter_by_link(
    app: web::Data<AppState>,
    token: web::Path<String>,
    form: web::Form<LinkForm>,
    request: HttpRequest,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let old = user.credentials.as_ref().map(|credentials| credentials.token_digest);
    let entered = app.players.enter_with_link(&token, form.leave_guest.is_some(), old).await?;
    app.preset_zone_of(&entered, form.zone.as_deref()).await;
    match app.answer_entered(&user, entered, way_back(&request).as_ref())? {
        Some(answer) => Ok(answer),
        None => void(&user),
    }
}

impl AppState {
    /// Whoever signs in lives where their browser says, unless they have said otherwise.
    async fn preset_zone_of(&self, entered: &Entered, zone: Option<&str>) {
        if let Entered::SignedIn { player, .. } = entered {
            self.players.preset_zone(*player, zone).await;
        }
    }

    /// What a browser gets after a code or a link: back to where it was; `None` if it was no good.
    fn answer_entered(
        &self,
        user: &RequestUser,
        entered: Entered,
        back: Option<&LocalPath>,
    ) -> Result<Option<HttpResponse>, Problem> {
        let mut answer = match &entered {
            Entered::No => return Ok(None),
            Entered::Confirmed => return Ok(Some(html(StatusCode::OK, &ConfirmedPage { frame: user.frame() })?)),
            Entered::AddressChanged { player } if user.player() != Some(*player) => see("/sign-in"),
            Entered::AddressChanged { .. } => see("/me?done=address"),
            // They are let in as far as they need to see, download or delete what is kept of them.
            Entered::SignedIn { suspension: Some(suspension), .. } => {
                Problem::Suspended(suspension.clone()).error_response()
            }
            Entered::SignedIn { suspension: None, .. } => see(back.map_or("/", LocalPath::as_str)),
        };
        for spent in [ASK_COOKIE, BACK_COOKIE] {
            self.keep_cookie(&mut answer, spent, String::new(), time::Duration::ZERO)?;
        }
        match &entered {
            Entered::SignedIn { session, .. } => self.give_cookie(session, answer).map(Some),
            // A new address needs no new session.
            _ => Ok(Some(answer)),
        }
    }
}

/// `POST /sign-out`
pub async fn sign_out(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    if let Some(credentials) = &user.credentials {
        app.players.sign_out(&credentials.token_digest).await?;
    }
    app.take_cookie(see("/"))
}

/// `POST /sign-out/everywhere`
pub async fn sign_out_everywhere(app: web::Data<AppState>, user: RequestUser) -> Result<HttpResponse, Problem> {
    if let Some(player) = user.player() {
        app.players.sign_out_everywhere(player).await?;
    }
    app.take_cookie(see("/"))
}
