//! For those who watch over the service.

use actix_web::http::header::{CACHE_CONTROL, ContentType};
use actix_web::{HttpResponse, web};

use super::House;
use crate::metrics::OutboxState;

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
    let (store, metrics) = (&house.tables.store, &house.tables.metrics);
    // Figures are to be had though the database is not.
    if let Ok(figures) = store.outbox_figures().await {
        let age = figures.oldest.and_then(|oldest| (house.tables.now() - oldest).to_std().ok()).unwrap_or_default();
        metrics.outbox(&OutboxState { waiting: figures.waiting, dead: figures.dead, age });
    }
    let figures = metrics.write(store.connections());
    plain(HttpResponse::Ok().content_type("application/openmetrics-text; version=1.0.0; charset=utf-8").body(figures))
}

fn plain(mut answer: HttpResponse) -> HttpResponse {
    answer.headers_mut().insert(CACHE_CONTROL, actix_web::http::header::HeaderValue::from_static("no-store"));
    answer
}
