//! Every request gets a name, a line in the log and a place in the figures.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;
use tracing::Instrument;

use crate::db::statement_count::counted;
use crate::http::AppState;

tokio::task_local! {
    static REQUEST_ID: String;
}

/// The name of the request that is being answered.
pub fn request_id() -> String {
    REQUEST_ID.try_with(String::clone).unwrap_or_default()
}

/// Lets work that goes on by itself belong to the request that is being answered.
pub fn in_same_request<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    REQUEST_ID.scope(request_id(), work)
}

fn fresh_id() -> String {
    data_encoding::HEXLOWER.encode(&rand::random::<[u8; 8]>())
}

/// Middleware: names the request, logs it and counts it. Addresses, cookies and what was said stay out of the log.
pub async fn observe(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let started = Instant::now();
    let id = fresh_id();
    let app = request.app_data::<web::Data<AppState>>().cloned();
    let method = request.method().clone();
    let span = tracing::info_span!("request", id, %method, route = tracing::field::Empty);
    let answering = REQUEST_ID.scope(id.clone(), next.call(request).instrument(span.clone()));
    let (answer, statements) = counted(answering).await;
    let mut answer = answer?;
    let route = answer.request().match_pattern().unwrap_or_else(|| "none".to_owned());
    let status = answer.status().as_u16();
    let time = started.elapsed();
    span.record("route", &route);
    span.in_scope(|| tracing::info!(status, statements, micros = time.as_micros() as u64, "answered"));
    if let Some(app) = app {
        app.tables.metrics.answered(&route, status, time);
        if app.shutdown.has_begun() {
            answer.response_mut().head_mut().set_connection_type(ConnectionType::Close);
        }
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        answer.headers_mut().insert(HeaderName::from_static("x-request-id"), value);
    }
    Ok(answer)
}
