//! What letters with a link and a code are for.

use std::str::FromStr;

use crate::db::column_types::text_column;

/// What a letter with a link and a code is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To sign in with this address.
    SignIn,
    /// To make it the address of the player who asked.
    Address,
    /// To confirm that it is still the player who asks for something that cannot be undone.
    Identity,
}

impl Purpose {
    /// A player with an address changes it; a guest signs in with their first, and everything comes along.
    pub const fn of_new_address(has_address: bool) -> Purpose {
        if has_address { Purpose::Address } else { Purpose::SignIn }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Purpose::SignIn => "sign-in",
            Purpose::Address => "address",
            Purpose::Identity => "identity",
        }
    }
}

/// What is not the purpose of a letter.
#[derive(Debug, thiserror::Error)]
#[error("there is no such purpose of a letter")]
pub struct NoPurpose;

impl FromStr for Purpose {
    type Err = NoPurpose;

    fn from_str(name: &str) -> Result<Purpose, NoPurpose> {
        let all = [Purpose::SignIn, Purpose::Address, Purpose::Identity];
        all.into_iter().find(|purpose| purpose.name() == name).ok_or(NoPurpose)
    }
}

text_column!(Purpose);
