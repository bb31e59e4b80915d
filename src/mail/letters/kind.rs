//! The kinds of letters.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
}

impl Kind {
    /// New kinds come last: addresses of letters that were sent name kinds by their places here.
    const ALL: [Kind; 18] = [
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
    ];

    /// The kinds that a player can do without, as the settings list them.
    pub const CHOICES: [Kind; 9] = [
        Kind::Turn,
        Kind::Call,
        Kind::Sequel,
        Kind::Reminder,
        Kind::TimeRanOut,
        Kind::Talk,
        Kind::Started,
        Kind::Over,
        Kind::Invitation,
    ];

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

    /// The names of the kinds that tell of a game, for queries.
    pub fn names_about_games() -> Vec<String> {
        Kind::ALL.into_iter().filter(|kind| kind.is_about_a_game()).map(|kind| kind.name().to_owned()).collect()
    }

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
            Kind::Over => &[Kind::Over],
            Kind::Digest => {
                &[Kind::Started, Kind::Turn, Kind::Call, Kind::Sequel, Kind::TimeRanOut, Kind::Talk, Kind::Over]
            }
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
