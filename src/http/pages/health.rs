//! For those who watch over the service.

use actix_web::dev::RequestHead;
use actix_web::http::header::{AUTHORIZATION, CACHE_CONTROL, ContentType, RETRY_AFTER};
use actix_web::{HttpResponse, web};
use subtle::ConstantTimeEq;

use crate::app::metrics::OutboxState;
use crate::http::AppState;
use crate::http::extract::network::is_from_this_machine;

/// `GET /healthz`: the process is there.
pub async fn alive() -> HttpResponse {
    plain(HttpResponse::Ok().content_type(ContentType::plaintext()).body("alive\n"))
}

/// `GET /readyz`: the process is there and not about to stop, and its database answers and takes what is written.
pub async fn ready(app: web::Data<AppState>) -> HttpResponse {
    if app.shutdown.has_begun() {
        return plain(HttpResponse::ServiceUnavailable().content_type(ContentType::plaintext()).body("stopping\n"));
    }
    plain(match app.tables.store.check_health().await {
        Ok(()) => HttpResponse::Ok().content_type(ContentType::plaintext()).body("ready\n"),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            let sentence = if error.is_of_writing() {
                "the database takes nothing that is written\n"
            } else {
                "the database does not answer\n"
            };
            HttpResponse::ServiceUnavailable()
                .content_type(ContentType::plaintext())
                .insert_header((RETRY_AFTER, crate::http::problem::RETRY_SECONDS))
                .body(sentence)
        }
    })
}

impl AppState {
    /// Whether whoever asks may see the figures: on this machine, or with the token of the host.
    pub(crate) fn shows_metrics(&self, head: &RequestHead) -> bool {
        let given = head.headers().get(AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        let has_token = match (&self.metrics_token, given) {
            (Some(token), Some(given)) => token.as_bytes().ct_eq(given).into(),
            _ => false,
        };
        has_token || is_from_this_machine(head)
    }
}

/// `GET /metrics`: figures as Prometheus reads them.
pub async fn metrics(app: web::Data<AppState>) -> HttpResponse {
    let (store, metrics) = (&app.tables.store, &app.tables.metrics);
    // Figures are to be had though the database is not.
    if let Ok(figures) = store.outbox_figures().await {
        let age = figures.oldest.and_then(|oldest| (app.tables.now() - oldest).to_std().ok()).unwrap_or_default();
        metrics.outbox(&OutboxState { waiting: figures.waiting, dead: figures.dead, age });
    }
    let figures = metrics.write(store.connections());
    plain(HttpResponse::Ok().content_type("application/openmetrics-text; version=1.0.0; charset=utf-8").body(figures))
}

fn plain(mut answer: HttpResponse) -> HttpResponse {
    answer.headers_mut().insert(CACHE_CONTROL, actix_web::http::header::HeaderValue::from_static("no-store"));
    answer
}
