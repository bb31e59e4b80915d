//! Tables: open, sit down, look, move, leave.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::{HttpRequest, HttpResponse, web};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::db::retry_transient;
use crate::db::tables::lists::TableRow;
use crate::http::AppState;
use crate::http::api::idempotency::NewTableId;
use crate::http::api::problem::ApiProblem;
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::extract::network::Network;
use crate::http::pages::table::live::follow;
use crate::http::pages::table::page::visible;
use crate::http::pages::table::viewpoint::{LookBack, Place};
use crate::http::problem::Problem;
use crate::http::render::in_words;
use crate::tables::audit::check::Verdict;
use crate::tables::clock::pace::{Bank, Pace, WhenLate};
use crate::tables::lifecycle::daily::Sight;
use crate::tables::{
    CachedTable, Holder, LoggedMove, Step, TableId, TableOptions, awaited_in_list, names_in_list, with_names,
};
use wonderpost_rules::{Level, Seat, Viewer};

/// The most open tables that are listed.
const LISTED_TABLES: i64 = 100;

/// A table as lists show it at this time.
pub fn table_row(row: TableRow, at: DateTime<Utc>) -> Value {
    let names: Vec<String> = names_in_list(&row).into_iter().map(|(_, name)| name).collect();
    json!({
        "id": TableId(row.id).to_string(), "game": row.game, "status": row.status, "seats": row.seats, "private": row.private,
        "moves": row.moves, "names": names, "awaited": awaited_in_list(&row), "waits_for_me": row.waits_for_me,
        "deadline": row.deadline, "deadline_in": row.deadline.map(|deadline| in_words(deadline - at)),
        "opened_at": row.opened_at, "moved_at": row.moved_at, "day": row.day,
    })
}

