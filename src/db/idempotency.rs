//! Requests that carry an idempotency key, and what they were answered.

use chrono::TimeDelta;

use crate::db::{Result, Store};
use crate::tables::PlayerId;

/// A request of a player under a key.
#[derive(Copy, Clone, Debug)]
pub struct KeyedRequest {
    pub player: PlayerId,
    pub key_digest: [u8; 32],
    /// Tells requests under the same key apart.
    pub request_digest: [u8; 32],
}

/// An answer as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    pub status: i16,
    pub content_type: Option<String>,
    /// None if it held a secret.
    pub body: Option<Vec<u8>>,
}

/// What is known of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Nobody else carries it out.
    Ours,
    InProgress,
    Answered(KeptAnswer),
    /// The key was used for another request.
    OtherRequest,
}

impl Store {
    /// Claims a request. A claim that was not answered within the lease broke off with its process.
    pub async fn claim_request(&self, request: &KeyedRequest, lease: TimeDelta) -> Result<Claim> {
        let claimed = sqlx::query!(
            "insert into idempotent_request as known (player_id, key_digest, request_digest) values ($1, $2, $3)
             on conflict (player_id, key_digest) do update set claimed_at = now()
             where known.status is null and known.request_digest = excluded.request_digest
                 and known.claimed_at < now() - make_interval(secs => $4)",
            request.player as _,
            &request.key_digest,
            &request.request_digest,
            lease.num_seconds() as f64,
        )
        .execute(&self.pool)
        .await?;
        if claimed.rows_affected() == 1 {
            return Ok(Claim::Ours);
        }
        let known = sqlx::query!(
            "select request_digest, status, content_type, body from idempotent_request
             where player_id = $1 and key_digest = $2",
            request.player as _,
            &request.key_digest,
        )
        .fetch_optional(&self.pool)
        .await?;
        // Given up in between: whoever asks again may claim it.
        let Some(known) = known else { return Ok(Claim::InProgress) };
        if known.request_digest != request.request_digest {
            return Ok(Claim::OtherRequest);
        }
        Ok(match known.status {
            Some(status) => Claim::Answered(KeptAnswer { status, content_type: known.content_type, body: known.body }),
            None => Claim::InProgress,
        })
    }

    /// Keeps the answer to a request that was claimed.
    pub async fn keep_request_answer(&self, request: &KeyedRequest, answer: &KeptAnswer) -> Result<()> {
        sqlx::query!(
            "update idempotent_request set status = $3, content_type = $4, body = $5
             where player_id = $1 and key_digest = $2 and status is null",
            request.player as _,
            &request.key_digest,
            answer.status,
            answer.content_type,
            answer.body,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Gives a claim up: the request may be tried again.
    pub async fn release_request(&self, request: &KeyedRequest) -> Result<()> {
        sqlx::query!(
            "delete from idempotent_request where player_id = $1 and key_digest = $2 and status is null",
            request.player as _,
            &request.key_digest,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Forgets requests that are older than this; says how many there were.
    pub async fn forget_requests(&self, age: TimeDelta) -> Result<u64> {
        let gone = sqlx::query!(
            "delete from idempotent_request where claimed_at < now() - make_interval(secs => $1)",
            age.num_seconds() as f64,
        )
        .execute(&self.pool)
        .await?;
        Ok(gone.rows_affected())
    }
}
