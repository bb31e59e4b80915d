//! What search engines are told: which pages there are, and which are nobody's business.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, web};

use crate::db::retry_transient;
use crate::db::tables::lists::ArchiveSearch;
use crate::http::AppState;
use crate::http::problem::Problem;

/// How many finished games, and how many former gardens, are listed.
const FINISHED: i64 = 200;
const FORMER: i64 = 60;

const CACHED: &str = "public, max-age=3600";

/// Pages that are about one person, or that a letter leads to.
const PERSONAL: [&str; 13] = [
    "/api/",
    "/desk/",
    "/feeds/mine/",
    "/held/",
    "/host",
    "/i/",
    "/in/",
    "/mailbox",
    "/me",
    "/next",
    "/sign-in",
    "/sign-out",
    "/unsubscribe/",
];

/// `GET /robots.txt`
pub async fn robots(app: web::Data<AppState>) -> HttpResponse {
    let refused: String = PERSONAL.iter().map(|path| format!("Disallow: {path}\n")).collect();
    let text = format!("User-agent: *\n{refused}\nSitemap: {}\n", app.link("/sitemap.xml"));
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").insert_header((CACHE_CONTROL, CACHED)).body(text)
}

/// `GET /sitemap.xml`: what everybody may look at. Private tables are not among the finished games that are listed anywhere.
pub async fn sitemap(app: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let mut paths: Vec<String> = ["/", "/daily", "/daily/former", "/archive", "/chance"].map(str::to_owned).into();
    paths.extend(app.tables.catalogue.iter().map(|game| format!("/games/{}", game.info().slug)));
    let today = app.tables.today();
    let days = retry_transient(|| app.tables.store.days_before(today, FORMER)).await?;
    paths.extend(days.iter().map(|day| format!("/daily/{day}")));
    let search = ArchiveSearch { limit: FINISHED, ..ArchiveSearch::default() };
    let finished = app.tables.finished_tables(&search).await?;
    paths.extend(finished.iter().map(|row| format!("/t/{}", row.id)));
    let urls: String = paths.iter().map(|path| format!("<url><loc>{}</loc></url>\n", app.link(path))).collect();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    );
    Ok(HttpResponse::Ok()
        .content_type("application/xml; charset=utf-8")
        .insert_header((CACHE_CONTROL, CACHED))
        .body(text))
}
