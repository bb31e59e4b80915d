//! What every page has around it, whatever is on it.

use actix_web::{HttpRequest, web};

use crate::http::AppState;
use crate::http::extract::session::token_digest;
use crate::http::pages::announcements::{Announcement, dismissed};
use crate::http::pages::preview::Preview;
use crate::players::{Account, Suspension, Theme};

/// Who looks, and how they like it. Every page embeds one as `frame`; a
/// [`RequestUser`](crate::http::extract::request_user::RequestUser) gives theirs.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// What the viewer is called; `None` for somebody without a session.
    pub name: Option<String>,
    /// Whether the viewer has an address, so that there is nothing to sign in to.
    pub is_signed_in: bool,
    /// Whether the viewer runs the house.
    pub is_host: bool,
    /// What somebody is told who is suspended.
    pub suspension: Option<String>,
    pub theme: Theme,
    pub four_colour_suits: bool,
    /// Whether the viewer sits at the machine itself and letters are kept there.
    pub shows_mailbox: bool,
    /// What every form sends along as `csrf`: forms include `parts/csrf.html`, boards get it as `Scene::csrf`.
    pub csrf: String,
    /// What the host tells everybody.
    pub announcements: Vec<Announcement>,
    /// What other sites may show of the page, if everybody may look at it.
    pub preview: Option<Preview>,
}

impl AppState {
    pub(crate) fn frame(
        &self,
        account: Option<&Account>,
        csrf: String,
        shows_mailbox: bool,
        dismissed: &[i64],
    ) -> Frame {
        let settings = account.map(|account| account.settings.clone()).unwrap_or_default();
        Frame {
            name: account.and_then(|account| account.name.clone()),
            is_signed_in: account.is_some_and(|account| account.has_address),
            is_host: account.is_some_and(|account| account.is_host),
            suspension: account.and_then(|account| account.suspension.as_ref()).map(Suspension::to_string),
            theme: settings.theme,
            four_colour_suits: settings.four_colour_suits,
            shows_mailbox,
            csrf,
            announcements: self.announcements.shown(self.tables.now(), dismissed),
            preview: None,
        }
    }
}

tokio::task_local! {
    static CONTEXT: FrameContext;
}

/// What the frame of an error page is made from: errors are turned into pages where the request is no longer at hand.
pub(crate) struct FrameContext {
    app: web::Data<AppState>,
    token_digest: Option<[u8; 32]>,
    shows_mailbox: bool,
    /// The announcements that this browser has dismissed.
    dismissed: Vec<i64>,
}

impl FrameContext {
    pub fn new(request: &HttpRequest, app: web::Data<AppState>) -> FrameContext {
        let shows_mailbox = app.shows_mailbox(request.head());
        FrameContext { app, token_digest: token_digest(request), shows_mailbox, dismissed: dismissed(request) }
    }

    /// Remembers it while a request is answered.
    pub fn during<T>(self, answer: impl Future<Output = T>) -> impl Future<Output = T> {
        CONTEXT.scope(self, answer)
    }
}

/// The frame of whoever sent the request, as far as it can be told from memory. Without a stamp for forms.
pub(crate) fn frame_from_memory() -> Frame {
    let frame = CONTEXT.try_with(|context| {
        let account = context.token_digest.and_then(|digest| context.app.players.cached_account(&digest));
        context.app.frame(account.as_deref(), String::new(), context.shows_mailbox, &context.dismissed)
    });
    frame.unwrap_or_default()
}
