//! A port that leads to a database by way of the tests.

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::net::TcpListener;
use tokio::runtime;
use wonderpost::db::cluster::{DATABASE, ROLE};

/// A port with a thread that sees to its connections. Dropping it closes it, and them.
pub struct DatabasePort {
    number: u16,
    runtime: Option<runtime::Runtime>,
}

impl DatabasePort {
    pub fn open<F: Future<Output = ()> + Send>(serve: impl FnOnce(TcpListener) -> F + Send + 'static) -> DatabasePort {
        let runtime = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a listener");
        let number = listener.local_addr().expect("an address").port();
        runtime.spawn(async move { serve(TcpListener::from_std(listener).expect("a listener")).await });
        DatabasePort { number, runtime: Some(runtime) }
    }

    /// How to connect to the house's database by it.
    pub fn options(&self) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .host("127.0.0.1")
            .port(self.number)
            .username(ROLE)
            .database(DATABASE)
            .ssl_mode(PgSslMode::Disable)
    }
}

impl Drop for DatabasePort {
    fn drop(&mut self) {
        // A runtime must not wait for its tasks within another one's.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
