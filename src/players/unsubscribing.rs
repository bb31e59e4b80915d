//! Refusing letters from a link in one of them, and taking that back.

use crate::db::retry_transient;
use crate::mail::Kind;
use crate::mail::unsubscribe::{Reader, Unsubscribe, refuse_kinds, silence_table, want_kinds_again};
use crate::players::service::{AccountError, Players, Result};

/// What somebody wants who followed the link in a letter.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LetterWish {
    /// No more letters of this kind.
    NoneOfThisKind,
    ThisKindAgain,
    /// None at all but those to sign in with.
    None,
    AllAgain,
    /// None about the table of the letter.
    NoneOfThisTable,
    ThisTableAgain,
}

impl Players {
    /// What the token of a link is for; `None` if it is not ours, or such letters cannot be refused.
    pub async fn unsubscribe_link(&self, token: &str) -> Result<Option<Unsubscribe>> {
        let link = self.unsubscribe_links.read(self.store(), token).await?;
        Ok(link.filter(|link| !link.kind.refused_with().is_empty()))
    }

    /// Does what the reader of a letter wants. The link proves who they are.
    pub async fn change_letters(&self, link: &Unsubscribe, wish: LetterWish) -> Result<()> {
        let (store, kinds) = (self.store(), link.kind.refused_with());
        match (wish, link.reader, link.table) {
            (LetterWish::NoneOfThisKind, _, _) => link.refuse(store).await?,
            (LetterWish::ThisKindAgain, Reader::Player(player), _) => want_kinds_again(store, player, kinds).await?,
            (LetterWish::ThisKindAgain, Reader::Address(digest), _) => {
                retry_transient(|| store.silence_address(&digest, false)).await?;
            }
            (LetterWish::None, Reader::Player(player), _) => refuse_kinds(store, player, &Kind::CHOICES).await?,
            (LetterWish::AllAgain, Reader::Player(player), _) => {
                want_kinds_again(store, player, &Kind::CHOICES).await?;
            }
            (LetterWish::NoneOfThisTable, Reader::Player(player), Some(table)) => {
                silence_table(store, player, table, true).await?;
            }
            (LetterWish::ThisTableAgain, Reader::Player(player), Some(table)) => {
                silence_table(store, player, table, false).await?;
            }
            (LetterWish::None | LetterWish::AllAgain, Reader::Address(_), _)
            | (LetterWish::NoneOfThisTable | LetterWish::ThisTableAgain, _, _) => {
                return Err(AccountError::refused("This link is not for that."));
            }
        }
        Ok(())
    }
}
