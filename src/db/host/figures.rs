//! Figures by hour and by day.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};

use crate::db::{Result, Store};
use crate::figures::answer_times::AnswerCount;

/// How much happened in an hour or a day that begins then.
#[derive(Clone, Debug, Default)]
pub struct FiguresRow {
    pub start: DateTime<Utc>,
    pub moves: i64,
    /// Players who moved.
    pub players: i64,
    pub newcomers: i64,
    pub tables_opened: i64,
    pub tables_over: i64,
    pub letters_sent: i64,
    pub letters_dead: i64,
}

/// How many answers fell into a bucket of a histogram.
pub struct AnswerTimeRow {
    pub start: DateTime<Utc>,
    pub kind: String,
    pub bucket: i16,
    pub answers: i64,
}

/// What figures are added up over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Span {
    Hour,
    Day,
}

impl Span {
    const fn name(self) -> &'static str {
        match self {
            Span::Hour => "hour",
            Span::Day => "day",
        }
    }
}

fn hour_of(at: DateTime<Utc>) -> DateTime<Utc> {
    at.duration_trunc(TimeDelta::hours(1)).unwrap_or(at)
}

impl Store {
    /// Adds the answers of a process to the histograms of the hour.
    pub async fn add_answer_times(&self, at: DateTime<Utc>, counts: &[AnswerCount]) -> Result<()> {
        let kinds: Vec<&str> = counts.iter().map(|count| count.kind.name()).collect();
        let buckets: Vec<i16> = counts.iter().map(|count| count.bucket as i16).collect();
        let answers: Vec<i64> = counts.iter().map(|count| count.answers as i64).collect();
        sqlx::query!(
            "insert into answer_time (hour, kind, bucket, answers)
             select $1, given.kind, given.bucket, given.answers
             from unnest($2::text[], $3::smallint[], $4::bigint[]) as given (kind, bucket, answers)
             on conflict (hour, kind, bucket) do update set answers = answer_time.answers + excluded.answers",
            hour_of(at),
            &kinds as &[&str],
            &buckets,
            &answers,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Counts what happened from where counting stopped, up to this time or the end of that hour. Whether there is more to count.
    /// Another process that counts at the same time is left to it.
    pub async fn roll_up_figures(&self, settled: DateTime<Utc>) -> Result<bool> {
        let mut tx = self.pool.begin().await?;
        let from =
            sqlx::query_scalar!("select at from figures_until for update skip locked").fetch_optional(&mut *tx).await?;
        let Some(from) = from.filter(|from| *from < settled) else { return Ok(false) };
        let until = settled.min(hour_of(from) + TimeDelta::hours(1));
        sqlx::query!(
            r#"with moved as materialized (
                 select table_id, seat, body from event where at >= $1 and at < $2 and kind = 'table-said'
             ), movers as (
                 select distinct player_id from moved join seat using (table_id, seat)
                 where player_id is not null and body -> 'table-said' ->> 'by' is null
             ), spans as (
                 select span, date_trunc(span, $1::timestamptz, 'UTC') as start from unnest(array['hour', 'day']) as span
             ), active as (
                 insert into active_player (span, start, player_id) select span, start, player_id from spans, movers
                 on conflict do nothing returning span
             ), counted as (
                 select (select count(*) from moved) as moves,
                     (select count(*) from player where created_at >= $1 and created_at < $2) as newcomers,
                     (select count(*) from game_table where opened_at >= $1 and opened_at < $2) as opened,
                     (select count(*) from game_table where over_at >= $1 and over_at < $2) as over,
                     (select count(*) from letter where sent_at >= $1 and sent_at < $2) as sent,
                     (select count(*) from letter where dropped_at >= $1 and dropped_at < $2 and trouble is not null) as dead
             )
             insert into figures (span, start, moves, players, newcomers, tables_opened, tables_over, letters_sent, letters_dead)
             select span, start, moves, (select count(*) from active where active.span = spans.span), newcomers, opened, over, sent, dead
             from spans, counted where moves + newcomers + opened + over + sent + dead > 0
             on conflict (span, start) do update set
                 moves = figures.moves + excluded.moves, players = figures.players + excluded.players,
                 newcomers = figures.newcomers + excluded.newcomers, tables_opened = figures.tables_opened + excluded.tables_opened,
                 tables_over = figures.tables_over + excluded.tables_over, letters_sent = figures.letters_sent + excluded.letters_sent,
                 letters_dead = figures.letters_dead + excluded.letters_dead"#,
            from,
            until,
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!("update figures_until set at = $1", until).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(until < settled)
    }

    /// Forgets what figures are no longer made of, and histograms that are no longer shown.
    pub async fn forget_old_figures(&self, now: DateTime<Utc>) -> Result<()> {
        sqlx::query!("delete from active_player where start < $1::timestamptz - interval '2 days'", now)
            .execute(&self.pool)
            .await?;
        sqlx::query!("delete from answer_time where hour < $1::timestamptz - interval '35 days'", now)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Up to when everything is counted.
    pub async fn figures_until(&self) -> Result<Option<DateTime<Utc>>> {
        Ok(sqlx::query_scalar!("select at from figures_until").fetch_optional(&self.pool).await?)
    }

    /// How much happened in each hour or day since then. Those in which nothing did are left out.
    pub async fn figures(&self, span: Span, since: DateTime<Utc>) -> Result<Vec<FiguresRow>> {
        let rows = sqlx::query_as!(
            FiguresRow,
            "select start, moves, players, newcomers, tables_opened, tables_over, letters_sent, letters_dead
             from figures where span = $1 and start >= $2 order by start",
            span.name(),
            since,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// How long answers took in each hour or day since then.
    pub async fn answer_times(&self, span: Span, since: DateTime<Utc>) -> Result<Vec<AnswerTimeRow>> {
        let rows = sqlx::query_as!(
            AnswerTimeRow,
            r#"select date_trunc($1, hour, 'UTC') as "start!", kind, bucket, sum(answers)::bigint as "answers!"
               from answer_time where hour >= $2 group by 1, 2, 3 order by 1"#,
            span.name(),
            since,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }
}