/// `GET /api/v1/tables`: those with free seats.
pub async fn open_tables(app: web::Data<AppState>) -> Answer {
    let rows = retry_transient(|| app.tables.store.open_tables(LISTED_TABLES)).await?;
    let tables: Vec<Value> = rows.into_iter().map(|row| table_row(row, app.tables.now())).collect();
    Ok(json(&json!({"tables": tables})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenBody {
    game: String,
    seats: Option<u8>,
    #[serde(default)]
    options: serde_json::Map<String, Value>,
    #[serde(default)]
    seconds_a_move: Option<u32>,
    #[serde(default)]
    bank: Option<Bank>,
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
    bots: Vec<Level>,
}

/// `POST /api/v1/tables`
pub async fn open(app: web::Data<AppState>, body: web::Json<OpenBody>, user: ApiUser, id: NewTableId) -> Answer {
    let player = user.credentials()?.player;
    let body = body.into_inner();
    let game = app.tables.find_game(&body.game)?;
    let pace = Pace {
        seconds_a_move: body.seconds_a_move,
        bank: body.bank,
        nights_off: body.nights_off,
        when_late: body.when_late,
    };
    let wishes = TableOptions {
        game,
        seats: body.seats.unwrap_or(game.info().seats.0),
        options: Value::Object(body.options),
        pace,
        private: body.private,
        by_lot: body.by_lot,
        preset_answers: body.preset_answers,
        bots: body.bots,
    };
    let table = app.tables.open_as(id.0, &wishes, Some(player)).await?;
    Ok(json(&json!({"table": table.to_string()})))
}

/// A table that the user may see whole.
async fn whole(app: &AppState, id: &str, user: &ApiUser) -> Result<Arc<CachedTable>, ApiProblem> {
    let cached = visible(app, id, user.player()).await?;
    if app.tables.sight(&cached, user.player()).await? != Sight::Whole {
        return Err(Problem::Refused("A game of today's garden is hidden until you have finished yours.".into()).into());
    }
    Ok(cached)
}

fn log_lines(log: Vec<LoggedMove>, holders: &[Holder]) -> Vec<Value> {
    log.into_iter()
        .map(|entry| {
            let lines: Vec<String> = entry.lines.iter().map(|line| with_names(line, holders)).collect();
            json!({"move": entry.number, "seat": entry.seat, "at": entry.at, "lines": lines})
        })
        .collect()
}

/// `GET /api/v1/tables/{id}`
pub async fn show(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = whole(&app, &id, &user).await?;
    let now = &cached.now;
    let holders = app.tables.holders(cached.id).await?;
    let viewer = cached.viewer(user.player());
    let at = app.tables.now();
    let seats: Vec<Value> = Seat::all(now.opened.seats)
        .map(|seat| {
            let holder = holders.iter().find(|holder| holder.seat == seat);
            json!({
                "seat": seat, "name": holder.map(|holder| &holder.name), "bot": now.bots.iter().any(|(bot, _)| *bot == seat),
                "resigned": now.resigned.contains(seat), "agrees_to_end": now.agreed.contains(seat),
                "awaited_since": now.clocks[seat.index()].since, "deadline": now.deadline_of(seat),
                "deadline_in": now.deadline_of(seat).map(|deadline| in_words(deadline - at)),
                "away_until": now.times.away_at(seat, at).map(|away| away.until),
                "kept_by_bot": now.times.kept.contains(seat), "misses": now.clocks[seat.index()].misses,
                "agrees_to_pause": now.times.pausing.contains(seat),
            })
        })
        .collect();
    let mut body = json!({
        "id": cached.id.to_string(), "game": now.opened.game, "status": now.status().name(), "options": now.opened.options,
        "private": now.opened.private, "seconds_a_move": now.opened.pace.seconds_a_move, "bank": now.opened.pace.bank,
        "nights_off": now.opened.pace.nights_off, "when_late": now.opened.pace.when_late,
        "paused": now.times.paused, "pause_until": now.times.pause_until, "day": now.opened.day,
        "promise": now.opened.promise, "cuts": now.cuts, "opened_at": now.opened_at, "moved_at": now.moved_at,
        "moves": now.moves_for(viewer), "state": cached.mark().map(|mark| mark.to_string()), "seats": seats, "my_seat": viewer.seat(),
    });
    if now.started() {
        let leaf = app.tables.table_now(&cached, viewer).await?;
        body["view"] = leaf.now.position.view(viewer);
        body["text"] = with_names(&leaf.now.position.text(viewer), &holders).into();
        body["log"] = log_lines(leaf.log, &holders).into();
        body["winners"] = json!(now.winners());
    }
    Ok(json(&body))
}

#[derive(Deserialize)]
pub struct From {
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
        Place::All => (json!("all"), Viewer::Public),
        Place::Of(Viewer::Public) => (json!("public"), Viewer::Public),
        Place::Of(Viewer::Seat(seat)) => (json!(seat), Viewer::Seat(seat)),
    };
    let mut body = json!({
        "move": number, "viewer": name, "at": leaf.at, "view": leaf.now.position.view(viewer), "text": text(viewer),
    });
    if place == Place::All {
        let views = viewers.iter().map(
            |viewer| json!({"seat": viewer.seat(), "view": leaf.now.position.view(*viewer), "text": text(*viewer)}),
        );
        body["views"] = views.collect();
    }
    body["log"] = log_lines(leaf.log, &holders).into();
    Ok(json(&body))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SitBody {
    #[serde(default)]
    cut: String,
}

/// `POST /api/v1/tables/{id}/sit`
pub async fn sit(app: web::Data<AppState>, id: web::Path<String>, body: web::Json<SitBody>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let seat = app.tables.sit(user.credentials()?.player, cached.id, &body.cut).await?;
    Ok(json(&json!({"table": cached.id.to_string(), "seat": seat})))
}

/// `POST /api/v1/tables/{id}/stand`
pub async fn stand(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    app.tables.stand_up(user.credentials()?.player, cached.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InviteBody {
    address: String,
}

/// `POST /api/v1/tables/{id}/invite`
pub async fn invite(
    app: web::Data<AppState>,
    id: web::Path<String>,
    body: web::Json<InviteBody>,
    request: HttpRequest,
    user: ApiUser,
) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let player = user.credentials()?.player;
    let network = Network::of(&request, app.behind_proxy).to_string();
    app.players.invite(player, &cached, &body.address, network).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SayBody {
    /// How many moves had been made when this was thought out.
    step: u32,
    /// The state of the table at which it was, as the table was shown with.
    #[serde(default)]
    state: Option<String>,
    /// A move, or several, a line each.
    say: String,
    /// Only shows what it would come to.
    #[serde(default)]
    preview: bool,
}

/// `POST /api/v1/tables/{id}/say`
pub async fn say(app: web::Data<AppState>, id: web::Path<String>, body: web::Json<SayBody>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    let credentials = user.credentials()?;
    if body.preview {
        let seat = cached.seat_of(user.player()).ok_or(Problem::NotSeated)?;
        let preview = app.tables.preview(&cached, seat, &body.say)?;
        let holders = app.tables.holders(cached.id).await?;
        return Ok(json(&match preview {
            None => json!({"foreseeable": false}),
            Some(preview) => {
                let log: Vec<String> = preview.log.iter().map(|line| with_names(line, &holders)).collect();
                json!({"foreseeable": true, "say": preview.lines, "log": log, "view": preview.then.view(Viewer::Seat(seat))})
            }
        }));
    }
    let mark = body.state.as_deref().map(str::parse).transpose();
    let mark = mark.map_err(|_| Problem::Refused("The state is not one that a table was shown with.".into()))?;
    let said = app.tables.submit_moves(credentials, cached.id, Step { moves: body.step, mark }, &body.say).await?;
    let refused = said.refused.map(|(line, refusal)| json!({"line": line, "reason": refusal.to_string()}));
    Ok(json(
        &json!({"made": said.made, "refused": refused, "kept": said.planned, "dropped": said.dropped, "moves": said.moves}),
    ))
}

/// `GET /api/v1/tables/{id}/answers`: what the user may answer in advance, and has.
pub async fn answers(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = visible(&app, &id, user.player()).await?;
    user.credentials()?;
    let seat = cached.seat_of(user.player()).ok_or(Problem::NotSeated)?;
    let offers = app.tables.offers(&cached, seat).await?;
    let answers: Vec<Value> = offers
        .iter()
        .map(|offer| {
            let suggestions: Vec<Value> = offer
                .prompt
                .suggestions
                .iter()
                .map(|suggestion| json!({"title": suggestion.title, "lines": suggestion.lines}))
                .collect();
            json!({
                "prompt": offer.prompt.prompt, "title": offer.prompt.title, "suggestions": suggestions, "lines": offer.lines,
                "preset": offer.by_preset, "trouble": offer.trouble,
            })
        })
        .collect();
    Ok(json(&json!({"answers": answers})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerBody {
    prompt: String,
    /// In order; none withdraws the answer.
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

#[derive(Deserialize)]
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
    Ok(json(&json!({"table": table.to_string()})))
}

/// `GET /api/v1/tables/{id}/live`
pub async fn live(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser, request: HttpRequest) -> Answer {
    let network = Network::of(&request, app.behind_proxy);
    Ok(follow(app, &id, user.player(), network).await?)
}

/// `GET /api/v1/tables/{id}/check`
pub async fn check(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = whole(&app, &id, &user).await?;
    let report = app.tables.check(cached.id).await?;
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let verdict = match finding.verdict {
                Verdict::Holds => "holds",
                Verdict::Fails => "fails",
                Verdict::NotYet => "not-yet",
            };
            json!({"title": finding.title, "verdict": verdict, "words": finding.words})
        })
        .collect();
    Ok(json(&json!({"findings": findings})))
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
