//! Answers in advance, on the page of a table: what the viewer may leave, and has left.

use actix_web::{HttpResponse, web};
use serde::Deserialize;

use crate::http::AppState;
use crate::http::extract::cached_user::CachedUser;
use crate::http::pages::table::actions::remark;
use crate::http::pages::table::page;
use crate::http::pages::table::page::{Remarks, visible};
use crate::http::problem::Problem;
use crate::http::render::see;
use crate::tables::Offer;
use crate::tables::state::glance::Glance;
use wonderpost_rules::Seat;

/// What the form sends for “ask me”, and for lines of one's own.
const ASK: &str = "ask";
const OWN: &str = "own";

/// One decision that may be answered in advance.
pub struct OfferField {
    pub prompt: &'static str,
    pub title: &'static str,
    pub choices: Vec<Choice>,
    pub own: Option<OwnLines>,
    /// Whether anything will be said.
    pub is_set: bool,
    /// What will be said, in short.
    pub words: String,
    pub trouble: Option<String>,
}

pub struct Choice {
    pub value: String,
    pub title: String,
    pub chosen: bool,
}

/// A list of one's own.
pub struct OwnLines {
    pub text: String,
    pub chosen: bool,
    pub example: &'static str,
}

impl From<Offer> for OfferField {
    fn from(offer: Offer) -> OfferField {
        let Offer { prompt, lines, by_preset, trouble } = offer;
        let suggested = prompt.suggestions.iter().position(|suggestion| suggestion.lines == lines);
        let is_set = !lines.is_empty();
        let words = match (suggested, is_set) {
            (_, false) => "you are asked".to_owned(),
            (Some(place), true) if by_preset => {
                format!("{} (as the table was opened)", prompt.suggestions[place].title)
            }
            (Some(place), true) => prompt.suggestions[place].title.to_owned(),
            (None, true) => lines.join(", "),
        };
        let ask = Choice { value: ASK.to_owned(), title: "Ask me".to_owned(), chosen: !is_set };
        let suggestions = prompt.suggestions.iter().enumerate().map(|(place, suggestion)| Choice {
            value: place.to_string(),
            title: suggestion.title.to_owned(),
            chosen: is_set && suggested == Some(place),
        });
        let is_own = is_set && suggested.is_none();
        OfferField {
            choices: [ask].into_iter().chain(suggestions).collect(),
            own: prompt.example.map(|example| OwnLines {
                text: if is_own { lines.join("\n") } else { String::new() },
                chosen: is_own,
                example,
            }),
            prompt: prompt.prompt,
            title: prompt.title,
            is_set,
            words,
            trouble,
        }
    }
}

/// What a seat may answer in advance.
pub fn fields(glance: &Glance, mine: Option<Seat>) -> Vec<OfferField> {
    let seat = mine.filter(|seat| !glance.table.now.resigned.contains(*seat));
    seat.map(|seat| glance.offers(seat).into_iter().map(OfferField::from).collect()).unwrap_or_default()
}

#[derive(Deserialize)]
pub struct AnswerForm {
    prompt: String,
    choice: String,
    #[serde(default)]
    lines: String,
}

/// `POST /t/{id}/answers`: leaves an answer, or withdraws it.
pub async fn leave(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<AnswerForm>,
    user: CachedUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, Some(user.player())).await?;
    let id = cached.id;
    let seat = cached.seat_of(Some(user.player())).ok_or(Problem::NotSeated)?;
    let prompts = cached.now.position.plannable_prompts(seat);
    let suggestions = prompts.iter().find(|prompt| prompt.prompt == form.prompt).map(|prompt| &prompt.suggestions);
    let lines: Vec<&str> = match form.choice.as_str() {
        ASK => Vec::new(),
        OWN => form.lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect(),
        place => {
            let suggestion = place.parse::<usize>().ok().and_then(|place| suggestions?.get(place));
            suggestion.ok_or(Problem::Unreadable)?.lines.iter().map(String::as_str).collect()
        }
    };
    match app.tables.leave_answer(user.player(), id, &form.prompt, &lines).await {
        Ok(()) => Ok(see(format!("/t/{id}#answers"))),
        Err(error) => {
            let remarks = Remarks { draft: String::new(), ..remark(error, String::new())? };
            let user = user.confirm(&app).await?;
            page::show(&app, app.tables.glance(id, user.player()).await?, &user, remarks).await
        }
    }
}
