//! How often something may be asked for. Counted in the database, so that it holds across processes.

use crate::db::players::rate_limits::RateLimit;
use crate::db::players::sign_ins::Pace;
use crate::players::service::{AccountError, Players, Result};

/// How quickly letters to one address follow each other while nobody uses one. Their links are good for longer than the longest pause
/// (`sign_in::GOOD_FOR`), so whoever reads the mail of an address can always get in.
pub(super) const LETTER_PACE: Pace =
    Pace { without_pause: 3, of_one_network: 2, before_long_pauses: 12, pause: 20, long_pause: 45 };

/// How many guests may come in from one network.
pub(super) const GUESTS_A_NETWORK: RateLimit = RateLimit::an_hour("guests of a network", 60);

/// How many letters to sign in with may be asked for from one browser (or by one player's programs) and from one network.
const LETTERS_A_BROWSER: RateLimit = RateLimit::an_hour("letters of a browser", 10);
const LETTERS_A_NETWORK: RateLimit = RateLimit::an_hour("letters of a network", 30);

/// How many codes may be typed from one network.
const CODES_A_NETWORK: RateLimit = RateLimit::an_hour("codes of a network", 60);

const TOO_MANY_LETTERS: &str = "You have asked for a great many letters within the hour, so no more are written for now. The \
    link in the newest letter that you got is good for an hour.";
const TOO_MANY_CODES: &str = "Too many codes have been typed within the hour, so no more are read for now. The link in the \
    newest letter that you got works as well.";

/// Where a request comes from, as far as limits care.
#[derive(Clone, Debug)]
pub struct Origin {
    pub network: String,
    /// Tells browsers, or players with their programs, apart.
    pub browser: String,
}

impl Players {
    /// Counts a letter that is asked for, whoever it is to.
    pub(super) async fn admit_letter(&self, origin: &Origin) -> Result<()> {
        let store = self.store();
        if store.admits(&LETTERS_A_BROWSER, &origin.browser).await?
            && store.admits(&LETTERS_A_NETWORK, &origin.network).await?
        {
            return Ok(());
        }
        Err(AccountError::TooOften(TOO_MANY_LETTERS))
    }

    /// Counts a code that somebody typed.
    pub(super) async fn admit_code(&self, origin: &Origin) -> Result<()> {
        if self.store().admits(&CODES_A_NETWORK, &origin.network).await? {
            return Ok(());
        }
        Err(AccountError::TooOften(TOO_MANY_CODES))
    }
}
