//! Stylesheet, script and icon: compiled in, named after their content, cached for ever.

use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpResponse, web};
use sha2::{Digest, Sha256};

use crate::http::problem::Problem;

struct Asset {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
    url: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    vec![
        asset("style.css", "text/css; charset=utf-8", stylesheet()),
        asset("script.js", "text/javascript; charset=utf-8", include_bytes!("../../../static/script.js")),
        asset("icon.svg", "image/svg+xml", include_bytes!("../../../static/icon.svg")),
    ]
});

/// The parts of the stylesheet, in the order in which they are joined.
fn stylesheet() -> &'static [u8] {
    let app = [
        include_str!("../../../static/styles/html.css"),
        include_str!("../../../static/styles/page.css"),
        include_str!("../../../static/styles/seats.css"),
        include_str!("../../../static/styles/host.css"),
        include_str!("../../../static/styles/mailbox.css"),
    ];
    let sheet = [wonderpost_games::THEME, &app.concat(), &wonderpost_games::board_styles()].concat();
    sheet.into_bytes().leak()
}

fn asset(name: &'static str, content_type: &'static str, bytes: &'static [u8]) -> Asset {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..8]);
    Asset { name, content_type, bytes, url: format!("/static/{digest}/{name}") }
}

/// The address of an asset.
pub fn url(name: &str) -> &'static str {
    ASSETS.iter().find(|asset| asset.name == name).map_or("", |asset| &asset.url)
}

/// `GET /static/{digest}/{name}`
pub async fn show(path: web::Path<(String, String)>) -> Result<HttpResponse, Problem> {
    let (digest, name) = path.into_inner();
    let url = format!("/static/{digest}/{name}");
    let asset = ASSETS.iter().find(|asset| asset.url == url).ok_or(Problem::NoPage)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, asset.content_type))
        .insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .body(asset.bytes))
}

/// `GET /favicon.ico`: browsers ask for it unasked.
pub async fn favicon() -> HttpResponse {
    HttpResponse::MovedPermanently().insert_header(("Location", url("icon.svg"))).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_of_the_stylesheet_begins_outside_of_all_blocks() {
        let style = ASSETS.iter().find(|asset| asset.name == "style.css").unwrap();
        let mut depth = 0;
        for line in std::str::from_utf8(style.bytes).unwrap().lines() {
            assert!(depth == 0 || !line.starts_with("/*"), "a block is left open before: {line}");
            depth += line.matches('{').count();
            depth -= line.matches('}').count();
        }
        assert_eq!(depth, 0);
    }
}
