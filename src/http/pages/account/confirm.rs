//! Is it you? The page on which a form waits until its sender has confirmed that it is them.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::signed_in::SignedIn;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::html;
use crate::players::AccountError;
use crate::players::sign_in::Token;

const NOT_FOLLOWED: &str =
    "The link in the letter has not been followed yet. Follow it and press its button, or type the code.";

#[derive(Template)]
#[template(path = "pages/confirm.html")]
struct ConfirmPage<'a> {
    frame: Frame,
    /// What is about to be done, as the end of “Before …”.
    action: &'static str,
    error: Option<String>,
    path: &'static str,
    fields: &'a [(&'static str, &'a str)],
    ask: String,
}

/// What a form carries when it is sent again from the page that asks.
#[derive(Default, Deserialize)]
pub struct Confirmation {
    ask: Option<String>,
    code: Option<String>,
}

/// A form that has to wait until its sender has confirmed that it is them.
pub struct Waiting<'a> {
    pub action: &'static str,
    pub path: &'static str,
    pub fields: &'a [(&'static str, &'a str)],
}

impl AppState {
    /// The page that asks the sender of a form to confirm that it is them; `None` if they may go on.
    pub(crate) async fn page_to_confirm(
        &self,
        user: &SignedIn,
        form: &Waiting<'_>,
        given: &Confirmation,
    ) -> Result<Option<HttpResponse>, Problem> {
        let (credentials, origin) = (user.credentials(), user.origin());
        let (ask, error) = match given.ask.as_deref().and_then(Token::parse) {
            None => match self.players.ask_to_confirm(credentials, &origin).await? {
                Some(ask) => (ask, None),
                None => return Ok(None),
            },
            Some(ask) => {
                if self.players.address_to_confirm(credentials).await?.is_none() {
                    return Ok(None);
                }
                let code = given.code.as_deref().unwrap_or_default().trim();
                if code.is_empty() {
                    (ask, Some(NOT_FOLLOWED.to_owned()))
                } else {
                    match self.players.confirm_with_code(credentials, Some(ask.clone()), code, &origin).await {
                        Ok(()) => return Ok(None),
                        Err(AccountError::Refused(sentence)) => (ask, Some(sentence)),
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        };
        let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        let page = ConfirmPage {
            frame: user.frame(),
            action: form.action,
            error,
            path: form.path,
            fields: form.fields,
            ask: ask.reveal(),
        };
        Ok(Some(html(status, &page)?))
    }
}
