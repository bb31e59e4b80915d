//! A service on a port of its own, as `wonderpost serve` runs it.

use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};

use actix_web::dev::ServerHandle;
use sqlx::postgres::PgConnectOptions;
use wonderpost::app::metrics::Metrics;
use wonderpost::app::settings::ServeSettings;
use wonderpost::db::standby::Standby;
use wonderpost::db::{Address, Store};
use wonderpost::http::Application;
use wonderpost::mail as post;
use wonderpost::tables::Tables;

use super::{TestDatabase, Visitor};

/// A running service. Dropping it stops it.
pub struct Service {
    pub url: String,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    pub fn start(database: &TestDatabase) -> Service {
        Service::start_at(database, None)
    }

    /// A service that people reach under this address.
    pub fn start_at(database: &TestDatabase, public_url: Option<&str>) -> Service {
        Service::start_with(database, |settings| settings.public_url = public_url.map(str::to_owned))
    }

    /// A service with settings of its own.
    pub fn start_with(database: &TestDatabase, set: impl FnOnce(&mut ServeSettings)) -> Service {
        Service::start_on(database.options(), set)
    }

    /// A service on any database.
    pub fn start_on(address: impl Into<Address>, set: impl FnOnce(&mut ServeSettings)) -> Service {
        Service::start_reading(address, None, set)
    }

    /// A service that reads from a standby, too, if there is one.
    pub fn start_reading(
        address: impl Into<Address>,
        standby: Option<PgConnectOptions>,
        set: impl FnOnce(&mut ServeSettings),
    ) -> Service {
        let mut settings = ServeSettings { listen: "127.0.0.1:0".into(), workers: Some(2), ..ServeSettings::default() };
        set(&mut settings);
        let (ready, wait) = mpsc::channel();
        let address = address.into();
        // The pool belongs to the service's own runtime, so all of it is made on its thread.
        let thread = thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let tables =
                    Tables::new(Store::new(address, 16), wonderpost_games::catalogue(), Arc::new(Metrics::default()));
                let standby = standby.map(|standby| Arc::new(Standby::new(Store::new(standby, 8))));
                let tables = Arc::new(tables.reading_from(standby));
                let service = Application::build(&settings, tables.clone()).expect("a free port");
                tables.live.connect(tables.store.clone());
                let seats = actix_web::rt::spawn(tables.clone().follow_seats());
                let duties = actix_web::rt::spawn(tables.clone().run_scheduler());
                let post =
                    post::start(tables, &settings.post, settings.days_off, &service.base).expect("letters go out");
                let address = service.addresses[0];
                let running = service.start();
                ready.send((address, running.handle())).expect("somebody waits");
                running.ended().await.expect("it runs");
                duties.abort();
                seats.abort();
                post.stop().await;
            });
        });
        let (address, handle) = wait.recv().expect("it starts");
        Service { url: format!("http://{address}"), handle, thread: Some(thread) }
    }

    /// Somebody new at a browser.
    pub fn visitor(&self) -> Visitor {
        Visitor::new(&self.url)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // The order is given when it is made; the answer is that the thread ends.
        drop(self.handle.stop(false));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
