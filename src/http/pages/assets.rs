//! Stylesheets, scripts, icons, fonts and a picture of each game: compiled in, named after their content, cached for ever.

use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use actix_web::{HttpResponse, web};
use sha2::{Digest, Sha256};

use crate::http::problem::Problem;
use wonderpost_rules::{Game, Seat, Viewer};

struct Asset {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
    url: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let mut assets = vec![
        asset("style.css", "text/css; charset=utf-8", stylesheet()),
        asset("boards.css", "text/css; charset=utf-8", board_stylesheet()),
        font("regular.woff2"),
        font("regular-basic.woff2"),
        font("italic.woff2"),
        font("bold.woff2"),
        font("bold-basic.woff2"),
        asset("script.js", "text/javascript; charset=utf-8", script()),
        asset("table.js", "text/javascript; charset=utf-8", include_bytes!("../../../static/table.js")),
        icon("icon.svg"),
        icon("icon-turn.svg"),
        icon("icon-192.png"),
        icon("icon-512.png"),
        asset("manifest.webmanifest", "application/manifest+json", manifest()),
    ];
    assets.extend(wonderpost_games::catalogue().iter().filter_map(showpiece));
    assets
});

/// What a game looks like: a fine moment of it, drawn by its board.
fn showpiece(game: &dyn Game) -> Option<Asset> {
    let example = game.example().inspect_err(|refusal| tracing::error!(%refusal, "a game has no picture")).ok()?;
    let name = |seat: Seat| format!("Seat {seat}");
    let picture = example.showpiece(Viewer::Public).fill_marks(name, name);
    let file = format!("{}.svg", game.info().slug);
    Some(asset(file.leak(), SVG, picture.svg.into_bytes().leak()))
}

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

/// What a drawing may do that is looked at by itself: it has its styles within, and needs nothing else.
pub const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

pub const SVG: &str = "image/svg+xml";

const ALL: &str = "U+0-10FFFF";
const FIGURES: &str = "U+30-39";

/// What nearly every page needs, in files of its own: a first visit loads no more. What else the typeface has comes with the first page
/// that needs it; signs that it has not are left to the reader's own.
const BASIC: &str =
    "U+20-21, U+26-2A, U+2C-3B, U+3F, U+41-5A, U+61-7A, U+A0, U+B7, U+D7, U+2013, U+2019, U+201C-201D, U+2026";
const MORE: &str = "U+22-25, U+2B, U+3C-3E, U+40, U+5B-60, U+7B-7E, U+A1-B6, U+B8-D6, U+D8-FF, U+152-153, U+2014, U+2018, U+201A, \
                    U+2022, U+2212";

/// The typeface of pages: EB Garamond, Latin letters and lining figures.
fn font(name: &'static str) -> Asset {
    let bytes: &[u8] = match name {
        "italic.woff2" => include_bytes!("../../../static/fonts/EBGaramond-Italic.woff2"),
        "regular-basic.woff2" => include_bytes!("../../../static/fonts/EBGaramond-Regular-basic.woff2"),
        "bold-basic.woff2" => include_bytes!("../../../static/fonts/EBGaramond-Bold-basic.woff2"),
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

/// The stylesheet of boards, lessons and rules: pages without any of them do not load it.
fn board_stylesheet() -> &'static [u8] {
    let around = concat!(
        include_str!("../../../static/styles/table.css"),
        include_str!("../../../static/styles/learn.css"),
        include_str!("../../../static/styles/rules.css"),
    );
    let boards = wonderpost_games::board_styles();
    // Every page has the house's own drawings.
    minified(&(around.to_owned() + boards.strip_prefix(wonderpost_games::DRAWINGS).unwrap_or(&boards)))
}

/// A stylesheet without comments, and without the space that makes it readable.
fn minified(sheet: &str) -> &'static [u8] {
    let uncommented: String = sheet
        .split("/*")
        .enumerate()
        .map(|(n, part)| if n == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) })
        .collect();
    let lines: Vec<&str> = uncommented.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n").into_bytes().leak()
}

