//! What one viewer may know of a table at one moment.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use super::{Rules, Seat, Viewer};

/// The view that page, letter, API and bot all get. The fields and their order are the rulebooks'.
#[derive(Serialize)]
#[serde(bound = "")]
pub struct View<R: Rules> {
    /// The slug of the game.
    pub game: &'static str,
    /// What is being decided.
    #[serde(serialize_with = "name")]
    pub phase: R::Phase,
    /// Who is to move, in seat order.
    pub awaiting: Vec<Seat>,
    /// The decision that this viewer is asked for.
    pub prompt: Option<&'static str>,
    /// This viewer's legal moves, in the byte order of their canonical form.
    #[serde(serialize_with = "lines")]
    pub moves: Vec<R::Move>,
    /// The move made for this viewer if time runs out.
    #[serde(serialize_with = "line")]
    pub default: Option<R::Move>,
    /// Whether the game is over.
    pub over: bool,
    /// Who has won, once it is over.
    pub winners: Vec<Seat>,
    /// One entry a seat: the number that is public now.
    pub scores: Vec<Option<i64>>,
    /// What this viewer sees of the table.
    pub table: R::PublicView,
    /// What this viewer sees beyond that, if they hold a seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine: Option<R::PrivateView>,
}

impl<R: Rules> View<R> {
    /// What a viewer sees of this state.
    pub fn new(state: &R, viewer: Viewer) -> View<R> {
        let awaiting = state.awaiting();
        let awaited = viewer.seat().filter(|seat| awaiting.contains(*seat));
        let mut moves = awaited.map(|seat| state.legal_moves(seat)).unwrap_or_default();
        moves.sort_by_cached_key(R::Move::to_string);
        let result = state.result();
        View {
            game: R::GAME.slug,
            phase: state.phase(),
            awaiting: awaiting.iter().collect(),
            prompt: awaited.and_then(|seat| state.prompt(seat)),
            moves,
            default: awaited.and_then(|seat| state.default_move(seat)),
            over: result.is_some(),
            winners: result.map(|result| result.winners.iter().collect()).unwrap_or_default(),
            scores: state.scores(),
            table: state.public_view(viewer),
            mine: viewer.seat().map(|seat| state.private_view(seat)),
        }
    }
}

fn name<P: Copy + Into<&'static str>, S: Serializer>(phase: &P, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str((*phase).into())
}

fn line<M: Display, S: Serializer>(mv: &Option<M>, serializer: S) -> Result<S::Ok, S::Error> {
    match mv {
        Some(mv) => serializer.collect_str(mv),
        None => serializer.serialize_none(),
    }
}

fn lines<M: Display, S: Serializer>(moves: &[M], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(moves.iter().map(M::to_string))
}
