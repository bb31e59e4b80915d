//! Somebody at a browser: keeps cookies, and sees where forms lead before going there.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue, LOCATION, VIA};
use reqwest::{Client, Method, RequestBuilder, StatusCode, redirect};

use super::page::Page;

pub const GAME: &str = "we-are-not-amused";

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub fn location(&self) -> String {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.body);
        self.header(LOCATION.as_str()).to_owned()
    }

    pub fn page(&self) -> Page<'_> {
        Page(&self.body)
    }
}

/// Asks again as long as the house says that it is too busy, for so many times.
pub async fn insist<F: Future<Output = Answer>>(ask: impl Fn() -> F) -> Answer {
    for _ in 0..30 {
        let answer = ask().await;
        if answer.status != StatusCode::SERVICE_UNAVAILABLE {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    ask().await
}

#[derive(Clone)]
pub struct Visitor {
    client: Client,
    pub url: String,
}

impl Visitor {
    pub fn new(url: &str) -> Visitor {
        Visitor::with_headers(url, HeaderMap::new())
    }

    /// Somebody who does not sit at the machine itself: a proxy stands in between.
    pub fn from_afar(url: &str) -> Visitor {
        Visitor::with_headers(url, HeaderMap::from_iter([(VIA, HeaderValue::from_static("1.1 looking-glass"))]))
    }

    /// Somebody whose requests carry these headers.
    pub fn with_headers(url: &str, headers: HeaderMap) -> Visitor {
        let client = Client::builder().cookie_store(true).redirect(redirect::Policy::none()).default_headers(headers);
        Visitor { client: client.build().expect("a client"), url: url.to_owned() }
    }

    /// The same person, at another service of the same house.
    pub fn at(&self, url: &str) -> Visitor {
        Visitor { client: self.client.clone(), url: url.to_owned() }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        self.try_send(request).await.expect("a whole answer")
    }

    /// An answer, if there is a whole one.
    pub async fn try_send(&self, request: RequestBuilder) -> reqwest::Result<Answer> {
        let answer = request.send().await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let is_page = headers.get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        let body = answer.text().await?;
        // How lines are laid out in a page's source is nothing that anybody sees.
        Ok(Answer { status, body: if is_page { body.replace('\n', " ") } else { body }, headers })
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    /// What is no text: its status, how it may be kept, and its bytes.
    pub async fn send_raw(&self, path: &str) -> (StatusCode, String, Vec<u8>) {
        let answer = self.request(Method::GET, path).send().await.expect("an answer");
        let caching = answer.headers().get("cache-control").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let (status, caching) = (answer.status(), caching.to_owned());
        (status, caching, answer.bytes().await.expect("a body").to_vec())
    }

    /// A page that must be there.
    pub async fn look(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
        answer.body
    }

    /// The stamp that forms on this visitor's pages carry.
    pub async fn stamp(&self) -> String {
        let page = self.get("/sign-in").await;
        let page = if page.status == StatusCode::OK { page } else { self.get("/me").await };
        page.page().stamp().to_owned()
    }

    /// Sends a form with the stamp of this visitor's pages.
    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        let stamp = self.stamp().await;
        self.post_stamped(path, form, &stamp).await
    }

    /// Sends a form with a stamp from an earlier page.
    pub async fn post_stamped(&self, path: &str, form: &[(&str, &str)], stamp: &str) -> Answer {
        let form: Vec<_> = form.iter().copied().chain([("csrf", stamp)]).collect();
        self.send(self.request(Method::POST, path).form(&form)).await
    }

    /// Sends a form with a stamp from an earlier page, and again as long as the house says that it is too busy: what became of it is then known.
    pub async fn insist(&self, path: &str, form: &[(&str, &str)], stamp: &str) -> Answer {
        insist(|| self.post_stamped(path, form, stamp)).await
    }

    /// Makes a token for the API. Somebody without a session becomes a guest first.
    pub async fn token(&self) -> String {
        if self.get("/me").await.status != StatusCode::OK {
            self.begin().await;
        }
        let page = self.post("/me/tokens", &[("title", "my program")]).await.body;
        let text = page.split("wonderpost-").nth(1).expect("a token is shown once");
        let end = text
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-' && letter != '_')
            .unwrap_or(text.len());
        format!("wonderpost-{}", &text[..end])
    }

    /// Opens a table and gives its address.
    pub async fn open(&self) -> String {
        self.post("/tables", &[("game", GAME), ("option-shuffles", "1")]).await.location()
    }

    /// Opens a table, sits down at it and gives its address.
    pub async fn begin(&self) -> String {
        let table = self.open().await;
        assert_eq!(self.post(&format!("{table}/sit"), &[("cut", "treacle")]).await.location(), table);
        table
    }

    pub async fn say(&self, table: &str, step: u32, lines: &str) -> Answer {
        self.post(&format!("{table}/say"), &[("step", &step.to_string()), ("say", lines)]).await
    }

    /// The same by somebody who is sure of it.
    pub async fn play(&self, table: &str, step: u32, lines: &str) -> Answer {
        self.post(&format!("{table}/say"), &[("step", &step.to_string()), ("say", lines), ("sure", "yes")]).await
    }

    /// Makes a move that the page offers, with the form that it offers. `None` if the game is over.
    pub async fn move_on(&self, table: &str) -> Option<(u32, String)> {
        let body = self.look(table).await;
        let page = Page(&body);
        let line = page.next_move()?;
        let step = page.step();
        assert_eq!(self.play(table, step, &line).await.location(), table);
        Some((step, line))
    }

    /// Stops the game.
    pub async fn end(&self, table: &str) {
        loop {
            let body = self.look(table).await;
            let page = Page(&body);
            let Some(line) = page.next_move() else { return };
            // A bramble must be planted first.
            let line = if page.offers("end") { "end" } else { &line };
            assert_eq!(self.play(table, page.step(), line).await.location(), table);
        }
    }
}
