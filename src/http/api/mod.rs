//! The API: everything a page can do, as JSON. Its description is derived from the types of requests and answers.

mod authentication;
mod catalogue;
mod curve;
mod document;
mod idempotency;
mod invitations;
mod letters;
mod me;
mod players;
mod problem;
mod rate;
mod table_lines;
mod tables;
mod talk;
mod time;
mod types;
mod undo;
mod ways;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, ResponseError, middleware, web};
use serde::Serialize;

use crate::http::problem::Problem;
use crate::http::route::Route;
pub use document::OPENAPI;
pub(crate) use idempotency::IDEMPOTENCY_KEY;
pub(crate) use problem::ApiProblem;
pub(crate) use rate::ApiRate;

type Answer = Result<HttpResponse, ApiProblem>;

fn json(body: &impl Serialize) -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(body)
}

pub fn routes(config: &mut web::ServiceConfig) {
    let at = |path: &str| Route::new(path, |takes| ApiProblem(Problem::NoMethod(takes)).error_response());
    config.service(
        web::scope("/api/v1")
            .wrap(middleware::from_fn(idempotency::once))
            .wrap(middleware::from_fn(authentication::authenticate))
            .app_data(
                web::JsonConfig::default()
                    .limit(crate::http::server::MOST_FORM_BYTES)
                    .error_handler(problem::unreadable),
            )
            .app_data(web::QueryConfig::default().error_handler(problem::unreadable_query))
            .app_data(web::PathConfig::default().error_handler(problem::no_path))
            .service(at("/openapi.json").get(catalogue::openapi))
            .service(at("/games").get(catalogue::games))
            .service(at("/games/{slug}").get(catalogue::game))
            .service(at("/archive").get(catalogue::archive))
            .service(at("/players/{who}").get(players::show))
            .service(at("/daily").get(catalogue::daily).post(catalogue::play_today))
            .service(at("/me").get(me::show).patch(me::change).delete(me::delete))
            .service(at("/me/tables").get(me::tables))
            .service(at("/me/next").get(me::next))
            .service(at("/me/invitations").get(me::invitations))
            .service(at("/me/hours").get(time::hours).put(time::declare_hours))
            .service(at("/me/letters").get(letters::show).put(letters::keep))
            .service(at("/me/days-off").get(time::days_off).post(time::announce_days_off))
            .service(at("/me/days-off/{id}").delete(time::end_days_off))
            .service(at("/me/export").get(me::export))
            .service(at("/invitations/{token}").get(me::invitation).post(me::answer))
            .service(at("/tables").get(tables::open_tables).post(tables::open))
            .service(at("/tables/{id}").get(tables::show))
            .service(at("/tables/{id}/sit").post(tables::sit))
            .service(at("/tables/{id}/stand").post(tables::stand))
            .service(at("/tables/{id}/invite").post(invitations::invite))
            .service(at("/tables/{id}/invitations").get(invitations::invited))
            .service(at("/tables/{id}/invitations/{invitation}").delete(invitations::withdraw))
            .service(at("/tables/{id}/bots").post(invitations::seat_bot))
            .service(at("/tables/{id}/say").post(tables::say))
            .service(at("/tables/{id}/undo").post(undo::undo))
            .service(at("/tables/{id}/take-back").post(undo::take_back))
            .service(at("/tables/{id}/resign").post(tables::resign))
            .service(at("/tables/{id}/answers").get(tables::answers).post(tables::leave_answer))
            .service(at("/tables/{id}/agree").post(tables::agree))
            .service(at("/tables/{id}/pause").post(time::pause))
            .service(at("/tables/{id}/resume").post(time::resume))
            .service(at("/tables/{id}/return").post(time::come_back))
            .service(at("/tables/{id}/go-on").post(time::go_on))
            .service(at("/tables/{id}/talk").get(talk::show).post(talk::write))
            .service(at("/tables/{id}/talk/{talk}/report").post(talk::report))
            .service(at("/tables/{id}/talk/{talk}/mute").post(talk::mute))
            .service(at("/me/mutes").get(talk::mutes))
            .service(at("/me/mutes/{mute}").delete(talk::unmute))
            .service(at("/tables/{id}/note").get(talk::note).put(talk::keep_note))
            .service(at("/tables/{id}/letters").get(letters::show_of_table).put(letters::keep_of_table))
            .service(at("/tables/{id}/rematch").post(tables::rematch))
            .service(at("/tables/{id}/moves/{move}").get(tables::at_move))
            .service(at("/tables/{id}/moves/{move}/play-on").post(tables::play_on))
            .service(at("/tables/{id}/curve").get(curve::show).post(curve::ask))
            .service(at("/tables/{id}/check").get(tables::check))
            .service(at("/tables/{id}/export.jsonl").get(tables::export))
            .service(at("/daily/{day}").get(catalogue::daily_of))
            .service(at("/me/address").post(me::change_address))
            .service(at("/me/confirm").post(me::ask_to_confirm).put(me::confirm))
            .service(at("/me/sessions").delete(me::sign_out_everywhere))
            .service(at("/me/devices").get(me::devices))
            .service(at("/me/devices/{device}").delete(me::remove_device))
            .service(at("/me/feeds").get(ways::feeds).post(ways::renew_feeds).delete(ways::end_feeds))
            .service(at("/me/webhooks").get(ways::webhooks).put(ways::add_webhook))
            .service(at("/me/webhooks/{webhook}").delete(ways::remove_webhook))
            .service(at("/me/webhooks/{webhook}/try-again").post(ways::try_webhook_again))
            .service(at("/tables/{id}/webhook").put(ways::add_webhook_of_table))
            .service(at("/me/tokens").get(me::tokens).post(me::make_token))
            .service(at("/me/tokens/{token}").delete(me::revoke_token))
            .service(at("/tables/{id}/live").get(tables::live))
            .default_service(web::route().to(problem::no_page)),
    );
}
