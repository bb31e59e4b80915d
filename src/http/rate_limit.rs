//! How often something may be asked for. Counted in the database, so that it holds across processes.

use crate::db::players::rate_limits::RateLimit;
use crate::db::players::sign_ins::Pace;
use crate::http::AppState;
use crate::http::extract::network::Network;
use crate::http::extract::request_user::RequestUser;
use crate::http::problem::Problem;

/// How quickly letters to one address follow each other while nobody uses one. Their links are good for longer than the longest pause
/// (`sign_in::GOOD_FOR`), so whoever reads the mail of an address can always get in.
pub const LETTER_PACE: Pace =
    Pace { without_pause: 3, of_one_network: 2, before_long_pauses: 12, pause: 20, long_pause: 45 };

/// How many guests may come in from one network.
const GUESTS_A_NETWORK: RateLimit = RateLimit::an_hour("guests of a network", 60);

/// How many letters to sign in with may be asked for from one browser (or by one player's programs) and from one network.
const LETTERS_A_BROWSER: RateLimit = RateLimit::an_hour("letters of a browser", 10);
const LETTERS_A_NETWORK: RateLimit = RateLimit::an_hour("letters of a network", 30);

/// How many codes may be typed from one network.
const CODES_A_NETWORK: RateLimit = RateLimit::an_hour("codes of a network", 60);

const AN_HOUR: u64 = 3600;

const TOO_MANY_LETTERS: &str = "You have asked for a great many letters within the hour, so no more are written for now. The \
    link in the newest letter that you got is good for an hour.";
const TOO_MANY_CODES: &str = "Too many codes have been typed within the hour, so no more are read for now. The link in the \
    newest letter that you got works as well.";

impl AppState {
    /// Counts a guest who comes in. Whoever sits at the machine itself runs the house, and is not counted.
    pub(crate) async fn admit_guest(&self, network: Network) -> Result<(), Problem> {
        if network.is_here() || self.tables.store.admits(&GUESTS_A_NETWORK, &network.to_string()).await? {
            return Ok(());
        }
        Err(Problem::TooMany)
    }

    /// Counts a letter that is asked for, whoever it is to. `browser` tells browsers, or players with their programs, apart.
    pub(crate) async fn admit_letter(&self, browser: &str, network: Network) -> Result<(), Problem> {
        let store = &self.tables.store;
        if store.admits(&LETTERS_A_BROWSER, browser).await?
            && store.admits(&LETTERS_A_NETWORK, &network.to_string()).await?
        {
            return Ok(());
        }
        Err(Problem::Throttled { sentence: TOO_MANY_LETTERS, retry_seconds: AN_HOUR })
    }

    /// Counts a code that somebody typed.
    pub(crate) async fn admit_code(&self, network: Network) -> Result<(), Problem> {
        if self.tables.store.admits(&CODES_A_NETWORK, &network.to_string()).await? {
            return Ok(());
        }
        Err(Problem::Throttled { sentence: TOO_MANY_CODES, retry_seconds: AN_HOUR })
    }
}

/// Tells browsers apart: the stamp of their forms is made from their cookie.
pub fn browser_of(user: &RequestUser) -> String {
    user.frame().csrf
}
