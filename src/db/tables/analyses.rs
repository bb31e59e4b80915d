//! Curves of finished games: asked for, claimed, stored.

use crate::db::{Result, Store};
use crate::tables::TableId;
use chrono::{DateTime, TimeDelta, Utc};

/// For how long a process has an analysis to itself before it says how far it is.
const CLAIM: TimeDelta = TimeDelta::seconds(60);

/// An analysis that broke down so often is not tried again.
const MOST_TRIES: i16 = 3;

/// Which analysis: of which table, up to which event, by which version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisKey {
    pub table: TableId,
    pub head: Vec<u8>,
    pub version: i32,
}

/// An analysis as it stands.
pub struct AnalysisRow {
    pub progress: f32,
    pub done_at: Option<DateTime<Utc>>,
    /// As JSON.
    pub curve: Option<String>,
    /// How many others are before it.
    pub ahead: i64,
}

/// What an analysis found.
pub struct NewCurve<'a> {
    /// As JSON.
    pub curve: &'a str,
    /// The least chance that somebody had who won in the end.
    pub winners_least: Option<f32>,
    /// How much of the game was played when it was last open, from 0 to 1.
    pub open_until: Option<f32>,
}

impl Store {
    /// Asks for an analysis, unless it is there or asked for already. Those of other versions or former ends are dropped.
    pub async fn ask_for_analysis(&self, key: &AnalysisKey) -> Result<()> {
        sqlx::query!(
            "with former as (delete from analysis where table_id = $1 and (head, version) <> ($2, $3))
             insert into analysis (table_id, head, version, asked_at) values ($1, $2, $3, $4) on conflict do nothing",
            key.table as _,
            key.head,
            key.version,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// How an analysis stands; nothing if nobody has asked for it.
    pub async fn analysis(&self, key: &AnalysisKey) -> Result<Option<AnalysisRow>> {
        let row = sqlx::query_as!(
            AnalysisRow,
            r#"select progress, done_at, curve::text as curve,
                 (select count(*) from analysis as other
                  where done_at is null and version = $3 and other.asked_at < this.asked_at) as "ahead!"
               from analysis as this where table_id = $1 and head = $2 and version = $3"#,
            key.table as _,
            key.head,
            key.version,
        )
        .fetch_optional(&self.lookups)
        .await?;
        Ok(row)
    }

    /// Takes the analysis that has waited longest, if nobody works on it; says whether it was begun too often already, as if it brought
    /// the whole process down each time.
    pub async fn claim_analysis(&self, version: i32) -> Result<Option<(AnalysisKey, bool)>> {
        let now = self.clock.now();
        let row = sqlx::query!(
            r#"update analysis set claimed_until = $2, tries = tries + 1
               where (table_id, head, version) = (
                 select table_id, head, version from analysis
                 where done_at is null and version = $1 and coalesce(claimed_until < $3, true)
                 order by asked_at limit 1 for update skip locked)
               returning table_id as "table_id: TableId", head, version, tries"#,
            version,
            now + CLAIM,
            now,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| {
            let key = AnalysisKey { table: row.table_id, head: row.head, version: row.version };
            (key, row.tries > MOST_TRIES)
        }))
    }

    /// Notes how far an analysis is, and keeps it claimed; `false` if nobody wants it any more.
    pub async fn note_analysis(&self, key: &AnalysisKey, progress: f32) -> Result<bool> {
        let noted = sqlx::query!(
            "update analysis set progress = $4, claimed_until = $5
             where table_id = $1 and head = $2 and version = $3 and done_at is null",
            key.table as _,
            key.head,
            key.version,
            progress,
            self.clock.now() + CLAIM,
        )
        .execute(&self.pool)
        .await?;
        Ok(noted.rows_affected() == 1)
    }

    /// Stores what an analysis found.
    pub async fn finish_analysis(&self, key: &AnalysisKey, found: &NewCurve<'_>) -> Result<()> {
        sqlx::query!(
            "update analysis set curve = $4::text::json, winners_least = $5, open_until = $6, progress = 1, done_at = $7, trouble = null
             where table_id = $1 and head = $2 and version = $3",
            key.table as _,
            key.head,
            key.version,
            found.curve,
            found.winners_least,
            found.open_until,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Notes that an analysis broke down. It is tried again some times.
    pub async fn fail_analysis(&self, key: &AnalysisKey, trouble: &str) -> Result<()> {
        sqlx::query!(
            "update analysis set trouble = $4, claimed_until = null, done_at = case when tries >= $5 then $6::timestamptz end
             where table_id = $1 and head = $2 and version = $3",
            key.table as _,
            key.head,
            key.version,
            trouble,
            MOST_TRIES,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
