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

use super::House;
use super::door::Door;
use super::problem::Problem;
use super::session::token_digest;
use crate::store::patiently;

pub fn routes(config: &mut web::ServiceConfig) {
    // A wrong method tells no more than a wrong address.
    let room = |path: &str| Door::new(path, |_| Problem::NoPage.error_response());
    config.service(
        web::scope("/host")
            .wrap(middleware::from_fn(only_hosts))
            .service(room("").look(figures::show))
            .service(room("/letters").look(letters::show).post(letters::try_again))
            .service(room("/players").look(players::list))
            .service(room("/players/{player}").look(players::show))
            .service(room("/players/{player}/suspend").post(players::suspend))
            .service(room("/players/{player}/lift").post(players::lift))
            .service(room("/players/{player}/rename").post(players::rename))
            .service(room("/tables").look(tables::list))
            .service(room("/tables/{id}").look(tables::show))
            .service(room("/tables/{id}/close").post(tables::close))
            .service(room("/reports").look(reports::show))
            .service(room("/reports/{talk}/remove").post(reports::remove))
            .service(room("/reports/{talk}/dismiss").post(reports::dismiss))
            .service(room("/announcements").look(announcements::show).post(announcements::announce))
            .service(room("/announcements/{announcement}/end").post(announcements::end))
            .service(room("/log").look(log::show))
            .default_service(web::route().to(super::no_page)),
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
    let (Some(house), Some(digest)) = (request.app_data::<web::Data<House>>(), token_digest(request.request())) else {
        return Ok(false);
    };
    let session = patiently(|| house.tables.store.session(&digest)).await?;
    Ok(session.is_some_and(|session| house.hosts.has(session.email.as_deref())))
}
