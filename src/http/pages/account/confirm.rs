//! Is it you? Before something that cannot be undone, whoever signed in more than a day ago confirms with a letter that it is them. Guests
//! have no address to write to, and are not asked.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use serde::Deserialize;

use crate::db::players::sign_ins::{Proof, Purpose};
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::network::Network;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::account::sign_in::WantedLetter;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::rate_limit::browser_of;
use crate::http::render::html;
use crate::players::EmailAddress;
use crate::players::sign_in;
use crate::players::sign_in::{Token, read_code};
use crate::tables::Credentials;

#[derive(Template)]
#[template(path = "pages/confirm.html")]
struct ConfirmPage<'a> {
    frame: Frame,
    /// What is about to be done, as the end of “Before …”.
    action: &'static str,
    error: Option<&'static str>,
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
    /// Writes the letter to the address of the account; gives the secret with which its code counts.
    async fn write_identity_letter(
        &self,
        caller: &Credentials,
        address: &str,
        network: Network,
        browser: String,
    ) -> Result<Token, Problem> {
        let email = EmailAddress::parse(address).map_err(|error| Problem::Internal(error.to_string()))?;
        let wanted = WantedLetter {
            purpose: Purpose::Identity,
            email: &email,
            asked_by: Some(caller.player),
            bearer_digest: Some(caller.token_digest),
            network,
            browser,
            earlier_ask: None,
        };
        self.write_to(wanted).await
    }

    /// Whether this code, typed with this secret, confirms the caller.
    pub(crate) async fn confirm_with_code(
        &self,
        caller: &Credentials,
        ask: &Token,
        code: &str,
        network: Network,
    ) -> Result<bool, Problem> {
        self.admit_code(network).await?;
        let Some(code) = read_code(code) else { return Ok(false) };
        let proof = Proof::Code {
            ask_digest: ask.digest(),
            code_digest: ask.code_digest(&code),
            most_tries: sign_in::MOST_TRIES,
        };
        Ok(self.tables.store.confirm_with_code(&proof, &caller.token_digest).await?)
    }

    /// Asks a program's player for a confirmation by letter; `None` if none is needed.
    pub(crate) async fn ask_to_confirm(
        &self,
        caller: &Credentials,
        network: Network,
    ) -> Result<Option<Token>, Problem> {
        let Some(address) = self.address_to_confirm(caller).await? else { return Ok(None) };
        let browser = caller.player.0.to_string();
        self.write_identity_letter(caller, &address, network, browser).await.map(Some)
    }

    /// Refuses a program whose player has to confirm first that it is them.
    pub(crate) async fn check_confirmed(&self, caller: &Credentials) -> Result<(), Problem> {
        match self.address_to_confirm(caller).await? {
            Some(_) => Err(Problem::Unconfirmed),
            None => Ok(()),
        }
    }

    async fn address_to_confirm(&self, caller: &Credentials) -> Result<Option<String>, Problem> {
        let store = &self.tables.store;
        Ok(retry_transient(|| store.address_to_confirm(caller.player.0, &caller.token_digest)).await?)
    }

    /// The page that asks the sender of a form to confirm that it is them; `None` if they may go on.
    pub(crate) async fn page_to_confirm(
        &self,
        user: &RequestUser,
        form: &Waiting<'_>,
        given: &Confirmation,
    ) -> Result<Option<HttpResponse>, Problem> {
        let Some(caller) = &user.credentials else { return Ok(None) };
        let Some(address) = self.address_to_confirm(caller).await? else { return Ok(None) };
        let code = given.code.as_deref().unwrap_or_default().trim();
        let (ask, error) = match given.ask.as_deref().and_then(Token::parse) {
            None => (self.write_identity_letter(caller, &address, user.network, browser_of(user)).await?, None),
            Some(ask) if code.is_empty() => (
                ask,
                Some(
                    "The link in the letter has not been followed yet. Follow it and press its button, or type the code.",
                ),
            ),
            Some(ask) if self.confirm_with_code(caller, &ask, code, user.network).await? => return Ok(None),
            Some(ask) => {
                (ask, Some("That code does not fit: it is not the one in the letter, has been used, or is too old."))
            }
        };
        let page = ConfirmPage {
            frame: user.frame(),
            action: form.action,
            error,
            path: form.path,
            fields: form.fields,
            ask: ask.reveal(),
        };
        let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        Ok(Some(html(status, &page)?))
    }
}
