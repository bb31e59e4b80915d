//! A real browser: Chromium, told what to do by chromedriver.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// How a browser is set up.
#[derive(Clone, Copy)]
pub struct Setup {
    pub width: u32,
    pub height: u32,
    pub dark: bool,
    pub script: bool,
}

impl Setup {
    pub const DESKTOP: Setup = Setup { width: 1280, height: 900, dark: false, script: true };
    pub const PHONE: Setup = Setup { width: 360, height: 740, dark: false, script: true };
}

/// Scrolls what is to be clicked away from the window's edge, on which clicks are lost.
const FROM_THE_EDGE: &str = "
    const { top, bottom } = arguments[0].getBoundingClientRect(), middle = (top + bottom) / 2;
    if (middle < 8 || middle > innerHeight - 8) arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' });";

/// Notes on the window when the table is shown anew without loading the page.
const WATCH_THE_TABLE: &str = "
    window.tableChanged = false;
    const table = document.getElementById('table');
    if (table) new MutationObserver(() => { window.tableChanged = true; }).observe(table, { childList: true });";

struct Driver {
    url: String,
    /// Its input is closed when this program ends, however it ends.
    _shell: Child,
}

/// One chromedriver for the whole run.
static DRIVER: LazyLock<Driver> = LazyLock::new(|| {
    // The shell sees our end, and ends the driver.
    let script = "chromedriver --port=0 & driver=$!; read -r _; kill $driver";
    let mut shell = Command::new("sh")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("a shell");
    let mut lines = BufReader::new(shell.stdout.take().expect("its output")).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse::<u16>().ok()
    });
    let port = port.expect("chromedriver does not start: install chromium and chromium-driver (./test does so)");
    // What else it says is heard, and forgotten.
    thread::spawn(move || lines.for_each(drop));
    Driver { url: format!("http://127.0.0.1:{port}"), _shell: shell }
});

pub struct Browser {
    pub client: Client,
    session: String,
    commands: reqwest::Client,
}

/// Runs a test in a browser of its own, and closes it whatever comes of the test.
pub async fn browse<F: Future<Output = ()> + Send + 'static>(setup: Setup, test: impl FnOnce(Browser) -> F) {
    let browser = Browser::open(setup).await;
    let client = browser.client.clone();
    let ended = tokio::spawn(test(browser)).await;
    let _ = client.close().await;
    if let Err(error) = ended {
        std::panic::resume_unwind(error.into_panic());
    }
}

