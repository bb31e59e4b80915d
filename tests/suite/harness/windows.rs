//! Two people at one table, each at a window of their own, and a deal that leads where a test wants to go.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use wonderpost::tables::{Credentials, TableId, Tables};
use wonderpost_rules::Seat;

use super::browser::{Browser, Setup, browse};
use super::rehearsal::{Rehearsal, search};
use super::{Service, TestDatabase};

pub const ONE: Seat = Seat::new(1).unwrap();
pub const TWO: Seat = Seat::new(2).unwrap();

/// Somebody at a window, with the table in front of them.
pub struct Window {
    pub browser: Browser,
    /// The address of the table.
    table: String,
    caller: Credentials,
}

/// Opens a table for two, both sit down, and the game is such that `wanted` finds what it looks for.
pub async fn two_windows<T, F>(
    slug: &'static str,
    wanted: impl Fn(Rehearsal) -> Option<T> + Send + 'static,
    test: impl FnOnce(Tables, Window, Window, T) -> F + Send + 'static,
) where
    T: Send + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let game = wonderpost_games::catalogue().find(slug).expect("the game");
    let wants_to_be_asked = game.preset_plans().is_some();
    browse(Setup::DESKTOP, |one| async move {
        browse(Setup::PHONE, |two| async move {
            let tables = database.tables();
            one.goto(&format!("{}/games/{slug}", service.url)).await;
            one.find("details.more > summary").await.click().await.expect("more choices");
            if wants_to_be_asked {
                // Otherwise nobody contests unless they say so.
                one.find("input[name=preset-answers]").await.click().await.expect("a box");
            }
            one.find("#cut").await.send_keys("one").await.expect("letters");
            one.click("form[data-fits] p.actions button").await;
            let path = one.path().await;
            let id: TableId = path.rsplit('/').next().and_then(|id| id.parse().ok()).expect("a table");
            let (word, found) = search(&tables, id, wanted).await;
            let table = format!("{}{path}", service.url);
            two.goto(&table).await;
            sit(&two, &word).await;
            let one = Window::new(&tables, one, &table).await;
            let two = Window::new(&tables, two, &table).await;
            test(tables, one, two, found).await;
            drop(service);
        })
        .await;
    })
    .await;
}

async fn sit(browser: &Browser, word: &str) {
    browser.find("#cut").await.send_keys(word).await.expect("letters");
    browser.click("main form button.primary").await;
}

impl Window {
    async fn new(tables: &Tables, browser: Browser, table: &str) -> Window {
        let cookie = browser.client.get_named_cookie("wonderpost").await.expect("a cookie");
        let token = BASE64URL_NOPAD.decode(cookie.value().as_bytes()).expect("a token");
        let token_digest: [u8; 32] = Sha256::digest(&token).into();
        let session = tables.store.session(&token_digest).await.expect("it").expect("a session");
        let caller = Credentials { player: session.player_id, token_digest };
        Window { browser, table: table.to_owned(), caller }
    }

    /// Says a move without a page, to get on.
    pub async fn say(&self, tables: &Tables, line: &str) {
        let id: TableId = self.table.rsplit('/').next().and_then(|id| id.parse().ok()).expect("a table");
        let kept = tables.load_fresh(id).await.expect("a table");
        let step = kept.now.moves_for(kept.viewer(Some(self.caller.player)));
        tables.submit_moves(&self.caller, id, step, line).await.unwrap_or_else(|error| panic!("{line}: {error}"));
    }

    /// The table as it is now.
    pub async fn look(&self) {
        self.browser.goto(&self.table).await;
    }

    pub async fn source(&self) -> String {
        self.browser.client.source().await.expect("a page")
    }

    pub async fn text(&self) -> String {
        self.browser.text().await
    }

    /// Clicks on what says a move; where the page asks whether it is meant, it is.
    pub async fn click(&self, css: &str) {
        self.browser.click(css).await;
        if self.browser.count("input[name=sure]").await > 0 {
            self.browser.click(".question button.primary").await;
        }
    }

    /// Clicks on what changes the page without leading to another.
    pub async fn press(&self, css: &str) {
        self.browser.find(css).await.click().await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Makes a move with its button.
    pub async fn click_move(&self, line: &str) {
        self.click(&format!("#board button[name=say][value='{line}']")).await;
    }

    /// The name under which somebody sits here.
    pub async fn name(&self) -> String {
        // The row of seats calls its reader “you”; the name stands folded behind that.
        let folded = self.browser.find(".seats li.mine .chip p").await;
        let words = folded.prop("textContent").await.expect("it").expect("words");
        words.split(" (you)").next().expect("a name").trim().to_owned()
    }
}
