//! Addresses that only the house can make: `m-…` for replies from a seat, `r-…` for replies to one letter that asks something, `b-…` for
//! letters that come back, `u-…` for refusing letters.
//!
//! The local part is a letter, a dash and lower-case base32, so that nothing is lost where mail servers fold case. It holds what the
//! address is for, a day on which it ends, and the first 16 bytes of an HMAC-SHA-256 of both under a key of the house.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use data_encoding::{BASE32_NOPAD, HEXLOWER};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::app::settings::ReceiveSettings;
use crate::db::{Store, StoreError, in_time, retry_transient};
use crate::mail::letters::kind::Kind;
use crate::mail::unsubscribe::{Reader, Unsubscribe};
use crate::tables::{PlayerId, TableId};
use wonderpost_rules::Seat;
use wonderpost_rules::hmac::{Hmac, Mac, hmac_sha256};

/// For how many days an address is valid. Letters themselves are deleted after the same time.
const GOOD_FOR_DAYS: i64 = 90;

/// The day on which an address ends that does not: it is never too late to refuse letters.
const NEVER: u16 = u16::MAX;

const SECONDS_A_DAY: i64 = 24 * 60 * 60;
const MAC_BYTES: usize = 16;
const SEAT_BYTES: usize = 22;
const LETTER_BYTES: usize = 14;
const UNSUBSCRIBE_BYTES: usize = 20;

/// A seat that was written to, and how many moves had been made then.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub table: TableId,
    pub seat: Seat,
    pub moves: u32,
}

/// A letter that was sent, and a mark of the address it was sent to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SentLetter {
    pub id: i64,
    pub mark: [u8; 4],
}

impl SentLetter {
    pub fn new(id: i64, to: &str) -> SentLetter {
        SentLetter { id, mark: SentLetter::mark_of(to) }
    }

    /// Tells whether a player still has the address that a letter went to.
    pub fn went_to(&self, address: &str) -> bool {
        self.mark == SentLetter::mark_of(address)
    }

    fn mark_of(address: &str) -> [u8; 4] {
        let digest = Sha256::digest(address.to_lowercase());
        [digest[0], digest[1], digest[2], digest[3]]
    }
}

/// What an address of ours is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    Seat(Asked),
    /// Whoever got this letter is asked something: whether they come to a table, or whether they meant what they wrote.
    Letter(SentLetter),
    Bounce(SentLetter),
    /// What comes here refuses letters of a kind, whatever it says.
    Unsubscribe(Unsubscribe),
}

/// Why nothing is taken for an address.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRecipient {
    #[error("we take no mail for that domain")]
    CrossOrigin,
    #[error("there is no such address")]
    Unknown,
    #[error("this reply address has expired")]
    Expired,
}

/// The addresses of a house that takes replies.
pub struct ReplyAddresses {
    pub domain: String,
    key: OnceCell<AddressKey>,
}

impl ReplyAddresses {
    /// The addresses that replies come to, if there is a domain for them.
    pub fn from_settings(settings: &ReceiveSettings) -> Option<Arc<ReplyAddresses>> {
        settings.reply_domain.as_deref().map(|domain| Arc::new(ReplyAddresses::new(domain)))
    }

    pub fn new(domain: &str) -> ReplyAddresses {
        ReplyAddresses { domain: domain.to_ascii_lowercase(), key: OnceCell::new() }
    }

    /// The key, asked for once.
    async fn key(&self, store: &Store) -> Result<&AddressKey, StoreError> {
        let ask = || async {
            let fresh: [u8; 32] = rand::random();
            Ok(AddressKey(retry_transient(|| store.house_key("replies", &fresh)).await?))
        };
        in_time(self.key.get_or_try_init(ask)).await
    }

    /// Where the holder of a seat replies to a letter that was written after so many moves.
    pub async fn of_seat(&self, store: &Store, asked: &Asked, now: DateTime<Utc>) -> Result<String, StoreError> {
        let local = self.key(store).await?.write(&Recipient::Seat(*asked), now);
        Ok(format!("{local}@{}", self.domain))
    }

    /// Where a letter that asks something is answered.
    pub async fn of_letter(
        &self,
        store: &Store,
        letter: &SentLetter,
        now: DateTime<Utc>,
    ) -> Result<String, StoreError> {
        let local = self.key(store).await?.write(&Recipient::Letter(*letter), now);
        Ok(format!("{local}@{}", self.domain))
    }

