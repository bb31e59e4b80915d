//! What every page has around it, whatever is on it.

use crate::http::pages::announcements::Announcement;
use crate::players::Theme;

/// Who looks, and how they like it. Every page embeds one as `frame`; a [`Visitor`](crate::http::extract::session::Visitor) and a
/// [`Mover`](crate::http::extract::session::Mover) give theirs.
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
}
