//! When players are not there, and when the house was not.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::db::{Result, Store};
use crate::local_time::Stretch;
use crate::tables::{PlayerId, TableId};

/// Days off, the first and the last included, and the time that they are.
#[derive(Clone, Debug, Serialize)]
pub struct DaysOff {
    pub id: Uuid,
    pub first: NaiveDate,
    pub last: NaiveDate,
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

impl Store {
    /// The waking hours of a player, as JSON.
    pub async fn waking_hours(&self, player: PlayerId) -> Result<Option<String>> {
        let hours = sqlx::query_scalar!("select waking::text from player where id = $1", player as _)
            .fetch_optional(&self.pool)
            .await?;
        Ok(hours.flatten())
    }

    /// The name of the zone that a player lives in, if it is known.
    pub async fn zone_of(&self, player: PlayerId) -> Result<Option<String>> {
        let zone = sqlx::query_scalar!("select zone from player where id = $1", player as _)
            .fetch_optional(&self.pool)
            .await?;
        Ok(zone.flatten())
    }

    /// Keeps where a player lives, also with how they want letters, which are timed by it. Letters that wait are looked at anew.
    pub async fn keep_zone(&self, player: PlayerId, zone: &str) -> Result<()> {
        sqlx::query!(
            "with kept as (
                 update player set zone = $2, letters = jsonb_set(letters::jsonb, '{zone}', to_jsonb($2::text))::json
                 where id = $1 returning id
             )
             update letter set send_after = $3 from kept
             where player_id = kept.id and sent_at is null and dropped_at is null and tries = 0 and not fixed and table_id is not null",
            player as _,
            zone,
            self.clock.now(),
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Keeps where a player lives as their browser says, if they have not said so themselves.
    pub async fn preset_zone(&self, player: PlayerId, zone: &str) -> Result<()> {
        sqlx::query!(
            "update player set zone = $2, letters = jsonb_set(letters::jsonb, '{zone}', to_jsonb($2::text))::json
             where id = $1 and zone is null",
            player as _,
            zone,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    pub async fn keep_waking_hours(&self, player: PlayerId, hours: Option<&str>) -> Result<()> {
        sqlx::query!("update player set waking = $2::text::json where id = $1", player as _, hours)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The days off of a player that are not over at this moment.
    pub async fn days_off(&self, player: PlayerId, at: DateTime<Utc>) -> Result<Vec<DaysOff>> {
        let rows = sqlx::query_as!(
            DaysOff,
            r#"select id, first_day as "first", last_day as "last", from_at as "from", until_at as "until"
               from vacation where player_id = $1 and until_at > $2 order by from_at"#,
            player as _,
            at,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Adds days off if they may be taken besides those that the player has.
    pub async fn add_days_off<E>(
        &self,
        player: PlayerId,
        days: &DaysOff,
        may_take: impl FnOnce(&[DaysOff]) -> std::result::Result<(), E>,
    ) -> Result<std::result::Result<(), E>> {
        let mut tx = self.pool.begin().await?;
        // Two forms at once must not take the same day twice.
        sqlx::query!("select id from player where id = $1 for update", player as _).fetch_optional(&mut *tx).await?;
        let taken = sqlx::query_as!(
            DaysOff,
            r#"select id, first_day as "first", last_day as "last", from_at as "from", until_at as "until"
               from vacation where player_id = $1 and last_day >= date_trunc('year', $2::date)::date"#,
            player as _,
            days.first,
        )
        .fetch_all(&mut *tx)
        .await?;
        if let Err(refusal) = may_take(&taken) {
            return Ok(Err(refusal));
        }
        sqlx::query!(
            "insert into vacation (id, player_id, first_day, last_day, from_at, until_at, announced_at)
             values ($1, $2, $3, $4, $5, $6, $7)",
            days.id,
            player as _,
            days.first,
            days.last,
            days.from,
            days.until,
            self.clock.now(),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Ok(()))
    }

    /// Ends days off, or takes those back that have not begun; gives back when they began.
    pub async fn end_days_off(&self, player: PlayerId, id: Uuid, today: NaiveDate) -> Result<Option<DateTime<Utc>>> {
        let from = sqlx::query_scalar!(
            r#"with begun as (
                 update vacation set until_at = $3, last_day = least(last_day, $4)
                 where id = $2 and player_id = $1 and from_at <= $3 and until_at > $3 returning from_at
             ), coming as (
                 delete from vacation where id = $2 and player_id = $1 and from_at > $3 returning from_at
             )
             select from_at as "from!" from begun union all select from_at from coming"#,
            player as _,
            id,
            self.clock.now(),
            today,
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(from)
    }

    /// The tables at which a player sits with others, open or running.
    pub async fn tables_with_clocks(&self, player: PlayerId) -> Result<Vec<TableId>> {
        let ids = sqlx::query_scalar!(
            r#"select id as "id: TableId" from seat join game_table on game_table.id = seat.table_id
             where player_id = $1 and status in ('open', 'playing') and seats > 1"#,
            player as _,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(ids)
    }

    /// Notes that the house is awake. If nobody noted that for so long, the house was closed meanwhile, and that is noted, too; unless
    /// the one who asks knows better.
    pub async fn pulse(&self, longest: TimeDelta, was_awake: bool) -> Result<()> {
        // The last pulse has to be read before it is overwritten, so the statement that overwrites it counts what came of reading it.
        sqlx::query!(
            "with last as (
                 select at from house_pulse for update
             ), closed as (
                 insert into outage (from_at, until_at) select at, $1 from last where not $3 and at < $2 on conflict do nothing
                 returning from_at
             )
             insert into house_pulse (at) select $1 from (select count(*) from closed) as counted
             on conflict (one) do update set at = greatest(house_pulse.at, $1)",
            self.clock.now(),
            self.clock.now() - longest,
            was_awake,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// When the house was closed, as far as it has to do with what began then or later.
    pub async fn outages_after(&self, since: DateTime<Utc>) -> Result<Vec<Stretch>> {
        let rows = sqlx::query_as!(
            Stretch,
            r#"select from_at as "from", until_at as "until" from outage where until_at > $1 order by from_at"#,
            since,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
