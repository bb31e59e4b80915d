//! Moves without their types.

use std::any::Any;
use std::fmt::{self, Display};
use std::sync::Arc;

use super::{Refusal, Rules};

/// A move of any game: read once, and carried along with its text.
#[derive(Clone)]
pub struct AnyMove {
    text: Arc<str>,
    typed: Arc<dyn Any + Send + Sync>,
}

impl AnyMove {
    pub(crate) fn new<M: Display + Send + Sync + 'static>(mv: M) -> AnyMove {
        AnyMove { text: mv.to_string().into(), typed: Arc::new(mv) }
    }

    /// Its canonical form.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn typed<R: Rules>(&self) -> Result<&R::Move, Refusal> {
        self.typed.downcast_ref().ok_or_else(|| Refusal::new(format!("“{self}” is a move of another game.")))
    }
}

impl Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl PartialEq for AnyMove {
    fn eq(&self, other: &AnyMove) -> bool {
        self.text == other.text
    }
}

impl Eq for AnyMove {}
