//! Clients that speak HTTP/1.0 know no chunks (RFC 9112, section 7.1): they get an answer whole, with its length.

use actix_web::body::{MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_TYPE, HeaderMap};
use actix_web::http::{ConnectionType, Version};
use actix_web::middleware::Next;

use crate::http::problem::Problem;

/// Middleware around all that change the body: sends an old client no chunks.
pub async fn without_chunks(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let is_old = request.version() < Version::HTTP_11;
    let mut answer = next.call(request).await?;
    if !is_old {
        return Ok(answer.map_into_left_body());
    }
    if is_endless(answer.headers()) {
        // The end of the connection is the end of the stream.
        let head = answer.response_mut().head_mut();
        head.no_chunking(true);
        head.set_connection_type(ConnectionType::Close);
        return Ok(answer.map_into_left_body());
    }
    let (request, answer) = answer.into_parts();
    let (head, body) = answer.into_parts();
    let body = to_bytes(body).await.map_err(|error| Problem::Internal(error.into().to_string()))?;
    Ok(ServiceResponse::new(request, head.set_body(body)).map_into_right_body())
}

/// Whether an answer goes on as long as somebody listens.
pub(crate) fn is_endless(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream")
}
