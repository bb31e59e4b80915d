//! All that this program's services have logged, so that tests can look for what must not be there.

use std::io;
use std::sync::{Mutex, Once};

use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Lines;

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.lock().unwrap_or_else(|broken| broken.into_inner()).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = Lines;

    fn make_writer(&self) -> Lines {
        Lines
    }
}

/// Begins to listen, in more detail than any host would.
pub fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let filter: Targets = "info,wonderpost=trace,sqlx=debug".parse().unwrap();
        let log = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(Lines).with_filter(filter);
        let _ = tracing_subscriber::registry().with(log).try_init();
    });
}

/// What has been logged so far, by all tests.
pub fn lines() -> String {
    String::from_utf8_lossy(&LINES.lock().unwrap_or_else(|broken| broken.into_inner())).into_owned()
}
