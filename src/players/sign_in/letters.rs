//! Signing in, and taking another address: a letter goes out, and whoever has it shows its code or follows its link.

use chrono::Utc;
use serde_json::json;

use crate::db::players::sign_ins::{Asked, Browser, NewSignIn, OpenLink, Proof, Purpose, SignedIn};
use crate::db::retry_transient;
use crate::players::service::{AccountError, Players, Result};
use crate::players::sign_in::limits::{LETTER_PACE, Origin};
use crate::players::sign_in::sessions::{NAME_TRIES, NewSession};
use crate::players::sign_in::{self, Token, fresh_code, read_code};
use crate::players::{EmailAddress, PlayerName, Suspension};
use crate::tables::{Credentials, PlayerId};

/// A letter with a link and a code that somebody wants.
pub(super) struct WantedLetter<'a> {
    pub purpose: Purpose,
    pub email: &'a EmailAddress,
    pub asked_by: Option<PlayerId>,
    /// The session or token that it is to confirm, if it is for that.
    pub bearer_digest: Option<[u8; 32]>,
    /// What the browser got when it last asked.
    pub earlier_ask: Option<Token>,
}

/// What came of a code or a link.
pub enum Entered {
    /// It is no good.
    No,
    /// A new session has begun.
    SignedIn {
        player: PlayerId,
        session: NewSession,
        suspension: Option<Suspension>,
    },
    AddressChanged {
        player: PlayerId,
    },
    /// They have confirmed that it is them.
    Confirmed,
}

impl Players {
    /// Writes a letter with a link and a code, within limits; gives the secret with which the code can be typed.
    pub(super) async fn write_letter(&self, wanted: WantedLetter<'_>, origin: &Origin) -> Result<Token> {
        self.admit_letter(origin).await?;
        let (token, ask, code) = (Token::fresh(), Token::fresh(), fresh_code());
        let new = NewSignIn {
            purpose: wanted.purpose,
            token_digest: token.digest(),
            ask_digest: ask.digest(),
            code_digest: ask.code_digest(&code),
            email: wanted.email.as_str(),
            asked_by: wanted.asked_by,
            bearer_digest: wanted.bearer_digest,
            earlier_ask: wanted.earlier_ask.as_ref().map(Token::digest),
            network: origin.network.clone(),
            expires_at: Utc::now() + sign_in::GOOD_FOR,
            details: json!({ "token": token.reveal(), "code": code }).to_string(),
        };
        Ok(match (self.store().ask_to_sign_in(&new, &LETTER_PACE).await?, wanted.earlier_ask) {
            (Asked::StillGood, Some(earlier)) => earlier,
            (Asked::Written | Asked::StillGood | Asked::Waiting, _) => ask,
        })
    }

    /// Writes the letter that somebody signs in with. A guest's games come along.
    pub async fn ask_to_sign_in(
        &self,
        email: &EmailAddress,
        guest: Option<PlayerId>,
        earlier_ask: Option<Token>,
        origin: &Origin,
    ) -> Result<Token> {
        let wanted =
            WantedLetter { purpose: Purpose::SignIn, email, asked_by: guest, bearer_digest: None, earlier_ask };
        self.write_letter(wanted, origin).await
    }

    /// Writes to the address that a player wants to have, once they have confirmed that it is them; the letter's link or code makes it
    /// theirs.
    pub async fn change_address(
        &self,
        credentials: &Credentials,
        email: &EmailAddress,
        earlier_ask: Option<Token>,
        origin: &Origin,
    ) -> Result<Token> {
        self.check_confirmed(credentials).await?;
        let player = credentials.player;
        let purpose = Purpose::of_new_address(self.has_address(player).await?);
        let wanted = WantedLetter { purpose, email, asked_by: Some(player), bearer_digest: None, earlier_ask };
        self.write_letter(wanted, origin).await
    }

    /// Letters go to an address again from which they came back.
    pub async fn turn_mail_on(&self, player: PlayerId) -> Result<()> {
        Ok(self.store().turn_mail_on(player).await?)
    }

    /// What a link is for, while it is good.
    pub async fn open_link(&self, token: &str) -> Result<Option<OpenLink>> {
        let Some(digest) = Token::parse(token).map(|token| token.digest()) else { return Ok(None) };
        Ok(retry_transient(|| self.store().open_link(&digest)).await?)
    }

    /// Enters with a code, typed with the secret of the letter. `old` is the session that the browser has.
    pub async fn enter_with_code(
        &self,
        ask: Option<Token>,
        typed: &str,
        old: Option<[u8; 32]>,
        origin: &Origin,
    ) -> Result<Entered> {
        self.admit_code(origin).await?;
        let Some((ask, code)) = ask.zip(read_code(typed)) else { return Ok(Entered::No) };
        let proof = Proof::Code {
            ask_digest: ask.digest(),
            code_digest: ask.code_digest(&code),
            most_tries: sign_in::MOST_TRIES,
        };
        self.enter(&proof, old).await
    }

    /// Enters with a link. The games of the guest who asked for the letter may be left behind.
    pub async fn enter_with_link(&self, token: &str, leave_guest: bool, old: Option<[u8; 32]>) -> Result<Entered> {
        let Some(token) = Token::parse(token) else { return Ok(Entered::No) };
        self.enter(&Proof::Link { token_digest: token.digest(), leave_guest }, old).await
    }

    async fn enter(&self, proof: &Proof, old: Option<[u8; 32]>) -> Result<Entered> {
        let session = NewSession::fresh();
        match self.begin_session(proof, old, &session).await? {
            SignedIn::No => Ok(Entered::No),
            SignedIn::AddressTaken => {
                Err(AccountError::refused("That address belongs to another player already. Sign in with it instead."))
            }
            SignedIn::AddressChanged { player } => Ok(Entered::AddressChanged { player }),
            SignedIn::Confirmed => Ok(Entered::Confirmed),
            SignedIn::Yes { moved, player } => {
                let suspension = self.store().suspension_of(player).await?;
                if suspension.is_some() {
                    // What a guest brings along is not to wait for somebody who cannot move.
                    self.tables.hold_seats(player).await?;
                }
                if let Some(old) = old {
                    self.forget_session(&old);
                }
                for table in moved {
                    self.tables.seats_changed(table);
                }
                Ok(Entered::SignedIn { player, session, suspension })
            }
        }
    }

    /// Tries the proof, with other names for a newcomer as long as one is taken.
    async fn begin_session(&self, proof: &Proof, old: Option<[u8; 32]>, session: &NewSession) -> Result<SignedIn> {
        let (player, digest) = (PlayerId::fresh(), session.token.digest());
        let mut tries = 0;
        loop {
            let name = PlayerName::for_guest(tries);
            let browser = Browser {
                session: old.as_ref().map(|digest| digest.as_slice()),
                new_session: &digest,
                expires_at: session.expires_at,
                fresh: (player, name.as_str(), &name.key()),
            };
            match self.store().sign_in(proof, &browser).await {
                Err(error) if error.is_duplicate() && tries < NAME_TRIES => tries += 1,
                outcome => return Ok(outcome?),
            }
        }
    }
}
