//! A service on a port of its own, as `wonderpost serve` runs it.

use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};

use actix_web::dev::ServerHandle;
use wonderpost::games;
use wonderpost::metrics::Metrics;
use wonderpost::settings::ServeSettings;
use wonderpost::store::Store;
use wonderpost::tables::Tables;
use wonderpost::web::Application;

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
        let settings =
            ServeSettings { listen: "127.0.0.1:0".into(), public_url: public_url.map(str::to_owned), workers: Some(2) };
        let (ready, wait) = mpsc::channel();
        let options = database.options();
        // The pool belongs to the service's own runtime, so all of it is made on its thread.
        let thread = thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let tables = Tables::new(Store::new(options, 16), games::catalogue(), Arc::new(Metrics::default()));
                let service = Application::build(&settings, tables).expect("a free port");
                ready.send((service.addresses[0], service.handle())).expect("somebody waits");
                service.run().await.expect("it runs");
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
