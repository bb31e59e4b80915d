//! Compresses answers. They are at hand whole, so they are compressed at once and go out in one piece, with their length.

use std::io::Write;

use actix_web::body::{BodySize, MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, VARY};
use actix_web::middleware::Next;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::http::problem::Problem;

/// Less than this fits into one packet anyway.
const WORTHWHILE: u64 = 1_000;

/// How hard answers are compressed: a page of a table is a fifth smaller than with the quickest level, and takes as long as with the
/// quickest of encoders that are not as good.
const LEVEL: Compression = Compression::new(4);

/// Middleware: compresses what is text for those who take it.
pub async fn compress(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let takes_gzip = takes_gzip(request.headers());
    let mut answer = next.call(request).await?;
    if !is_worth_it(&answer) {
        return Ok(answer.map_into_left_body());
    }
    if !answer.headers().get_all(VARY).any(|value| value == "accept-encoding") {
        answer.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    }
    if !takes_gzip {
        return Ok(answer.map_into_left_body());
    }
    let (request, answer) = answer.into_parts();
    let (mut head, body) = answer.into_parts();
    let body = to_bytes(body).await.map_err(|error| Problem::Internal(error.into().to_string()))?;
    let body = match gzip(&body, LEVEL) {
        Some(compressed) => {
            head.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            compressed.into()
        }
        None => body,
    };
    Ok(ServiceResponse::new(request, head.set_body(body)).map_into_right_body())
}

/// Whether an answer is text that ends, is not compressed yet, and is long enough.
fn is_worth_it(answer: &ServiceResponse<impl MessageBody>) -> bool {
    let headers = answer.headers();
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_long = matches!(answer.response().body().size(), BodySize::Sized(bytes) if bytes >= WORTHWHILE);
    is_long && is_text(kind) && !headers.contains_key(CONTENT_ENCODING)
}

/// Whether content of a type is text, which compression makes much smaller.
pub fn is_text(content_type: &str) -> bool {
    let texts =
        ["text/", "image/svg", "application/json", "application/manifest", "application/xml", "application/x-ndjson"];
    texts.iter().any(|kind| content_type.starts_with(kind)) || content_type.contains("+json")
}

/// Whether whoever asks takes what is compressed so.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|encoding| {
        let (name, quality) = encoding.split_once(';').unwrap_or((encoding, ""));
        name.trim().eq_ignore_ascii_case("gzip") && !matches!(quality.trim(), "q=0" | "q=0.0")
    })
}

/// Bytes compressed as gzip has it.
pub fn gzip(bytes: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), level);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use actix_web::http::header::CONTENT_LENGTH;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, call_service, init_service, read_body};
    use actix_web::{App, HttpResponse, web};
    use flate2::read::GzDecoder;

    use super::*;

    fn long() -> String {
        "Off with their heads! ".repeat(100)
    }

    async fn answered(path: &str, accepted: &str) -> (Option<String>, bool, Vec<u8>) {
        let page = || async { HttpResponse::Ok().content_type("text/html; charset=utf-8").body(long()) };
        let short = || async { HttpResponse::Ok().content_type("text/html").body("short") };
        let picture = || async { HttpResponse::Ok().content_type("image/png").body(long()) };
        let app = App::new().wrap(from_fn(compress)).route("/", web::get().to(page));
        let app = app.route("/short", web::get().to(short)).route("/picture", web::get().to(picture));
        let app = init_service(app).await;
        let request = TestRequest::with_uri(path).insert_header((ACCEPT_ENCODING, accepted)).to_request();
        let answer = call_service(&app, request).await;
        let encoding = answer.headers().get(CONTENT_ENCODING).map(|value| value.to_str().unwrap().to_owned());
        assert!(!answer.headers().contains_key(CONTENT_LENGTH), "the length is the server's to tell");
        let varies = answer.headers().contains_key(VARY);
        (encoding, varies, read_body(answer).await.to_vec())
    }

    #[actix_web::test]
    async fn a_page_is_compressed_for_those_who_take_it() {
        let (encoding, varies, body) = answered("/", "br, gzip;q=0.8").await;
        assert_eq!((encoding.as_deref(), varies), (Some("gzip"), true));
        let mut text = String::new();
        GzDecoder::new(&body[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, long());
        for accepted in ["", "br", "gzip;q=0"] {
            assert_eq!(answered("/", accepted).await, (None, true, long().into_bytes()), "{accepted}");
        }
    }

    #[actix_web::test]
    async fn what_is_short_or_no_text_goes_as_it_is() {
        assert_eq!(answered("/short", "gzip").await, (None, false, b"short".to_vec()));
        assert_eq!(answered("/picture", "gzip").await, (None, false, long().into_bytes()));
    }
}
