//! Stylesheet, script, icon and fonts: compiled in, named after their content, cached for ever.

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
        font("regular.woff2"),
        font("italic.woff2"),
        font("bold.woff2"),
        asset("script.js", "text/javascript; charset=utf-8", script()),
        icon("icon.svg"),
        icon("icon-turn.svg"),
        icon("icon-192.png"),
        icon("icon-512.png"),
        asset("manifest.webmanifest", "application/manifest+json", manifest()),
    ]
});

fn icon(name: &'static str) -> Asset {
    match name {
        "icon-192.png" => asset(name, "image/png", include_bytes!("../../../static/icons/icon-192.png")),
        "icon-512.png" => asset(name, "image/png", include_bytes!("../../../static/icons/icon-512.png")),
        "icon-turn.svg" => asset(name, "image/svg+xml", include_bytes!("../../../static/icon-turn.svg")),
        _ => asset(name, "image/svg+xml", include_bytes!("../../../static/icon.svg")),
    }
}

/// What a system needs to know to install the house like a program, with the addresses of its icons.
fn manifest() -> &'static [u8] {
    let mut manifest = include_str!("../../../static/manifest.webmanifest").to_owned();
    for name in ["icon.svg", "icon-192.png", "icon-512.png"] {
        manifest = manifest.replace(&format!("{{{name}}}"), &icon(name).url);
    }
    manifest.into_bytes().leak()
}

const ALL: &str = "U+0-10FFFF";
const FIGURES: &str = "U+30-39";
const ALL_BUT_FIGURES: &str = "U+0-2F, U+3A-10FFFF";

/// The typeface of pages: EB Garamond, Latin letters and lining figures.
fn font(name: &'static str) -> Asset {
    let bytes: &[u8] = match name {
        "italic.woff2" => include_bytes!("../../../static/fonts/EBGaramond-Italic.woff2"),
        "bold.woff2" => include_bytes!("../../../static/fonts/EBGaramond-Bold.woff2"),
        _ => include_bytes!("../../../static/fonts/EBGaramond-Regular.woff2"),
    };
    asset(name, "font/woff2", bytes)
}

/// The rule of the stylesheet for a font. A page that is drawn before its font has come keeps the reader's own: nothing shifts. Its
/// letters are small, and are brought to the size of others.
fn font_face(name: &'static str, style: &str, weights: &str, characters: &str) -> String {
    let url = font(name).url;
    format!(
        "@font-face {{ font-family: \"EB Garamond\"; font-style: {style}; font-weight: {weights}; font-display: optional; \
         size-adjust: 114%; unicode-range: {characters}; src: url({url}) format(\"woff2\"); }}\n"
    )
}

/// The parts of the stylesheet, in the order in which they are joined.
fn stylesheet() -> &'static [u8] {
    let app = [
        include_str!("../../../static/styles/html.css"),
        include_str!("../../../static/styles/page.css"),
        include_str!("../../../static/styles/table.css"),
        include_str!("../../../static/styles/learn.css"),
        include_str!("../../../static/styles/house.css"),
        include_str!("../../../static/styles/rules.css"),
        include_str!("../../../static/styles/host.css"),
        include_str!("../../../static/styles/mailbox.css"),
    ];
    let fonts = [
        font_face("regular.woff2", "normal", "400 500", ALL),
        font_face("italic.woff2", "italic", "400 700", ALL),
        // The bold cut has no figures that align: it borrows them.
        font_face("bold.woff2", "normal", "600 700", ALL_BUT_FIGURES),
        font_face("regular.woff2", "normal", "600 700", FIGURES),
    ];
    let sheet = [&fonts.concat(), wonderpost_games::THEME, &app.concat(), &wonderpost_games::board_styles()].concat();
    sheet.into_bytes().leak()
}

/// The parts of the script, in the order in which they are joined.
fn script() -> &'static [u8] {
    let parts = [
        include_str!("../../../static/script.js"),
        include_str!("../../../static/table.js"),
        include_str!("../../../static/device.js"),
    ];
    parts.concat().into_bytes().leak()
}

fn asset(name: &'static str, content_type: &'static str, bytes: &'static [u8]) -> Asset {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..8]);
    Asset { name, content_type, bytes, url: format!("/static/{digest}/{name}") }
}

/// The address of an asset.
pub fn url(name: &str) -> &'static str {
    ASSETS.iter().find(|asset| asset.name == name).map_or("", |asset| &asset.url)
}

/// The addresses of all assets.
pub fn urls() -> impl Iterator<Item = &'static str> {
    ASSETS.iter().map(|asset| asset.url.as_str())
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
    fn the_manifest_names_icons_that_there_are() {
        let manifest: serde_json::Value = serde_json::from_slice(manifest()).unwrap();
        let icons = manifest["icons"].as_array().unwrap();
        let urls: Vec<&str> = icons.iter().map(|icon| icon["src"].as_str().unwrap()).collect();
        assert!(urls.iter().all(|url| ASSETS.iter().any(|asset| asset.url == *url)), "{urls:?}");
    }

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
