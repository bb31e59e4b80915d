//! The kinds of letters.

use std::convert::Infallible;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::db::column_types::text_column;

/// What a letter tells of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    /// Somebody waits for them in the middle of a turn of their own.
    Call,
    /// What came of something that they had a part in, though it is not their turn.
    Sequel,
    /// It is still their turn, and time runs out.
    Reminder,
    /// Time ran out.
    TimeRanOut,
    /// Somebody wrote to the table.
    Talk,
    /// The game is over.
    Over,
    /// Several tables at once.
    Digest,
    /// What became of a reply.
    Answer,
    /// A reply was made, and its writer is still to move.
    GoOn,
    /// A reply came that may not be theirs: a page confirms it.
    Confirm,
    /// A link and a code that confirm that it is them who want to do something that cannot be undone.
    Identity,
    /// The host did something that concerns them.
    Host,
    /// Somebody asks them whether a move may be taken back.
    TakeBack,
}

impl Kind {
    /// New kinds come last: addresses of letters that were sent name kinds by their places here.
    const ALL: [Kind; 19] = [
        Kind::SignIn,
        Kind::Address,
        Kind::AddressChanged,
        Kind::Invitation,
        Kind::Started,
        Kind::Turn,
        Kind::Reminder,
        Kind::TimeRanOut,
        Kind::Talk,
        Kind::Over,
        Kind::Digest,
        Kind::Answer,
        Kind::GoOn,
        Kind::Confirm,
        Kind::Call,
        Kind::Sequel,
        Kind::Identity,
        Kind::Host,
        Kind::TakeBack,
    ];

    /// The kinds that a player can do without, as the settings list them.
    pub const CHOICES: [Kind; 10] = [
        Kind::Turn,
        Kind::Call,
        Kind::Sequel,
        Kind::Reminder,
        Kind::TimeRanOut,
        Kind::TakeBack,
        Kind::Talk,
        Kind::Started,
        Kind::Over,
        Kind::Invitation,
    ];

    /// The answers to replies of which a player gets few an hour.
    pub const LIMITED_ANSWERS: [Kind; 2] = [Kind::Answer, Kind::Confirm];

    pub const fn name(self) -> &'static str {
        match self {
            Kind::SignIn => "sign-in",
            Kind::Address => "address",
            Kind::AddressChanged => "address-changed",
            Kind::Invitation => "invitation",
            Kind::Started => "started",
            Kind::Turn => "turn",
            Kind::Call => "call",
            Kind::Sequel => "sequel",
            Kind::Reminder => "reminder",
            Kind::TimeRanOut => "time-ran-out",
            Kind::Talk => "talk",
            Kind::Over => "over",
            Kind::Digest => "digest",
            Kind::Answer => "answer",
            Kind::GoOn => "go-on",
            Kind::Confirm => "confirm",
            Kind::Identity => "identity",
            Kind::Host => "host",
            Kind::TakeBack => "take-back",
        }
    }

    /// Its place among all kinds.
    pub fn number(self) -> u8 {
        Kind::ALL.iter().zip(0..).find(|(kind, _)| **kind == self).map_or(u8::MAX, |(_, number)| number)
    }

    pub fn numbered(number: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(number)).copied()
    }

    /// What such letters tell, as the end of “Letters that tell me …”.
    pub const fn words(self) -> &'static str {
        match self {
            Kind::SignIn => "how to sign in",
            Kind::Identity => "how to confirm that it is me",
            Kind::Address | Kind::AddressChanged => "that my address has changed",
            Kind::Invitation => "that somebody invites me",
            Kind::Started => "that a game has begun",
            Kind::Turn => "that it is my turn",
            Kind::Call => "that somebody calls me for help",
            Kind::Sequel => "what came of a call for help",
            Kind::Reminder => "that my time is running out",
            Kind::TimeRanOut => "that my time ran out",
            Kind::Talk => "that somebody wrote to the table",
            Kind::Over => "that a game is over",
            Kind::Digest => "how my tables stand",
            Kind::Answer | Kind::GoOn | Kind::Confirm => "what became of my reply",
            Kind::Host => "what the host did",
            Kind::TakeBack => "that somebody asks to take back a move",
        }
    }

    /// Whether it tells of a game that is or was played. Such letters can be held, merged and put off; others go at once.
    pub const fn is_about_a_game(self) -> bool {
        match self {
            Kind::Started
            | Kind::Turn
            | Kind::Call
            | Kind::Sequel
            | Kind::Reminder
            | Kind::TimeRanOut
            | Kind::Talk
            | Kind::TakeBack
            | Kind::Over => true,
            Kind::SignIn
            | Kind::Address
            | Kind::AddressChanged
            | Kind::Invitation
            | Kind::Digest
            | Kind::Answer
            | Kind::GoOn
            | Kind::Confirm
            | Kind::Identity
            | Kind::Host => false,
        }
    }

    /// The kinds that tell of a game.
    pub fn about_games() -> Vec<Kind> {
        Kind::ALL.into_iter().filter(|kind| kind.is_about_a_game()).collect()
    }

    /// The kinds that may ask for a yes or no: what they ask is still to be known when the answer comes.
    pub const ASKING: [Kind; 2] = [Kind::Invitation, Kind::Answer];

    /// What somebody no longer gets who refuses letters like this one; nothing where it cannot be refused.
    pub const fn refused_with(self) -> &'static [Kind] {
        match self {
            Kind::SignIn
            | Kind::Address
            | Kind::AddressChanged
            | Kind::Answer
            | Kind::GoOn
            | Kind::Confirm
            | Kind::Identity
            | Kind::Host => &[],
            Kind::Invitation => &[Kind::Invitation],
            Kind::Started => &[Kind::Started],
            Kind::Turn => &[Kind::Turn],
            Kind::Call => &[Kind::Call],
            Kind::Sequel => &[Kind::Sequel],
            Kind::Reminder => &[Kind::Reminder],
            Kind::TimeRanOut => &[Kind::TimeRanOut],
            Kind::Talk => &[Kind::Talk],
            Kind::TakeBack => &[Kind::TakeBack],
            Kind::Over => &[Kind::Over],
            Kind::Digest => &[
                Kind::Started,
                Kind::Turn,
                Kind::Call,
                Kind::Sequel,
                Kind::TimeRanOut,
                Kind::Talk,
                Kind::TakeBack,
                Kind::Over,
            ],
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
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or(NoKind)
    }
}

