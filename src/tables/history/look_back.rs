//! A table as it is or was after a move, as somebody may know it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::tables::history::recent_events::{HistoryView, LOG_MOVES, RecentEvents};
use crate::tables::state::concealed::Numbering;
use crate::tables::state::table_state::Unfoldable;
use crate::tables::{CachedTable, ReadError, Tables};
use wonderpost_rules::Viewer;

/// The first move of the log that goes with this one.
pub(crate) fn first_in_log(number: u32) -> u32 {
    (number + 1).saturating_sub(LOG_MOVES)
}

/// What each viewer of a table was last shown: the next page goes on from there, instead of from the first of the recent events.
#[derive(Default)]
pub struct PresentViews(Mutex<Vec<(Viewer, Arc<HistoryView>)>>);

impl PresentViews {
    fn get(&self, viewer: Viewer) -> Option<Arc<HistoryView>> {
        let views = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        views.iter().find(|(there, _)| *there == viewer).map(|(_, view)| view.clone())
    }

    fn put(&self, viewer: Viewer, view: Arc<HistoryView>) {
        let mut views = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match views.iter_mut().find(|(there, _)| *there == viewer) {
            Some((_, there)) if there.now.version > view.now.version => {}
            Some((_, there)) => *there = view,
            None => views.push((viewer, view)),
        }
    }
}

impl CachedTable {
    /// The table as it is, as a viewer may know it, if its recent events go back far enough for the log.
    fn present(&self, viewer: Viewer) -> Result<Option<Arc<HistoryView>>, Unfoldable> {
        let numbering = self.now.numbering(viewer);
        let number = numbering.shown(self.now.moves);
        if !self.window.shows(numbering.recorded(first_in_log(number))) {
            return Ok(None);
        }
        let afresh = || self.window.table_at_move(number, viewer, &numbering);
        // What is concealed is counted otherwise once it is shown, so that nothing can be carried on.
        if !self.now.concealed.is_empty() {
            return Ok(Some(Arc::new(afresh()?)));
        }
        let view = match self.views.get(viewer).filter(|last| self.follows(last)) {
            Some(last) if last.now.version == self.now.version => last,
            Some(last) => Arc::new(self.window.carry_on(&last, viewer)?),
            None => Arc::new(afresh()?),
        };
        debug_assert!(*view == afresh()?, "going on from the last view gives another one than the events");
        self.views.put(viewer, view.clone());
        Ok(Some(view))
    }

    /// Whether this table is what became of the one in a view.
    fn follows(&self, view: &HistoryView) -> bool {
        view.now.concealed.is_empty() && self.window.digest_of(view.now.version) == Some(&view.now.head)
    }
}

impl Tables {
    /// The table as it is, as a viewer may know it.
    pub async fn table_now(&self, cached: &CachedTable, viewer: Viewer) -> Result<Arc<HistoryView>, ReadError> {
        match cached.present(viewer)? {
            Some(view) => Ok(view),
            None => self.table_at_move(cached, cached.now.moves_for(viewer), viewer).await.map(Arc::new),
        }
    }

    /// The table after a move, as a viewer may know it. Moves are counted as the viewer does.
    pub async fn table_at_move(
        &self,
        cached: &CachedTable,
        number: u32,
        viewer: Viewer,
    ) -> Result<HistoryView, ReadError> {
        let numbering = cached.now.numbering(viewer);
        self.look_back(cached, number, &numbering, |window| window.table_at_move(number, viewer, &numbering)).await
    }

    /// A finished table after a move, with what each seat knew.
    pub async fn revealed_at_move(&self, cached: &CachedTable, number: u32) -> Result<HistoryView, ReadError> {
        let numbering = cached.now.numbering(Viewer::Public);
        self.look_back(cached, number, &numbering, |window| window.revealed_at_move(number, &numbering)).await
    }

    async fn look_back(
        &self,
        cached: &CachedTable,
        number: u32,
        numbering: &Numbering,
        look: impl Fn(&RecentEvents) -> Result<HistoryView, Unfoldable>,
    ) -> Result<HistoryView, ReadError> {
        if number > numbering.shown(cached.now.moves) {
            return Err(ReadError::NoMove);
        }
        let first = numbering.recorded(first_in_log(number));
        if cached.window.shows(first) {
            return Ok(look(&cached.window)?);
        }
        let until = numbering.recorded_until(number);
        let window = match self.window_from_standby(cached, first, until).await {
            Some(window) => window,
            None => self.load_window(&self.store, cached.id, first, Some(until)).await?,
        };
        let view = look(&window)?;
        // The database may have gone back since the table was read.
        if view.now.moves == until { Ok(view) } else { Err(ReadError::NoMove) }
    }
}
