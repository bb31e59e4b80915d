//! A table: look, move, leaf through its history, leave it, play again.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::extract::cached_user::CachedUser;
use crate::http::extract::request_user::RequestUser;
use crate::http::extract::whole_table::WholeTable;
use crate::http::pages::next::Skipped;
use crate::http::pages::table::page::{Asked, Remarks, visible};
use crate::http::pages::table::viewpoint::Place;
use crate::http::pages::table::{history, open, page};
use crate::http::problem::Problem;
use crate::http::render::see;
use crate::tables::state::table_state::Status;
use crate::tables::{MoveError, Said, Step, TableId};
use wonderpost_rules::Viewer;

/// The most characters of a choice begun on the board.
pub(in crate::http::pages) const LONGEST_BEGUN: usize = 80;

#[derive(Deserialize)]
pub struct Look {
    begun: Option<String>,
    #[serde(flatten)]
    skipped: Skipped,
}

/// `GET /t/{id}`
pub async fn show(
    app: web::Data<AppState>,
    query: web::Query<Look>,
    WholeTable { glance, user }: WholeTable,
) -> Result<HttpResponse, Problem> {
    if glance.table.now.status() == Status::Open {
        return open::show(&app, glance, &user).await;
    }
    let Look { begun, skipped } = query.into_inner();
    let begun = begun.filter(|begun| begun.chars().count() <= LONGEST_BEGUN);
    let remarks = Remarks { begun, skipped: skipped.tables(), ..Remarks::default() };
    page::show(&app, glance, &user, remarks).await
}

#[derive(Deserialize)]
pub struct LookBack {
    #[serde(rename = "as")]
    place: Option<String>,
}

/// `GET /t/{id}/at/{move}`
pub async fn history(
    app: web::Data<AppState>,
    path: web::Path<(String, u32)>,
    query: web::Query<LookBack>,
    WholeTable { glance, user }: WholeTable,
) -> Result<HttpResponse, Problem> {
    let (_, number) = path.into_inner();
    if glance.table.now.status() == Status::Open {
        return Err(Problem::NoMove);
    }
    let place = match &query.place {
        Some(place) => Some(Place::read(place).ok_or(Problem::NoPage)?),
        None => None,
    };
    history::show(&app, &glance, &user, number, place).await
}

/// A move as a page's form sends it.
struct SayForm {
    step: Step,
    say: String,
    /// The move was shown, and is meant.
    sure: bool,
    /// Nothing is to be asked in this game any more.
    never_ask: bool,
}

impl SayForm {
    fn read(fields: Vec<(String, String)>) -> Option<SayForm> {
        let field = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
        Some(SayForm {
            step: field("step")?.parse().ok()?,
            say: said(&fields)?,
            sure: field("sure").is_some(),
            never_ask: field("never-ask").is_some(),
        })
    }
}

/// What the form of a board says. The words of boxes that were ticked (`with`) follow what the button says, in order; lines chosen in
/// fields of their own (`then`) follow below.
pub(in crate::http::pages) fn said(fields: &[(String, String)]) -> Option<String> {
    let (_, say) = fields.iter().find(|(field, _)| field == "say")?;
    let ticked = fields.iter().filter(|(field, _)| field == "with").map(|(_, word)| word.as_str());
    let first: Vec<&str> = std::iter::once(say.as_str()).chain(ticked).collect();
    let then = fields.iter().filter(|(field, line)| field == "then" && !line.is_empty());
    let lines: Vec<String> = [first.join(" ")].into_iter().chain(then.map(|(_, line)| line.clone())).collect();
    Some(lines.join("\n"))
}

/// `POST /t/{id}/say`: a move, or several, a line each.
pub async fn say(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<Vec<(String, String)>>,
    user: CachedUser,
) -> Result<HttpResponse, Problem> {
    let id: TableId = id.parse()?;
    let form = SayForm::read(form.into_inner()).ok_or(Problem::Unreadable)?;
    match try_to_say(&app, id, form, &user).await {
        // Those who may not see the table are not told that it is there.
        Err(Problem::NotSeated) => {
            // Another process may have suspended them since this one last asked.
            if let Some(suspension) = retry_transient(|| app.tables.store.suspension_of(user.player())).await? {
                app.players.forget_player(user.player());
                return Err(Problem::Suspended(suspension));
            }
            visible(&app, &id.to_string(), Some(user.player())).await?;
            // Whose session it is was remembered, and may be wrong.
            app.players.forget_session(&user.credentials.token_digest);
            Err(Problem::NotSeated)
        }
        said => said,
    }
}

async fn try_to_say(app: &AppState, id: TableId, form: SayForm, user: &CachedUser) -> Result<HttpResponse, Problem> {
    let SayForm { step, say, sure, never_ask } = form;
    if !sure && let Some(page) = ask_first(app, id, user, step, &say).await? {
        return Ok(page);
    }
    if never_ask {
        let game = app.tables.cached(id).await?.now.game.info().slug;
        app.players.never_ask(user.player(), game).await?;
    }
    let remarks = match app.tables.submit_moves(&user.credentials, id, step, &say).await {
        Ok(Said { refused: None, dropped, planned, .. }) if dropped.is_empty() && planned.is_empty() => {
            return Ok(see(format!("/t/{id}")));
        }
        Ok(said) => Remarks { notice: Some(tell_said(&said)), ..Remarks::default() },
        Err(error) => remark(error, say)?,
    };
    let user = user.confirm(app).await?;
    page::show(app, app.tables.glance(id, user.player()).await?, &user, remarks).await
}

