//! Refusing letters: links that need no cookie and no password, because the house signed them.
//!
//! A link's token is `kind.whom.table.mac`: what the letter told of, whom it was for, the table or `-`, and the first 16 bytes of an
//! HMAC-SHA-256 of the rest under a key of the house. It never ends: who does not want letters is not to be told that it is too late.
//! Where mail comes in there is an address as well (`reply_address`): a message to it does what the button of a mail program does.

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use tokio::sync::OnceCell;

use crate::db::{Store, StoreError, in_time, retry_transient};
use crate::mail::letters::kind::Kind;
use crate::mail::preferences::{MailPreferences, TableMailPreferences};
use crate::players::address_digest;
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::hmac::{Hmac, Mac, hmac_sha256};

const MAC_BYTES: usize = 16;

/// What stands before somebody without an account in a token.
const ADDRESS_MARK: char = 'a';

/// Who would rather not get which letters.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Unsubscribe {
    pub kind: Kind,
    pub reader: Reader,
    pub table: Option<TableId>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reader {
    Player(PlayerId),
    /// Somebody without an account, by the first half of a digest of their address.
    Address([u8; 16]),
}

impl Reader {
    pub fn of_address(address: &str) -> Reader {
        Reader::Address(address_digest(address))
    }
}

impl Unsubscribe {
    /// Does what the button of a mail program does: no more such letters.
    pub async fn refuse(&self, store: &Store) -> Result<(), StoreError> {
        match &self.reader {
            Reader::Player(player) => refuse_kinds(store, *player, self.kind.refused_with()).await,
            Reader::Address(digest) => retry_transient(|| store.silence_address(digest, true)).await,
        }
    }
}

/// A player does without these letters, at tables for which they chose by themselves, too.
pub async fn refuse_kinds(store: &Store, player: PlayerId, kinds: &[Kind]) -> Result<(), StoreError> {
    change_wishes(store, player, |wishes| wishes.refuse(kinds)).await?;
    change_all_table_wishes(store, player, |wishes| wishes.refuse(kinds)).await
}

/// A player wants these letters again.
pub async fn want_kinds_again(store: &Store, player: PlayerId, kinds: &[Kind]) -> Result<(), StoreError> {
    change_wishes(store, player, |wishes| wishes.want_again(kinds)).await?;
    change_all_table_wishes(store, player, |wishes| wishes.want_again(kinds)).await
}

/// Changes what a player wants otherwise at the tables where they do.
async fn change_all_table_wishes(
    store: &Store,
    player: PlayerId,
    change: impl Fn(&mut TableMailPreferences),
) -> Result<(), StoreError> {
    for (table, wishes) in retry_transient(|| store.tables_with_wishes(player)).await? {
        let before = TableMailPreferences::read(&wishes);
        let mut wishes = before.clone();
        change(&mut wishes);
        if wishes != before {
            let wishes = wishes.write();
            retry_transient(|| store.keep_table_wishes(table, player, &wishes)).await?;
        }
    }
    Ok(())
}

/// Turns all letters about a table off, or on again.
pub async fn silence_table(store: &Store, player: PlayerId, table: TableId, off: bool) -> Result<(), StoreError> {
    let wishes = retry_transient(|| store.table_wishes(table, player)).await?;
    let wishes = wishes.as_deref().map(TableMailPreferences::read).unwrap_or_default();
    let wishes = TableMailPreferences { off, ..wishes }.write();
    retry_transient(|| store.keep_table_wishes(table, player, &wishes)).await?;
    Ok(())
}

/// Changes how a player wants letters.
async fn change_wishes(
    store: &Store,
    player: PlayerId,
    change: impl FnOnce(&mut MailPreferences),
) -> Result<(), StoreError> {
    let Some(wishes) = retry_transient(|| store.letter_wishes(player)).await? else { return Ok(()) };
    let mut wishes = MailPreferences::read(&wishes);
    change(&mut wishes);
    let wishes = wishes.write();
    retry_transient(|| store.keep_letter_wishes(player, &wishes)).await
}

/// Makes and reads the links.
#[derive(Default)]
pub struct UnsubscribeLinks {
    key: OnceCell<Vec<u8>>,
}

