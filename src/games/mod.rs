//! The catalogue: the only list of games.

use crate::rules::Catalogue;

/// All games of the house.
pub fn catalogue() -> Catalogue {
    Catalogue::new(vec![])
}
