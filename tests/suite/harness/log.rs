//! All that this program's services have logged, so that tests can look for what must not be there.

use std::io;
use std::sync::{Mutex, Once};

use tracing_subscriber::fmt::MakeWriter;

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
        let filter = "info,wonderpost=trace,sqlx=debug";
        let _ = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(Lines).try_init();
    });
}

/// What has been logged so far, by all tests.
pub fn lines() -> String {
    String::from_utf8_lossy(&LINES.lock().unwrap_or_else(|broken| broken.into_inner())).into_owned()
}
