//! Stylesheets, scripts, icons, fonts, the drawings of boards and a picture of each game: compiled in, named after their content, cached
//! for ever, and compressed once.

mod board_files;
mod styles;

use std::sync::{LazyLock, OnceLock};

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ContentEncoding, VARY};
use actix_web::{HttpRequest, HttpResponse, web};
use flate2::Compression;
use sha2::{Digest, Sha256};

pub use self::board_files::{picture_of, style_of_game, with_symbols};
use crate::http::middleware::compression::{gzip, is_text, takes_gzip};
use crate::http::problem::Problem;

struct Asset {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
    /// The same compressed, where that is worth it. Made as small as can be when it is first asked for, and kept.
    gzip: OnceLock<Option<Vec<u8>>>,
    url: String,
    used_by: UsedBy,
}

/// Where an asset is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UsedBy {
    /// Any page.
    Pages,
    /// What shows a certain game: it is loaded with the first board or picture of it.
    Game,
}

impl Asset {
    fn compressed(&self) -> Option<&[u8]> {
        let made = self.gzip.get_or_init(|| {
            let compressed = is_text(self.content_type).then(|| gzip(self.bytes, Compression::best())).flatten();
            compressed.filter(|compressed| compressed.len() < self.bytes.len())
        });
        made.as_deref()
    }
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let mut assets = vec![
        asset("style.css", CSS, styles::of_house()),
        asset("boards.css", CSS, styles::around_boards()),
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
    assets.extend(board_files::all());
    assets
});

fn icon(name: &'static str) -> Asset {
    match name {
        "icon-192.png" => asset(name, "image/png", include_bytes!("../../../static/icons/icon-192.png")),
        "icon-512.png" => asset(name, "image/png", include_bytes!("../../../static/icons/icon-512.png")),
        "icon-turn.svg" => asset(name, SVG, include_bytes!("../../../static/icon-turn.svg")),
        _ => asset(name, SVG, include_bytes!("../../../static/icon.svg")),
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

/// The content type of drawings.
pub const SVG: &str = "image/svg+xml";
const CSS: &str = "text/css; charset=utf-8";

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

/// The parts of the script, in the order in which they are joined.
fn script() -> &'static [u8] {
    let parts = [include_str!("../../../static/script.js"), include_str!("../../../static/device.js")];
    parts.concat().into_bytes().leak()
}

fn asset(name: &'static str, content_type: &'static str, bytes: &'static [u8]) -> Asset {
    let url = address(name, bytes);
    Asset { name, content_type, bytes, gzip: OnceLock::new(), url, used_by: UsedBy::Pages }
}

/// The address of a file with this content.
fn address(name: &str, bytes: &[u8]) -> String {
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..8]);
    format!("/static/{digest}/{name}")
}

/// The address of an asset.
pub fn url(name: &str) -> &'static str {
    ASSETS.iter().find(|asset| asset.name == name).map_or("", |asset| &asset.url)
}

/// The addresses of what every page needs to look and work as it does.
pub fn urls() -> impl Iterator<Item = &'static str> {
    ASSETS.iter().filter(|asset| asset.used_by == UsedBy::Pages).map(|asset| asset.url.as_str())
}

/// `GET /static/{digest}/{name}`
pub async fn show(path: web::Path<(String, String)>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let (digest, name) = path.into_inner();
    let url = format!("/static/{digest}/{name}");
    let asset = ASSETS.iter().find(|asset| asset.url == url).ok_or(Problem::NoPage)?;
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((CONTENT_TYPE, asset.content_type))
        .insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .insert_header((CONTENT_SECURITY_POLICY, PICTURE_POLICY));
    let Some(compressed) = asset.compressed() else { return Ok(answer.body(asset.bytes)) };
    answer.insert_header((VARY, "accept-encoding"));
    Ok(if takes_gzip(request.headers()) {
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
    use actix_web::http::header::ACCEPT_ENCODING;
    use actix_web::test::TestRequest;

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
        for style in ASSETS.iter().filter(|asset| asset.content_type == CSS) {
            let text = std::str::from_utf8(style.bytes).unwrap();
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "{}", style.name);
        }
    }

    #[test]
    fn no_two_assets_have_the_same_address() {
        let mut urls: Vec<&str> = ASSETS.iter().map(|asset| asset.url.as_str()).collect();
        urls.sort_unstable();
        assert!(urls.windows(2).all(|two| two[0] != two[1]), "{urls:?}");
    }

    #[actix_web::test]
    async fn an_asset_is_compressed_for_those_who_take_it() {
        let asset = ASSETS.iter().find(|asset| asset.name == "style.css").unwrap();
        for (accepted, expected) in [("br, gzip", true), ("gzip;q=0, br", false), ("identity", false)] {
            let request = TestRequest::get().insert_header((ACCEPT_ENCODING, accepted)).to_http_request();
            let digest = asset.url.split('/').nth(2).unwrap().to_owned();
            let answer = show((digest, asset.name.to_owned()).into(), request).await.unwrap();
            let encoding = answer.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_owned());
            assert_eq!(encoding, expected.then(|| "gzip".to_owned()), "{accepted}");
            assert_eq!(answer.headers().get(VARY).unwrap(), "accept-encoding");
        }
    }
}
