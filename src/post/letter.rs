//! The kinds of letters.

use std::str::FromStr;

use serde::Deserialize;

/// What a letter tells of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A link and a code to sign in with.
    SignIn,
    /// A link and a code that make this a player's address.
    Address,
    /// To the old address: there is a new one.
    AddressChanged,
    /// Somebody is asked to a table.
    Invitation,
    /// The game has begun.
    Started,
    /// It is their turn.
    Turn,
    /// The game is over.
    Over,
    /// What became of a reply.
    Answer,
    /// A reply was made, and its writer is still to move.
    GoOn,
    /// A reply came that may not be theirs: a page confirms it.
    Confirm,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Kind::SignIn => "sign-in",
            Kind::Address => "address",
            Kind::AddressChanged => "address-changed",
            Kind::Invitation => "invitation",
            Kind::Started => "started",
            Kind::Turn => "turn",
            Kind::Over => "over",
            Kind::Answer => "answer",
            Kind::GoOn => "go-on",
            Kind::Confirm => "confirm",
        }
    }
}

/// A kind of letter that this build does not know.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such kind of letter")]
pub struct NoKind;

impl FromStr for Kind {
    type Err = NoKind;

    fn from_str(name: &str) -> Result<Kind, NoKind> {
        let all = [
            Kind::SignIn,
            Kind::Address,
            Kind::AddressChanged,
            Kind::Invitation,
            Kind::Started,
            Kind::Turn,
            Kind::Over,
            Kind::Answer,
            Kind::GoOn,
            Kind::Confirm,
        ];
        all.into_iter().find(|kind| kind.name() == name).ok_or(NoKind)
    }
}

/// What a letter to sign in with brings along. In the outbox until it is sent, then nowhere.
#[derive(Deserialize)]
pub struct SignInDetails {
    pub token: String,
    pub code: String,
}

/// What an invitation brings along.
#[derive(Deserialize)]
pub struct InvitationDetails {
    pub token: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_by_their_names() {
        assert_eq!("turn".parse(), Ok(Kind::Turn));
        assert_eq!(Kind::AddressChanged.name().parse(), Ok(Kind::AddressChanged));
        assert_eq!("gossip".parse::<Kind>(), Err(NoKind));
    }
}