    /// Where mail servers send back a letter that they cannot deliver.
    pub async fn of_bounces(
        &self,
        store: &Store,
        letter: &SentLetter,
        now: DateTime<Utc>,
    ) -> Result<String, StoreError> {
        let local = self.key(store).await?.write(&Recipient::Bounce(*letter), now);
        Ok(format!("{local}@{}", self.domain))
    }

    /// Where a message refuses letters of this kind.
    pub async fn of_refusal(&self, store: &Store, what: &Unsubscribe) -> Result<String, StoreError> {
        let local = self.key(store).await?.write(&Recipient::Unsubscribe(*what), store.clock.now());
        Ok(format!("{local}@{}", self.domain))
    }

    /// Whom a message to this address is for.
    pub async fn read(
        &self,
        store: &Store,
        address: &str,
        now: DateTime<Utc>,
    ) -> Result<Result<Recipient, NoRecipient>, StoreError> {
        let Some((local, domain)) = address.trim().rsplit_once('@') else { return Ok(Err(NoRecipient::Unknown)) };
        if !domain.eq_ignore_ascii_case(&self.domain) {
            return Ok(Err(NoRecipient::CrossOrigin));
        }
        Ok(self.key(store).await?.read(local, now))
    }
}

/// The key that addresses are signed with.
struct AddressKey(Vec<u8>);

impl AddressKey {
    fn mac(&self, kind: char, payload: &[u8]) -> Hmac {
        let mut mac = hmac_sha256(&self.0);
        mac.update(format!("wonderpost address 1 {kind} {}", HEXLOWER.encode(payload)).as_bytes());
        mac
    }

    /// The local part of an address.
    fn write(&self, recipient: &Recipient, now: DateTime<Utc>) -> String {
        let until = match recipient {
            Recipient::Seat(_) | Recipient::Letter(_) | Recipient::Bounce(_) => {
                u16::try_from(now.timestamp() / SECONDS_A_DAY + GOOD_FOR_DAYS).unwrap_or(NEVER)
            }
            Recipient::Unsubscribe(_) => NEVER,
        };
        let mut bytes = Vec::with_capacity(SEAT_BYTES + MAC_BYTES);
        bytes.extend(until.to_be_bytes());
        let kind = match recipient {
            Recipient::Seat(Asked { table, seat, moves }) => {
                bytes.extend(table.0.as_bytes());
                bytes.push(seat.number());
                // Three bytes: nobody makes sixteen million moves.
                bytes.extend(&moves.to_be_bytes()[1..]);
                'm'
            }
            Recipient::Letter(letter) | Recipient::Bounce(letter) => {
                bytes.extend(letter.id.to_be_bytes());
                bytes.extend(letter.mark);
                if matches!(recipient, Recipient::Letter(_)) { 'r' } else { 'b' }
            }
            // There is no room for the table, nor need of it: what is refused by mail is refused at all tables.
            Recipient::Unsubscribe(what) => {
                bytes.push(what.kind.number());
                match what.reader {
                    Reader::Player(player) => {
                        bytes.push(b'p');
                        bytes.extend(player.0.as_bytes());
                    }
                    Reader::Address(digest) => {
                        bytes.push(b'a');
                        bytes.extend(digest);
                    }
                }
                'u'
            }
        };
        let mac = self.mac(kind, &bytes).finalize().into_bytes();
        bytes.extend(&mac[..MAC_BYTES]);
        format!("{kind}-{}", BASE32_NOPAD.encode(&bytes).to_ascii_lowercase())
    }

    fn read(&self, local: &str, now: DateTime<Utc>) -> Result<Recipient, NoRecipient> {
        let local = local.to_ascii_uppercase();
        let (kind, token) = local.split_once('-').ok_or(NoRecipient::Unknown)?;
        let bytes = BASE32_NOPAD.decode(token.as_bytes()).map_err(|_| NoRecipient::Unknown)?;
        let (kind, length) = match kind {
            "M" => ('m', SEAT_BYTES),
            "R" => ('r', LETTER_BYTES),
            "B" => ('b', LETTER_BYTES),
            "U" => ('u', UNSUBSCRIBE_BYTES),
            _ => return Err(NoRecipient::Unknown),
        };
        if bytes.len() != length + MAC_BYTES {
            return Err(NoRecipient::Unknown);
        }
        let (payload, mac) = bytes.split_at(length);
        self.mac(kind, payload).verify_truncated_left(mac).map_err(|_| NoRecipient::Unknown)?;
        let (until, rest) = payload.split_at(2);
        if i64::from(u16::from_be_bytes([until[0], until[1]])) < now.timestamp() / SECONDS_A_DAY {
            return Err(NoRecipient::Expired);
        }
        let recipient = match kind {
            'm' => read_seat(rest).map(Recipient::Seat),
            'r' => read_letter(rest).map(Recipient::Letter),
            'b' => read_letter(rest).map(Recipient::Bounce),
            _ => read_refusal(rest).map(Recipient::Unsubscribe),
        };
        recipient.ok_or(NoRecipient::Unknown)
    }
}

