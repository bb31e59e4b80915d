//! Stylesheet, script, icon and fonts: compiled in, named after their content, cached for ever.

use std::io::Write;
use std::sync::{LazyLock, OnceLock};

use actix_web::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_TYPE, ContentEncoding, VARY};
use actix_web::{HttpRequest, HttpResponse, web};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::http::problem::Problem;
use wonderpost_games::SymbolFile;
use wonderpost_rules::Game;

struct Asset {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
    /// The same compressed, where that is worth it. Made when it is first asked for, as well as can be, and kept.
    gzip: OnceLock<Option<Vec<u8>>>,
    url: String,
}

impl Asset {
    fn compressed(&self) -> Option<&[u8]> {
        let made = self.gzip.get_or_init(|| {
            let is_text =
                ["text/", "image/svg", "application/manifest"].iter().any(|kind| self.content_type.starts_with(kind));
            let compressed = is_text.then(|| best_gzip(self.bytes)).flatten();
            compressed.filter(|compressed| compressed.len() < self.bytes.len())
        });
        made.as_deref()
    }
}

fn best_gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

/// Whether a browser takes files that are compressed so.
fn takes_gzip(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|encoding| {
        let (name, quality) = encoding.split_once(';').unwrap_or((encoding, ""));
        name.trim().eq_ignore_ascii_case("gzip") && !matches!(quality.trim(), "q=0" | "q=0.0")
    })
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    vec![
        asset("style.css", "text/css; charset=utf-8", compact(&stylesheet())),
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
    .into_iter()
    .chain(GAMES.iter().flat_map(|game| game.assets()))
    .collect()
});

/// The files that pages with boards of a game need: its drawings, and its part of the stylesheet.
struct GameFiles {
    slug: &'static str,
    symbols: SymbolFile,
    symbols_name: &'static str,
    symbols_url: String,
    style: &'static [u8],
    style_name: &'static str,
    style_url: String,
}

static GAMES: LazyLock<Vec<GameFiles>> =
    LazyLock::new(|| wonderpost_games::catalogue().iter().map(GameFiles::of).collect());

impl GameFiles {
    fn of(game: &dyn Game) -> GameFiles {
        let (slug, symbols, style) = (game.info().slug, SymbolFile::of(game), compact(game.stylesheet()));
        let symbols_name: &'static str = format!("{slug}.svg").leak();
        let style_name: &'static str = format!("{slug}.css").leak();
        GameFiles {
            slug,
            symbols_url: address(symbols_name, symbols.svg.as_bytes()),
            symbols,
            symbols_name,
            style_url: address(style_name, style),
            style,
            style_name,
        }
    }

    fn assets(&'static self) -> [Asset; 2] {
        [
            asset(self.symbols_name, "image/svg+xml", self.symbols.svg.as_bytes()),
            asset(self.style_name, "text/css; charset=utf-8", self.style),
        ]
    }
}

fn files_of(slug: &str) -> Option<&'static GameFiles> {
    GAMES.iter().find(|game| game.slug == slug)
}

/// The address of the stylesheet that boards of a game need besides.
pub fn style_of_game(slug: &str) -> &'static str {
    files_of(slug).map_or("", |files| &files.style_url)
}

/// Lets what a game's board refers to be found in the file with its drawings.
pub fn with_symbols(slug: &str, html: &str) -> String {
    match files_of(slug) {
        Some(files) => files.symbols.refer(html, &files.symbols_url),
        None => html.to_owned(),
    }
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
fn stylesheet() -> String {
    let app = [
        include_str!("../../../static/styles/html.css"),
        include_str!("../../../static/styles/page.css"),
        include_str!("../../../static/styles/table.css"),
        include_str!("../../../static/styles/house.css"),
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
    [&fonts.concat(), wonderpost_games::THEME, &app.concat(), &wonderpost_games::shared_styles()].concat()
}

/// A stylesheet as browsers get it: without what only its readers need.
fn compact(sheet: &str) -> &'static [u8] {
    let mut parts = sheet.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.filter_map(|part| part.split_once("*/")).map(|(_, rest)| rest);
    let bare = rest.fold(first, |text, rest| text + rest);
    let lines = bare.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n").into_bytes().leak()
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
    Asset { name, content_type, bytes, gzip: OnceLock::new(), url: address(name, bytes) }
}

fn address(name: &str, bytes: &[u8]) -> String {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..8]);
    format!("/static/{digest}/{name}")
}

/// The address of an asset.
pub fn url(name: &str) -> &'static str {
    ASSETS.iter().find(|asset| asset.name == name).map_or("", |asset| &asset.url)
}

/// The addresses of what every page needs; what belongs to a game is loaded with its boards.
pub fn urls() -> impl Iterator<Item = &'static str> {
    let of_a_game =
        |asset: &&Asset| GAMES.iter().any(|game| [game.symbols_name, game.style_name].contains(&asset.name));
    ASSETS.iter().filter(move |asset| !of_a_game(asset)).map(|asset| asset.url.as_str())
}

/// `GET /static/{digest}/{name}`
pub async fn show(path: web::Path<(String, String)>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let (digest, name) = path.into_inner();
    let url = format!("/static/{digest}/{name}");
    let asset = ASSETS.iter().find(|asset| asset.url == url).ok_or(Problem::NoPage)?;
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CONTENT_TYPE, asset.content_type));
    answer.insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"));
    let Some(compressed) = asset.compressed() else { return Ok(answer.body(asset.bytes)) };
    answer.insert_header((VARY, "accept-encoding"));
    Ok(if takes_gzip(&request) {
        answer.insert_header(ContentEncoding::Gzip).body(compressed)
    } else {
        answer.body(asset.bytes)
    })
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
        let mut depth = 0;
        for line in (stylesheet() + &wonderpost_games::board_styles()).lines() {
            assert!(depth == 0 || !line.starts_with("/*"), "a block is left open before: {line}");
            depth += line.matches('{').count();
            depth -= line.matches('}').count();
        }
        assert_eq!(depth, 0);
    }

    #[test]
    fn browsers_get_the_stylesheet_without_its_comments() {
        assert_eq!(compact("/* A */\n\n.a { fill: red; } /* B */\n  .b { }\n"), b".a { fill: red; }\n.b { }");
    }
}
