//! Tables: open, sit down, look, move, leave.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::db::retry_transient;
use crate::http::AppState;
use crate::http::api::idempotency::NewTableId;
use crate::http::api::problem::ApiProblem;
use crate::http::api::table_lines::{log_lines, seat_line, table_row};
use crate::http::api::types::tables as types;
use crate::http::api::types::time::{Bank, WhenLate};
use crate::http::api::undo::taking_back;
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::extract::network::Network;
use crate::http::pages::table::live::follow;
use crate::http::pages::table::page::visible;
use crate::http::pages::table::viewpoint::{LookBack, Place};
use crate::http::problem::Problem;
use crate::tables::audit::check::Finding;
use crate::tables::clock::pace::Pace;
use crate::tables::lifecycle::daily::Sight;
use crate::tables::lifecycle::play_on::Others;
use crate::tables::{CachedTable, Offer, Step, TableOptions, with_names};
use wonderpost_rules::{Level, Refusal, Seat, Suggestion, Viewer};

/// The most open tables that are listed.
const LISTED_TABLES: i64 = 100;

/// `GET /api/v1/tables`: those with free seats.
pub async fn open_tables(app: web::Data<AppState>) -> Answer {
    let rows = retry_transient(|| app.tables.store.open_tables(LISTED_TABLES)).await?;
    let tables = rows.into_iter().map(|row| table_row(row, app.tables.now())).collect();
    Ok(json(&types::Tables { tables, page: None }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenBody {
    game: String,
    seats: Option<u8>,
    #[serde(default)]
    options: serde_json::Map<String, Value>,
    /// A time for each move, from an hour to 14 days; without it and without a bank there is no limit
    #[serde(default)]
    seconds_a_move: Option<u32>,
    #[serde(default)]
    bank: Option<Bank>,
    /// Clocks run in their players' waking hours only
    #[serde(default)]
    nights_off: bool,
    #[serde(default)]
    when_late: WhenLate,
    #[serde(default)]
    private: bool,
    #[serde(default)]
    by_lot: bool,
    #[serde(default)]
    preset_answers: bool,
    #[serde(default)]
    bots: Vec<types::BotLevel>,
}

/// `POST /api/v1/tables`
pub async fn open(app: web::Data<AppState>, body: web::Json<OpenBody>, user: ApiUser, id: NewTableId) -> Answer {
    let player = user.credentials()?.player;
    let body = body.into_inner();
    let game = app.tables.find_game(&body.game)?;
    let pace = Pace {
        seconds_a_move: body.seconds_a_move,
        bank: body.bank.map(Into::into),
        nights_off: body.nights_off,
        when_late: body.when_late.into(),
    };
    let wishes = TableOptions {
        game,
        seats: body.seats.unwrap_or(game.info().seats.0),
        options: Value::Object(body.options),
        pace,
        private: body.private,
        by_lot: body.by_lot,
        preset_answers: body.preset_answers,
        bots: body.bots.into_iter().map(|level| Level::from(level).into()).collect(),
    };
    let table = app.tables.open_as(id.0, &wishes, Some(player)).await?;
    Ok(json(&types::TableId { table: table.to_string() }))
}

/// A table that the user may see whole.
pub(super) async fn whole(app: &AppState, id: &str, user: &ApiUser) -> Result<Arc<CachedTable>, ApiProblem> {
    let cached = visible(app, id, user.player()).await?;
    if app.tables.sight(&cached, user.player()).await? != Sight::Whole {
        return Err(Problem::Refused("A game of today's garden is hidden until you have finished yours.".into()).into());
    }
    Ok(cached)
}

/// `GET /api/v1/tables/{id}`
pub async fn show(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = whole(&app, &id, &user).await?;
    let now = &cached.now;
    let holders = app.tables.holders(cached.id).await?;
    let viewer = cached.viewer(user.player());
    let at = app.tables.now();
    let seats = Seat::all(now.opened.seats).map(|seat| seat_line(now, &holders, seat, at)).collect();
    let play = if now.started() {
        let leaf = app.tables.table_now(&cached, viewer).await?;
        Some(types::Play {
            view: types::View(leaf.now.position.view(viewer)),
            text: with_names(&leaf.now.position.text(viewer), &holders),
            log: log_lines(&leaf.log, &holders),
            winners: now.winners().iter().map(Seat::number).collect(),
            take_back: viewer.seat().map(|seat| taking_back(&leaf, &holders, seat)),
        })
    } else {
        None
    };
    let cuts = now.cuts.iter().map(|cut| types::Cut { seat: cut.seat.number(), word: cut.word.clone() });
    Ok(json(&types::Table {
        id: cached.id.to_string(),
        game: now.opened.game.clone(),
        status: now.status().name(),
        options: now.opened.options.clone(),
        private: now.opened.private,
        seconds_a_move: now.opened.pace.seconds_a_move,
        bank: now.opened.pace.bank.map(Into::into),
        nights_off: now.opened.pace.nights_off,
        when_late: now.opened.pace.when_late.into(),
        paused: now.times.paused,
        pause_until: now.times.pause_until,
        day: now.opened.day,
        promise: now.opened.promise.clone(),
        cuts: cuts.collect(),
        opened_at: now.opened_at,
        moved_at: now.moved_at,
        moves: now.moves_for(viewer),
        state: cached.mark().map(|mark| mark.to_string()),
        seats,
        my_seat: viewer.seat().map(Seat::number),
        play,
    }))
}

#[derive(Deserialize, JsonSchema)]
pub struct From {
    /// A seat, public or all: from whose place to look once the game is over
    #[serde(rename = "as")]
    place: Option<String>,
}

/// `GET /api/v1/tables/{id}/moves/{move}`
pub async fn at_move(
    app: web::Data<AppState>,
    path: web::Path<(String, u32)>,
    query: web::Query<From>,
    user: ApiUser,
) -> Answer {
    let (id, number) = path.into_inner();
    let cached = whole(&app, &id, &user).await?;
    if !cached.now.started() {
        return Err(Problem::NoMove.into());
    }
    let wanted = query.place.as_deref().map(|place| {
        Place::read(place).ok_or_else(|| Problem::Refused("One looks as a seat, as public, or as all.".into()))
    });
    let own = cached.viewer(user.player());
    let LookBack { place, viewers, leaf } =
        LookBack::at(&app.tables, &cached, number, wanted.transpose()?, own).await?;
    let holders = app.tables.holders(cached.id).await?;
    let text = |viewer| with_names(&leaf.now.position.text(viewer), &holders);
    let (name, viewer) = match place {
        Place::All => (types::StepViewer::ALL, Viewer::Public),
        Place::Of(Viewer::Public) => (types::StepViewer::PUBLIC, Viewer::Public),
        Place::Of(Viewer::Seat(seat)) => (types::StepViewer::Seat(seat.number()), Viewer::Seat(seat)),
    };
    let view = |viewer| types::View(leaf.now.position.view(viewer));
    let seen = |viewer: &Viewer| {
        let seat = viewer.seat()?.number();
        Some(types::SeatView { seat, view: view(*viewer), text: text(*viewer) })
    };
    Ok(json(&types::Step {
        number,
        viewer: name,
        at: leaf.at,
        view: view(viewer),
        text: text(viewer),
        views: (place == Place::All).then(|| viewers.iter().filter_map(seen).collect()),
        log: log_lines(&leaf.log, &holders),
    }))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SitBody {
    #[serde(default)]
    cut: String,
}

/// `POST /api/v1/tables/{id}/sit`
pub async fn sit(app: web::Data<AppState>, id: web::Path<String>, body: web::Json<SitBody>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let seat = app.tables.sit(user.credentials()?.player, cached.id, &body.cut).await?;
    Ok(json(&types::Seated { table: cached.id.to_string(), seat: Some(seat.number()) }))
}

/// `POST /api/v1/tables/{id}/stand`
pub async fn stand(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.stand_up(user.credentials()?.player, cached.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SayBody {
    /// How many moves had been made when this was thought out
    step: u32,
    /// The state that the table was shown with. If the database went back in time since, and the table came to as many moves on another
    /// way, nothing is done.
    #[serde(default)]
    state: Option<String>,
    /// A move, or several, a line each
    say: String,
    /// Only shows what it would come to
    #[serde(default)]
    preview: bool,
}

/// `POST /api/v1/tables/{id}/say`
pub async fn say(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<SayBody>,
    user: ApiUser,
    request: HttpRequest,
) -> Answer {
    if body.preview || user.0.is_none() {
        user.confirm(&app, &request).await?;
        return preview(&app, &id, &body, &user).await;
    }
    let mark = body.state.as_deref().map(str::parse).transpose();
    let mark = mark.map_err(|_| Problem::Refused("The state is not one that a table was shown with.".into()))?;
    let (table, step) = (id.parse().map_err(Problem::from)?, Step { moves: body.step, mark });
    let said = app.tables.submit_moves(user.credentials()?, table, step, &body.say).await;
    // Whose token it is was checked with what was stored. Otherwise it is asked now, and whether they may know of the table.
    if !matches!(&said, Ok(said) if !said.is_repeated) {
        user.confirm(&app, &request).await?;
        visible(&app, &id, user.player()).await?;
    }
    let said = said?;
    let refused = |(line, refusal): (String, Refusal)| types::RefusedLine { line, reason: refusal.to_string() };
    Ok(json(&types::SaidOrPreview::Said(types::Said {
        made: said.made,
        refused: said.refused.map(refused),
        kept: said.planned,
        dropped: said.dropped,
        moves: said.moves,
    })))
}

/// What lines would come to.
async fn preview(app: &AppState, id: &str, body: &SayBody, user: &ApiUser) -> Answer {
    let cached = visible(app, id, user.player()).await?;
    user.credentials()?;
    let seat = cached.seat_of(user.player()).ok_or(Problem::NotSeated)?;
    let preview = app.tables.preview(&cached, seat, &body.say)?;
    let holders = app.tables.holders(cached.id).await?;
    let outcome = preview.filter(|preview| preview.is_whole).map(|preview| types::Outcome {
        say: preview.lines,
        log: preview.log.iter().map(|line| with_names(line, &holders)).collect(),
        view: types::View(preview.then.view(Viewer::Seat(seat))),
    });
    let preview = types::Preview { foreseeable: outcome.is_some(), outcome };
    Ok(json(&types::SaidOrPreview::Preview(preview)))
}

/// `GET /api/v1/tables/{id}/answers`: what the user may answer in advance, and has.
pub async fn answers(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    user.credentials()?;
    let seat = cached.seat_of(user.player()).ok_or(Problem::NotSeated)?;
    let offers = app.tables.offers(&cached, seat).await?;
    let answer = |offer: Offer| types::AnswerInAdvance {
        prompt: offer.prompt.prompt,
        title: offer.prompt.title,
        suggestions: offer.prompt.suggestions.into_iter().map(suggestion).collect(),
        lines: offer.lines,
        preset: offer.by_preset,
        trouble: offer.trouble,
    };
    Ok(json(&types::Answers { answers: offers.into_iter().map(answer).collect() }))
}

fn suggestion(suggestion: Suggestion) -> types::Suggestion {
    types::Suggestion { title: suggestion.title, lines: suggestion.lines }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    prompt: String,
    /// In order; none withdraws the answer
    lines: Vec<String>,
}

/// `POST /api/v1/tables/{id}/answers`
pub async fn leave_answer(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<AnswerBody>,
    user: ApiUser,
) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let lines: Vec<&str> = body.lines.iter().map(String::as_str).collect();
    app.tables.leave_answer(user.credentials()?.player, cached.id, &body.prompt, &lines).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/tables/{id}/resign`
pub async fn resign(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.resign(user.credentials()?, cached.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreeBody {
    end: bool,
}

/// `POST /api/v1/tables/{id}/agree`
pub async fn agree(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<AgreeBody>,
    user: ApiUser,
) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.agree_to_end(user.credentials()?, cached.id, body.end).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// `POST /api/v1/tables/{id}/rematch`
pub async fn rematch(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser, new: NewTableId) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let table = app.tables.rematch(user.credentials()?.player, &cached, new.0).await?;
    Ok(json(&types::TableId { table: table.to_string() }))
}

/// `GET /api/v1/tables/{id}/live`
pub async fn live(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser, request: HttpRequest) -> Answer {
    let network = Network::of(&request, app.behind_proxy);
    Ok(follow(app, &id, user.player(), network).await?)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayOnBody {
    /// The seat to play for
    seat: u8,
    /// How well bots play the other seats; without it they are for people
    #[serde(default)]
    bots: Option<types::BotLevel>,
}

/// `POST /api/v1/tables/{id}/moves/{move}/play-on`
pub async fn play_on(
    app: web::Data<AppState>,
    path: web::Path<(String, u32)>,
    body: web::Json<PlayOnBody>,
    user: ApiUser,
) -> Answer {
    let player = user.credentials()?.player;
    let (id, move_no) = path.into_inner();
    let cached = whole(&app, &id, &user).await?;
    let PlayOnBody { seat, bots } = body.into_inner();
    let seat = Seat::new(seat).ok_or_else(|| Problem::Refused("This game has no such seat.".into()))?;
    let others = bots.map_or(Others::People, |level| Others::Bots(level.into()));
    let table = app.tables.play_on(player, &cached, move_no, seat, others).await.map_err(Problem::from)?;
    Ok(json(&types::TableId { table: table.to_string() }))
}

/// `GET /api/v1/tables/{id}/check`
pub async fn check(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = whole(&app, &id, &user).await?;
    let report = app.tables.check(cached.id).await?;
    let finding = |finding: Finding| types::Finding {
        title: finding.title,
        verdict: finding.verdict.into(),
        words: finding.words,
    };
    Ok(json(&types::Report { findings: report.findings.into_iter().map(finding).collect() }))
}

/// `GET /api/v1/tables/{id}/export.jsonl`
pub async fn export(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = whole(&app, &id, &user).await?;
    let file = app.tables.export(&cached, cached.viewer(user.player())).await?;
    Ok(HttpResponse::Ok()
        .content_type("application/jsonl; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"game.jsonl\""))
        .body(file))
}
