//! Those who have no business at a table go to every address of the house, and learn nothing.

mod concealed;
mod hands;
mod private_tables;
mod routes;

pub use hands::{assert_shows_none, hidden};
use routes::Walker;
pub use routes::host_routes;

use crate::harness::{Service, TestDatabase, Visitor, letters};

/// Those who sit elsewhere, and those who only look.
async fn other_people(database: &TestDatabase, service: &Service) -> Vec<Walker> {
    let (other, spectator) = (Visitor::from_afar(&service.url), Visitor::from_afar(&service.url));
    letters::sign_in(database, &other, "other@example.org").await;
    other.begin().await;
    let mut walkers = Vec::new();
    for (name, visitor) in [("another player", other), ("a spectator", spectator)] {
        let token = visitor.token().await;
        walkers.push(Walker::new(name, visitor, Some(token)).await);
    }
    walkers
}
