//! How large pages are, in bytes.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::harness::{Service, TestDatabase, Visitor};

/// The most bytes of a table's page at its opening, of the same compressed as quickly as pages are, and of all that comes with a first
/// visit: page, style, script, drawings and the fonts that every page needs.
struct Limit {
    slug: &'static str,
    page: usize,
    compressed: usize,
    visit: usize,
}

/// We want 25,000, 7,000 and 70,000 everywhere. Where a game is not there yet, it must at least not grow: the longest of these pages have
/// a map with a name for each place, or all that lies ahead in a deck. Deals differ: the limits leave room for one with many ways to go.
const LIMITS: [Limit; 5] = [
    Limit { slug: "off-with-their-heads", page: 30_000, compressed: 7_000, visit: 70_000 },
    Limit { slug: "we-are-not-amused", page: 44_000, compressed: 7_300, visit: 70_000 },
    Limit { slug: "red-queen", page: 25_000, compressed: 7_000, visit: 70_000 },
    Limit { slug: "messenger-rabbits", page: 84_000, compressed: 14_500, visit: 70_000 },
    Limit { slug: "munchkin-wonderland", page: 39_500, compressed: 8_800, visit: 70_000 },
];

fn compressed(bytes: &[u8], how: Compression) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), how);
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory").len()
}

/// The page of a table of a game at its opening, to whoever moves first.
async fn opening(service: &Service, slug: &str) -> (Visitor, String) {
    let (one, two) = (service.visitor(), service.visitor());
    if slug == "we-are-not-amused" {
        let table = one.begin().await;
        let page = one.look(&table).await;
        return (one, page);
    }
    let table = one.post("/tables", &[("game", slug), ("seat-2", "person")]).await.location();
    for visitor in [&one, &two] {
        visitor.post(&format!("{table}/sit"), &[("cut", "tarts")]).await.location();
    }
    let page = one.look(&table).await;
    if page.contains("Your move") { (one, page) } else { (two.clone(), two.look(&table).await) }
}

#[actix_web::test]
async fn a_table_at_its_opening_is_a_small_page_and_a_first_visit_small_in_all() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let mut missed = Vec::new();
    for game in wonderpost_games::catalogue().iter() {
        let slug = game.info().slug;
        let (visitor, page) = opening(&service, slug).await;
        assert!(!page.contains("<symbol"), "{slug}: drawings are in a file of their own");
        let sent = compressed(page.as_bytes(), Compression::new(4));
        let mut visit = sent;
        let assets = page.split('"').filter(|text| text.starts_with("/static/") && !text.contains("/icon"));
        let mut assets: Vec<&str> = assets.map(|url| url.split('#').next().unwrap_or(url)).collect();
        assets.sort_unstable();
        assets.dedup();
        assert!(assets.iter().any(|url| url.ends_with("/art.svg")), "{slug}: {assets:?}");
        for asset in &assets {
            let (status, caching, bytes) = visitor.send_raw(asset).await;
            assert!(status == 200 && caching.contains("immutable"), "{asset}");
            visit += if asset.ends_with(".woff2") { bytes.len() } else { compressed(&bytes, Compression::best()) };
        }
        let most = LIMITS.iter().find(|limit| limit.slug == slug).unwrap_or_else(|| panic!("no limit for {slug}"));
        if page.len() > most.page || sent > most.compressed || visit > most.visit {
            missed.push(format!("{slug}: {} bytes, {sent} compressed, {visit} in all", page.len()));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
