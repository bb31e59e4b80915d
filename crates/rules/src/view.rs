//! What one viewer may know of a table at one moment.

use serde::Serialize;

use super::{Rules, Seat, Viewer};

/// The view that page, letter, API and bot all get. The fields and their order are the rulebooks'.
#[derive(Serialize)]
#[serde(bound = "")]
pub struct View<R: Rules> {
    pub game: &'static str,
    pub phase: &'static str,
    pub awaiting: Vec<Seat>,
    /// The decision that this viewer is asked for.
    pub prompt: Option<&'static str>,
    /// This viewer's legal moves, canonical, in byte order.
    pub moves: Vec<String>,
    /// The move made for this viewer if time runs out.
    pub default: Option<String>,
    pub over: bool,
    pub winners: Vec<Seat>,
    pub scores: Vec<Option<i64>>,
    pub table: R::PublicView,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine: Option<R::PrivateView>,
}

impl<R: Rules> View<R> {
    pub fn new(state: &R, viewer: Viewer) -> View<R> {
        let awaiting = state.awaiting();
        let awaited = viewer.seat().filter(|seat| awaiting.contains(*seat));
        let mut moves: Vec<String> =
            awaited.map(|seat| state.legal_moves(seat).iter().map(R::Move::to_string).collect()).unwrap_or_default();
        moves.sort_unstable();
        let result = state.result();
        View {
            game: R::GAME.slug,
            phase: state.phase(),
            awaiting: awaiting.iter().collect(),
            prompt: awaited.and_then(|seat| state.prompt(seat)),
            moves,
            default: awaited.and_then(|seat| state.default_move(seat)).map(|default| default.to_string()),
            over: result.is_some(),
            winners: result.map(|result| result.winners.iter().collect()).unwrap_or_default(),
            scores: state.scores(),
            table: state.public_view(viewer),
            mine: viewer.seat().map(|seat| state.private_view(seat)),
        }
    }
}
