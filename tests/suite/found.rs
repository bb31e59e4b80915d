//! What search engines and other sites are told of our pages: of what is public all that helps, of what is private nothing.

use reqwest::StatusCode;

use crate::harness::page::Page;
use crate::harness::red_queen::{open, two_at_a_table};
use crate::harness::{Service, TestDatabase};

fn meta<'a>(page: &'a str, property: &str) -> Vec<&'a str> {
    let begin = format!("<meta property=\"{property}\" content=\"");
    page.split(&begin).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[actix_web::test]
async fn public_pages_have_a_preview_with_a_picture_of_1200_by_630() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (one, _, table) = two_at_a_table(&service).await;
    let stranger = service.visitor();
    for path in ["/", "/games/red-queen", "/daily", &table] {
        let page = stranger.look(path).await;
        assert_eq!(meta(&page, "og:title").len(), 1, "{path}: {page}");
        assert!(!meta(&page, "og:description")[0].is_empty(), "{path}");
        let image = meta(&page, "og:image")[0].strip_prefix(service.url.as_str()).expect("a picture of ours");
        let (status, _, bytes) = stranger.send_raw(image).await;
        assert_eq!(status, StatusCode::OK, "{image}");
        assert!(bytes.starts_with(b"\x89PNG"), "{image}");
        let size = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((size(16), size(20)), (1200, 630), "{image}");
        assert!(bytes.len() < 300_000, "{image}: {} bytes", bytes.len());
        // Whoever plays gets no other picture than a stranger: it shows no hand.
        assert_eq!(one.send_raw(image).await.2, bytes, "{image}");
    }
}

#[actix_web::test]
async fn private_tables_have_no_preview_and_stand_in_no_list() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let host = service.visitor();
    let table = open(&host, &[("seat-2", "easy"), ("private", "yes"), ("sit", "yes")]).await;
    let page = host.look(&table).await;
    assert!(!page.contains("og:") && !page.contains("rel=\"canonical\""), "{page}");
    for visitor in [&host, &service.visitor()] {
        assert_eq!(visitor.get(&format!("{table}/preview.png")).await.status, StatusCode::NOT_FOUND);
    }
    host.post(&format!("{table}/resign"), &[]).await;
    assert!(!service.visitor().look("/sitemap.xml").await.contains(&table));
}

#[actix_web::test]
async fn search_engines_find_the_public_pages_and_keep_off_the_others() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let (_, two, table) = two_at_a_table(&service).await;
    let visitor = service.visitor();
    let robots = visitor.look("/robots.txt").await;
    assert!(robots.contains("Disallow: /me\n") && robots.contains("Disallow: /i/\n"), "{robots}");
    assert!(robots.contains(&format!("Sitemap: {}/sitemap.xml", service.url)), "{robots}");
    assert!(!visitor.look("/sitemap.xml").await.contains(&table), "a game under way is not listed");
    two.post(&format!("{table}/resign"), &[]).await;
    let sitemap = visitor.look("/sitemap.xml").await;
    for path in Page(&sitemap).between("<loc>", "</loc>") {
        let path = path.strip_prefix(service.url.as_str()).expect("an address of ours");
        assert_eq!(visitor.get(path).await.status, StatusCode::OK, "{path}");
    }
    assert!(sitemap.contains(&format!("{table}</loc>")) && sitemap.contains("/games/red-queen</loc>"), "{sitemap}");
}
