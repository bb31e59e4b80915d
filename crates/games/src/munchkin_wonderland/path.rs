//! The paths and spokes that the spaces lie on.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct PathFacts {
    pub id: String,
    pub title: String,
}
