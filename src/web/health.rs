//! For those who watch over the service.

use actix_web::http::header::{CACHE_CONTROL, ContentType};
use actix_web::{HttpResponse, web};

use super::House;

/// `GET /healthz`: the process is there.
pub async fn alive() -> HttpResponse {
    plain(HttpResponse::Ok().content_type(ContentType::plaintext()).body("alive\n"))
}

/// `GET /readyz`: the process and its database are there.
pub async fn ready(house: web::Data<House>) -> HttpResponse {
    plain(match house.tables.store.ping().await {
        Ok(()) => HttpResponse::Ok().content_type(ContentType::plaintext()).body("ready\n"),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            HttpResponse::ServiceUnavailable()
                .content_type(ContentType::plaintext())
                .body("the database does not answer\n")
        }
    })
}

/// `GET /metrics`: figures as Prometheus reads them.
pub async fn metrics(house: web::Data<House>) -> HttpResponse {
    let figures = house.tables.metrics.write(house.tables.store.connections());
    plain(HttpResponse::Ok().content_type("application/openmetrics-text; version=1.0.0; charset=utf-8").body(figures))
}

fn plain(mut answer: HttpResponse) -> HttpResponse {
    answer.headers_mut().insert(CACHE_CONTROL, actix_web::http::header::HeaderValue::from_static("no-store"));
    answer
}