/// Shows what a move would come to and asks for it once more, where it is grave or the player wants to be asked; nothing to ask if the
/// seat has moved since the form was drawn.
async fn ask_first(
    app: &AppState,
    id: TableId,
    user: &CachedUser,
    step: Step,
    say: &str,
) -> Result<Option<HttpResponse>, Problem> {
    // A hint is enough for whether to ask: what is made is decided on the table as it is.
    let cached = app.tables.cached(id).await?;
    let Some(seat) = cached.seat_of(Some(user.player())) else { return Ok(None) };
    let settings = user.settings();
    if settings.never_ask.iter().any(|slug| slug == cached.now.game.info().slug) {
        return Ok(None);
    }
    let is_grave = app.tables.asks_first(&cached, seat, say);
    if !is_grave && !settings.confirm_moves {
        return Ok(None);
    }
    let glance = app.tables.glance(id, Some(user.player())).await?;
    let cached = &glance.table;
    let viewer = Viewer::Seat(seat);
    let last = cached.now.numbering(viewer).shown(cached.now.clocks[seat.index()].last_move);
    if !cached.may_have_been(step, viewer) || last > step.moves {
        return Ok(None);
    }
    let remarks = match app.tables.preview(cached, seat, say) {
        // What could be taken back is made at once.
        Ok(Some(preview)) if preview.is_whole && !is_grave => return Ok(None),
        Ok(preview) => {
            let title = app.tables.describe_lines(cached, seat, say);
            Remarks { question: Some(Asked { title, say: say.to_owned(), preview }), ..Remarks::default() }
        }
        Err(error) => remark(error, say.to_owned())?,
    };
    Ok(Some(page::show(app, glance, &user.confirm(app).await?, remarks).await?))
}

/// What the page says when moves were not made.
pub fn remark(error: MoveError, draft: String) -> Result<Remarks, Problem> {
    match error {
        MoveError::Refused { line, refusal } => {
            let error = match line {
                Some(line) => format!("“{line}”: {refusal} None of your lines was made."),
                None => refusal.to_string(),
            };
            let status = Some(StatusCode::UNPROCESSABLE_ENTITY);
            Ok(Remarks { status, error: Some(error), draft, ..Remarks::default() })
        }
        MoveError::MovedOn | MoveError::WentBack => {
            let error = Problem::from(error).to_string();
            Ok(Remarks { status: Some(StatusCode::CONFLICT), error: Some(error), ..Remarks::default() })
        }
        MoveError::NotSeated | MoveError::Busy | MoveError::Read(_) => Err(error.into()),
    }
}

/// `GET /t/{id}/say`: a link on the page that answered a refused move, or that page fetched again.
pub async fn after_saying(id: web::Path<String>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let id: TableId = id.parse()?;
    Ok(see(match request.query_string() {
        "" => format!("/t/{id}"),
        query => format!("/t/{id}?{query}"),
    }))
}

/// What became of several lines of which not all were made.
fn tell_said(said: &Said) -> String {
    let made = match said.made {
        0 => String::new(),
        1 => "The first line was made.".to_owned(),
        made => format!("The first {made} lines were made."),
    };
    let stopped = match &said.refused {
        Some((line, refusal)) => format!(" Then something new came up, and “{line}” could not follow: {refusal}"),
        None => String::new(),
    };
    let dropped = match said.dropped.as_slice() {
        [] => String::new(),
        lines => format!(" Nobody asked for the rest any more: {}.", lines.join(", ")),
    };
    let planned = match said.planned.as_slice() {
        [] => String::new(),
        lines => format!(" Kept as answers in advance: {}.", lines.join(", ")),
    };
    (made + &stopped + &planned + &dropped).trim_start().to_owned()
}

/// `POST /t/{id}/resign`
pub async fn resign(
    app: web::Data<AppState>,
    id: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.resign(user.seated_credentials()?, cached.id).await?;
    Ok(see(format!("/t/{}", cached.id)))
}

#[derive(Deserialize)]
pub struct AgreeForm {
    #[serde(default)]
    end: bool,
}

/// `POST /t/{id}/agree`: to end the game here, or to play on after all.
pub async fn agree(
    app: web::Data<AppState>,
    id: web::Path<String>,
    form: web::Form<AgreeForm>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.agree_to_end(user.seated_credentials()?, cached.id, form.end).await?;
    Ok(see(format!("/t/{}", cached.id)))
}

/// `POST /t/{id}/rematch`
pub async fn rematch(
    app: web::Data<AppState>,
    id: web::Path<String>,
    user: RequestUser,
) -> Result<HttpResponse, Problem> {
    let cached = visible(&app, &id, user.player()).await?;
    let table = app.tables.rematch(user.seated_credentials()?.player, &cached, TableId::fresh()).await?;
    Ok(see(format!("/t/{table}")))
}
