//! The host's console. To everybody but the hosts it does not exist.

mod announcements;
mod figures;
mod letters;
mod log;
mod players;
mod plot;
mod reports;
mod tables;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::{self, Next};
use actix_web::{ResponseError, web};

use crate::http::AppState;
use crate::http::extract::session::token_digest;
use crate::http::problem::Problem;
use crate::http::route::Route;

pub fn routes(config: &mut web::ServiceConfig) {
    // A wrong method tells no more than a wrong address.
    let room = |path: &str| Route::new(path, |_| Problem::NoPage.error_response());
    config.service(
        web::scope("/host")
            .wrap(middleware::from_fn(only_hosts))
            .service(room("").get(figures::show))
            .service(room("/letters").get(letters::show).post(letters::try_again))
            .service(room("/players").get(players::list))
            .service(room("/players/{player}").get(players::show))
            .service(room("/players/{player}/suspend").post(players::suspend))
            .service(room("/players/{player}/lift").post(players::lift))
            .service(room("/players/{player}/rename").post(players::rename))
            .service(room("/tables").get(tables::list))
            .service(room("/tables/{id}").get(tables::show))
            .service(room("/tables/{id}/close").post(tables::close))
            .service(room("/reports").get(reports::show))
            .service(room("/reports/{talk}/remove").post(reports::remove))
            .service(room("/reports/{talk}/dismiss").post(reports::dismiss))
            .service(room("/announcements").get(announcements::show).post(announcements::announce))
            .service(room("/announcements/{announcement}/end").post(announcements::end))
            .service(room("/log").get(log::show))
            .default_service(web::route().to(crate::http::routes::no_page)),
    );
}

/// Middleware: answers everybody else as any unknown address does, before anything of the request is looked at.
async fn only_hosts(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    match is_host(&request).await {
        Ok(true) => next.call(request).await.map(ServiceResponse::map_into_left_body),
        Ok(false) => Ok(request.into_response(Problem::NoPage.error_response()).map_into_right_body()),
        Err(problem) => Ok(request.into_response(problem.error_response()).map_into_right_body()),
    }
}

async fn is_host(request: &ServiceRequest) -> Result<bool, Problem> {
    let (Some(app), Some(digest)) = (request.app_data::<web::Data<AppState>>(), token_digest(request.request())) else {
        return Ok(false);
    };
    let account = app.players.account(&digest).await?;
    Ok(account.is_some_and(|(account, _)| account.is_host))
}
