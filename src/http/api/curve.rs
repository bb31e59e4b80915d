//! The curve of a finished game: ask for it, and look at it.

use actix_web::{HttpResponse, web};

use crate::http::AppState;
use crate::http::api::tables::whole;
use crate::http::api::types::curve as types;
use crate::http::api::{Answer, json};
use crate::http::extract::api_user::ApiUser;
use crate::http::problem::Problem;
use crate::tables::analysis::{Analysis, Curve, Estimate, Point, TurningPoint};
use crate::tables::{Holder, with_names};
use wonderpost_rules::Seat;

/// `GET /api/v1/tables/{id}/curve`
pub async fn show(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let cached = whole(&app, &id, &user).await?;
    app.tables.may_analyse(&cached.now).map_err(Problem::from)?;
    let holders = app.tables.holders(cached.id).await?;
    let own = cached.seat_of(user.player());
    let (state, progress, curve) = match app.tables.analysis(&cached).await? {
        Analysis::NotAsked => (types::Progress::NotAsked, 0.0, None),
        Analysis::Waiting { progress, .. } => (types::Progress::Waiting, progress, None),
        Analysis::Failed => (types::Progress::Failed, 1.0, None),
        Analysis::Done(curve) => (types::Progress::Done, 1.0, Some(written(&curve, own, &holders))),
    };
    Ok(json(&types::CurveState { state, progress, curve }))
}

/// `POST /api/v1/tables/{id}/curve`
pub async fn ask(app: web::Data<AppState>, id: web::Path<String>, user: ApiUser) -> Answer {
    let player = user.credentials()?.player;
    let cached = whole(&app, &id, &user).await?;
    app.tables.ask_for_analysis(&cached, &player.to_string()).await.map_err(Problem::from)?;
    Ok(HttpResponse::NoContent().finish())
}

fn estimate(estimate: &Estimate) -> types::Estimate {
    types::Estimate { chance: estimate.chance, margin: estimate.margin }
}

/// A curve as its viewer may see it: what a seat could have known is told to its holder alone.
fn written(curve: &Curve, own: Option<Seat>, holders: &[Holder]) -> types::Curve {
    let point = |point: &Point| types::Point {
        move_no: point.move_no,
        chances: point.chances.iter().map(estimate).collect(),
        known: own.and_then(|own| point.known.get(own.index())?.as_ref().map(estimate)),
        best: point.best,
    };
    let turning_point = |turn: &TurningPoint| types::TurningPoint {
        move_no: turn.move_no,
        mover: turn.mover.map(Seat::number),
        seat: turn.seat.number(),
        from: turn.from,
        to: turn.to,
        better: turn.better.as_ref().map(|better| types::Better {
            say: better.line.clone(),
            words: with_names(&better.words, holders),
            chance: better.chance,
            made: better.made,
        }),
    };
    types::Curve {
        bots: curve.level.title(),
        playouts: curve.playouts,
        points: curve.points.iter().map(point).collect(),
        turning_points: curve.turning_points.iter().map(turning_point).collect(),
    }
}