text_column!(Kind);

/// A kind of letter as the outbox has it: a later build may have written what this one does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum StoredKind {
    Known(Kind),
    Unknown(String),
}

impl StoredKind {
    pub const fn known(&self) -> Option<Kind> {
        match self {
            StoredKind::Known(kind) => Some(*kind),
            StoredKind::Unknown(_) => None,
        }
    }

    pub fn name(&self) -> &str {
        match self {
            StoredKind::Known(kind) => kind.name(),
            StoredKind::Unknown(name) => name,
        }
    }

    pub fn is_about_a_game(&self) -> bool {
        self.known().is_some_and(Kind::is_about_a_game)
    }
}

impl FromStr for StoredKind {
    type Err = Infallible;

    fn from_str(name: &str) -> Result<StoredKind, Infallible> {
        Ok(name.parse().map_or_else(|NoKind| StoredKind::Unknown(name.to_owned()), StoredKind::Known))
    }
}

text_column!(StoredKind);

/// What a letter to sign in with brings along. In the outbox until it is sent, then nowhere.
#[derive(Deserialize)]
pub struct SignInDetails {
    pub token: String,
    pub code: String,
}

/// What a letter about talk brings along: the first words that it tells.
#[derive(Deserialize)]
pub struct TalkDetails {
    pub talk: i64,
}

/// What a letter about a deed of the host brings along: where it stands in the host's log.
#[derive(Deserialize)]
pub struct HostDetails {
    pub log: i64,
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
        for kind in Kind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(Kind::numbered(kind.number()), Some(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.name()));
        }
        assert_eq!("gossip".parse::<Kind>(), Err(NoKind));
        assert_eq!("gossip".parse(), Ok(StoredKind::Unknown("gossip".to_owned())));
    }

    #[test]
    fn what_lets_one_in_or_was_asked_for_cannot_be_refused() {
        for kind in Kind::ALL {
            let is_needed =
                matches!(kind, Kind::SignIn | Kind::Address | Kind::AddressChanged | Kind::Identity | Kind::Host);
            let is_asked_for = matches!(kind, Kind::Answer | Kind::GoOn | Kind::Confirm);
            assert_eq!(kind.refused_with().is_empty(), is_needed || is_asked_for);
            assert!(kind.refused_with().iter().all(|kind| Kind::CHOICES.contains(kind)));
        }
    }
}