impl UnsubscribeLinks {
    /// The key, asked for once.
    async fn key(&self, store: &Store) -> Result<&[u8], StoreError> {
        let ask = || async {
            let fresh: [u8; 32] = rand::random();
            retry_transient(|| store.house_key("unsubscribing", &fresh)).await
        };
        Ok(in_time(self.key.get_or_try_init(ask)).await?)
    }

    pub async fn token(&self, store: &Store, what: &Unsubscribe) -> Result<String, StoreError> {
        Ok(write(self.key(store).await?, what))
    }

    /// What a token is for; `None` if it is not ours.
    pub async fn read(&self, store: &Store, token: &str) -> Result<Option<Unsubscribe>, StoreError> {
        Ok(read(self.key(store).await?, token))
    }
}

fn mac(key: &[u8], words: &str) -> Hmac {
    let mut mac = hmac_sha256(key);
    mac.update(b"wonderpost unsubscribe 1 ");
    mac.update(words.as_bytes());
    mac
}

fn write(key: &[u8], what: &Unsubscribe) -> String {
    let reader = match &what.reader {
        Reader::Player(player) => player.0.simple().to_string(),
        Reader::Address(digest) => format!("{ADDRESS_MARK}{}", HEXLOWER.encode(digest)),
    };
    let table = what.table.map_or("-".to_owned(), |table| table.to_string());
    let words = format!("{}.{reader}.{table}", what.kind.name());
    let mac = mac(key, &words).finalize().into_bytes();
    format!("{words}.{}", BASE32_NOPAD.encode(&mac[..MAC_BYTES]).to_lowercase())
}

fn read(key: &[u8], token: &str) -> Option<Unsubscribe> {
    let (words, stamp) = token.rsplit_once('.')?;
    let stamp = BASE32_NOPAD.decode(stamp.to_uppercase().as_bytes()).ok().filter(|stamp| stamp.len() == MAC_BYTES)?;
    mac(key, words).verify_truncated_left(&stamp).ok()?;
    let mut parts = words.split('.');
    let kind = parts.next()?.parse().ok()?;
    let reader = parts.next()?;
    let address = |digest: &str| HEXLOWER.decode(digest.as_bytes()).ok()?.try_into().ok().map(Reader::Address);
    let reader = match reader.strip_prefix(ADDRESS_MARK).filter(|digest| digest.len() == 32) {
        Some(digest) => address(digest)?,
        // Links in older letters hold the whole digest.
        None if reader.len() == 64 => address(reader.get(..32)?)?,
        None => Reader::Player(PlayerId(reader.parse().ok()?)),
    };
    let table = parts.next().filter(|table| *table != "-").map(str::parse).transpose().ok()?;
    Some(Unsubscribe { kind, reader, table })
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn a_token_says_what_it_is_for() {
        for what in [
            Unsubscribe { kind: Kind::Turn, reader: Reader::Player(PlayerId::fresh()), table: Some(TableId::fresh()) },
            Unsubscribe { kind: Kind::Digest, reader: Reader::Player(PlayerId::fresh()), table: None },
            Unsubscribe { kind: Kind::Invitation, reader: Reader::of_address("Alice@example.org"), table: None },
        ] {
            let token = write(b"key", &what);
            assert_eq!(read(b"key", &token), Some(what));
            assert_eq!(read(b"another key", &token), None);
            assert!(
                token.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte))
            );
        }
    }

    #[test]
    fn a_link_with_the_whole_digest_of_an_address_is_still_good() {
        let digest = HEXLOWER.encode(&Sha256::digest("alice@example.org"));
        let words = format!("invitation.{digest}.-");
        let mac = mac(b"key", &words).finalize().into_bytes();
        let token = format!("{words}.{}", BASE32_NOPAD.encode(&mac[..MAC_BYTES]).to_lowercase());
        let reader = Reader::of_address("Alice@example.org");
        assert_eq!(read(b"key", &token), Some(Unsubscribe { kind: Kind::Invitation, reader, table: None }));
    }

    #[test]
    fn a_token_that_was_changed_is_none() {
        let what = Unsubscribe { kind: Kind::Turn, reader: Reader::Player(PlayerId::fresh()), table: None };
        let token = write(b"key", &what);
        assert_eq!(read(b"key", &token.replace("turn.", "over.")), None);
        assert_eq!(read(b"key", &token[..token.len() - 2]), None);
        assert_eq!(read(b"key", ""), None);
        assert_eq!(read(b"key", "turn.x.-."), None);
    }
}