/// The parts of the stylesheet, in the order in which they are joined.
fn stylesheet() -> &'static [u8] {
    let app = [
        include_str!("../../../static/styles/html.css"),
        include_str!("../../../static/styles/page.css"),
        include_str!("../../../static/styles/house.css"),
        include_str!("../../../static/styles/front.css"),
        include_str!("../../../static/styles/host.css"),
        include_str!("../../../static/styles/mailbox.css"),
    ];
    let fonts = [
        font_face("regular.woff2", "normal", "400 500", MORE),
        font_face("regular-basic.woff2", "normal", "400 500", BASIC),
        font_face("italic.woff2", "italic", "400 700", ALL),
        font_face("bold.woff2", "normal", "600 700", MORE),
        font_face("bold-basic.woff2", "normal", "600 700", BASIC),
        // The bold cut has no figures that align: it borrows them.
        font_face("regular-basic.woff2", "normal", "600 700", FIGURES),
    ];
    minified(&[&fonts.concat(), wonderpost_games::THEME, &app.concat(), wonderpost_games::DRAWINGS].concat())
}

/// The parts of the script, in the order in which they are joined.
fn script() -> &'static [u8] {
    let parts = [include_str!("../../../static/script.js"), include_str!("../../../static/device.js")];
    parts.concat().into_bytes().leak()
}

fn asset(name: &'static str, content_type: &'static str, bytes: &'static [u8]) -> Asset {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..8]);
    Asset { name, content_type, bytes, url: format!("/static/{digest}/{name}") }
}

impl Asset {
    fn is_picture_of(&self, game: &dyn Game) -> bool {
        self.name.strip_suffix(".svg") == Some(game.info().slug)
    }
}

/// The address of an asset.
pub fn url(name: &str) -> &'static str {
    ASSETS.iter().find(|asset| asset.name == name).map_or("", |asset| &asset.url)
}

/// The address of a game's picture.
pub fn picture_of(slug: &str) -> &'static str {
    url(&format!("{slug}.svg"))
}

/// The addresses of all assets that pages need to look and work as they do.
pub fn urls() -> impl Iterator<Item = &'static str> {
    let is_picture = |asset: &&Asset| wonderpost_games::catalogue().iter().any(|game| asset.is_picture_of(game));
    ASSETS.iter().filter(move |asset| !is_picture(asset)).map(|asset| asset.url.as_str())
}

/// `GET /static/{digest}/{name}`
pub async fn show(path: web::Path<(String, String)>) -> Result<HttpResponse, Problem> {
    let (digest, name) = path.into_inner();
    let url = format!("/static/{digest}/{name}");
    let asset = ASSETS.iter().find(|asset| asset.url == url).ok_or(Problem::NoPage)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, asset.content_type))
        .insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .insert_header((CONTENT_SECURITY_POLICY, PICTURE_POLICY))
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
    fn no_block_of_a_stylesheet_is_left_open() {
        for name in ["style.css", "boards.css"] {
            let style = ASSETS.iter().find(|asset| asset.name == name).unwrap();
            let depth = std::str::from_utf8(style.bytes)
                .unwrap()
                .lines()
                .fold(0, |depth, line| depth + line.matches('{').count() - line.matches('}').count());
            assert_eq!(depth, 0, "{name}");
        }
    }

    #[test]
    fn a_stylesheet_is_sent_without_what_is_there_for_its_readers() {
        assert_eq!(minified("/* One */\na {\n  b: c;\n}\n\n/* Two */ d { }"), b"a {\nb: c;\n}\nd { }");
    }

    #[test]
    fn every_game_has_a_picture_that_is_soon_loaded() {
        for game in wonderpost_games::catalogue().iter() {
            let asset =
                ASSETS.iter().find(|asset| asset.is_picture_of(game)).unwrap_or_else(|| panic!("{}", game.info().slug));
            assert!(asset.bytes.len() < 50_000, "{}: {} bytes", asset.name, asset.bytes.len());
        }
    }
}
