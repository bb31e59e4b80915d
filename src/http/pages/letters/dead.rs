//! Letters that could not be sent, beside the mailbox and for the same people.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use crate::db::mail::outbox::DeadLetter;
use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::request_user::RequestUser;
use crate::http::pages::frame::Frame;
use crate::http::problem::Problem;
use crate::http::render::{Moment, html, see};

/// The most letters that are shown, the newest first.
const MOST_LETTERS: i64 = 100;

#[derive(Template)]
#[template(path = "pages/dead_letters.html")]
struct DeadLettersPage {
    frame: Frame,
    notice: Option<&'static str>,
    letters: Vec<LetterLine>,
}

pub(crate) struct LetterLine {
    pub id: i64,
    pub kind: String,
    pub reader: String,
    pub written: Moment,
    pub given_up: Moment,
    pub tries: i32,
    pub trouble: String,
    /// Others have lost what they had to say.
    pub can_go_again: bool,
}

impl From<DeadLetter> for LetterLine {
    fn from(letter: DeadLetter) -> LetterLine {
        LetterLine {
            id: letter.id,
            reader: without_addresses(&letter.reader),
            written: letter.written_at.into(),
            given_up: letter.dropped_at.into(),
            tries: letter.tries,
            trouble: without_addresses(&letter.trouble),
            can_go_again: letter.kind.is_about_a_game(),
            kind: letter.kind.name().to_owned(),
        }
    }
}

/// Mail servers like to repeat addresses. Whoever may have them finds them with `wonderpost letters`.
pub(crate) fn without_addresses(words: &str) -> String {
    let hidden = |word: &'_ str| if word.contains('@') { "(an address)".to_owned() } else { word.to_owned() };
    words.split_whitespace().map(hidden).collect::<Vec<_>>().join(" ")
}

#[derive(Deserialize)]
pub struct Done {
    done: Option<String>,
}

/// `GET /mailbox/dead`
pub async fn show(
    app: web::Data<AppState>,
    query: web::Query<Done>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let letters = retry_transient(|| app.tables.store.dead_letters(MOST_LETTERS)).await?;
    let page = DeadLettersPage {
        frame: user.frame(),
        notice: query.done.as_ref().map(|_| "The letter is tried again."),
        letters: letters.into_iter().map(LetterLine::from).collect(),
    };
    Ok(html(StatusCode::OK, &page)?)
}

#[derive(Deserialize)]
pub struct Again {
    letter: i64,
}

/// `POST /mailbox/dead`: tries a letter again.
pub async fn try_again(app: web::Data<AppState>, form: web::Form<Again>) -> Result<HttpResponse, Problem> {
    if !retry_transient(|| app.tables.store.revive_letter(form.letter)).await? {
        return Err(Problem::Refused("There is no such letter, or what it had to say is gone.".into()));
    }
    Ok(see("/mailbox/dead?done=again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_left_out() {
        assert_eq!(
            without_addresses("permanent error (550): <alice@example.org>: user unknown"),
            "permanent error (550): (an address) user unknown"
        );
        assert_eq!(without_addresses("hatter@example.org"), "(an address)");
        assert_eq!(without_addresses("the Hatter"), "the Hatter");
    }
}