fn read_seat(bytes: &[u8]) -> Option<Asked> {
    let (table, rest) = bytes.split_first_chunk::<16>()?;
    let [seat, moves @ ..] = rest else { return None };
    let moves: [u8; 3] = moves.try_into().ok()?;
    Some(Asked {
        table: TableId(Uuid::from_bytes(*table)),
        seat: Seat::new(*seat)?,
        moves: u32::from_be_bytes([0, moves[0], moves[1], moves[2]]),
    })
}

fn read_letter(bytes: &[u8]) -> Option<SentLetter> {
    let (id, mark) = bytes.split_first_chunk::<8>()?;
    Some(SentLetter { id: i64::from_be_bytes(*id), mark: mark.try_into().ok()? })
}

fn read_refusal(bytes: &[u8]) -> Option<Unsubscribe> {
    let [kind, whom, reader @ ..] = bytes else { return None };
    let reader: [u8; 16] = reader.try_into().ok()?;
    let reader = match whom {
        b'p' => Reader::Player(PlayerId(Uuid::from_bytes(reader))),
        b'a' => Reader::Address(reader),
        _ => return None,
    };
    Some(Unsubscribe { kind: Kind::numbered(*kind)?, reader, table: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Duration;

    fn asked() -> Recipient {
        Recipient::Seat(Asked { table: TableId::fresh(), seat: Seat::new(3).unwrap(), moves: 70_000 })
    }

    fn refusal() -> Recipient {
        let reader = Reader::Player(PlayerId::fresh());
        Recipient::Unsubscribe(Unsubscribe { kind: Kind::Turn, reader, table: None })
    }

    fn key() -> AddressKey {
        AddressKey(vec![7; 32])
    }

    #[test]
    fn what_was_written_is_read_in_any_case() {
        let now = Utc::now();
        let stranger = Reader::of_address("Hatter@example.org");
        let invited = Unsubscribe { kind: Kind::Invitation, reader: stranger, table: None };
        let bounce = Recipient::Bounce(SentLetter::new(i64::MAX, "Alice@example.org"));
        let question = Recipient::Letter(SentLetter::new(1, "alice@example.org"));
        for recipient in [asked(), question, bounce, refusal(), Recipient::Unsubscribe(invited)] {
            let local = key().write(&recipient, now);
            assert!(local.len() <= 64, "{local}");
            assert_eq!(local, local.to_ascii_lowercase());
            assert_eq!(key().read(&local, now), Ok(recipient));
            assert_eq!(key().read(&local.to_ascii_uppercase(), now), Ok(recipient));
        }
    }

    #[test]
    fn an_address_ends() {
        let now = Utc::now();
        let local = key().write(&asked(), now);
        assert!(key().read(&local, now + Duration::days(GOOD_FOR_DAYS)).is_ok());
        assert_eq!(key().read(&local, now + Duration::days(GOOD_FOR_DAYS + 1)), Err(NoRecipient::Expired));
        // It is never too late to refuse letters.
        let local = key().write(&refusal(), now);
        assert!(key().read(&local, now + Duration::days(40 * 365)).is_ok());
    }

    #[test]
    fn a_changed_address_is_not_ours() {
        let now = Utc::now();
        let local = key().write(&asked(), now);
        assert_eq!(key().read(&local.replacen('m', "u", 1), now), Err(NoRecipient::Unknown));
        for place in 0..local.len() {
            for sign in ['a', 'b', '7', 'm', '-', '='] {
                let mut changed = local.clone().into_bytes();
                changed[place] = sign as u8;
                let changed = String::from_utf8(changed).unwrap();
                if changed != local {
                    assert_eq!(key().read(&changed, now), Err(NoRecipient::Unknown), "{changed}");
                }
            }
        }
        assert_eq!(AddressKey(vec![8; 32]).read(&local, now), Err(NoRecipient::Unknown));
        for local in ["", "m-", "m", "postmaster", "b-aaaa", "m-é"] {
            assert_eq!(key().read(local, now), Err(NoRecipient::Unknown));
        }
    }

    #[test]
    fn a_bounce_counts_for_the_address_the_letter_went_to() {
        let letter = SentLetter::new(1, "alice@example.org");
        assert!(letter.went_to("Alice@Example.org") && !letter.went_to("hatter@example.org"));
    }
}
