//! The API: everything a page can do, as JSON. `openapi.json` describes it; a test holds the two together.

mod caller;
mod house;
mod me;
mod problem;
mod tables;
mod talk;
mod time;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};
use serde::Serialize;

use super::look;
use problem::ApiProblem;

/// The description of the API.
pub const OPENAPI: &str = include_str!("openapi.json");

type Answer = Result<HttpResponse, ApiProblem>;

fn json(body: &impl Serialize) -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(body)
}

pub fn routes(config: &mut web::ServiceConfig) {
    let at = |path: &str| web::resource(path).default_service(web::route().to(problem::no_method));
    config.service(
        web::scope("/api/v1")
            .app_data(web::JsonConfig::default().limit(super::MOST_FORM_BYTES).error_handler(problem::unreadable))
            .app_data(web::QueryConfig::default().error_handler(problem::unreadable_query))
            .app_data(web::PathConfig::default().error_handler(problem::no_path))
            .service(at("/openapi.json").route(look().to(house::openapi)))
            .service(at("/games").route(look().to(house::games)))
            .service(at("/games/{slug}").route(look().to(house::game)))
            .service(at("/archive").route(look().to(house::archive)))
            .service(at("/daily").route(look().to(house::daily)).route(web::post().to(house::play_today)))
            .service(
                at("/me")
                    .route(look().to(me::show))
                    .route(web::patch().to(me::change))
                    .route(web::delete().to(me::delete)),
            )
            .service(at("/me/tables").route(look().to(me::tables)))
            .service(at("/me/next").route(look().to(me::next)))
            .service(at("/me/invitations").route(look().to(me::invitations)))
            .service(at("/me/hours").route(look().to(time::hours)).route(web::put().to(time::declare_hours)))
            .service(at("/me/days-off").route(look().to(time::days_off)).route(web::post().to(time::announce_days_off)))
            .service(at("/me/days-off/{id}").route(web::delete().to(time::end_days_off)))
            .service(at("/me/export").route(look().to(me::export)))
            .service(at("/invitations/{token}").route(look().to(me::invitation)).route(web::post().to(me::answer)))
            .service(at("/tables").route(look().to(tables::open_tables)).route(web::post().to(tables::open)))
            .service(at("/tables/{id}").route(look().to(tables::show)))
            .service(at("/tables/{id}/sit").route(web::post().to(tables::sit)))
            .service(at("/tables/{id}/stand").route(web::post().to(tables::stand)))
            .service(at("/tables/{id}/invite").route(web::post().to(tables::invite)))
            .service(at("/tables/{id}/say").route(web::post().to(tables::say)))
            .service(at("/tables/{id}/resign").route(web::post().to(tables::resign)))
            .service(at("/tables/{id}/agree").route(web::post().to(tables::agree)))
            .service(at("/tables/{id}/pause").route(web::post().to(time::pause)))
            .service(at("/tables/{id}/resume").route(web::post().to(time::resume)))
            .service(at("/tables/{id}/return").route(web::post().to(time::come_back)))
            .service(at("/tables/{id}/go-on").route(web::post().to(time::go_on)))
            .service(at("/tables/{id}/talk").route(look().to(talk::show)).route(web::post().to(talk::write)))
            .service(at("/tables/{id}/note").route(look().to(talk::note)).route(web::put().to(talk::keep_note)))
            .service(at("/tables/{id}/rematch").route(web::post().to(tables::rematch)))
            .service(at("/tables/{id}/moves/{move}").route(look().to(tables::at_move)))
            .service(at("/tables/{id}/check").route(look().to(tables::check)))
            .service(at("/tables/{id}/export.jsonl").route(look().to(tables::export)))
            .default_service(web::route().to(problem::no_page)),
    );
}