impl Browser {
    async fn open(setup: Setup) -> Browser {
        let mut options = json!({
            "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars", "--lang=en-GB",
            ],
        });
        if !setup.script {
            options["prefs"] = json!({"profile.managed_default_content_settings.javascript": 2});
        }
        let capabilities = json!({"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}});
        let Value::Object(capabilities) = capabilities else { unreachable!("it is one") };
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&DRIVER.url)
            .await
            .expect("a browser");
        let session = client.session_id().await.expect("a session").expect("a session");
        let browser = Browser { client, session, commands: reqwest::Client::new() };
        let size = json!({"width": setup.width, "height": setup.height, "deviceScaleFactor": 1, "mobile": false});
        browser.devtools("Emulation.setDeviceMetricsOverride", size).await;
        let scheme = if setup.dark { "dark" } else { "light" };
        let media = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}
        ]});
        browser.devtools("Emulation.setEmulatedMedia", media).await;
        browser.devtools("Emulation.setTimezoneOverride", json!({"timezoneId": "Europe/London"})).await;
        browser
    }

    async fn command(&self, path: &str, body: Value) -> Value {
        let url = format!("{}/session/{}/{path}", DRIVER.url, self.session);
        let request = self.commands.post(url).header("content-type", "application/json").body(body.to_string());
        let answer = request.send().await.expect("an answer").text().await.expect("text");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert!(answer["value"]["error"].is_null(), "{path}: {answer}");
        answer["value"].clone()
    }

    /// Asks the browser for what only its developer tools can do.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.command("goog/cdp/execute", json!({"cmd": command, "params": parameters})).await
    }

    /// What went wrong on pages so far, as the browser's console tells it.
    pub async fn complaints(&self) -> Vec<String> {
        let entries = self.command("se/log", json!({"type": "browser"})).await;
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries.iter().filter(|entry| entry["level"] == "SEVERE").map(Value::to_string).collect()
    }

    pub async fn goto(&self, url: &str) {
        self.client.goto(url).await.expect("a page");
    }

    pub async fn path(&self) -> String {
        self.client.current_url().await.expect("an address").path().to_owned()
    }

    pub async fn find(&self, css: &str) -> Element {
        let found = self.client.wait().at_most(Duration::from_secs(10)).for_element(Locator::Css(css)).await;
        match found {
            Ok(element) => element,
            Err(error) => panic!("no {css} on the page ({error}):\n{}", self.text().await),
        }
    }

    pub async fn count(&self, css: &str) -> usize {
        self.client.find_all(Locator::Css(css)).await.expect("elements").len()
    }

    /// Clicks, and waits for what comes of it: another page, or the table with something else in its place.
    pub async fn click(&self, css: &str) {
        // What others do may put something else in its place between finding and clicking it.
        for _ in 0..5 {
            self.find(css).await;
            match self.try_click(css).await {
                Err(error) if error.is_stale_element_reference() || error.is_no_such_element() => {}
                clicked => return clicked.unwrap_or_else(|error| panic!("{css}: {error}")),
            }
        }
        panic!("{css} never stands still");
    }

    /// Clicks on what is there now, and waits for what comes of it.
    pub async fn try_click(&self, css: &str) -> Result<(), CmdError> {
        let page = self.find("html").await;
        self.client.execute(WATCH_THE_TABLE, vec![]).await.expect("script");
        let target = self.client.find(Locator::Css(css)).await?;
        self.client.execute(FROM_THE_EDGE, vec![serde_json::to_value(&target)?]).await?;
        target.click().await?;
        self.wait_until_gone(page).await;
        Ok(())
    }

    /// Opens the menu where there is no room for all of it.
    pub async fn open_menu(&self) {
        let menu = self.find(".site-menu > summary").await;
        if menu.is_displayed().await.expect("an element") {
            menu.click().await.expect("a menu");
        }
    }

    /// Presses a key, and waits for the page that comes of it.
    pub async fn press(&self, key: fantoccini::key::Key) {
        let page = self.find("html").await;
        self.find("body").await.send_keys(&String::from(char::from(key))).await.expect("a key");
        self.wait_until_gone(page).await;
    }

    async fn wait_until_gone(&self, element: Element) {
        let begun = Instant::now();
        while element.tag_name().await.is_ok() {
            let changed = self.client.execute("return window.tableChanged === true", vec![]).await;
            if changed.is_ok_and(|changed| changed == Value::Bool(true)) {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(10), "no other page comes");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.find("footer").await;
    }

    /// The words of the page. While they are read another page may come.
    pub async fn text(&self) -> String {
        for _ in 0..20 {
            let Ok(main) = self.client.find(Locator::Css("main")).await else {
                return self.client.source().await.unwrap_or_default();
            };
            if let Ok(text) = main.text().await {
                return text;
            }
        }
        String::new()
    }

    /// The words of a part of the page. While they are read the table may move, and put others in their place.
    pub async fn read(&self, css: &str) -> String {
        for _ in 0..20 {
            if let Ok(text) = self.find(css).await.text().await {
                return text;
            }
        }
        panic!("{css} never stands still");
    }

    /// The markup within a part of the page, read in one go: the table may move meanwhile.
    pub async fn markup(&self, css: &str) -> String {
        self.find(css).await;
        let read = "return document.querySelector(arguments[0]).innerHTML";
        match self.client.execute(read, vec![json!(css)]).await.expect("script") {
            Value::String(markup) => markup,
            other => panic!("{css} has {other}"),
        }
    }

    /// The number of moves made, as the page says.
    pub async fn step(&self) -> u32 {
        let state = self.read(".table-head .state").await;
        let text =
            if state.starts_with("Move ") || state == "The deal" { state } else { self.read(".stepper p").await };
        if text.starts_with("The deal") {
            return 0;
        }
        text.trim_start_matches("After move ")
            .trim_start_matches("Move ")
            .split([' ', ','])
            .next()
            .and_then(|word| word.parse().ok())
            .expect(&text)
    }

    /// How wide the page is, and how wide the window.
    pub async fn widths(&self) -> (u64, u64) {
        let measured = self.devtools("Page.getLayoutMetrics", json!({})).await;
        let number = |value: &Value| value.as_f64().expect("a number").ceil() as u64;
        (number(&measured["cssContentSize"]["width"]), number(&measured["cssLayoutViewport"]["clientWidth"]))
    }

    /// A colour or the like, as the browser works it out.
    pub async fn style(&self, css: &str, property: &str) -> String {
        self.find(css).await.css_value(property).await.expect("a value")
    }

    /// Keeps a picture of the page for the documentation, if somebody asked for pictures.
    pub async fn picture(&self, name: &str) {
        if std::env::var("WONDERPOST_PICTURES").is_ok_and(|wish| wish == "1") {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
            std::fs::create_dir_all(&folder).expect("a folder");
            let picture = self.client.screenshot().await.expect("a picture");
            std::fs::write(folder.join(format!("{name}.png")), picture).expect("a file");
        }
    }
}
